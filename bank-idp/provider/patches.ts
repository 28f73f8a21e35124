import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { packageFile } from '../../schemas/package-file.js'
import { nowSeconds } from '../clock.js'
import { UsageError } from '../errors.js'
import type { KoaContextWithOIDC, Provider } from './library.js'

/**
 * The bank's whole use of oidc-provider beyond what that documents: what is overwritten in it, and what of its inside is relied on. The
 * functions below overwrite what is overwritten, and reach what is private; members of a request's context, a session, an interaction or a
 * token are read where they are needed. A later version may change any of them without notice, so the version is pinned (package.json), and
 * {@link checkMembers} says at the start which one is gone. It cannot see what a context is given only while a request is served: `params`,
 * `session` and `result`, which the library's documentation names, and the members of `entities`.
 */

/** Members of one place of oidc-provider. */
interface Members {
  place: string
  /** @throws {TypeError} where the place itself is gone */
  at(provider: Provider): object
  names: readonly string[]
  /** Whether the bank puts its own in their place. */
  overwritten?: true
  /** What the bank needs them for. */
  reason: string
  /** Files below lib/ of oidc-provider with their functions; documents and issues of github.com/panva/node-oidc-provider. */
  upstream: string
}

type Schema = { prototype: { invalidate(message: string, code?: string): void } }

const schemaOf = ({ Client }: Provider): Schema => (Client as unknown as { Schema: Schema }).Schema

/** What a model keeps of itself: members of the payload that its adapter gets. */
function payloadOf(model: unknown): object {
  return Object.fromEntries((model as { IN_PAYLOAD: string[] }).IN_PAYLOAD.map((name) => [name, true]))
}

export const members: readonly Members[] = [
  {
    place: 'AccessToken.prototype',
    at: ({ AccessToken }) => AccessToken.prototype,
    names: ['generateTokenId'],
    overwritten: true,
    reason: 'The value of an access token is a JWT by one reading of AMB-14, and a seam of faults.',
    upstream: 'models/access_token.js generateTokenId, called by models/base_model.js save',
  },
  {
    place: 'IdToken.prototype',
    at: ({ IdToken }) => IdToken.prototype,
    names: ['issue'],
    overwritten: true,
    reason:
      "The bank's keys rotate while it runs, and an id_token is encrypted to the key that the client's jwks_uri names now.",
    upstream: 'models/id_token.js issue, called by helpers/process_response_types.js and helpers/grant_common.js',
  },
  {
    place: 'Client.prototype',
    at: ({ Client }) => Client.prototype,
    names: ['includeSid'],
    overwritten: true,
    reason:
      'Every id_token names the session, so that a logout token can; the library has it for its own logout alone.',
    upstream:
      'models/client.js includeSid, called by helpers/process_response_types.js and actions/authorization/device.js',
  },
  {
    place: 'Client.Schema.prototype',
    at: (provider) => schemaOf(provider).prototype,
    names: ['invalidate'],
    overwritten: true,
    reason: 'The library has rules for clients that are not those of the bank (relax-client-schema.ts).',
    upstream: 'helpers/client_schema.js invalidate; recipes/implicit_http_localhost.md; issue 1006',
  },
  {
    place: 'an IdToken',
    at: ({ IdToken }) => new IdToken({}, {}),
    names: ['client', 'ctx', 'available', 'payload'],
    reason: 'The claims of an id_token of the bank: those that were asked for, and more of the authentication.',
    upstream: 'models/id_token.js constructor and payload',
  },
  {
    place: 'an OIDCContext',
    at: ({ OIDCContext }) => new (OIDCContext as unknown as new (ctx: object) => object)({}),
    names: ['entities', 'prompts', 'requestParamScopes', 'provider', 'client', 'account'],
    reason: 'What a request is about is asked in hooks and middleware: its client, its tokens, its scopes.',
    upstream: 'helpers/oidc_context.js; docs/README.md, General access to ctx',
  },
  {
    place: 'OIDCContext.prototype',
    at: ({ OIDCContext }) => OIDCContext.prototype,
    names: ['urlFor'],
    reason:
      'It finds out where the library is mounted by url and originalUrl of the request, which redirectInside sets.',
    upstream: 'helpers/oidc_context.js urlFor',
  },
  {
    place: 'Session',
    at: ({ Session }) => Session,
    names: ['get', 'findByUid'],
    reason:
      "Pages and logout of the bank's own look at the browser's session, and security risks at the session of a login.",
    upstream: 'models/session.js get, findByUid',
  },
  {
    place: 'Session.prototype',
    at: ({ Session }) => Session.prototype,
    names: ['persist', 'destroy', 'past'],
    reason:
      'Who signs in as another identity stays in the session, and who signs in as somebody else leaves it; max_age asks for its age.',
    upstream: 'models/session.js persist, destroy, past',
  },
  {
    place: 'the payload of Session',
    at: ({ Session }) => payloadOf(Session),
    names: ['uid', 'jti', 'accountId', 'acr', 'amr', 'loginTs', 'state', 'authorizations'],
    reason:
      'A session has a name, a person, the time of the login, the secret of its device page and the clients that took part.',
    upstream: 'models/session.js IN_PAYLOAD; shared/xsrf.js for state.secret',
  },
  {
    place: 'Interaction.prototype',
    at: ({ Interaction }) => Interaction.prototype,
    names: ['persist'],
    reason:
      'What a page leads to is kept, and a page that was open while the session changed is bound to the session of now.',
    upstream: 'models/interaction.js persist; provider.js interactionResult',
  },
  {
    place: 'Interaction',
    at: ({ Interaction }) => Interaction,
    names: ['find'],
    reason: 'A page is about an authorization that waits in the browser.',
    upstream: 'models/base_model.js find; provider.js getInteraction, which compares the session as well',
  },
  {
    place: 'the payload of Interaction',
    at: ({ Interaction }) => payloadOf(Interaction),
    names: ['iat', 'params', 'prompt', 'session', 'result', 'returnTo', 'lastSubmission'],
    reason: 'A page is shown for an authorization that waits, and only for as long as it may be left alone.',
    upstream:
      'models/interaction.js IN_PAYLOAD; actions/authorization/resume.js compares session with that of the browser',
  },
  {
    place: 'Grant',
    at: ({ Grant }) => Grant,
    names: ['adapter'],
    reason: 'Who revokes a refresh token ends the grant that it rests on.',
    upstream: 'models/base_model.js adapter',
  },
  ...(['AccessToken', 'RefreshToken', 'AuthorizationCode'] as const).map((model) => ({
    place: model,
    at: (provider: Provider) => provider[model],
    names: ['revokeByGrantId'],
    reason: 'What was issued under a grant ends with it.',
    upstream: 'helpers/grants.js; models/access_token.js, models/refresh_token.js, models/authorization_code.js',
  })),
  ...(['AccessToken', 'RefreshToken'] as const).map((model) => ({
    place: `the payload of ${model}`,
    at: (provider: Provider) => payloadOf(provider[model]),
    names: ['iat', 'exp', 'jti', 'clientId', 'accountId', 'grantId', 'sessionUid', 'scope'],
    reason: 'Tokens are looked up, bound to their session and ended by these; iat and exp are fixed together.',
    upstream: 'models/base_token.js and models/formats/opaque.js getValueAndPayload',
  })),
  {
    place: 'the payload of AuthorizationCode',
    at: ({ AuthorizationCode }) => payloadOf(AuthorizationCode),
    names: ['clientId', 'grantId', 'redirectUri', 'sessionUid'],
    reason: 'POST /token judges in front of the library whose code it is, and where it was sent to.',
    upstream: 'models/authorization_code.js IN_PAYLOAD',
  },
  {
    place: 'the payload of DeviceCode',
    at: ({ DeviceCode }) => payloadOf(DeviceCode),
    names: ['clientId', 'grantId', 'userCode'],
    reason:
      'POST /token judges in front of the library whose code it is; the store finds it by what the person enters.',
    upstream: 'models/device_code.js IN_PAYLOAD, findByUserCode',
  },
  {
    place: 'Provider.prototype',
    at: (provider) => provider,
    names: ['cookieName'],
    reason:
      'The library fails at a form of its device page that comes without the cookie of the session; a login that waits has a cookie.',
    upstream: 'provider.js cookieName, getInteraction; shared/xsrf.js',
  },
]

