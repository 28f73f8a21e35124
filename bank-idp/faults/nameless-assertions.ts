import { randomUUID } from 'node:crypto'
import { nowSeconds } from '../clock.js'
import { Latest } from '../latest.js'
import type { AssertionFacts } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { assertionIn } from './token-memory.js'

const json = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

/** Whether a form carries an assertion that names nobody. */
function isNameless(form: URLSearchParams): boolean {
  const claims = assertionIn(form)
  return claims !== undefined && claims.sub === undefined
}

/** Checks that a bank may forget of an assertion that names nobody: what they break, and how they are passed. */
const forgotten: readonly {
  part: string
  breaks: string
  place: string
  title: string
  collateral?: Readonly<Record<string, string>>
  seen(facts: AssertionFacts): { believed?: true; claims?: Record<string, unknown>; alg?: string }
}[] = [
  {
    part: 'alg',
    breaks: 'REG-24',
    place: 'endpoint=revoke member=nameless',
    title: 'with any declared algorithm, whichever the client registered',
    seen: ({ algorithms: [registered] }) => (registered === undefined ? {} : { alg: registered }),
  },
  {
    part: 'aud',
    breaks: 'REV-6',
    place: 'member=nameless value=wrong',
    title: 'whoever it is made out to',
    seen: ({ audience }) => ({ claims: { aud: audience[0] } }),
  },
  {
    part: 'exp',
    breaks: 'TOK-38',
    place: 'endpoint=revoke part=exp member=nameless',
    title: 'that has expired',
    seen: () => ({ claims: { exp: nowSeconds() + 60 } }),
  },
  {
    part: 'jti',
    breaks: 'TOK-38',
    place: 'endpoint=revoke part=jti member=nameless',
    title: 'and without jti',
    seen: () => ({ claims: { jti: randomUUID() } }),
  },
  {
    part: 'signature',
    breaks: 'TOK-39',
    place: 'endpoint=revoke part=signature member=nameless',
    title: 'without a look at its signature',
    collateral: {
      'revocation/nameless-assertion-of-another':
        'it is by the signature alone that such an assertion tells whose it is',
    },
    seen: () => ({ believed: true }),
  },
]

export const namelessAssertionFaults: readonly Fault[] = [
  ...forgotten.map(({ part, breaks, place, title, collateral, seen }) =>
    fault({
      id: `revocation/nameless-${part}-unchecked`,
      breaks: [breaks],
      places: [place],
      title: `Takes an assertion without sub and iss ${title}`,
      ...(collateral && { collateral }),
      judgedAssertion(assertion, facts) {
        const { sub, iss } = assertion.claims
        if (facts.endpoint !== '/revoke' || sub !== undefined || iss !== undefined) return assertion
        const { claims, alg, ...changes } = seen(facts)
        const header = { ...assertion.header, ...(alg !== undefined && { alg }) }
        // What is there stays as it is, but for what is not asked about.
        const passed = part === 'jti' && assertion.claims.jti !== undefined ? {} : claims
        return { ...assertion, ...changes, header, claims: { ...assertion.claims, ...passed } }
      },
    }),
  ),
  fault({
    id: 'revocation/nameless-by-anybody',
    breaks: ['REV-4'],
    places: ['caller=other-client value=missing'],
    title: 'Takes back a token for whoever signs an assertion without sub and iss',
    /** What it took back wrongly. */
    memory: () => new Latest<true>(10_000),
    response: {
      'POST /revoke': (response, { form }, ended) => {
        const nameless = isNameless(form) && !form.has('client_id')
        if (!nameless || response.status < 400) return response
        ended.set(String(form.get('token')), true)
        return { status: 200, headers: {}, body: '' }
      },
      'POST /token-info': (response, { form }, ended) =>
        ended.has(String(form.get('token'))) ? { ...response, body: { active: false } } : response,
    },
  }),
  fault({
    id: 'revocation/nameless-by-secret-forgotten',
    breaks: ['REV-4'],
    places: ['client-auth=client_secret_jwt value=missing'],
    title: 'Answers 200 to an assertion by client_secret_jwt without sub and iss, and does nothing',
    request: {
      'POST /revoke'(form) {
        const [header = ''] = (form.get('client_assertion') ?? '').split('.')
        if (isNameless(form) && /"HS/.test(Buffer.from(header, 'base64url').toString())) form.set('token', 'not-found')
      },
    },
  }),
  fault({
    id: 'revocation/nameless-by-ec-forgotten',
    breaks: ['REV-4'],
    places: ['alg=ES512 value=missing'],
    title: 'Answers 200 to an assertion by ES512 without sub and iss, and does nothing',
    request: {
      'POST /revoke'(form) {
        const [header = ''] = (form.get('client_assertion') ?? '').split('.')
        if (isNameless(form) && /"ES/.test(Buffer.from(header, 'base64url').toString())) form.set('token', 'not-found')
      },
    },
  }),
  fault({
    id: 'revocation/nameless-with-client-id-refused',
    breaks: ['REV-4'],
    places: ['parameter=client_id value=missing'],
    title: 'Refuses client_id beside an assertion without sub and iss',
    response: {
      'POST /revoke': (response, { form }) => {
        return isNameless(form) && form.has('client_id')
          ? {
              status: 401,
              headers: json,
              body: { error: 'invalid_client', error_description: 'the assertion names nobody' },
            }
          : response
      },
    },
  }),
  fault({
    id: 'revocation/nameless-for-access-tokens-alone',
    breaks: ['REV-4'],
    places: ['token=refresh value=missing'],
    title: 'Takes an assertion without sub and iss for access tokens alone',
    /** The refresh tokens that were given. */
    memory: () => new Latest<true>(10_000),
    request: {
      'POST /revoke'(form, _bank, refreshTokens) {
        if (isNameless(form) && refreshTokens.has(String(form.get('token')))) form.delete('client_assertion')
      },
    },
    response: {
      'POST /token'(response, _facts, refreshTokens) {
        const { refresh_token: token } = Object(response.body)
        if (typeof token === 'string') refreshTokens.set(token, true)
        return response
      },
    },
  }),
]
