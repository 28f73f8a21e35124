import { createHash } from 'node:crypto'
import type { Request, Response, Router } from 'express'
import { type Check, runChecks } from '../checks.js'
import type { Client } from '../client.js'
import type { BankContext } from '../context.js'
import { BankError, errorTable } from '../errors.js'
import { loginLengthProblem } from '../login-length.js'
import { forwardParameters, readForm } from '../provider/client-authentication.js'
import { effectiveScopes } from '../provider/effective-scopes.js'
import { subjectOfHint } from '../provider/id-token-hint.js'
import { attachInternalRequest } from '../provider/internal-request.js'
import { replaceBody } from '../provider/patches.js'
import { type ObjectReads, resolveRequestObject } from '../provider/request-object.js'
import { RequestUriReads } from '../provider/request-uri-reads.js'
import { noteRefusal } from '../refusals.js'
import { exactRouter } from '../router.js'
import {
  type AuthorizationRequest,
  directChecks,
  parameterChecks,
  requestObjectChecks,
} from './authorization-checks.js'
import { errorAddress } from './error-address.js'

/** The parameters with a value; an empty one counts as left out. */
function parametersOf(query: string): URLSearchParams {
  return new URLSearchParams([...new URLSearchParams(query)].filter(([, value]) => value !== ''))
}

/** Parameters that the library acts on; it knows further ones that this bank does not offer. */
const forwardedParameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'nonce',
  'prompt',
  'display',
  'acr_values',
  'max_age',
  'ui_locales',
  'code_challenge',
  'code_challenge_method',
]

/**
 * What the library is asked: the request in the library's own terms. A plain code_challenge is asked as the S256 of it, which the same
 * verifier answers (RFC 7636 section 4.6); a code_challenge_method without one is not asked at all.
 */
function toProviderRequest({ parameters, client, policy }: AuthorizationRequest): URLSearchParams {
  const query = forwardParameters(parameters, forwardedParameters)
  // The library has no response type for a token alone: the id_token that it adds is taken out again (provider/authorization-answer.ts).
  if (query.get('response_type') === 'token') query.set('response_type', 'id_token token')
  const challenge = query.get('code_challenge')
  if (challenge === null) query.delete('code_challenge_method')
  else if (query.get('code_challenge_method') !== 'S256') {
    query.set('code_challenge', createHash('sha256').update(challenge).digest('base64url'))
    query.set('code_challenge_method', 'S256')
  }
  const scope = query.get('scope')
  if (client && scope !== null) query.set('scope', effectiveScopes(client, scope, policy))
  return query
}

/** The same checks of the parameters that a request object put in place of the query's, by names of their own. */
function inObject(table: readonly Check<AuthorizationRequest>[]): Check<AuthorizationRequest>[] {
  return table.map(({ id, check }) => ({ id: id.replace('authorization/', 'request-object/'), check }))
}

/**
 * GET and POST /auth, in front of the library that shows the pages and issues codes. Specification: "Exposed by the bank" 6, "Effect of
 * authorization request parameters on errors". The order of the tables is the order in which a request is judged: a request with two
 * mistakes gets the answer of the first.
 */
