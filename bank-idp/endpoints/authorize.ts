import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import type { Person } from '../../fixtures/people.js'
import { type Check, runChecks } from '../checks.js'
import { nowSeconds } from '../clock.js'
import { BankError, errorTable } from '../errors.js'
import { problemPage } from '../pages/problem.js'
import { identifyPage, notTheDocumentPage, signPage } from '../pages/signing.js'
import { type Language, languageOf } from '../pages/signing-texts.js'
import { errors } from '../provider/library.js'
import { readingOf } from '../readings.js'
import type { Rooms } from '../rooms.js'
import { documentToShow } from '../signing/documents.js'
import { eligibilityChecks } from '../signing/eligibility.js'
import { acrValues } from '../signing/request-object-checks.js'
import { scopesOf } from '../signing/scopes.js'
import { documentsInOrder, signsDocuments } from '../signing/structured-scope.js'
import type { Client } from '../store/clients.js'
import type { SigningRequest } from '../store/signing-requests.js'
import { words } from '../words.js'
import { displayName, pageHeaders, samePassword } from './interaction.js'

/** What GET /authorize was asked. */
interface Call {
  parameters: URLSearchParams
  request?: SigningRequest
  client?: Client
  /** Where the person comes back to: as the request object says, else as the query does. */
  redirectUri?: string
}

/** The checks of GET /authorize, in their order. Specification: "Signing / request-object flow" 2, "Errors". */
const authorizeChecks: readonly Check<Call>[] = [
  {
    id: 'authorize/request-uri',
    check({ parameters }) {
      if (!parameters.get('request_uri')) throw new BankError('invalid_request', 'request_uri is required')
    },
  },
  {
    id: 'authorize/request-known',
    check({ request, client }) {
      if (!request || !client) throw new BankError('invalid_request_uri', 'request_uri is unknown')
    },
  },
  {
    id: 'authorize/redirect-uri',
    check({ parameters, request, client, redirectUri }) {
      if (redirectUri === undefined) throw new BankError('invalid_request', 'redirect_uri is required')
      const named = parameters.get('redirect_uri') ?? redirectUri
      if (!client?.record.redirect_uris.includes(redirectUri) || named !== redirectUri) {
        throw new BankError('invalid_request', 'redirect_uri is not registered, or not that of the request object')
      }
      if (request === undefined) throw new BankError('invalid_request_uri', 'request_uri is unknown')
    },
  },
]

/** Whether a request object can still be decided: asked when the person comes, and once more when the person decides. */
const lifeChecks: readonly Check<SigningRequest>[] = [
  {
    id: 'authorize/request-live',
    check({ expiresAt }) {
      if (expiresAt <= nowSeconds()) throw new BankError('invalid_request_uri', 'request_uri has expired')
    },
  },
  {
    id: 'authorize/request-undecided',
    check({ decided }) {
      if (decided) throw new BankError('invalid_request_uri', 'it was authorized or refused before')
    },
  },
]

/** An access token binds the request to its person. Specification: "Signing / request-object flow". */
const boundPerson: Check<{ request: SigningRequest; person: Person }> = {
  id: 'authorize/person',
  check({ request, person }) {
    if (request.personId !== undefined && request.personId !== person.id) {
      throw new BankError('access_denied', 'the request is for another person to authorize')
    }
  },
}

function errorAddress(redirectUri: string, { body }: BankError, state?: string): string {
  const target = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...body, ...(state && { state }) })) target.searchParams.set(name, value)
  return target.href
}

