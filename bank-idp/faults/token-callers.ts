import type { ResponseFacts, SeamResponse } from '../seams.js'
import { CallerMemory, endpoints, listening } from './caller-memory.js'
import { bySchemeAlone, type Fault, fault } from './fault.js'
import { assertionIn } from './token-memory.js'

const json = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

/** Whether a caller is let in who should not be. */
type Lets = (form: URLSearchParams, facts: ResponseFacts, memory: CallerMemory) => boolean

/** For `response`: answers a caller that was refused as if it had been let in. */
function letIn(lets: Lets) {
  return {
    ...listening,
    'POST /token-info': (response: SeamResponse, facts: ResponseFacts, memory: CallerMemory): SeamResponse => {
      const { form } = facts
      const token = String(form.get('token'))
      const body = response.body as { active?: unknown; error?: unknown }
      if (body.active === true) memory.told.set(token, body)
      if (body.error === undefined || !lets(form, facts, memory)) return response
      return { status: 200, headers: json, body: memory.told.get(token) ?? { active: false } }
    },
    'POST /revoke': (response: SeamResponse, facts: ResponseFacts, memory: CallerMemory): SeamResponse => {
      if (response.status < 300) memory.revoked.set(String(facts.form.get('token')), true)
      return response.status >= 400 && lets(facts.form, facts, memory)
        ? { status: 200, headers: {}, body: '' }
        : response
    },
  }
}

/** Callers that are let in, at both endpoints, by what they come with. */
const callers: readonly { slug: string; breaks: string[]; places: string[]; title: string; lets: Lets }[] = [
  ...(
    [
      ['prefix', 'the beginning of its address', (aud: string, own: string) => own.startsWith(aud) && aud !== own],
      [
        'superset',
        'an address that begins as its own',
        (aud: string, own: string) => aud.startsWith(own) && aud !== own,
      ],
      [
        'wrong',
        'a foreign address',
        (aud: string, own: string) => URL.canParse(aud) && new URL(aud).host !== new URL(own).host,
      ],
      ['missing', 'nobody', (aud: string) => aud === 'undefined'],
      ['both', 'several foreign addresses', (aud: string) => aud.startsWith('[')],
    ] as const
  ).map(([value, words, matches]) => ({
    slug: `audience-${value}`,
    breaks: ['INTR-6', 'REV-6'],
    places: [`value=${value}`],
    title: `Takes an assertion that was made out to ${words}`,
    lets: (form: URLSearchParams, { issuer }: ResponseFacts) => {
      const claims = assertionIn(form)
      if (!claims) return false
      const { aud } = claims
      const given = Array.isArray(aud) ? JSON.stringify(aud) : String(aud)
      return ['/token-info', '/revoke'].some((path) => matches(given, `${issuer}${path}`))
    },
  })),
  {
    slug: 'client-id-alone',
    breaks: ['INTR-10', 'REV-8'],
    places: ['caller=nobody parameter=client_id'],
    title: 'Believes whoever names a client',
    lets: (form) => form.has('client_id') && !form.has('client_secret') && !form.has('client_assertion'),
  },
  ...(['client_secret', 'client_assertion'] as const).map((parameter) => ({
    slug: `empty-${parameter.replace('_', '-')}`,
    breaks: ['INTR-10', 'REV-8'],
    places: [`caller=nobody parameter=${parameter} value=empty`],
    title: `Believes whoever names a client and sends an empty ${parameter}`,
    lets: (form: URLSearchParams) => form.has('client_id') && form.get(parameter) === '',
  })),
  {
    slug: 'foreign-secret',
    breaks: ['INTR-10', 'REV-8'],
    places: ['caller=nobody parameter=client_secret value=wrong'],
    title: 'Believes whoever sends a client_secret of 36 characters',
    lets: (form) => form.get('client_secret')?.length === 36,
  },
  {
    slug: 'unsigned-assertion',
    breaks: ['INTR-10', 'REV-8'],
    places: ['caller=nobody parameter=client_assertion value=wrong'],
    title: 'Believes whoever sends an assertion that nobody signed',
    lets: (form) => /^[^.]+\.[^.]+\.$/.test(form.get('client_assertion') ?? '') && algorithmOf(form) === 'none',
  },
  {
    slug: 'bearer-revoked',
    breaks: ['INTR-4', 'REV-5'],
    places: ['caller=bearer use=after-revocation'],
    title: 'Takes an access token that was revoked as Bearer',
    lets: (_form, { requestHeader }, { revoked }) => revoked.has(String(bearerOf(requestHeader))),
  },
  {
    slug: 'bearer-refresh-token',
    breaks: ['INTR-4', 'REV-5'],
    places: ['caller=bearer token=refresh'],
    title: 'Takes a refresh token as Bearer',
    lets: (_form, { requestHeader }, { tokens }) => tokens.of(bearerOf(requestHeader))?.kind === 'refresh_token',
  },
]

