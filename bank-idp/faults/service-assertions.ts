import { randomUUID } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { nowSeconds } from '../clock.js'
import { Latest } from '../latest.js'
import type { JudgedAssertion, SeamResponse, ServiceAssertionFacts } from '../seams.js'
import { leading } from './assertion-values.js'
import { type Fault, fault, madeOutToNobody } from './fault.js'

/** For `judgedServiceAssertion`: which RegistrationAuthJWTs are let through, and what of them the checks see as right then. */
interface Row {
  slug: string
  breaks: readonly string[]
  places: readonly string[]
  title: string
  when(assertion: JudgedAssertion, facts: ServiceAssertionFacts): boolean
  seen: 'aud' | 'exp' | 'iat' | 'nbf' | 'jti' | 'signature'
}

function audiencesOf({ claims }: JudgedAssertion): string[] {
  return [claims.aud ?? []].flat()
}

/** Audiences that are taken for the endpoint's, by how they are compared with it. */
const audiences: readonly Row[] = (
  [
    ['begins-as-endpoint', 'superset', 'begins as the endpoint does', (given, right) => given.startsWith(right)],
    ['beginning-of-endpoint', 'prefix', 'the endpoint begins with', (given, right) => right.startsWith(given)],
    ['ends-as-endpoint', 'superset', 'ends in the path of the endpoint', (given) => given.endsWith('/register')],
    ['in-any-case', 'upper-case', 'is the endpoint in another case', (given, right) => sameText(given, right)],
    ['with-slash', 'equivalent', 'is the endpoint with a slash', (given, right) => given === `${right}/`],
    ['with-query', 'equivalent', 'is the endpoint with a query', (given, right) => given.split('?')[0] === right],
    ['by-http', 'equivalent', 'is the endpoint by http', (given, right) => given.replace('http:', 'https:') === right],
    ['at-any-port', 'equivalent', 'is the endpoint at another port', (given, right) => sameHost(given, right)],
  ] as const satisfies readonly (readonly [string, string, string, (given: string, right: string) => boolean])[]
).map(([slug, value, what, same]) => ({
  slug: `aud-${slug}`,
  breaks: ['REG-7'],
  places: [`value=${value}`],
  title: `Takes a RegistrationAuthJWT with an aud that ${what}`,
  when: (assertion, { audience: [right = ''] }) =>
    audiencesOf(assertion).some((given) => given !== '' && same(given, right)),
  seen: 'aud',
}))

function sameText(given: string, right: string): boolean {
  return given.toLowerCase() === right.toLowerCase()
}

function sameHost(given: string, right: string): boolean {
  if (!URL.canParse(given)) return false
  const [one, other] = [new URL(given), new URL(right)]
  return one.hostname === other.hostname && one.pathname === other.pathname && one.protocol === other.protocol
}

/** The place at POST, and at each other method. */
const everywhere = (place: string) => [place, ...['GET', 'PUT', 'DELETE'].map((method) => `method=${method} ${place}`)]

const others: readonly Row[] = [
  {
    slug: 'aud-in-any-list',
    breaks: ['REG-7'],
    places: ['value=other-type'],
    title: 'Takes a RegistrationAuthJWT whose aud is a list, whatever is in it',
    when: ({ claims }) => Array.isArray(claims.aud) && claims.aud.length > 0,
    seen: 'aud',
  },
  {
    slug: 'aud-empty',
    breaks: ['REG-7'],
    places: ['value=empty'],
    title: 'Takes a RegistrationAuthJWT whose aud is empty',
    when: ({ claims }) => claims.aud === '' || (Array.isArray(claims.aud) && claims.aud.length === 0),
    seen: 'aud',
  },
  {
    slug: 'exp-zero',
    breaks: ['REG-28'],
    places: ['part=exp value=lower-bound'],
    title: 'Takes 0 as exp of a RegistrationAuthJWT for none',
    when: ({ claims }) => (claims.exp as unknown) === 0,
    seen: 'exp',
  },
  {
    slug: 'exp-of-any-type',
    breaks: ['REG-28'],
    places: ['part=exp value=other-type'],
    title: 'Looks at exp of a RegistrationAuthJWT where it is a number alone',
    when: ({ claims }) => claims.exp !== undefined && typeof claims.exp !== 'number',
    seen: 'exp',
  },
  {
    slug: 'exp-beside-iat',
    breaks: ['REG-28'],
    places: ['method=POST part=exp'],
    title: 'Looks at exp of a RegistrationAuthJWT where there is an iat alone',
    when: ({ claims }) => claims.iat === undefined && claims.exp !== undefined,
    seen: 'exp',
  },
  {
    slug: 'jti-null',
    breaks: ['REG-28'],
    places: ['part=jti value=other-type'],
    title: 'Takes a RegistrationAuthJWT whose jti is null',
    when: ({ claims }) => (claims.jti as unknown) === null,
    seen: 'jti',
  },
  {
    slug: 'signature-cut-off',
    breaks: ['REG-6', 'REG-22'],
    places: everywhere('part=signature'),
    title: 'Takes a RegistrationAuthJWT whose signature is empty',
    when: ({ jwt, header }) => jwt.endsWith('.') && header.alg !== 'none',
    seen: 'signature',
  },
  ...Object.entries({ jwk: 'in jwk', ...leading }).map(
    ([member, where]): Row => ({
      slug: `key-by-${member}`,
      breaks: ['REG-6', 'REG-22'],
      places: everywhere('part=signature value=unknown'),
      title: `Verifies a RegistrationAuthJWT by the key ${where} of its header`,
      when: ({ jwt }) => decodeProtectedHeader(jwt)[member] !== undefined,
      seen: 'signature',
    }),
  ),
  {
    slug: 'iat-as-text',
    breaks: ['REG-28'],
    places: ['part=iat value=other-type'],
    title: 'Takes a RegistrationAuthJWT whose iat is a text',
    when: ({ claims }) => typeof (claims.iat as unknown) === 'string',
    seen: 'iat',
  },
  ...(['POST', 'GET'] as const).map(
    (called): Row => ({
      slug: `nbf-unchecked-at-${called.toLowerCase()}`,
      breaks: ['REG-28'],
      places: [`method=${called} part=nbf`],
      title: `Takes a RegistrationAuthJWT before its nbf at ${called}`,
      when: ({ claims }, { method }) => claims.nbf !== undefined && method === called,
      seen: 'nbf',
    }),
  ),
  {
    slug: 'crit-unread',
    breaks: ['REG-6'],
    places: ['part=signature member=crit'],
    title: 'Does not look at crit in the header of a RegistrationAuthJWT',
    when: ({ jwt }) => decodeProtectedHeader(jwt).crit !== undefined,
    seen: 'signature',
  },
  {
    slug: 'public-key-as-secret',
    breaks: ['REG-6', 'REG-22'],
    places: everywhere('part=signature alg=HS512'),
    title:
      'Takes the public key of the service for the secret of an HMAC where the header of a RegistrationAuthJWT names one',
    when: ({ header }) => header.kid !== undefined && /^HS\d+$/.test(String(header.alg)),
    seen: 'signature',
  },
]

