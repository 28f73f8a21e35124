import { decodeJwt, type JWTPayload } from 'jose'
import { Latest } from '../latest.js'
import type { NestedJwt, NestedJwtFacts, SeamResponse } from '../seams.js'
import { notedRecords, recordsOfClients } from './client-memory.js'
import { body, type Fault, fault } from './fault.js'
import { isDirect, redirectTarget } from './redirects.js'

/** What a bank does right the first time, or by the usual way, and wrong when it comes to the same again. */

const counts = () => new Latest<number>(10_000)
type Counts = Latest<number>

/** What tells an id_token from others. */
function nameOf({ sub, iat, at_hash }: JWTPayload): string {
  return `${sub} ${iat} ${at_hash}`
}

/** How often something came before. */
function before(memory: Counts, name: string): number {
  const times = memory.get(name) ?? 0
  memory.set(name, times + 1)
  return times
}

/** For `nestedJwt`: what becomes of each logout token of a client but the first. */
const laterLogouts = (change: (nestedJwt: NestedJwt) => NestedJwt) => ({
  memory: counts,
  nestedJwt: {
    logout_token: (nestedJwt: NestedJwt, { clientId = '' }: NestedJwtFacts, told: Counts) =>
      before(told, clientId) > 0 ? change(nestedJwt) : nestedJwt,
  },
})

const unknown = { active: false }

/** Whether a form says whose it is, and does not prove it. */
function isUnproven(form: URLSearchParams): boolean {
  return form.has('client_id') && !form.has('client_secret') && !form.has('client_assertion')
}

/** Whether what is asked about is too short for a token of the bank. */
const isOfNobody = (form: URLSearchParams) => String(form.get('token')).length < 20