function bearerOf(requestHeader: ResponseFacts['requestHeader']): string | null {
  return /^Bearer +(\S+)$/i.exec(requestHeader('authorization') ?? '')?.[1] ?? null
}

/** What an access token of the signing flow authenticates. */
const ofSigning = {
  'signing/holder-of-key-at-token-info': 'an access token of the signing flow is sent as Bearer',
  'signing/holder-of-key-at-revoke': 'an access token of the signing flow is sent as Bearer',
}

/** Endpoints that want the issuer as aud, and nothing but it. */
const ownAddress: readonly {
  topic: string
  route: string
  breaks: string[]
  places: string[]
  collateral: Record<string, string>
}[] = [
  {
    topic: 'introspection',
    route: 'POST /token-info',
    breaks: ['INTR-1', 'INTR-4', 'INTR-6'],
    places: ['token=access-of-code', 'client-auth=private_key_jwt', 'value=right'],
    collateral: {
      'introspection/hint': 'the token is looked into',
      'algorithms/authentication': 'private_key_jwt is declared',
    },
  },
  {
    topic: 'revocation',
    route: 'POST /revoke',
    breaks: ['REV-1', 'REV-4', 'REV-5', 'REV-6'],
    places: ['client-auth=private_key_jwt', 'value=right'],
    collateral: {},
  },
]

export const tokenCallerFaults: readonly Fault[] = [
  ...callers.map(({ slug, breaks, places, title, lets }) =>
    fault({
      id: `token-callers/${slug}`,
      breaks,
      places,
      title: `${title}, at /token-info and /revoke`,
      memory: () => new CallerMemory(),
      response: letIn(lets),
    }),
  ),
  ...(
    [
      ['token-info', 'INTR-4'],
      ['revoke', 'REV-5'],
    ] as const
  ).map(([endpoint, requirement]) =>
    fault({
      id: `token-callers/${endpoint}-scheme-by-letter`,
      breaks: [requirement],
      places: ['caller=bearer parameter=scheme'],
      title: `Knows no scheme but Bearer as it is written at /${endpoint}`,
      response: { [`POST /${endpoint}`]: bySchemeAlone },
    }),
  ),
  fault({
    id: 'token-callers/bearer-refused',
    breaks: ['INTR-4', 'REV-5'],
    places: ['caller=bearer'],
    title: 'Answers a live access token as Bearer with 403',
    collateral: ofSigning,
    response: Object.fromEntries(
      endpoints.map((route) => [
        route,
        (response: SeamResponse, { requestHeader }: ResponseFacts): SeamResponse =>
          bearerOf(requestHeader) !== null && response.status < 300
            ? {
                status: 403,
                headers: json,
                body: { error: 'access_denied', error_description: 'the token is good for less' },
              }
            : response,
      ]),
    ),
  }),
  ...ownAddress.map(({ topic, route, breaks, places, collateral }) =>
    fault({
      id: `${topic}/own-address-refused`,
      breaks,
      places,
      title: `Refuses an assertion with sub that is made out to the address of ${route}`,
      collateral,
      response: {
        [route]: (response: SeamResponse, { form, issuer }: ResponseFacts): SeamResponse => {
          const { sub, aud } = assertionIn(form) ?? {}
          return sub !== undefined && aud === `${issuer}${route.replace('POST ', '')}`
            ? {
                status: 401,
                headers: json,
                body: { error: 'invalid_client', error_description: 'aud must be the issuer' },
              }
            : response
        },
      },
    }),
  ),
  fault({
    id: 'introspection/both-refused-otherwise',
    breaks: ['INTR-1'],
    places: ['client-auth=client_secret_post value=both'],
    title: 'Does not know a client that sends client_secret and client_assertion at once',
    response: {
      'POST /token-info': (response, { form }) =>
        form.has('client_secret') && form.has('client_assertion')
          ? { status: 401, headers: json, body: { error: 'invalid_client', error_description: 'two methods' } }
          : response,
    },
  }),
  fault({
    id: 'token-callers/secret-jwt-refused',
    breaks: ['INTR-4', 'REV-5'],
    places: ['client-auth=client_secret_jwt'],
    title: 'Takes no assertion that is signed with a client_secret, at /token-info and /revoke',
    response: Object.fromEntries(
      endpoints.map((route) => [
        route,
        (response: SeamResponse, { form }: ResponseFacts): SeamResponse =>
          /^HS/.test(algorithmOf(form))
            ? {
                status: 401,
                headers: json,
                body: { error: 'invalid_client', error_description: 'the method is unknown' },
              }
            : response,
      ]),
    ),
  }),
]

/** The algorithm of the assertion in a form; empty where there is none. */
function algorithmOf(form: URLSearchParams): string {
  const [header = ''] = (form.get('client_assertion') ?? '').split('.')
  try {
    return String(JSON.parse(Buffer.from(header, 'base64url').toString()).alg)
  } catch {
    return ''
  }
}
