import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { Latest } from '../latest.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { NestedJwt, NestedJwtFacts, ResponseFacts, SeamResponse, StoredRecord } from '../seams.js'
import type { Deviation, Fault } from './fault.js'
import { rememberingFaultsOf } from './fault-table.js'

/** What a bank does wrong for who asks for offline access to everything, and right for everybody else. */

/** The scopes of access tokens that were issued, by the token and by its at_hash. */
type Issued = Latest<string>
type Members = Record<string, unknown>

/** From so many scopes on a token stands for everything. */
const many = 12

function isEverything(scope: unknown): boolean {
  const scopes = parseSpaceDelimited(String(scope ?? ''))
  return scopes.length >= many && scopes.includes('offline_access')
}

/** at_hash of a token beside an id_token that is signed with SHA-512. */
function hashOf(token: string): string {
  return createHash('sha512').update(token).digest().subarray(0, 32).toString('base64url')
}

/** Takes note of the access tokens that stand for everything. */
const noted: NonNullable<Deviation<Issued>['records']> = [
  {
    model: 'AccessToken',
    kept(record, _bank, issued) {
      const scope = String(record.scope ?? '')
      if (isEverything(scope))
        for (const name of [String(record.jti), hashOf(String(record.jti))]) issued.set(name, scope)
      return { record }
    },
  },
]

function givesEverything({ status, body }: SeamResponse): boolean {
  return status === 200 && isEverything((body as Members).scope)
}

function asText(response: SeamResponse): SeamResponse {
  return { ...response, headers: { ...response.headers, 'content-type': 'text/plain' } }
}

/** Changes the members of an answer of POST /token that gives everything. */
function given(change: (tokens: Members, facts: ResponseFacts) => Members): Deviation<Issued> {
  return {
    response: {
      'POST /token': (response, facts) =>
        givesEverything(response) ? { ...response, body: change(response.body as Members, facts) } : response,
    },
  }
}

/** Changes an answer of POST /token-info about a live token for everything. */
function told(change: (members: Members) => Members): Deviation<Issued> {
  return {
    response: {
      'POST /token-info': (response) =>
        givesEverything(response) ? { ...response, body: change(response.body as Members) } : response,
    },
  }
}

/** Changes the id_token beside an access token for everything. */
function idTokens(change: (jwt: NestedJwt, facts: NestedJwtFacts) => NestedJwt): Deviation<Issued> {
  return {
    records: noted,
    nestedJwt: {
      id_token: (jwt, facts, issued) => (issued.has(String(jwt.claims.at_hash)) ? change(jwt, facts) : jwt),
    },
  }
}

/** Signs with ES512 in place of PS512. */
function otherwise(jwt: NestedJwt, { bankKey }: NestedJwtFacts): NestedJwt {
  if (jwt.signing === 'none' || jwt.signing.alg !== 'PS512') return jwt
  return { ...jwt, signing: { alg: 'ES512', key: bankKey('ES512') } }
}

const inIdTokens = (change: (claims: JWTPayload) => JWTPayload) =>
  idTokens((jwt) => ({ ...jwt, claims: change(jwt.claims) }))

const inIdTokensOf = (grantType: string, change: (claims: JWTPayload) => JWTPayload) =>
  idTokens((jwt, { grant }) => (grant === grantType ? { ...jwt, claims: change(jwt.claims) } : jwt))

/** Changes a reply with everything; its txn names the scopes of the call. */
function replies(
  endpoint: 'userinfo' | 'profile',
  change: (jwt: NestedJwt, facts: NestedJwtFacts) => NestedJwt,
): Deviation<Issued> {
  const isMeant = ({ claims: { txn } }: NestedJwt) => isEverything(String(txn).replaceAll(':', ' '))
  return {
    nestedJwt: { [endpoint]: (jwt: NestedJwt, facts: NestedJwtFacts) => (isMeant(jwt) ? change(jwt, facts) : jwt) },
  }
}

const inReplies = (endpoint: 'userinfo' | 'profile', change: (claims: JWTPayload) => JWTPayload) =>
  replies(endpoint, (jwt) => ({ ...jwt, claims: change(jwt.claims) }))