/** GET /authorize: judged by our own table, then handed to oidc-provider as an authorization request that has a page more. */
export function authorize(rooms: Rooms): Router {
  const { config, clients, faults, signingRequests } = rooms
  const { readings } = config

  async function read(req: Request): Promise<Call> {
    const parameters = new URLSearchParams(req.url.slice(req.path.length).replace(/^\?/, ''))
    faults.request('GET /authorize', parameters, config.issuer)
    const requestUri = parameters.get('request_uri') ?? ''
    const prefix = `${config.issuer}/ros/`
    const request = requestUri.startsWith(prefix)
      ? await signingRequests.find(requestUri.slice(prefix.length))
      : undefined
    const client = request && (await clients.find(request.clientId))
    const redirectUri = request?.claims.redirect_uri ?? parameters.get('redirect_uri') ?? undefined
    return { parameters, request, client, redirectUri }
  }

  /** Where an error may be redirected to: an address that is known to be an application's. */
  async function wayBack({ parameters, client, redirectUri }: Call): Promise<string | undefined> {
    if (client) return client.record.redirect_uris.find((uri) => uri === redirectUri)
    const given = parameters.get('redirect_uri')
    const redirects = readingOf(readings, 'AMB-54') === 2 && !parameters.get('request_uri')
    return redirects && given !== null && (await clients.anyRegistered(given)) ? given : undefined
  }

  /** What oidc-provider is asked. */
  function asked({ claims, ...request }: SigningRequest, redirectUri: string): URLSearchParams {
    const hybrid = readingOf(readings, 'AMB-61') === 1
    const locales = claims.ui_locales ?? (readingOf(readings, 'AMB-20') === 1 ? claims.ui_locale : undefined)
    return new URLSearchParams({
      client_id: request.clientId,
      redirect_uri: redirectUri,
      response_type: hybrid ? claims.response_type : 'code',
      scope: scopesOf({ claims, ...request }, readings).join(' '),
      state: claims.state,
      nonce: claims.nonce,
      acr_values: acrValues(claims, readings).join(' '),
      ...(locales && { ui_locales: locales }),
      signing_request: request.id,
    })
  }

  return Router()
    .use('/auth', (req, _res, next) => {
      // Only a request object that came through /authorize has this parameter.
      req.url = req.url.replace(/([?&])signing_request=[^&]*/g, '$1')
      next()
    })
    .get('/authorize', async (req, res, next) => {
      const call = await read(req)
      res.locals.client = call.client?.clientId
      try {
        await runChecks(authorizeChecks, call, faults, call.client?.clientId)
        if (call.request) await runChecks(lifeChecks, call.request, faults, call.request.clientId)
      } catch (error) {
        if (!(error instanceof BankError) || !errorTable[error.code].redirect) throw error
        const uri = await wayBack(call)
        if (uri === undefined) throw error
        res.set('cache-control', 'no-store').redirect(302, errorAddress(uri, error, call.request?.claims.state))
        return
      }
      if (!call.request || call.redirectUri === undefined)
        throw new BankError('invalid_request_uri', 'request_uri is unknown')
      req.url = `/auth?${asked(call.request, call.redirectUri)}`
      // oidc-provider finds out by these two where it is mounted.
      req.originalUrl = `${req.baseUrl}${req.url}`
      next()
    })
    .use(signingPages(rooms))
}

interface Step {
  uid: string
  prompt: string
  client: Client
  request: SigningRequest
  session?: { accountId: string; acr?: string; amr?: string[] }
  /** The grant that the consent page has made. */
  grantId?: string
  language: Language
  action: string
}