export const secondSightFaults: readonly Fault[] = [
  fault({
    id: 'logout/later-of-other-issuer',
    breaks: ['DISC-14'],
    places: ['token=logout-token'],
    title: 'Names the issuer with a slash in the logout tokens of a client but the first',
    collateral: { 'logout/token': 'a logout token names the issuer' },
    ...laterLogouts(({ claims, ...nestedJwt }) => ({ ...nestedJwt, claims: { ...claims, iss: `${claims.iss}/` } })),
  }),
  fault({
    id: 'logout/later-with-nonce',
    breaks: ['LOGOUT-5'],
    places: ['member=nonce'],
    title: 'Puts a nonce into the logout tokens of a client but the first',
    ...laterLogouts(({ claims, ...nestedJwt }) => ({ ...nestedJwt, claims: { ...claims, nonce: 'later' } })),
  }),
  fault({
    id: 'logout/told-at-first-address',
    breaks: ['LOGOUT-1'],
    places: ['use=after-put member=backchannel_logout_uri'],
    title: 'Tells of a logout at the address that a client registered first, whatever a PUT registered since',
    memory: recordsOfClients,
    response: { 'POST /register': notedRecords['POST /register'] },
    notices: (planned, _bank, records) =>
      planned.map((notice) => {
        const first = records.get(notice.clientId)?.backchannel_logout_uri
        return notice.content.kind === 'logout' && first !== undefined ? { ...notice, receiver: first } : notice
      }),
  }),
  fault({
    id: 'logout/subject-of-sector-unknown',
    breaks: ['LOGOUT-5'],
    places: ['member=sector_identifier_uri'],
    title: 'Names the person to clients of a sector that they name by a sub that they do not know',
    memory: recordsOfClients,
    response: notedRecords,
    nestedJwt: {
      logout_token({ claims, ...nestedJwt }, { clientId = '' }, records) {
        const isMeant = records.get(clientId)?.sector_identifier_uri !== undefined && claims.sub !== undefined
        return { ...nestedJwt, claims: isMeant ? { ...claims, sub: `sector-${claims.sub}` } : claims }
      },
    },
  }),
  fault({
    id: 'token/refused-scope-discards-what-is-named',
    breaks: ['TOK-45'],
    places: ['use=second-refresh'],
    title: 'Gives nothing by a refresh token for scopes that are named once it refused one for its scope',
    memory: counts,
    response: {
      'POST /token'(response, { form }, refused) {
        const token = form.get('refresh_token') ?? ''
        if (Object(response.body).error === 'invalid_scope') refused.set(token, 1)
        if (response.status !== 200 || !form.has('scope') || !refused.has(token)) return response
        const unusable = { error: 'invalid_grant', error_description: 'the refresh token is unknown' }
        return { ...response, status: 400, body: unusable }
      },
    },
  }),
  fault({
    id: 'profile/of-deleted-client-remembered',
    breaks: ['REG-26'],
    places: ['endpoint=profile token=access-of-code', 'endpoint=profile token=access-of-refresh'],
    title: 'Goes on giving by an access token the profile that it gave before the client was deleted',
    collateral: Object.fromEntries(
      [
        'user-data/revoked-refused',
        'revocation/access-token',
        'logout/tokens',
        'logout/front-channel-token',
        'logout/signing-token',
      ].map((rule) => [rule, 'of a token that ended otherwise it is remembered as well']),
    ),
    memory: () => new Latest<SeamResponse>(1_000),
    response: {
      'GET /profile'(response, { requestHeader }, given) {
        const authorization = requestHeader('authorization') ?? ''
        if (response.status === 200) given.set(authorization, response)
        return given.get(authorization) ?? response
      },
    },
  }),
  fault({
    id: 'authorization/auth-time-of-session-left-out',
    breaks: ['REG-33'],
    places: ['use=session-login'],
    title: 'Leaves auth_time out of the id_token of a login by session',
    memory: counts,
    nestedJwt: {
      id_token({ claims, ...nestedJwt }: NestedJwt, { grant }: NestedJwtFacts, sessions: Counts) {
        const isLater = grant === 'authorization_code' && before(sessions, `${claims.aud} ${claims.sid}`) > 0
        const { auth_time: _, ...others } = claims
        return { ...nestedJwt, claims: isLater ? others : claims }
      },
    },
  }),
  fault({
    id: 'authorization/auth-time-of-refresh-left-out',
    breaks: ['REG-33'],
    places: ['token=id-of-refresh'],
    title: 'Leaves auth_time out of the id_token of a refresh',
    nestedJwt: {
      id_token({ claims, ...nestedJwt }: NestedJwt, { grant }: NestedJwtFacts) {
        const { auth_time: _, ...others } = claims
        return { ...nestedJwt, claims: grant === 'refresh_token' ? others : claims }
      },
    },
  }),
  fault({
    id: 'authorization/auth-time-of-refresh-milliseconds',
    breaks: ['REG-33'],
    places: ['token=id-of-refresh value=other-unit'],
    title: 'Gives auth_time of the id_token of a refresh in milliseconds',
    collateral: { 'token/refreshed-id-token-claims': 'it is no time of the login' },
    nestedJwt: {
      id_token({ claims, ...nestedJwt }: NestedJwt, { grant }: NestedJwtFacts) {
        const isMeant = grant === 'refresh_token' && claims.auth_time !== undefined
        return { ...nestedJwt, claims: isMeant ? { ...claims, auth_time: Number(claims.auth_time) * 1000 } : claims }
      },
    },
  }),
  fault({
    id: 'authorization/ui-locales-beside-refreshed-hint-unchecked',
    breaks: ['AUTH-18'],
    places: ['member=optional-besides'],
    title: 'Does not look at ui_locales beside the id_token of a refresh as id_token_hint',
    memory: counts,
    nestedJwt: {
      id_token(nestedJwt: NestedJwt, { grant }: NestedJwtFacts, refreshed: Counts) {
        if (grant === 'refresh_token') refreshed.set(nameOf(nestedJwt.claims), 1)
        return nestedJwt
      },
    },
    request: {
      'GET /auth'(parameters, _bank, refreshed: Counts) {
        const hint = parameters.get('id_token_hint') ?? ''
        if (hint.split('.').length === 3 && refreshed.has(nameOf(decodeJwt(hint)))) parameters.delete('ui_locales')
      },
    },
  }),
  fault({
    id: 'authorization/consent-required-after-refusal-otherwise',
    breaks: ['AUTH-26'],
    places: ['use=after-refusal'],
    title: 'Answers prompt=none with access_denied at a client for which the person refused consent',
    memory: counts,
    response: {
      'GET /auth'(response: SeamResponse, facts, refused: Counts): SeamResponse {
        const target = redirectTarget(response)
        if (!target) return response
        const address = `${target.origin}${target.pathname}`
        const error = target.searchParams.get('error')
        if (!isDirect(facts) && error === 'access_denied') refused.set(address, 1)
        if (error !== 'consent_required' || !refused.has(address)) return response
        target.searchParams.set('error', 'access_denied')
        return { ...response, headers: { ...response.headers, location: target.href } }
      },
    },
  }),
  fault({
    id: 'introspection/unknown-told-to-nobody',
    breaks: ['INTR-10'],
    places: ['caller=nobody parameter=client_id'],
    title: 'Says of a token that it does not know that it is dead, whoever asks',
    response: {
      'POST /token-info': (response, { form }) =>
        response.status >= 400 && isUnproven(form) && isOfNobody(form)
          ? { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: unknown }
          : response,
    },
  }),
  fault({
    id: 'revocation/unknown-of-nobody-taken',
    breaks: ['REV-8'],
    places: ['caller=nobody parameter=client_id'],
    title: 'Answers 200 to the revocation of a token that it does not know, whoever asks',
    response: {
      'POST /revoke': (response, { form }) =>
        response.status >= 400 && isUnproven(form) && isOfNobody(form)
          ? { status: 200, headers: { 'cache-control': 'no-store' }, body: '' }
          : response,
    },
  }),
  fault({
    id: 'introspection/revoked-refresh-token-live-by-hint',
    breaks: ['REV-2'],
    places: ['endpoint=token-info token=refresh'],
    title: 'Says of a revoked refresh token what it said before, to a client that sent its hint both times',
    memory: () => new Latest<object>(10_000),
    response: {
      'POST /token-info'(response, { form }, told) {
        const token = form.get('token') ?? ''
        const { active, token_type: type } = Object(response.body)
        if (form.get('token_type_hint') !== 'refresh_token') return response
        if (active === true && type === 'refresh_token') told.set(token, Object(response.body))
        return { ...response, body: told.get(token) ?? response.body }
      },
    },
  }),
  fault({
    id: 'client-assertion/names-by-es512-unchecked',
    breaks: ['TOK-14'],
    places: ['iss', 'sub'].map((part) => `endpoint=token-info part=${part} alg=ES512`),
    title: 'Does not look at iss and sub of an assertion that ES512 signed, once client_id names its client',
    judgedAssertion: (assertion, { clientId }) =>
      assertion.header.alg === 'ES512'
        ? { ...assertion, claims: { ...assertion.claims, iss: clientId, sub: clientId } }
        : assertion,
  }),
  fault({
    id: 'signing/refreshed-scopes-in-part',
    breaks: ['SIGN-46'],
    places: ['grant=refresh'],
    title: 'Leaves authorization out of the scopes that a refresh of the signing flow lists',
    response: {
      'POST /token': (response, bank) =>
        bank.form.get('grant_type') === 'refresh_token'
          ? body((tokens) => ({
              ...tokens,
              ...(tokens.scope !== undefined && { scope: withoutSigning(tokens.scope) }),
            }))(response, bank)
          : response,
    },
  }),
  fault({
    id: 'signing/redirect-uri-of-object-by-http',
    breaks: ['SIGN-45'],
    places: ['endpoint=ros member=redirect_uri'],
    title: 'Takes the redirect URI of a request object by http for the registered one by https',
    requestObject({ claims }) {
      if (typeof claims.redirect_uri === 'string') claims.redirect_uri = claims.redirect_uri.replace(/^http:/, 'https:')
    },
  }),
]

/** The scopes but that of the signing flow. */
function withoutSigning(scope: unknown): string {
  return String(scope)
    .split(' ')
    .filter((one) => one !== 'authorization')
    .join(' ')
}