/** The version in package.json, of the whole of which the above is known. */
function pinnedVersion(): string | undefined {
  const { dependencies } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  return dependencies['oidc-provider']
}

function installedVersion(): string {
  const { version } = createRequire(import.meta.url)('oidc-provider/package.json') as { version: string }
  return version
}

/** @throws {UsageError} naming each member that oidc-provider does not have, what it is for, and the version to install */
export function checkMembers(provider: Provider): void {
  const has = (at: Members['at'], name: string) => {
    try {
      return name in at(provider)
    } catch {
      return false
    }
  }
  const missing = members.flatMap(({ place, at, names, reason, upstream }) =>
    names
      .filter((name) => !has(at, name))
      .map((name) => `oidc-provider ${installedVersion()} has no ${name} of ${place}. ${reason} (${upstream})`),
  )
  if (missing.length === 0) return
  throw new UsageError([...missing, `install oidc-provider ${pinnedVersion()}, which the bank is made for`].join('\n'))
}

/** Has the bank say what the value of an access token is. @param value of a token, from the random string that the library makes */
export function overrideTokenValues(
  { AccessToken }: Provider,
  value: (token: Record<string, unknown>, random: string) => string,
): void {
  const prototype = AccessToken.prototype as unknown as { generateTokenId(): string }
  const { generateTokenId } = prototype
  prototype.generateTokenId = function (this: Record<string, unknown>) {
    return value(this, generateTokenId.call(this))
  }
}

/** What the library knows when it wants an id_token. */
export interface IdTokenSource {
  client?: { clientId: string }
  ctx?: KoaContextWithOIDC
  /** All that the library knows to tell; {@link payload} is what was asked for. */
  available: Record<string, unknown>
  payload(): Promise<Record<string, unknown>>
}