/** The pages under /authorize/{uid}: who is it, and what is to be authorized. */
function signingPages(rooms: Rooms): Router {
  const { provider, people, clients, subjects, signingRequests, documents, faults, config } = rooms
  const path = new URL(config.issuer).pathname.replace(/\/$/, '')

  const withStep =
    (handle: (step: Step, req: Request, res: Response) => Promise<void>): RequestHandler =>
    async (req, res) => {
      const details = await provider.interactionDetails(req, res).catch((error: unknown) => {
        if (error instanceof errors.SessionNotFound) return undefined
        throw error
      })
      const request = details && (await signingRequests.find(String(details.params.signing_request)))
      const client = request && (await clients.find(request.clientId))
      if (!details || details.uid !== req.params.uid || !client) {
        pageHeaders(config.issuer)(req, res, () => {})
        const advice =
          'It was left for too long, or opened in another browser. Go back to the application and start again.'
        res.status(400).send(problemPage('This authorization is over', advice))
        return
      }
      res.locals.client = client.clientId
      pageHeaders(String(details.params.redirect_uri))(req, res, () => {})
      res.set('cache-control', 'no-store')
      const { consent } = details.lastSubmission ?? {}
      await handle(
        {
          uid: details.uid,
          prompt: details.prompt.name,
          client,
          request,
          session: details.session as Step['session'],
          grantId: (consent as { grantId?: string } | undefined)?.grantId,
          language: languageOf(words(String(details.params.ui_locales ?? ''))),
          action: `${path}/authorize/${details.uid}`,
        },
        req,
        res,
      )
    }

  const finish = (req: Request, res: Response, result: Record<string, unknown>) =>
    provider.interactionFinished(req, res, result, { mergeWithLastSubmission: true })

  /** Whom the request names. */
  const named = ({ request }: Step) => people.byId(request.personId ?? request.hintedId ?? '')

  function showIdentify(step: Step, res: Response, wrongPassword = false): void {
    const { client, action, language } = step
    const person = named(step)
    const props = {
      application: client.record.client_name,
      person: person ? displayName(person) : '',
      action,
      wrongPassword,
    }
    res
      .status(wrongPassword ? 400 : 200)
      .set('content-language', language)
      .send(identifyPage(props, language))
  }

  async function identify(step: Step, form: Record<string, unknown>, req: Request, res: Response): Promise<void> {
    const person = named(step)
    if (form.action === 'decline') throw new BankError('access_denied', 'User declined the authentication')
    if (!person || !samePassword(String(form.password ?? ''), person.password)) return showIdentify(step, res, true)
    return finish(req, res, { login: { accountId: person.id, acr: 'loa2', amr: ['pwd'] } })
  }

  /** @throws {BankError} when it was decided before or is past its end */
  function decide(
    { request, client, session }: Step,
    result: 'authorized' | 'refused' | 'not eligible',
    scope: string,
    grantId?: string,
  ): Promise<void> {
    const { accountId = '', acr = 'loa2', amr = [] } = session ?? {}
    const decision = { result, personId: accountId, subject: subjects.of(client, accountId), acr, amr, scope }
    const judge = (now: SigningRequest) => runChecks(lifeChecks, now, faults, client.clientId)
    return signingRequests.decide(request, decision, judge, grantId)
  }

  /**
   * The person who is there, seen to be one who may authorize the request.
   *
   * @throws {BankError} with the code and description for the application
   */
  async function eligible(step: Step): Promise<Person> {
    const { request, client, session } = step
    const person = people.byId(session?.accountId ?? '')
    if (!person) throw new BankError('access_denied', 'User declined the authentication')
    await runChecks([boundPerson], { request, person }, faults, client.clientId)
    if (signsDocuments(request.claims.structured_scope)) {
      const { acr = 'loa2', amr = [] } = session ?? {}
      await runChecks(eligibilityChecks, { person, acr, amr }, faults, client.clientId).catch(
        async (error: unknown) => {
          await decide(step, 'not eligible', '')
          throw error
        },
      )
    }
    return person
  }

  /** Goes on with what the person did, or back to the application with the reason why not. */
  async function orBack(req: Request, res: Response, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof BankError)) throw error
      await finish(req, res, error.body)
    }
  }

  async function showSign(step: Step, res: Response): Promise<void> {
    const { client, request, action, language } = step
    const person = displayName(await eligible(step))
    const props = {
      application: client.record.client_name,
      person,
      action,
      structuredScope: request.claims.structured_scope,
    }
    res.set('content-language', language).send(signPage(props, language))
  }

  async function sign(step: Step, form: Record<string, unknown>, req: Request, res: Response): Promise<void> {
    const { request, client } = step
    const person = await eligible(step)
    if (form.action !== 'authorize') {
      await decide(step, 'refused', '')
      throw new BankError('access_denied', 'User declined the authorization')
    }
    const known = step.grantId === undefined ? undefined : await provider.Grant.find(step.grantId)
    const grant = known ?? new provider.Grant({ accountId: person.id, clientId: client.clientId })
    if (!known) grant.addOIDCScope(scopesOf(request, config.readings).join(' '))
    const grantId = await grant.save()
    await decide(step, 'authorized', grant.getOIDCScope(), grantId)
    await finish(req, res, { consent: { grantId }, sign: request.id })
  }

  return Router()
    .get(
      '/authorize/:uid',
      withStep(async (step, req, res) =>
        step.prompt === 'identify' ? showIdentify(step, res) : orBack(req, res, () => showSign(step, res)),
      ),
    )
    .post(
      '/authorize/:uid',
      express.urlencoded({ extended: false, limit: '20kb' }),
      withStep(async (step, req, res) => {
        const form = (req.body ?? {}) as Record<string, unknown>
        await orBack(req, res, () =>
          step.prompt === 'identify' ? identify(step, form, req, res) : sign(step, form, req, res),
        )
      }),
    )
    .get(
      '/authorize/:uid/document/:number',
      withStep(async ({ request, prompt, language }, req, res) => {
        const all = documentsInOrder(request.claims.structured_scope)
        const wanted = prompt === 'sign' ? all[Number(req.params.number) - 1] : undefined
        const shown = wanted && (await documentToShow(documents, wanted))
        if (!shown) {
          res.status(404).send(notTheDocumentPage(language))
          return
        }
        // Whatever it contains, it runs nothing and asks for nothing.
        res.set({ 'content-type': shown.contentType, 'content-security-policy': "sandbox; default-src 'none'" })
        res.send(shown.content)
      }),
    )
}