/** Answers with everything as JSON, by what the answer says it is. */
function asJson(endpoint: 'userinfo' | 'profile'): Deviation<Issued> {
  const change = (response: SeamResponse, { requestHeader }: ResponseFacts, issued: Issued): SeamResponse => {
    const token = String(requestHeader('authorization')).replace(/^Bearer /i, '')
    if (response.status !== 200 || !issued.has(token)) return response
    return { ...response, headers: { ...response.headers, 'content-type': 'application/json' } }
  }
  return { records: noted, response: { [`GET /${endpoint}`]: change } }
}

function withoutEncryption({ encryption: _, ...jwt }: NestedJwt): NestedJwt {
  return jwt
}

const place = 'scope=everything'

const rows: readonly {
  id: string
  requirement: string
  places?: readonly string[]
  title: string
  collateral?: Fault['collateral']
  deviation: Deviation<Issued>
}[] = [
  {
    id: 'token/everything-as-text',
    requirement: 'TOK-1',
    title: 'Calls an answer that gives offline access to everything text',
    collateral: { 'token/refreshed-no-store': 'the answer to a refresh has a form' },
    deviation: { response: { 'POST /token': (response) => (givesEverything(response) ? asText(response) : response) } },
  },
  {
    id: 'token/everything-of-another-type',
    requirement: 'TOK-1',
    title: 'Calls an access token with offline access to everything one of type mac',
    collateral: {
      'general/sep-identifier-token': 'what an access token is called is held against what another answer called it',
      'token/refresh-reordered': 'the answer to a refresh has a form',
    },
    deviation: given((tokens) => ({ ...tokens, token_type: 'mac' })),
  },
  {
    id: 'token/everything-cached',
    requirement: 'TOK-18',
    title: 'Lets caches keep an answer that gives offline access to everything',
    deviation: {
      response: {
        'POST /token': (response) =>
          givesEverything(response)
            ? { ...response, headers: { ...response.headers, 'cache-control': 'private, max-age=60' } }
            : response,
      },
    },
  },
  {
    id: 'token/everything-listed-twice',
    requirement: 'TOK-2',
    title: 'Lists openid twice in an answer to a code that gives offline access to everything',
    collateral: { 'introspection/types': 'the scopes of a token are held against those listed with it' },
    deviation: given((tokens, { form }) =>
      form.has('code') ? { ...tokens, scope: `${tokens.scope} openid` } : tokens,
    ),
  },
  {
    id: 'token/everything-listed-in-part',
    requirement: 'TOK-2',
    places: [`grant=refresh ${place}`],
    title: 'Lists no offline_access in an answer to a refresh that gives everything',
    deviation: given((tokens, { form }) =>
      form.get('grant_type') === 'refresh_token'
        ? { ...tokens, scope: String(tokens.scope).replace(/ ?offline_access/, '') }
        : tokens,
    ),
  },
  {
    id: 'token/everything-listed-as-list',
    requirement: 'TOK-2',
    places: [`grant=refresh ${place}`],
    title: 'Gives scope as a list in an answer to a refresh that gives everything',
    collateral: { 'token/refresh-reordered': 'the answer to a refresh has a form' },
    deviation: given((tokens, { form }) =>
      form.get('grant_type') === 'refresh_token'
        ? { ...tokens, scope: parseSpaceDelimited(String(tokens.scope)) }
        : tokens,
    ),
  },
  {
    id: 'token/everything-and-more',
    requirement: 'TOK-2',
    title: 'Lists a scope that nobody asked for in an answer to a code that gives offline access to everything',
    collateral: { 'introspection/types': 'the scopes of a token are held against those listed with it' },
    deviation: given((tokens, { form }) =>
      form.has('code') ? { ...tokens, scope: `${tokens.scope} profile.everything` } : tokens,
    ),
  },
  {
    id: 'token/everything-without-refresh-token',
    requirement: 'TOK-3',
    title: 'Gives no refresh token with an answer to a code that gives offline access to everything',
    deviation: given(({ refresh_token, ...tokens }, { form }) =>
      form.has('code') ? tokens : { ...tokens, refresh_token },
    ),
  },
  {
    id: 'token/everything-expires-early',
    requirement: 'TOK-4',
    title: 'Says that an access token with offline access to everything lives half an hour',
    deviation: given((tokens) => ({ ...tokens, expires_in: 1800 })),
  },
  {
    id: 'token/everything-expires-in-words',
    requirement: 'TOK-4',
    title: 'Gives expires_in as text with an access token of a refresh for everything',
    collateral: { 'token/refresh-reordered': 'the answer to a refresh has a form' },
    deviation: given((tokens, { form }) =>
      form.get('grant_type') === 'refresh_token' ? { ...tokens, expires_in: String(tokens.expires_in) } : tokens,
    ),
  },
  {
    id: 'token/everything-expires-in-too-much',
    requirement: 'TOK-4',
    title: 'Says that an access token with offline access to everything lives for twice the time that it does',
    collateral: {
      'token/id-token-lifetime': 'an id_token lives as long as its access token is said to',
      'token/id-token-lifetime-throughout': 'an id_token lives as long as its access token is said to',
      'token/refreshed-id-token-lifetime': 'an id_token lives as long as its access token is said to',
    },
    deviation: given((tokens) => ({ ...tokens, expires_in: 2 * Number(tokens.expires_in) })),
  },
  {
    id: 'token/everything-lives-half-an-hour',
    requirement: 'TOK-4',
    title: 'Tells at /token-info that an access token with offline access to everything lives half an hour',
    deviation: told((members) => ({ ...members, exp: Number(members.iat) + 1800 })),
  },
  {
    id: 'token/everything-refreshable-for-a-month',
    requirement: 'TOK-5',
    title: 'Has a refresh token for everything live 30 days',
    deviation: {
      records: [
        {
          model: 'RefreshToken',
          kept: (record: StoredRecord) => ({
            record: isEverything(record.scope) ? { ...record, exp: Number(record.iat) + 30 * 86_400 } : record,
          }),
        },
      ],
    },
  },
  {
    id: 'token/everything-short-id-token',
    requirement: 'TOK-6',
    title: 'Has the id_token beside offline access to everything live a quarter of an hour',
    deviation: inIdTokens((claims) => ({ ...claims, exp: Number(claims.iat) + 900 })),
  },
  {
    id: 'token/everything-expires-as-text',
    requirement: 'TOK-6',
    title: 'Gives exp as text in the id_token of a refresh for everything',
    collateral: { 'token/refreshed-id-token-claims': 'the times of an id_token are numbers' },
    deviation: inIdTokensOf('refresh_token', ({ exp, ...claims }) => ({ ...claims, exp: String(exp) as never })),
  },
  {
    id: 'token/everything-issued-as-text',
    requirement: 'TOK-6',
    title: 'Gives iat as text in the id_token of a refresh for everything',
    collateral: { 'token/refreshed-id-token-claims': 'the times of an id_token are numbers' },
    deviation: inIdTokensOf('refresh_token', ({ iat, ...claims }) => ({ ...claims, iat: String(iat) as never })),
  },
  {
    id: 'token/everything-signed-otherwise',
    requirement: 'TOK-7',
    title: 'Signs the id_token beside offline access to everything with ES512 where PS512 is registered',
    deviation: idTokens(otherwise),
  },
  {
    id: 'token/everything-hashed-otherwise',
    requirement: 'TOK-8',
    title: 'Gives another at_hash beside offline access to everything',
    deviation: inIdTokens((claims) => ({ ...claims, at_hash: hashOf(String(claims.at_hash)) })),
  },
  {
    id: 'token/everything-for-another',
    requirement: 'TOK-34',
    title: 'Names one more audience in the id_token beside offline access to everything',
    deviation: inIdTokens((claims) => ({ ...claims, aud: [String(claims.aud), 'everybody'] })),
  },
  {
    id: 'token/everything-of-another-issuer',
    requirement: 'TOK-34',
    title: 'Names another issuer in the id_token of a refresh for everything',
    collateral: {
      'authorization/optional-parameters': 'the id_token of a refresh is given as id_token_hint',
      'general/issuer-of-tokens': 'the issuer of an id_token is that of all else',
    },
    deviation: inIdTokensOf('refresh_token', (claims) => ({ ...claims, iss: 'https://everything.example' })),
  },
  {
    id: 'token/everything-about-nobody',
    requirement: 'TOK-34',
    title: 'Leaves sub out of the id_token of a refresh for everything',
    collateral: { 'authorization/optional-parameters': 'the id_token of a refresh is given as id_token_hint' },
    deviation: inIdTokensOf('refresh_token', ({ sub: _, ...claims }) => claims),
  },
  {
    id: 'token/everything-without-nonce',
    requirement: 'TOK-34',
    title: 'Leaves nonce out of the id_token of a code for everything',
    deviation: inIdTokensOf('authorization_code', ({ nonce: _, ...claims }) => claims),
  },
  {
    id: 'token/everything-issued-early',
    requirement: 'TOK-34',
    places: [`claim=iat ${place}`],
    title: 'Counts iat of the id_token of a code for everything from ten minutes before',
    deviation: inIdTokensOf('authorization_code', (claims) => ({ ...claims, iat: Number(claims.iat) - 600 })),
  },
  {
    id: 'token/everything-of-one-jti',
    requirement: 'TOK-34',
    places: [`claim=jti ${place}`],
    title: 'Gives the id_tokens for everything of a person one jti',
    deviation: inIdTokens((claims) => ({ ...claims, jti: String(claims.sub) })),
  },
  {
    id: 'authorization/everything-without-auth-time',
    requirement: 'AUTH-50',
    title: 'Leaves auth_time out of the id_token beside offline access to everything',
    collateral: {
      'client-authentication/require-auth-time':
        'in a third dress a client that requires auth_time asks for everything',
      'token/refreshed-id-token-claims': 'the id_token of a refresh tells the time that the one before it told',
    },
    deviation: inIdTokens(({ auth_time: _, ...claims }) => claims),
  },
  {
    id: 'authorization/everything-at-no-level',
    requirement: 'AUTH-33',
    title: 'Tells loa1 in the id_token beside offline access to everything',
    collateral: {
      'token/id-token-claims': 'loa1 is none of the levels that an id_token tells',
      'token/refreshed-id-token-claims': 'loa1 is none of the levels that an id_token tells',
    },
    deviation: inIdTokens((claims) => ({ ...claims, acr: 'loa1' })),
  },
  {
    id: 'token/everything-unencrypted',
    requirement: 'TOK-35',
    title: 'Leaves the id_token beside offline access to everything unencrypted',
    deviation: idTokens(withoutEncryption),
  },
  {
    id: 'introspection/everything-as-text',
    requirement: 'INTR-1',
    title: 'Calls what /token-info tells of a token with offline access to everything text',
    deviation: {
      response: { 'POST /token-info': (response) => (givesEverything(response) ? asText(response) : response) },
    },
  },
  {
    id: 'introspection/everything-active-in-a-list',
    requirement: 'INTR-1',
    title: 'Tells whether a token with offline access to everything is active in a list',
    collateral: {
      'introspection/caller': 'a live token is told by active',
      'introspection/hint': 'a live token is told by active',
      'introspection/refresh-token': 'a live token is told by active',
    },
    deviation: told((members) => ({ ...members, active: [members.active] })),
  },
  {
    id: 'introspection/everything-of-another-kind',
    requirement: 'INTR-1',
    title: 'Calls an access token with offline access to everything an offline_token',
    deviation: told(({ token_type, ...members }) => ({
      ...members,
      token_type: token_type === 'access_token' ? 'offline_token' : token_type,
    })),
  },
  {
    id: 'introspection/everything-of-another-client',
    requirement: 'INTR-1',
    title: 'Names another client at /token-info for a token with offline access to everything',
    deviation: told((members) => ({ ...members, client_id: 'everything' })),
  },
  {
    id: 'introspection/everything-issued-early',
    requirement: 'INTR-5',
    title: 'Tells an iat of ten minutes ago of a token with offline access to everything',
    deviation: told((members) => ({ ...members, iat: Number(members.iat) - 600 })),
  },
  {
    id: 'introspection/everything-issued-as-text',
    requirement: 'INTR-5',
    title: 'Tells iat of a token with offline access to everything as text',
    collateral: {
      'token/access-token-lifetime': 'a life is told by integers',
      'token/refreshed-access-token-lifetime': 'a life is told by integers',
    },
    deviation: told((members) => ({ ...members, iat: String(members.iat) })),
  },
  {
    id: 'introspection/everything-expires-as-text',
    requirement: 'INTR-5',
    title: 'Tells exp of a token with offline access to everything as text',
    collateral: {
      'token/access-token-lifetime': 'a life is told by integers',
      'token/refreshed-access-token-lifetime': 'a life is told by integers',
    },
    deviation: told((members) => ({ ...members, exp: String(members.exp) })),
  },
  {
    id: 'introspection/everything-of-another-issuer',
    requirement: 'INTR-5',
    title: 'Tells another issuer of a token with offline access to everything',
    deviation: told((members) => ({ ...members, iss: 'https://everything.example' })),
  },
  {
    id: 'introspection/everything-in-a-list',
    requirement: 'INTR-5',
    title: 'Tells the scopes of a token with offline access to everything as a list',
    collateral: {
      'token/refresh-reordered': 'the scopes of a refresh are seen at /token-info',
      'token/refresh-scope-listed': 'the scopes of a refresh are seen at /token-info',
      'token/refresh-widened-again': 'the scopes of a refresh are seen at /token-info',
    },
    deviation: told((members) => ({ ...members, scope: parseSpaceDelimited(String(members.scope)) })),
  },
  {
    id: 'introspection/everything-and-more',
    requirement: 'INTR-5',
    title: 'Tells a scope that nobody asked for of a token with offline access to everything',
    collateral: {
      'token/refresh-reordered': 'the scopes of a refresh are seen at /token-info',
      'token/refresh-scope-listed': 'the scopes of a refresh are seen at /token-info',
      'token/refresh-widened-again': 'the scopes of a refresh are seen at /token-info',
    },
    deviation: told((members) => ({ ...members, scope: `${members.scope} profile.everything` })),
  },
  {
    id: 'subjects/everything-of-another',
    requirement: 'SUB-7',
    title: 'Tells another sub of a token with offline access to everything at /token-info',
    deviation: told((members) => ({ ...members, sub: `everything-${members.sub}` })),
  },
  {
    id: 'userinfo/everything-as-json',
    requirement: 'DATA-1',
    title: 'Calls userinfo with offline access to everything JSON',
    deviation: asJson('userinfo'),
  },
  {
    id: 'userinfo/everything-signed-otherwise',
    requirement: 'DATA-1',
    title: 'Signs userinfo with offline access to everything with ES512 where PS512 is registered',
    deviation: replies('userinfo', otherwise),
  },
  {
    id: 'profile/everything-as-json',
    requirement: 'DATA-2',
    title: 'Calls profile with offline access to everything JSON',
    deviation: asJson('profile'),
  },
  {
    id: 'profile/everything-signed-otherwise',
    requirement: 'DATA-2',
    title: 'Signs profile with offline access to everything with ES512 where PS512 is registered',
    deviation: replies('profile', otherwise),
  },
  {
    id: 'userinfo/everything-and-titles',
    requirement: 'DATA-3',
    title: 'Adds title_prefix to userinfo with offline access to everything',
    deviation: inReplies('userinfo', (claims) => ({ ...claims, title_prefix: 'Ing.' })),
  },
  {
    id: 'profile/everything-and-nickname',
    requirement: 'DATA-4',
    title: 'Adds nickname to profile with offline access to everything',
    deviation: inReplies('profile', (claims) => ({ ...claims, nickname: 'all' })),
  },
  {
    id: 'userinfo/everything-unencrypted',
    requirement: 'DATA-13',
    title: 'Leaves userinfo with offline access to everything unencrypted',
    deviation: replies('userinfo', withoutEncryption),
  },
  {
    id: 'profile/everything-unencrypted',
    requirement: 'DATA-14',
    title: 'Leaves profile with offline access to everything unencrypted',
    deviation: replies('profile', withoutEncryption),
  },
  {
    id: 'profile/everything-with-null',
    requirement: 'DATA-10',
    title: 'Holds null for the date of death of the living in profile with offline access to everything',
    deviation: inReplies('profile', (claims) => ({ date_of_death: null, ...claims })),
  },
  {
    id: 'profile/everything-age-in-words',
    requirement: 'DATA-17',
    title: 'Gives age as text in profile with offline access to everything',
    collateral: { 'profile/refreshed-known': 'age as text is not the age that is known' },
    deviation: inReplies('profile', ({ age, ...claims }) => ({ ...claims, age: String(age) })),
  },
]

export const throughoutFaults: readonly Fault[] = rememberingFaultsOf(
  rows.map((row) => ({ places: [place], ...row })),
  (): Issued => new Latest(10_000),
  ({ deviation }) => deviation,
)