/**
 * How the bank makes its id_tokens.
 *
 * @param request what for, and its expiry where that is not the usual one: seconds since the epoch
 */
export type IssueIdToken = (source: IdTokenSource, request: { use: string; expiresAt?: number }) => Promise<string>

/** Has the bank make the id_tokens, each of which names the session (OpenID Connect Back-Channel Logout 1.0 section 2.1). */
export function overrideIdTokens({ IdToken, Client }: Provider, issue: IssueIdToken): void {
  IdToken.prototype.issue = function (this: IdTokenSource, request) {
    return issue(this, request)
  }
  Client.prototype.includeSid = () => true
}

/** Leaves out rules of the library for the metadata of clients. @param waived says so by the rule's message or code */
export function waiveClientRules(
  provider: Provider,
  waived: (message: string, code: string | undefined) => boolean,
): void {
  const { prototype } = schemaOf(provider)
  const { invalidate } = prototype
  prototype.invalidate = function (message, code) {
    if (!waived(message, code)) invalidate.call(this, message, code)
  }
}

export type LoginSession = InstanceType<Provider['Session']>

/** The session of the browser that a request comes from; a new one where it has none. */
export function sessionOfBrowser(provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<LoginSession> {
  return provider.Session.get(provider.createContext(req, res))
}

/** The session of a name that tokens carry; undefined when its login has ended. */
export function sessionByUid(provider: Provider, uid: string): Promise<LoginSession | undefined> {
  return provider.Session.findByUid(uid)
}

/** Whether the browser's session is stored: the library fails at what comes to its device page without one. */
export async function hasStoredSession(
  provider: Provider,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<boolean> {
  return (await sessionOfBrowser(provider, req, res)).exp !== undefined
}

/** The secret that a form of the library's device page carries; empty where there is no form. */
export function formSecret({ oidc }: KoaContextWithOIDC): string {
  const { state } = oidc.session as unknown as { state?: { secret: string } }
  return state?.secret ?? ''
}

/** The library's record of an authorization that waits for a person. */
export type Details = Awaited<ReturnType<Provider['interactionDetails']>>

/**
 * Binds a waiting authorization to the session that the browser has now, since the library compares the two when it goes on.
 *
 * @param accountId of the same session under another identity; undefined for a new session
 */
export async function bindToSession(details: Details, accountId: string | undefined): Promise<void> {
  Object.assign(details, { session: accountId === undefined ? undefined : { ...details.session, accountId } })
  await details.persist()
}

/**
 * An authorization that waits for a person in the browser that a request comes from, and the browser's session. The library's own
 * `interactionDetails` reads the session by another name, and the bank would read it once more.
 *
 * @param uid of the authorization
 */
export async function waitingInBrowser(
  provider: Provider,
  uid: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<{ details: Details; session: LoginSession } | undefined> {
  const ctx = provider.createContext(req, res)
  if (ctx.cookies.get(provider.cookieName('interaction'), { signed: true }) !== uid) return undefined
  const details = await provider.Interaction.find(uid)
  return details && { details, session: await provider.Session.get(ctx) }
}

/** Keeps what a page leads to, from which the library goes on; with what earlier pages led to, where that is no error. */
export async function keepResult(details: Details, result: Record<string, unknown>): Promise<void> {
  Object.assign(details, { result: 'error' in result ? result : { ...details.lastSubmission, ...result } })
  await details.persist()
}

/** Ends a grant, and all that was issued under it. */
export async function endGrant(provider: Provider, grantId: string): Promise<void> {
  await provider.Grant.adapter.destroy(grantId)
  for (const model of ['AccessToken', 'RefreshToken', 'AuthorizationCode'] as const) {
    await provider[model].revokeByGrantId(grantId)
  }
}

/** A token of the library's while it is being made. */
interface Issued {
  iat?: number
  exp?: number
}

/**
 * Fixes both ends of a lifetime in one second, since the library reads the time once for each (models/formats/opaque.js).
 *
 * @param exp in place of iat + seconds
 * @returns seconds
 */
export function fixLifetime(token: Issued, seconds: number, exp?: number): number {
  const iat = nowSeconds()
  token.iat = iat
  token.exp = exp ?? iat + seconds
  return token.exp - iat
}

/** Has the library answer another address of the bank's than the one that was asked for: it finds out by these two where it is mounted. */
export function redirectInside(req: IncomingMessage & { baseUrl: string; originalUrl: string }, url: string): void {
  req.url = url
  req.originalUrl = `${req.baseUrl}${url}`
}

/**
 * Hands a body that was read here on to the library, which reads it from the request as a stream, by these two members of it (lib/shared/
 * selective_body.js).
 */
export function replaceBody(req: IncomingMessage, form: URLSearchParams): void {
  const bytes = Buffer.from(form.toString())
  req.headers['content-length'] = String(bytes.length)
  Object.defineProperties(req, { readable: { value: true }, iterator: { value: () => Readable.from([bytes]) } })
}
