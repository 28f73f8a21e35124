import { randomBytes } from 'node:crypto'
import { Latest } from '../latest.js'
import type { SeamResponse } from '../seams.js'
import { isLeast, notedRecords, recordsOfClients, type ToldRecord } from './client-memory.js'
import { body, fault, omit } from './fault.js'
import { redirectTarget } from './redirects.js'
import { assertionIn } from './token-memory.js'

const route = 'POST /token'

/** For `response`: gives refusals with one code another. */
function otherError(code: string, other: string) {
  return (response: SeamResponse): SeamResponse => {
    const { error, ...members } = (response.body ?? {}) as Record<string, unknown>
    return error === code ? { ...response, body: { error: other, ...members } } : response
  }
}

/** Whether a form carries an assertion that is signed with a client_secret. */
function isBySecret(form: URLSearchParams): boolean {
  const [header = ''] = (form.get('client_assertion') ?? '').split('.')
  return Buffer.from(header, 'base64url').toString().includes('"HS')
}

/** Codes that are given no id_token: by the place of TOK-1, in words, and by the form and the answer. */
const withoutIdToken: readonly {
  slug: string
  place: string
  which: string
  isMeant(form: URLSearchParams, tokens: Record<string, unknown>): boolean
  collateral?: Record<string, string>
}[] = [
  {
    slug: 'offline',
    place: 'grant=code scope=offline_access',
    which: 'a code with offline_access',
    isMeant: (_form, tokens) => 'refresh_token' in tokens,
    collateral: { 'token/id-token-signed-es512': 'its login asks for offline_access' },
  },
  {
    slug: 'by-secret',
    place: 'client-auth=client_secret_post grant=code',
    which: 'the code of a client of client_secret_post',
    isMeant: (form) => form.has('client_secret'),
  },
  {
    slug: 'by-secret-jwt',
    place: 'client-auth=client_secret_jwt grant=code',
    which: 'the code of a client of client_secret_jwt',
    isMeant: isBySecret,
  },
]

/** A refusal turned into a token response. */
function givingToken(response: SeamResponse): SeamResponse {
  const access_token = randomBytes(32).toString('base64url')
  return { ...response, status: 200, body: { access_token, token_type: 'Bearer', expires_in: 3600, scope: 'openid' } }
}

/** Clients that are given a token for the code of another one, by the records of the two. */
const codesOfOthers = (
  [
    {
      id: 'token/code-of-another-of-sector',
      places: ['grant=code member=sector_identifier_uri'],
      title: 'Gives an access token for a code to another client that registered the same sector_identifier_uri',
      isGiven: (caller, owner) =>
        caller?.sector_identifier_uri !== undefined && caller.sector_identifier_uri === owner?.sector_identifier_uri,
    },
    {
      id: 'token/code-of-another-of-few-members',
      places: ['grant=code member=redirect_uris'],
      title: 'Gives an access token for the code of another client to one that registered no more than it needs',
      isGiven: isLeast,
    },
  ] satisfies readonly {
    id: string
    places: readonly string[]
    title: string
    isGiven(caller: ToldRecord | undefined, owner: ToldRecord | undefined): boolean
  }[]
).map(({ isGiven, ...description }) =>
  fault({
    ...description,
    breaks: ['TOK-13'],
    memory: () => ({
      records: recordsOfClients(),
      /** The clients that codes were issued to. */
      owners: new Latest<string>(10_000),
    }),
    records: [
      {
        model: 'AuthorizationCode',
        kept({ jti, clientId }, _facts, { owners }) {
          owners.set(String(jti), String(clientId))
          return {}
        },
      },
    ],
    response: {
      'POST /register': (response, facts, { records }) => notedRecords['POST /register'](response, facts, records),
      'POST /token'(response, { form }, { records, owners }) {
        const caller = String(form.get('client_id') ?? assertionIn(form)?.sub)
        const owner = owners.get(String(form.get('code')))
        if (response.status !== 400 || owner === undefined || owner === caller) return response
        return isGiven(records.get(caller), records.get(owner)) ? givingToken(response) : response
      },
    },
  }),
)

