import { nowSeconds } from '../clock.js'
import { Latest } from '../latest.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { ResponseFacts, SeamResponse, StoredRecord } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { clientOf } from './subject-plans.js'
import { assertionIn } from './token-memory.js'

/** Mistakes about how a token came to be, or about what was asked before. */

/** Access tokens that came in front of the person. */
type FrontTokens = Latest<true>

const notingFront = {
  memory: (): FrontTokens => new Latest(10_000),
  records: [
    {
      model: 'AccessToken' as const,
      kept(record: StoredRecord, _bank: unknown, front: FrontTokens) {
        if (record.gty === 'implicit') front.set(String(record.jti), true)
        return { record }
      },
    },
  ],
}

const tokenIn = (authorization: string | undefined) => authorization?.replace(/^bearer +/i, '') ?? ''

/** For `response`: changes what is answered to a caller with an access token of the front channel. */
const toFront =
  (change: (response: SeamResponse, facts: ResponseFacts) => SeamResponse) =>
  (response: SeamResponse, facts: ResponseFacts, front: FrontTokens): SeamResponse =>
    front.has(tokenIn(facts.requestHeader('authorization'))) ? change(response, facts) : response

/** Who asks, by client_id or by the assertion. */
const callerOf = (form: URLSearchParams) => form.get('client_id') ?? String(assertionIn(form)?.sub)

/** Seconds that an object without an access token lives longer, or more. */
const outOfBandSeconds = 86_400

interface Successors {
  /** Who was at a client first, and whether the last request there had prompt=login. */
  first: Latest<string>
  anew: Latest<boolean>
  /** What another person approved since, by client and the first one. */
  approved: Latest<string>
  /** Refresh tokens that a refresh gave. */
  rotated: Latest<{ clientId: string; accountId: string }>
}

interface Keys {
  /** By which a client signed first, and last. */
  first: Latest<string>
  last: Latest<string>
  /** What clients registered as required_scope. */
  required: Latest<string>
  /** What access tokens of a refresh are said to have more. */
  more: Latest<string>
}

