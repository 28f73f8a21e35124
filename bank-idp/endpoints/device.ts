import express, { type RequestHandler, type Router } from 'express'
import { callerAddress } from '../caller-address.js'
import { deviceGrant } from '../capabilities.js'
import { runChecks } from '../checks.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { loginLengthProblem } from '../login-length.js'
import { readPageForm } from '../pages/form.js'
import { languageFor } from '../pages/language.js'
import { pageHeaders } from '../pages/page-headers.js'
import { problemPage } from '../pages/problem.js'
import {
  authenticateClient,
  forwardParameters,
  injectInternalCredentials,
  readForm,
} from '../provider/client-authentication.js'
import { type CodeLocals, devicePaths } from '../provider/device-grant.js'
import { effectiveScopes } from '../provider/effective-scopes.js'
import { hasStoredSession, replaceBody } from '../provider/patches.js'
import { noteRefusal } from '../refusals.js'
import { exactRouter } from '../router.js'
import { directChecks, parameterChecks } from './authorization-checks.js'

/** What of the table of /auth a request without a browser can break. */
const checked = ['repeated', 'scope', 'scope-openid', 'scope-registered', 'acr-values', 'max-age'].map(
  (name) => `authorization/${name}`,
)
const deviceChecks = [...directChecks, ...parameterChecks].filter(({ id }) => checked.includes(id))

/** Parameters of a request for codes that the library acts on; it knows further ones that this bank does not offer. */
const forwardedParameters = ['scope', 'nonce', 'acr_values', 'max_age', 'display', 'ui_locales']

/** Hands the form that was read on to the library; what is no form the library refuses. */
const readEnteredCode: RequestHandler = (req, res, next) => {
  if (typeof req.body !== 'string') return next()
  const form = new URLSearchParams(req.body)
  const locals = res.locals as CodeLocals
  // The library compares no other characters.
  locals.entered =
    form
      .get('user_code')
      ?.replace(/[^a-z0-9]/gi, '')
      .toUpperCase() ?? ''
  replaceBody(req, form)
  next()
}

/**
 * The device authorization grant (RFC 8628; AMB-34), in front of the library that makes the codes and shows the pages: where an
 * client asks for codes, and where the person enters the one that the device shows.
 *
 * @param key the secret by which the bank passes a client on to oidc-provider
 */
export function device(
  context: Pick<
    BankContext,
    'assertionIds' | 'clientKeys' | 'clients' | 'config' | 'policy' | 'provider' | 'seams' | 'throttles'
  >,
  key: string,
): Router {
  const { config, policy, seams, provider, throttles } = context
  const { issuer } = config
  const { authorization, verification } = devicePaths
  if (policy.deviceAuthorization === 'undeclared') return exactRouter()
  return exactRouter()
    .post(authorization, readForm, async (req, res, next) => {
      const form = res.locals.form as URLSearchParams
      seams.request(`POST ${authorization}`, form, { issuer }, form.get('client_id') ?? undefined)
      const client = await authenticateClient(context, req, form, authorization)
      res.locals.client = client.clientId
      if (!client.record.grant_types.includes(deviceGrant)) {
        throw new BankError('unauthorized_client', `the client is not registered for grant ${deviceGrant}`).refusedBy(
          'device/grant-registered',
        )
      }
      const parameters = new URLSearchParams([...form].filter(([, value]) => value !== ''))
      const request = { method: req.method, query: '', parameters, policy, client, readHint: async () => '' }
      await runChecks(deviceChecks, request, seams, client.clientId)
      const forwarded = forwardParameters(parameters, forwardedParameters)
      const tooLong = loginLengthProblem(forwarded, config.limits)
      if (tooLong !== undefined)
        throw new BankError('invalid_request', tooLong, { status: 413 }).refusedBy('device/length')
      forwarded.set('scope', effectiveScopes(client, String(parameters.get('scope')), policy))
      injectInternalCredentials(req, forwarded, client.clientId, key)
      next()
    })
    .all([verification, `${verification}/:login`], async (req, res, next) => {
      pageHeaders(issuer)(req, res, () => {})
      res.set('cache-control', 'no-store')
      // A form, and a login that goes on, come from a page that made a session, which may be over.
      const lost = (req.method === 'POST' || req.path !== verification) && !(await hasStoredSession(provider, req, res))
      const startAgain = () => res.redirect(303, `${new URL(issuer).pathname.replace(/\/$/, '')}${verification}`)
      // Only this page tells of a code; below it a login goes on.
      if (req.path !== verification) return lost ? startAgain() : next()
      const caller = callerAddress(req, config.trustedProxies)
      const tries = req.method === 'POST' && !lost
      const retryAfterSeconds = await (tries ? throttles.triesCode(caller) : throttles.waitForCode(caller))
      if (retryAfterSeconds === undefined) {
        if (lost) return startAgain()
        // Who goes away before the answer has tried all the same, and where the store cannot take note that a code was right it counts as wrong.
        res.once('finish', () => {
          if (tries && !(res.locals as CodeLocals).wrongCode) throttles.triedRightCode(caller).catch(() => {})
        })
        return next()
      }
      const language = languageFor(undefined, req)
      noteRefusal(res, { code: 'slow_down', check: 'device/tries' })
      res
        .status(429)
        .set('retry-after', String(retryAfterSeconds))
        .send(problemPage({ language, problem: 'tooManyCodes' }))
    })
    .post(
      verification,
      ...readPageForm(express.text({ type: 'application/x-www-form-urlencoded', limit: '20kb' }), issuer),
      readEnteredCode,
    )
    .get(verification, (req, res, next) => {
      // The page shows the code that came with the address (RFC 8628 section 3.3.1), in a field that is sent as it is shown: with the characters
      // that a code can have; it asks nobody to run a script.
      const { user_code: userCode } = req.query
      if (typeof userCode === 'string') res.locals.userCode = userCode.replace(/[^a-z0-9 -]/gi, '').slice(0, 20)
      req.url = req.path
      next()
    })
}