export const tokenCodeFaults = [
  ...withoutIdToken.map(({ slug, place, which, isMeant, collateral }) =>
    fault({
      id: `token/id-token-missing-${slug}`,
      breaks: ['TOK-1'],
      places: [place],
      title: `Gives no id_token for ${which}`,
      ...(collateral && { collateral }),
      response: {
        [route]: body((tokens, { form }) =>
          form.get('grant_type') === 'authorization_code' && isMeant(form, tokens) ? omit(tokens, 'id_token') : tokens,
        ),
      },
    }),
  ),
  fault({
    id: 'token/code-usable-twice',
    breaks: ['TOK-12'],
    places: ['grant=code', 'grant=signing'],
    title: 'Takes a code as often as it comes',
    collateral: {
      'token/code-reuse': 'the second exchange succeeds, so that nothing is noticed',
      'token/code-reuse-ends-refresh-token': 'the second exchange succeeds, so that nothing is noticed',
    },
    records: [{ model: 'AuthorizationCode', ignores: ['consume'] }],
  }),
  fault({
    id: 'token/code-reuse-unnoticed',
    breaks: ['TOK-33'],
    places: ['token=access-of-code', 'token=refresh', 'token=access-of-refresh'],
    title: 'Refuses a code the second time, but lets the tokens of the first live',
    records: [{ model: 'AuthorizationCode', found: (code) => (code.consumed ? undefined : code) }],
  }),
  fault({
    id: 'token/code-reuse-judged-late',
    breaks: ['TOK-33'],
    places: ['token=access-of-code parameter=redirect_uri value=wrong'],
    title: 'Lets the tokens of a code live that is used again with another redirect_uri',
    without: ['token-request/code-reused'],
  }),
  fault({
    id: 'token/code-outlives-expiry',
    breaks: ['TOK-37'],
    title: 'Takes a code for a day',
    records: [{ model: 'AuthorizationCode', graceSeconds: 86_400 }],
  }),
  fault({
    id: 'token/code-of-another',
    breaks: ['TOK-13', 'SIGN-16'],
    places: ['caller=other-client', 'grant=code', 'grant=refresh'],
    title: 'Takes a code from a client that it was not issued to',
    without: ['token-request/owner'],
  }),
  fault({
    id: 'token/code-of-another-at-one-address',
    breaks: ['TOK-13'],
    places: ['grant=code member=redirect_uris'],
    title: 'Gives an access token for a code to a further client that registered the redirect URI which it was sent to',
    collateral: { 'logout/code': 'it does not look whether the code is still good' },
    memory: () => ({
      /** The client that registered a redirect URI first. */
      first: new Latest<string>(10_000),
      /** Those that registered it after that. */
      further: new Latest<string>(10_000),
      /** Where a code was sent to. */
      codes: new Latest<string>(10_000),
    }),
    response: {
      'POST /register'(response, _facts, { first, further }) {
        const { client_id: clientId, redirect_uris: uris } = Object(response.body)
        for (const uri of [uris ?? []].flat().map(String)) {
          if (first.has(uri)) further.set(String(clientId), uri)
          else first.set(uri, String(clientId))
        }
        return response
      },
      'GET /auth'(response, _facts, { codes }) {
        const target = redirectTarget(response)
        const code = target?.searchParams.get('code')
        if (target && code) codes.set(code, `${target.origin}${target.pathname}`)
        return response
      },
      'POST /token'(response, { form }, { further, codes }) {
        const caller = String(form.get('client_id') ?? assertionIn(form)?.sub)
        const address = codes.get(String(form.get('code')))
        if (response.status !== 400 || address === undefined || further.get(caller) !== address) return response
        return givingToken(response)
      },
    },
  }),
  ...codesOfOthers,
  fault({
    id: 'token/redirect-uri-of-reference-unasked',
    breaks: ['TOK-36'],
    places: ['token=request-object value=missing'],
    title: 'Takes a code without redirect_uri from a client that asked by request_uri',
    memory: () => ({
      /** Clients that asked so. */
      asked: new Latest<true>(10_000),
      /** Where their codes were sent to. */
      codes: new Latest<string>(10_000),
    }),
    records: [
      {
        model: 'AuthorizationCode',
        kept({ jti, clientId, redirectUri }, _facts, { asked, codes }) {
          if (asked.has(String(clientId))) codes.set(String(jti), String(redirectUri))
          return {}
        },
      },
    ],
    request: {
      'GET /auth'(parameters, _facts, { asked }) {
        if (parameters.has('request_uri')) asked.set(String(parameters.get('client_id')), true)
      },
      'POST /token'(form, _facts, { codes }) {
        const sentTo = codes.get(String(form.get('code')))
        if (sentTo !== undefined && !form.get('redirect_uri')) form.set('redirect_uri', sentTo)
      },
    },
  }),
  fault({
    id: 'token/redirect-uri-decoded-twice',
    breaks: ['TOK-1'],
    places: ['grant=code member=query'],
    title: 'Decodes redirect_uri twice at /token, so that a plus sign in it becomes a space',
    request: {
      'POST /token'(form) {
        const redirectUri = form.get('redirect_uri')
        if (redirectUri !== null) form.set('redirect_uri', redirectUri.replaceAll('+', ' '))
      },
    },
  }),
  fault({
    id: 'token/redirect-uri-unchecked',
    breaks: ['TOK-36', 'SIGN-45'],
    places: [
      'endpoint=token value=missing',
      'endpoint=token value=suffix',
      'endpoint=token value=wrong',
      'value=wrong',
    ],
    title: 'Does not compare redirect_uri with that of the authorization request',
    without: ['token-request/redirect-uri'],
  }),
  fault({
    id: 'token/unregistered-grant',
    breaks: ['TOK-28'],
    places: ['grant=refresh'],
    title: 'Says invalid_request where the client has not registered the grant',
    response: { [route]: otherError('unauthorized_client', 'invalid_request') },
  }),
  fault({
    id: 'token/grant-unchecked',
    breaks: ['TOK-28'],
    places: ['grant=refresh'],
    title: 'Lets a client try a grant that it has not registered',
    without: ['token-request/grant-registered'],
  }),
  fault({
    id: 'token/unknown-grant',
    breaks: ['TOK-40'],
    places: ['value=unknown'],
    title: 'Says invalid_grant where the grant_type is unknown',
    collateral: {
      'discovery/undeclared-flow': 'a grant that is not declared is one that is unknown',
    },
    response: { [route]: otherError('unsupported_grant_type', 'invalid_grant') },
  }),
  fault({
    id: 'token/undeclared-grant',
    breaks: ['TOK-40'],
    places: ['value=wrong'],
    title: 'Says invalid_grant where the grant_type is one that other banks have',
    response: {
      [route](response, { form }) {
        const known = ['password', 'client_credentials'].includes(form.get('grant_type') ?? '')
        return known ? otherError('unsupported_grant_type', 'invalid_grant')(response) : response
      },
    },
  }),
  fault({
    id: 'token/unknown-client-forbidden',
    breaks: ['TOK-17'],
    places: ['error=invalid_client value=unknown'],
    title: 'Answers 403 to a client that nobody registered',
    response: {
      [route](response) {
        const { error_description: reason } = (response.body ?? {}) as { error_description?: unknown }
        return reason === 'the client is unknown' ? { ...response, status: 403 } : response
      },
    },
  }),
  fault({
    id: 'token/missing-parameter',
    breaks: ['TOK-41'],
    places: ['grant=code parameter=grant_type', 'grant=code parameter=code'],
    title: 'Says invalid_grant where a parameter is missing',
    response: { [route]: otherError('invalid_request', 'invalid_grant') },
  }),
  fault({
    id: 'token/refusal-without-description',
    breaks: ['TOK-17'],
    places: ['error=invalid_client'],
    title: 'Leaves error_description out of refusals',
    collateral: {
      'discovery/undeclared-authentication': 'its refusal is looked at as a whole',
      'errors/direct': 'GEN-3 asks the same of every error without a redirect',
    },
    response: { [route]: refusal(({ error }) => ({ error })) },
  }),
  fault({
    id: 'token/other-media-type-unexplained',
    breaks: ['TOK-17'],
    places: ['grant=code parameter=content-type'],
    title: 'Answers 415 and nothing else to a body that says that it is no form',
    response: {
      [route]: (response, { requestHeader }) =>
        requestHeader('content-type')?.startsWith('application/json')
          ? { status: 415, headers: {}, body: '' }
          : response,
    },
  }),
  fault({
    id: 'token/unsupported-grant-undescribed',
    breaks: ['TOK-17'],
    places: ['error=unsupported_grant_type'],
    title: 'Leaves error_description out of unsupported_grant_type',
    response: {
      [route]: refusal(({ error_description, error }) =>
        error === 'unsupported_grant_type' ? { error } : { error, error_description },
      ),
    },
  }),
  fault({
    id: 'token/refusal-as-html',
    breaks: ['TOK-17'],
    title: 'Announces refusals as HTML',
    collateral: {
      'discovery/endpoints-answer': 'the refusal tells that the endpoint is one',
      'errors/direct': 'GEN-3 asks the same of every error without a redirect',
    },
    response: {
      [route]: (response) =>
        response.status >= 400
          ? { ...response, headers: { ...response.headers, 'content-type': 'text/html' } }
          : response,
    },
  }),
]

function refusal(change: (members: Record<string, unknown>) => Record<string, unknown>) {
  return (response: SeamResponse): SeamResponse =>
    response.status >= 400 ? { ...response, body: change(response.body as Record<string, unknown>) } : response
}