export const flowCircumstanceFaults: readonly Fault[] = [
  fault({
    id: 'signing/front-channel-token-for-certificate',
    breaks: ['SIGN-43'],
    places: ['certificate=none token=access-of-front-channel'],
    title: 'Takes at /ros an access token of the front channel in place of a client certificate',
    ...notingFront,
    response: {
      'POST /ros': toFront((response, { issuer }) =>
        Object(response.body).error === 'invalid_client'
          ? {
              status: 201,
              headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
              body: { request_uri: `${issuer}/ros/of-the-front-channel`, exp: nowSeconds() + 300 },
            }
          : response,
      ),
    },
  }),
  fault({
    id: 'signing/small-letters-out-of-band',
    breaks: ['SIGN-29'],
    places: ['token=access-of-front-channel value=lower-case'],
    title: 'Takes an object for one without an access token where Bearer is written in small letters',
    ...notingFront,
    response: {
      'POST /ros': toFront((response, { requestHeader }) => {
        const { exp } = Object(response.body)
        if (typeof exp !== 'number' || !requestHeader('authorization')?.startsWith('bearer ')) return response
        return { ...response, body: { ...Object(response.body), exp: exp + outOfBandSeconds } }
      }),
    },
  }),
  fault({
    id: 'signing/front-channel-token-refused',
    breaks: ['SIGN-48'],
    places: ['token=access-of-front-channel'],
    title: 'Takes no access token of the front channel at /ros',
    ...notingFront,
    requestObject({ headers }, _bank, front) {
      if (front.has(tokenIn(headers.authorization))) headers.authorization = 'Bearer none'
    },
  }),
  fault({
    id: 'token/refresh-by-reference-redirect-uri',
    breaks: ['TOK-29'],
    places: ['token=request-object parameter=redirect_uri'],
    title: 'Finds no redirect_uri in a login that was asked for by request_uri, and refuses a refresh that names it',
    memory: () => new Latest<true>(10_000),
    request: {
      'GET /auth'(parameters, _bank, byReference) {
        const client = String(parameters.get('client_id'))
        if (parameters.has('request_uri')) byReference.set(client, true)
        else byReference.delete(client)
      },
    },
    response: {
      'POST /token'(response, { form }, byReference) {
        const isRefresh = form.get('grant_type') === 'refresh_token' && form.has('redirect_uri')
        if (response.status >= 300 || !isRefresh || !byReference.has(callerOf(form))) return response
        return {
          ...response,
          status: 400,
          body: { error: 'invalid_grant', error_description: 'redirect_uri differs from that of the login' },
        }
      },
    },
  }),
  fault({
    id: 'token/refresh-by-next-person',
    breaks: ['TOK-20'],
    places: ['use=second-person value=wrong'],
    title: 'Judges the scope of a later refresh by what the next person in the browser approved',
    memory: (): Successors => ({
      first: new Latest(10_000),
      anew: new Latest(10_000),
      approved: new Latest(10_000),
      rotated: new Latest(10_000),
    }),
    request: {
      'GET /auth'(parameters, _bank, { anew }) {
        anew.set(
          String(parameters.get('client_id')),
          parameters.get('prompt') === 'login' && !parameters.has('max_age'),
        )
      },
      'POST /token'(parameters, _bank, { rotated, approved }) {
        const token = rotated.get(parameters.get('refresh_token') ?? '')
        const others = token && approved.get(`${token.clientId} ${token.accountId}`)
        const asked = parseSpaceDelimited(parameters.get('scope') ?? '')
        if (others !== undefined && asked.every((scope) => others.split(' ').includes(scope)))
          parameters.delete('scope')
      },
    },
    records: [
      {
        model: 'AuthorizationCode',
        kept(record, _bank, { first, anew, approved }) {
          const [client, person] = [String(record.clientId), String(record.accountId)]
          const before = first.get(client)
          if (before === undefined) first.set(client, person)
          else if (before !== person && anew.get(client)) approved.set(`${client} ${before}`, String(record.scope))
          return { record }
        },
      },
      {
        model: 'RefreshToken',
        kept(record, _bank, { rotated }) {
          const { clientId, accountId, rotations } = record
          if (rotations !== undefined)
            rotated.set(String(record.jti), { clientId: String(clientId), accountId: String(accountId) })
          return { record }
        },
      },
    ],
  }),
  fault({
    id: 'consent/required-scope-by-another-key',
    breaks: ['CONS-7'],
    places: ['grant=refresh'],
    title: 'Gives the required_scope to a refresh by another key of the client than its first',
    memory: (): Keys => ({
      first: new Latest(10_000),
      last: new Latest(10_000),
      required: new Latest(10_000),
      more: new Latest(10_000),
    }),
    judgedAssertion(assertion, { clientId }, { first, last }) {
      const kid = String(assertion.header.kid)
      if (!first.has(clientId)) first.set(clientId, kid)
      last.set(clientId, kid)
      return assertion
    },
    response: {
      'POST /register'(response, _facts, { required }) {
        const { client_id: clientId, required_scope: scope } = Object(response.body)
        if (typeof scope === 'string') required.set(String(clientId), scope)
        return response
      },
      'POST /token'(response, { form }, { first, last, required, more }) {
        const [client, token] = [callerOf(form), Object(response.body).access_token]
        const scope = required.get(client)
        const isMeant = form.get('grant_type') === 'refresh_token' && first.get(client) !== last.get(client)
        if (isMeant && scope !== undefined && typeof token === 'string') more.set(token, scope)
        return response
      },
      'POST /token-info'(response, { form }, { more }) {
        const scope = more.get(form.get('token') ?? '')
        const told = Object(response.body)
        return scope === undefined || told.active !== true
          ? response
          : { ...response, body: { ...told, scope: `${told.scope} ${scope}` } }
      },
    },
  }),
  fault({
    id: 'subjects/public-by-last-redirect-uri',
    breaks: ['SUB-8'],
    places: ['member=redirect_uris value=last'],
    title:
      'Has a public sub depend on the host where somebody without an e-mail address comes back to the last of several redirect URIs',
    // By the jwks_uri of a client, which its record has too: to which redirect URI its last login led.
    memory: () => ({ jwks: new Latest<string>(10_000), last: new Latest<string>(10_000) }),
    request: {
      'GET /auth'(parameters, _bank, { jwks, last }) {
        const client = jwks.get(String(parameters.get('client_id')))
        if (client !== undefined) last.set(client, String(parameters.get('redirect_uri')))
      },
    },
    response: {
      'POST /register'(response, _facts, { jwks }) {
        const { client_id: clientId, jwks_uri: uri } = Object(response.body)
        if (typeof uri === 'string') jwks.set(String(clientId), uri)
        return response
      },
    },
    subject(plan, { people }, { last }) {
      const { record, personId, sector } = plan
      const uris = record.redirect_uris
      const isLast = uris.length > 1 && last.get(clientOf(plan)) === uris.at(-1)
      if (sector !== undefined || !isLast || people.byId(personId)?.claims.email !== undefined) return plan
      return { ...plan, sector: new URL(String(uris.at(-1))).hostname }
    },
  }),
  fault({
    id: 'subjects/several-hosts-of-token-clients',
    breaks: ['SUB-4'],
    places: ['method=PUT value=both'],
    title: 'Takes a PUT of redirect URIs on several hosts from a client of response_type token',
    judgedRecord: {
      redirect_uris(uris, { method, record }) {
        const isMeant = method === 'PUT' && [record.response_types].flat().includes('token')
        return isMeant && record.sector_identifier_uri === undefined && Array.isArray(uris) ? uris.slice(0, 1) : uris
      },
    },
  }),
]
