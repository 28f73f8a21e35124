import type { Request, RequestHandler } from 'express'
import express from 'express'
import type { CompactVerifyGetKey, JWTPayload } from 'jose'
import { capabilities, secretSigningAlgs } from '../capabilities.js'
import { type Check, runChecks } from '../checks.js'
import type { Client } from '../client.js'
import { constantTimeEqual } from '../constant-time-equal.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { memoizedKey } from '../keys/verification.js'
import { readBody } from '../read-body.js'
import { seamsAt } from '../steps.js'
import { internalSecret } from './adapter.js'
import { type Assertion, assertionChecks, assertionType, readAssertion } from './assertion.js'
import { replaceBody } from './patches.js'

/** The endpoints at which a client proves who it is. */
export type ClientEndpoint = '/token' | '/token-info' | '/revoke' | '/device_authorization'

/** What a form carries to prove a client. */
interface Credentials {
  secret?: string
  jwt?: string
}

interface Attempt {
  client: Client
  credentials: Credentials
  /** Why a request without credentials is refused. */
  missing: string
  /** Whether two methods in one request are refused (AMB-22). */
  one: boolean
  refuse: Refuse
}

type Refuse = (reason: string, cause?: unknown) => BankError

/** A parameter, which is given once; without a value it counts as left out (published). */
export function single(form: URLSearchParams, name: string): string | undefined {
  const values = form.getAll(name)
  if (values.length > 1) {
    throw new BankError('invalid_request', `${name} is given more than once`).refusedBy('form/repeated')
  }
  return values[0] || undefined
}