/** A RegistrationAuthJWT with one part that the checks find nothing wrong with. */
function asRight(part: Row['seen'], assertion: JudgedAssertion, { audience }: ServiceAssertionFacts): JudgedAssertion {
  // An algorithm that the checks let through, whatever it was signed with.
  if (part === 'signature') return { ...assertion, header: { ...assertion.header, alg: 'PS512' }, believed: true }
  const now = nowSeconds()
  const right = {
    aud: { aud: audience[0] ?? '' },
    exp: { exp: now + 60, iat: assertion.claims.iat ?? now },
    iat: { iat: now },
    nbf: { nbf: now },
    jti: { jti: randomUUID() },
  }[part]
  return { ...assertion, claims: { ...assertion.claims, ...right } }
}

/** For `response`: remembers which jti came with a call that was refused for what it asked. */
function noteRefused(
  response: SeamResponse,
  { requestHeader }: { requestHeader(name: string): string | undefined },
  refused: Latest<true>,
): SeamResponse {
  if (response.status === 400) refused.set(String(decodeJwt(requestHeader('client_assertion') ?? '').jti), true)
  return response
}

export const serviceAssertionFaults: readonly Fault[] = [
  ...[...audiences, ...others].map(({ slug, breaks, places, title, when, seen }) =>
    fault({
      id: `registration-assertion/${slug}`,
      breaks,
      places,
      title,
      judgedServiceAssertion: (assertion, facts) =>
        when(assertion, facts) ? asRight(seen, assertion, facts) : assertion,
    }),
  ),
  fault({
    id: 'registration-assertion/aud-in-list-refused',
    breaks: ['REG-7'],
    places: ['member=list value=right'],
    title: 'Takes no RegistrationAuthJWT whose aud is a list',
    judgedServiceAssertion: (assertion) =>
      Array.isArray(assertion.claims.aud) ? madeOutToNobody(assertion) : assertion,
  }),
  fault({
    id: 'registration-assertion/jti-by-its-time',
    breaks: ['REG-8'],
    places: ['part=replay member=iat'],
    title: 'Remembers the jti of a RegistrationAuthJWT together with the iat beside it',
    judgedServiceAssertion(assertion) {
      const { jti, iat } = assertion.claims
      return typeof jti === 'string' && jti !== ''
        ? { ...assertion, claims: { ...assertion.claims, jti: `${jti} ${iat}` } }
        : assertion
    },
  }),
  fault({
    id: 'registration-assertion/jti-of-refused',
    breaks: ['REG-8'],
    places: ['use=after-refusal'],
    title: 'Remembers the jti of a RegistrationAuthJWT where the call was taken alone',
    memory: () => new Latest<true>(10_000),
    response: { 'POST /register': noteRefused, 'PUT /register/{client_id}': noteRefused },
    judgedServiceAssertion: (assertion, _facts, refused) =>
      refused.has(String(assertion.claims.jti))
        ? { ...assertion, claims: { ...assertion.claims, jti: randomUUID() } }
        : assertion,
  }),
]