export function authorization(
  context: Pick<BankContext, 'clientKeys' | 'clients' | 'config' | 'keys' | 'outbound' | 'people' | 'policy' | 'seams'>,
): Router {
  const { config, policy, clients, people, seams } = context
  const { addressLength, stateLength } = config.limits
  const objectReads: ObjectReads = new RequestUriReads(config.limits)

  /** Where an error of a direct check goes when the bank takes the reading that redirects it. */
  async function errorRedirectUri({ parameters, client }: AuthorizationRequest): Promise<string | undefined> {
    const given = parameters.get('redirect_uri')
    if (client) return client.record.redirect_uris.find((uri) => uri === given) ?? client.record.redirect_uris[0]
    return given !== null && (await clients.anyRegistered(given)) ? given : undefined
  }

  const redirect = (uri: string, error: BankError, { parameters }: AuthorizationRequest) =>
    errorAddress(uri, error, { issuer: config.issuer, state: parameters.get('state') })

  /** @returns the address that the error is redirected to; undefined when no check objects. @throws {BankError} answered directly */
  async function judge(request: AuthorizationRequest, res: Response): Promise<string | undefined> {
    const { client } = request
    const ask = (table: readonly Check<AuthorizationRequest>[]) => runChecks(table, request, seams, client?.clientId)
    for (const check of directChecks) {
      try {
        await ask([check])
      } catch (error) {
        const redirected = check.redirectedBy?.(policy)
        const uri = redirected && error instanceof BankError ? await errorRedirectUri(request) : undefined
        if (!uri) throw error
        noteRefusal(res, error as BankError)
        return redirect(uri, error as BankError, request)
      }
    }
    try {
      await ask(requestObjectChecks)
      if (client && request.parameters.has('request_uri')) await judgeReferenced(request, client)
      else await ask(parameterChecks)
      return undefined
    } catch (error) {
      if (!(error instanceof BankError) || !errorTable[error.code].redirect) throw error
      noteRefusal(res, error)
      return redirect(String(request.parameters.get('redirect_uri')), error, request)
    }
  }

  /** The request that request_uri names takes the place of the query; what is wrong with it is wrong with the object. */
  async function judgeReferenced(request: AuthorizationRequest, client: Client): Promise<void> {
    const parameters = await resolveRequestObject({ ...context, objectReads }, client, request.parameters)
    const tooLong = loginLengthProblem(forwardParameters(parameters, forwardedParameters), config.limits)
    // Told with the state of the query: that of the object may be what no answer can carry.
    if (tooLong !== undefined) throw new BankError('invalid_request_object', tooLong).refusedBy('request-object/length')
    request.parameters = parameters
    await runChecks(inObject(requestObjectChecks), request, seams, client.clientId)
    await runChecks(inObject(parameterChecks), request, seams, client.clientId).catch((error: unknown) => {
      if (!(error instanceof BankError) || policy.invalidInObject === 'parameter') throw error
      throw new BankError('invalid_request_object', error.message, { cause: error })
    })
  }

  async function read(req: Request): Promise<AuthorizationRequest> {
    const query = req.method === 'POST' ? String(req.body) : req.url.slice(req.path.length).replace(/^\?/, '')
    const parameters = parametersOf(query)
    // What is kept with a login that may never be finished; a form as an address, in the place of which it stands.
    const tooLong = req.method === 'POST' ? 413 : 414
    if (query.length > addressLength)
      throw new BankError('invalid_request', 'the form is too long', { status: tooLong }).refusedBy(
        'authorization/length',
      )
    const state = parameters.get('state') ?? ''
    if (state.length > stateLength) {
      throw new BankError('invalid_request', `state is longer than ${stateLength} characters`, {
        status: tooLong,
      }).refusedBy('authorization/state-length')
    }
    const facts = { issuer: config.issuer, posted: req.method === 'POST' }
    seams.request('GET /auth', parameters, facts, parameters.get('client_id') ?? undefined)
    const clientId = parameters.get('client_id') ?? undefined
    const client = clientId === undefined ? undefined : await clients.find(clientId)
    const readHint = (hint: string) => subjectOfHint(context, String(clientId), hint)
    const named = { ...(client && { client }), ...(config.headless && { people }) }
    return { method: req.method, query, parameters, policy, readHint, ...named }
  }

  return exactRouter()
    .post('/auth', readForm)
    .all('/auth', async (req, res, next) => {
      const request = await read(req)
      res.locals.client = request.client?.clientId
      const elsewhere = await judge(request, res)
      if (elsewhere !== undefined) {
        res.set('cache-control', 'no-store').redirect(302, elsewhere)
        return
      }
      attachInternalRequest(req, { hintedSubject: request.hintedSubject })
      // The library is asked by GET, however the request came: of a form nothing is left to read.
      if (req.method === 'POST') replaceBody(req, new URLSearchParams())
      req.method = 'GET'
      req.url = `${req.path}?${toProviderRequest(request)}`
      next()
    })
}