/** The scheme of the Authorization header of a request (RFC 9110 section 11.4); undefined where there is none. */
export function schemeOf({ headers }: Request): string | undefined {
  return /^[\w!#$%&'*+.^`|~-]+/.exec(headers.authorization ?? '')?.[0]
}

/** The query of a request's address, which the bank itself does not read where a client sends a form. */
export function queryOf({ url }: Pick<Request, 'url'>): URLSearchParams {
  return new URLSearchParams(url.replace(/^[^?]*/, ''))
}

/** Whether a form carries what authenticates a client. */
export function hasCredentials(form: URLSearchParams): boolean {
  return ['client_secret', 'client_assertion'].some((name) => form.getAll(name).some((value) => value !== ''))
}

/** Why a request without credentials is refused. @param scheme by which it tried to authenticate all the same */
function missingCredentials(scheme: string | undefined): string {
  const needed = 'client authentication is required: client_assertion or client_secret'
  return scheme === undefined ? needed : `${needed} in the form, not ${scheme} in the Authorization header`
}

/** Specification: "Authentication" 3 and 4. Whatever is sent has to be good, and the method registered has to be among it. */
const clientChecks: readonly Check<Attempt>[] = [
  {
    id: 'client-authentication/one-method',
    check({ credentials: { secret, jwt }, one }) {
      if (one && secret !== undefined && jwt !== undefined) {
        throw new BankError('invalid_request', 'client_secret and client_assertion are two methods: send only one')
      }
    },
  },
  {
    id: 'client-authentication/present',
    check({ credentials: { secret, jwt }, missing, refuse }) {
      if (jwt === undefined && secret === undefined) {
        throw refuse(missing)
      }
    },
  },
  {
    id: 'client-authentication/method',
    check({ client, credentials: { secret, jwt }, refuse }) {
      if (jwt === undefined && secret === undefined) return
      const method = client.record.token_endpoint_auth_method
      const sent = method === 'client_secret_post' ? secret : jwt
      if (sent === undefined) throw refuse(`the client is registered for the method ${method}`)
    },
  },
  {
    id: 'client-authentication/secret',
    check({ client, credentials: { secret }, refuse }) {
      if (secret !== undefined && !constantTimeEqual(secret, client.clientSecret))
        throw refuse('client_secret is wrong')
    },
  },
]

const assertionTable = assertionChecks('client-assertion')

/**
 * The refusal of a client: at /token, and where RFC 8628 asks for the same, 400 by the endpoint's text or 401 by RFC 6749
 * (AMB-29); elsewhere 401, or 400 (AMB-32). Who tries the Authorization header gets 401, and a challenge of the scheme that was tried
 * (RFC 6749 section 5.2); where an access token authenticates as well (AMB-47), a 401 says so (RFC 9110 section 15.5.2).
 *
 * @param scheme of the Authorization header
 */
function refusalAt(
  { config, policy }: Pick<BankContext, 'config' | 'policy'>,
  endpoint: ClientEndpoint,
  scheme: string | undefined,
): Refuse {
  const asToken = endpoint === '/token' || endpoint === '/device_authorization'
  const at401 = asToken
    ? scheme !== undefined || policy.failedTokenAuthentication === 'unauthorized'
    : policy.credentialRefusal !== 'bad-request'
  const takesBearer = !asToken && policy.tokenCaller === 'access-token-too'
  const challenge = scheme === undefined ? takesBearer && 'Bearer' : `${scheme} realm="${config.issuer}"`
  return (reason, cause) =>
    new BankError('invalid_client', reason, {
      status: at401 ? 401 : 400,
      ...(at401 && challenge && { headers: { 'www-authenticate': challenge } }),
      cause,
    })
}

/** The key and the algorithms of a client's assertions. */
function verification(
  context: Pick<BankContext, 'clientKeys' | 'policy'>,
  { record, clientSecret }: Client,
  flowAlgs?: readonly string[],
) {
  const bySecret = record.token_endpoint_auth_method === 'client_secret_jwt'
  const known = bySecret ? secretSigningAlgs(context.policy) : capabilities.assertionSigningAlgs
  const registered = record.token_endpoint_auth_signing_alg
  const secret: CompactVerifyGetKey = async () => new TextEncoder().encode(clientSecret)
  return {
    algorithms: flowAlgs ?? (typeof registered === 'string' ? [registered] : known),
    key: bySecret ? secret : memoizedKey(context.clientKeys.verifier(record.jwks_uri)),
  }
}

/**
 * What the assertion may be made out to. Without sub it has to be the endpoint itself: a request object, which has none either (RFC 9101
 * section 10.8), is made out to the bank.
 */
function audienceOf(issuer: string, endpoint: ClientEndpoint, { sub }: JWTPayload): string[] {
  const own = `${issuer}${endpoint}`
  return sub === undefined ? [own] : [...new Set([own, `${issuer}/token`, issuer])]
}

/**
 * The client that a form-encoded request proves itself to be, by our own tables of checks. Specification: "Authentication" 3 and 4,
 * "Client assertion JWT claims".
 *
 * @param owner of the token in the form: who calls where the form does not tell
 * @param flowAlgs algorithms of assertions that a flow prescribes, whatever the client registered for the others
 * @throws {BankError} invalid_client, or invalid_request for a form that is none
 */
export async function authenticateClient(
  context: Pick<BankContext, 'assertionIds' | 'clientKeys' | 'clients' | 'config' | 'policy' | 'seams'>,
  req: Request,
  form: URLSearchParams,
  endpoint: ClientEndpoint,
  { owner, flowAlgs }: { owner?: Client | undefined; flowAlgs?: readonly string[] | undefined } = {},
): Promise<Client> {
  const { config, policy, clients, assertionIds, seams } = context
  const scheme = schemeOf(req)
  const missing = missingCredentials(scheme)
  const refuse = refusalAt(context, endpoint, scheme)
  const credentials: Credentials = { secret: single(form, 'client_secret'), jwt: single(form, 'client_assertion') }
  const { jwt } = credentials
  if (jwt !== undefined && single(form, 'client_assertion_type') !== assertionType) {
    throw refuse(`client_assertion_type must be ${assertionType}`).refusedBy('client-authentication/assertion-type')
  }
  const read = jwt === undefined ? undefined : readAssertion(jwt, refuse)
  const named = single(form, 'client_id') ?? (typeof read?.claims.sub === 'string' ? read.claims.sub : undefined)
  const client = named === undefined ? owner : await clients.find(named)
  // The same whether or not the token in the form has an owner, so that nobody finds out by it which tokens there are.
  const refuseUnnamed = (cause?: unknown) =>
    hasCredentials(form)
      ? refuse('the client cannot be authenticated: send client_id to learn why', cause)
      : refuse(missing, cause)
  if (!client) {
    const refusal = named === undefined ? refuseUnnamed() : refuse('the client is unknown')
    throw refusal.refusedBy('client-authentication/client-known')
  }
  const one = policy.twoAuthenticationMethods === 'refused'
  const method = String(client.record.token_endpoint_auth_method)
  const places = [endpoint, method, ...form.getAll('grant_type')]
  const placed = places.reduce<Pick<typeof seams, 'leavesOut'>>(seamsAt, seams)
  try {
    await runChecks(clientChecks, { client, credentials, missing, one, refuse }, placed, client.clientId)
    if (read) {
      const expected = {
        ...verification(context, client, flowAlgs),
        audience: audienceOf(config.issuer, endpoint, read.claims),
      }
      const facts = { ...expected, clientId: client.clientId, endpoint, method }
      const assertion: Assertion = {
        ...seams.judgedAssertion(read, facts),
        ...expected,
        issuer: client.clientId,
        // AMB-23: the assertion for /revoke need not tell who signed it.
        issuerOmittable: endpoint === '/revoke' && policy.revocationAssertionIssuer !== 'required',
        issuedBy: client.clientId,
        ids: assertionIds,
        repeatable: policy.repeatedJti === 'accepted',
        refuse,
      }
      await runChecks(assertionTable, assertion, placed, client.clientId)
    }
  } catch (error) {
    throw named === undefined && error instanceof BankError ? refuseUnnamed(error) : error
  }
  return client
}

const readText = express.text({ type: 'application/x-www-form-urlencoded', limit: '50kb' })

/**
 * Reads the form of a request. @throws {BankError} invalid_request when the body is no form, or gives a parameter twice (RFC 6749 section 3.2)
 *
 * @param seams where a fault may have it take a parameter that comes twice
 */
export function formReader(seams?: Pick<BankContext['seams'], 'leavesOut'>): RequestHandler {
  return async (req, res, next) => {
    await readBody(readText, 'invalid_request', req, res)
    if (typeof req.body !== 'string') {
      throw new BankError('invalid_request', 'the body must be application/x-www-form-urlencoded').refusedBy(
        'form/media-type',
      )
    }
    const form = new URLSearchParams(req.body)
    if (!seams?.leavesOut('form/repeated')) for (const name of form.keys()) single(form, name)
    res.locals.form = form
    next()
  }
}

/** Reads a form of which no parameter comes twice. */
export const readForm = formReader()

/** The parameters that oidc-provider is handed: those of a fixed list, since it acts on more than this bank offers. */
export function forwardParameters(parameters: URLSearchParams, names: readonly string[]): URLSearchParams {
  return new URLSearchParams([...parameters].filter(([name]) => names.includes(name)))
}

/** The headers by which oidc-provider would authenticate a client, or bind its tokens, in ways that this bank does not offer. */
const credentialHeaders = ['authorization', 'dpop', 'oauth-client-attestation', 'oauth-client-attestation-pop']

/**
 * Makes oidc-provider accept a client that authenticated itself: the form that the library gets carries the internal secret in
 * place of the client's credentials.
 *
 * @param form what {@link forwardParameters} left
 * @param key the secret behind {@link internalSecret}
 */
export function injectInternalCredentials(req: Request, form: URLSearchParams, clientId: string, key: string): void {
  form.set('client_id', clientId)
  form.set('client_secret', internalSecret(key, clientId))
  for (const name of credentialHeaders) delete req.headers[name]
  replaceBody(req, form)
}
