import { createHmac, randomUUID } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { nowSeconds } from '../clock.js'
import { Latest } from '../latest.js'
import type { AssertionFacts, JudgedAssertion } from '../seams.js'
import { type Fault, fault, madeOutToNobody } from './fault.js'

/** For `judgedAssertion`: whether a fault lets this assertion through, and what of it the checks see as right then. */
interface Row {
  slug: string
  breaks: readonly string[]
  places: readonly string[]
  title: string
  when(assertion: JudgedAssertion, facts: AssertionFacts): boolean
  seen(facts: AssertionFacts): { claims?: Record<string, unknown>; alg?: string; believed?: boolean }
}

const token = 'endpoint=token client-auth=private_key_jwt'

function audiencesOf({ claims }: JudgedAssertion): string[] {
  return [claims.aud ?? []].flat()
}

const withRightAudience = ({ audience }: AssertionFacts) => ({ claims: { aud: audience[0] } })

/** At /token, of either grant, the sentence about aud is TOK-14's; elsewhere it is that of the endpoint. */
const aboutAudience = ['TOK-14', 'INTR-6', 'REV-6']
const audienceAt = (value: string) => [`${token} part=aud value=${value}`, `value=${value}`]

/** How a name is compared in place of letter by letter. */
const comparisons = {
  suffix: ['takes what ends in the client_id for it', (given: string, right: string) => given.endsWith(right)],
  prefix: ['takes the beginning of the client_id for it', (given: string, right: string) => right.startsWith(given)],
  superset: ['takes what begins with the client_id for it', (given: string, right: string) => given.startsWith(right)],
  'upper-case': [
    'does not mind upper and lower case',
    (given: string, right: string) => given.toLowerCase() === right.toLowerCase(),
  ],
} as const

function nameRows(name: 'iss' | 'sub'): Row[] {
  const seen = ({ clientId }: AssertionFacts) => ({ claims: { [name]: clientId } })
  const atToken = (endpoint: string) => endpoint === '/token'
  return [
    {
      slug: `${name}-missing`,
      breaks: ['TOK-14'],
      places: [`${token} part=${name} value=missing`],
      title: `Takes a client assertion without ${name} at /token`,
      when: ({ claims }, { endpoint }) => claims[name] === undefined && atToken(endpoint),
      seen,
    },
    {
      slug: `${name}-in-a-list`,
      breaks: ['TOK-14'],
      places: [`${token} part=${name} value=other-type`],
      title: `Takes a list that holds the client_id as ${name} of a client assertion`,
      when: ({ claims }, { endpoint, clientId }) =>
        Array.isArray(claims[name]) && claims[name].includes(clientId) && atToken(endpoint),
      seen,
    },
    ...Object.entries(comparisons).map(
      ([value, [how, same]]): Row => ({
        slug: `${name}-by-${value}`,
        breaks: ['TOK-14'],
        places: [`${token} part=${name} value=${value}`],
        title: `Compares ${name} of a client assertion carelessly: it ${how}`,
        when: ({ claims }, { endpoint, clientId }) =>
          typeof claims[name] === 'string' && same(claims[name], clientId) && atToken(endpoint),
        seen,
      }),
    ),
  ]
}

/** Whether an assertion is another client's own, by what it says. */
function namesAnother({ claims }: JudgedAssertion, { clientId }: AssertionFacts): boolean {
  return claims.iss !== undefined && claims.iss === claims.sub && claims.sub !== clientId
}

/** RS256 and its like, which need a key that says nothing of its algorithm. */
function pkcs1Row(alg: 'RS256' | 'RS384' | 'RS512'): Row {
  return {
    slug: `alg-${alg.toLowerCase()}`,
    breaks: ['TOK-16'],
    places: [`endpoint=token alg=${alg}`],
    title: `Takes client assertions that are signed with ${alg}`,
    when: ({ header }) => header.alg === alg,
    seen: ({ algorithms }) => ({ alg: algorithms[0] ?? alg }),
  }
}

/** Addresses that are taken for the endpoint's, by what is made of one before it is compared. */
const normalized: readonly (readonly [slug: string, value: string, title: string, of: (given: string) => string])[] = [
  ['in-any-case', 'upper-case', 'does not mind upper and lower case', (given) => given.toLowerCase()],
  ['with-slash', 'equivalent', 'does not mind a slash at its end', (given) => given.replace(/\/$/, '')],
  ['with-query', 'equivalent', 'does not mind its query', (given) => given.replace(/\?.*$/, '')],
  ['by-http', 'equivalent', 'does not mind its scheme', (given) => given.replace(/^http:/, 'https:')],
]

const everywhere = (rest: string) => ['token', 'token-info', 'revoke'].map((one) => `endpoint=${one} ${rest}`)

/** Members by which a header leads to a key (RFC 7515 section 4.1). */
export const leading = {
  jku: 'at the address in jku',
  x5u: 'in the certificate at the address in x5u',
  x5c: 'of the certificate in x5c',
}

const leads = (jwt: string, member: string) => decodeProtectedHeader(jwt)[member] !== undefined

const rows: readonly Row[] = [
  ...Object.entries(leading).map(
    ([member, where]): Row => ({
      slug: `key-by-${member}`,
      breaks: ['TOK-39'],
      places: everywhere(`part=signature member=${member}`),
      title: `Verifies a client assertion with the key ${where} of its header`,
      when: ({ jwt }) => leads(jwt, member),
      seen: () => ({ believed: true }),
    }),
  ),
  {
    slug: 'public-key-as-secret',
    breaks: ['TOK-39'],
    places: everywhere('part=signature').flatMap((place) => ['HS256', 'HS512'].map((alg) => `${place} alg=${alg}`)),
    title: 'Takes the key that a kid names for the secret of an HMAC where the header names one',
    when: ({ header }, { method }) =>
      method === 'private_key_jwt' && header.kid !== undefined && /^HS\d+$/.test(String(header.alg)),
    seen: ({ algorithms }) => ({ alg: algorithms[0] ?? 'none', believed: true }),
  },
  {
    slug: 'kid-missing-believed',
    breaks: ['TOK-39'],
    places: everywhere('part=kid value=missing'),
    title:
      'Takes a client assertion that names no key without a look at its signature, unless its header leads to a key',
    when: ({ jwt, header }, { algorithms, method }) =>
      method === 'private_key_jwt' &&
      header.kid === undefined &&
      algorithms.includes(String(header.alg)) &&
      !['jwk', ...Object.keys(leading)].some((member) => leads(jwt, member)),
    seen: () => ({ believed: true }),
  },
  ...normalized.map(
    ([slug, value, how, of]): Row => ({
      slug: `aud-${slug}`,
      breaks: aboutAudience,
      places: audienceAt(value),
      title: `Compares aud of a client assertion carelessly: it ${how}`,
      when: (assertion, { audience }) => audiencesOf(assertion).some((given) => audience.includes(of(given))),
      seen: withRightAudience,
    }),
  ),
  {
    slug: 'aud-empty',
    breaks: aboutAudience,
    places: audienceAt('empty'),
    title: 'Takes a client assertion whose aud is an empty list',
    when: (assertion) => assertion.claims.aud !== undefined && audiencesOf(assertion).length === 0,
    seen: withRightAudience,
  },
  {
    slug: 'exp-zero',
    breaks: ['TOK-38'],
    places: ['endpoint=token part=exp value=lower-bound'],
    title: 'Takes 0 as exp of a client assertion that never expires',
    when: ({ claims }) => claims.exp === 0,
    seen: () => ({ claims: { exp: nowSeconds() + 60 } }),
  },
  {
    slug: 'exp-null',
    breaks: ['TOK-38'],
    places: ['endpoint=token part=exp value=null'],
    title: 'Takes null as exp of a client assertion that never expires',
    when: ({ claims }) => (claims.exp as unknown) === null,
    seen: () => ({ claims: { exp: nowSeconds() + 60 } }),
  },
  {
    slug: 'exp-in-words',
    breaks: ['TOK-38'],
    places: ['endpoint=token part=exp member=text'],
    title: 'Reads exp of a client assertion where it is a text, too',
    when: ({ claims }) => typeof claims.exp === 'string' && Number(claims.exp) > nowSeconds(),
    seen: () => ({ claims: { exp: nowSeconds() + 60 } }),
  },
  {
    slug: 'exp-beside-iat-alone',
    breaks: ['TOK-38'],
    places: ['endpoint=token part=exp member=iat'],
    title: 'Takes a client assertion without iat, whatever its exp',
    when: ({ claims }) => claims.iat === undefined && claims.exp !== undefined,
    seen: () => ({ claims: { iat: nowSeconds(), exp: nowSeconds() + 60 } }),
  },
  {
    slug: 'jti-number',
    breaks: ['TOK-38'],
    places: ['endpoint=token part=jti value=other-type'],
    title: 'Takes a number as jti of a client assertion',
    when: ({ claims }) => typeof claims.jti === 'number',
    seen: () => ({ claims: { jti: randomUUID() } }),
  },
  {
    slug: 'jti-empty',
    breaks: ['TOK-38'],
    places: ['endpoint=token part=jti value=empty'],
    title: 'Takes an empty text as jti of a client assertion',
    when: ({ claims }) => claims.jti === '',
    seen: () => ({ claims: { jti: randomUUID() } }),
  },
  ...nameRows('iss'),
  ...nameRows('sub'),
  {
    slug: 'names-agree',
    breaks: ['TOK-14'],
    places: [`${token} value=both`],
    title: 'Sees to it that iss and sub of a client assertion are the same, whoever they name',
    when: namesAnother,
    seen: ({ clientId }) => ({ claims: { iss: clientId, sub: clientId } }),
  },
  {
    slug: 'of-another',
    breaks: ['TOK-39', 'TOK-14'],
    places: ['caller=other-client part=signature', `${token} value=both`],
    title: "Takes for a client's the assertion of another, when client_id names the first",
    when: namesAnother,
    seen: ({ clientId }) => ({ claims: { iss: clientId, sub: clientId }, believed: true }),
  },
  {
    slug: 'aud-missing',
    breaks: aboutAudience,
    places: audienceAt('missing'),
    title: 'Takes a client assertion without aud',
    when: ({ claims }) => claims.aud === undefined,
    seen: withRightAudience,
  },
  {
    slug: 'aud-by-prefix',
    breaks: aboutAudience,
    places: audienceAt('superset'),
    title: 'Takes an aud that begins as its own address does',
    when: (assertion, { audience }) =>
      audiencesOf(assertion).some((given) => audience.some((right) => given.startsWith(right))),
    seen: withRightAudience,
  },
  {
    slug: 'aud-by-beginning',
    breaks: aboutAudience,
    places: audienceAt('prefix'),
    title: 'Takes an aud with which its own address begins',
    when: (assertion, { audience }) =>
      audiencesOf(assertion).some((given) => audience.some((right) => right.startsWith(given))),
    seen: withRightAudience,
  },
  {
    slug: 'aud-of-registration',
    breaks: ['TOK-14'],
    places: [`${token} token=registration-assertion part=aud`],
    title: 'Takes at /token an assertion that is made out to the address of POST /register',
    when: (assertion) => audiencesOf(assertion).some((given) => new URL(given).pathname.endsWith('/register')),
    seen: withRightAudience,
  },
  {
    slug: 'aud-of-another-endpoint',
    breaks: aboutAudience,
    places: [`${token} part=aud member=other-endpoint`, 'member=other-endpoint'],
    title: 'Takes at one endpoint an assertion that is made out to another one for tokens',
    when: (assertion) => audiencesOf(assertion).some((given) => /\/(?:token-info|revoke)$/.test(given)),
    seen: withRightAudience,
  },
  {
    slug: 'nbf-as-text',
    breaks: ['TOK-38'],
    places: ['endpoint=token part=nbf value=other-type'],
    title: 'Does not look at an nbf that is given as text',
    when: ({ claims }) => typeof (claims.nbf as unknown) === 'string',
    seen: () => ({ claims: { nbf: undefined } }),
  },
  {
    slug: 'exp-as-text',
    breaks: ['TOK-38'],
    places: ['endpoint=token part=exp value=other-type'],
    title: 'Does not look at an exp that is given as text',
    when: ({ claims }) => typeof (claims.exp as unknown) === 'string',
    seen: () => ({ claims: { exp: nowSeconds() + 60 } }),
  },
  {
    slug: 'exp-half-hour-late',
    breaks: ['TOK-38'],
    places: [`${token} part=exp value=wrong`],
    title: 'Takes a client assertion for half an hour after its exp',
    when: ({ claims }) => typeof claims.exp === 'number' && claims.exp > nowSeconds() - 1800,
    seen: () => ({ claims: { exp: nowSeconds() + 60 } }),
  },
  {
    slug: 'exp-missing',
    breaks: ['TOK-38'],
    places: [`${token} part=exp value=missing`],
    title: 'Takes a client assertion that never expires',
    when: ({ claims }) => claims.exp === undefined,
    seen: () => ({ claims: { exp: nowSeconds() + 60 } }),
  },
  {
    slug: 'iat-missing',
    breaks: ['TOK-38'],
    places: ['endpoint=token part=iat'],
    title: 'Takes a client assertion without iat',
    when: ({ claims }) => claims.iat === undefined,
    seen: () => ({ claims: { iat: nowSeconds() } }),
  },
  {
    slug: 'iat-as-text',
    breaks: ['TOK-38'],
    places: ['endpoint=token part=iat value=other-type'],
    title: 'Takes a client assertion whose iat is a text',
    when: ({ claims }) => typeof (claims.iat as unknown) === 'string',
    seen: () => ({ claims: { iat: nowSeconds() } }),
  },
  {
    slug: 'nbf-unchecked',
    breaks: ['TOK-38'],
    places: ['endpoint=token part=nbf'],
    title: 'Takes a client assertion before its nbf',
    when: ({ claims }) => claims.nbf !== undefined,
    seen: () => ({ claims: { nbf: 0 } }),
  },
  ...['token', 'token-info', 'revoke'].map((endpoint) => ({
    slug: `crit-unread-at-${endpoint}`,
    breaks: ['TOK-38'],
    places: [`endpoint=${endpoint} part=signature member=crit`],
    title: `Does not look at crit in the header of a client assertion at /${endpoint}`,
    when: ({ jwt }: JudgedAssertion, { endpoint: called }: AssertionFacts) =>
      called === `/${endpoint}` && decodeProtectedHeader(jwt).crit !== undefined,
    seen: () => ({ believed: true }),
  })),
  {
    slug: 'alg-none',
    breaks: ['TOK-16'],
    places: [
      ...['token', 'token-info', 'revoke'].map((one) => `endpoint=${one} alg=none`),
      'client-auth=client_secret_jwt alg=none',
    ],
    title: 'Takes a client assertion with the algorithm none',
    when: ({ header }) => header.alg === 'none',
    seen: ({ algorithms }) => ({ alg: algorithms[0] ?? 'none', believed: true }),
  },
  {
    slug: 'alg-none-in-capitals',
    breaks: ['TOK-16'],
    places: ['alg=none value=upper-case'],
    title: 'Takes a client assertion without a signature where its header spells none otherwise',
    when: ({ header }) => header.alg !== 'none' && header.alg?.toLowerCase() === 'none',
    seen: ({ algorithms }) => ({ alg: algorithms[0] ?? 'none', believed: true }),
  },
  {
    slug: 'rs256-of-ec-client',
    breaks: ['TOK-16'],
    places: ['endpoint=token-info alg=RS256'],
    title: 'Believes a client assertion by RS256 of a client that registered ES512',
    when: ({ header }, { algorithms }) =>
      header.alg === 'RS256' && algorithms.includes('ES512') && algorithms.length === 1,
    seen: () => ({ alg: 'ES512', believed: true }),
  },
  pkcs1Row('RS256'),
  pkcs1Row('RS384'),
  pkcs1Row('RS512'),
  {
    slug: 'es512-believed',
    breaks: ['TOK-39', 'REG-27'],
    places: ['endpoint=token-info part=signature alg=ES512', 'endpoint=token'],
    title: 'Takes a client assertion by ES512 without a look at its signature',
    when: ({ header }) => header.alg === 'ES512',
    seen: () => ({ believed: true }),
  },
  {
    slug: 'es512-believed-at-revoke',
    breaks: ['TOK-39', 'REG-27'],
    places: ['endpoint=revoke part=signature alg=ES512', 'endpoint=revoke'],
    title: 'Takes a client assertion by ES512 at /revoke without a look at its signature',
    when: ({ header }, { endpoint }) => header.alg === 'ES512' && endpoint === '/revoke',
    seen: () => ({ believed: true }),
  },
  {
    slug: 'key-brought-along',
    breaks: ['TOK-39'],
    places: ['endpoint=token part=signature value=unknown'],
    title: 'Verifies a client assertion with the key that its header brings along',
    when: ({ jwt }) => decodeProtectedHeader(jwt).jwk !== undefined,
    seen: () => ({ believed: true }),
  },
  {
    slug: 'signature-cut-off',
    breaks: ['TOK-39'],
    places: ['endpoint=token part=signature value=missing'],
    title: 'Takes a client assertion whose signature is empty',
    when: ({ jwt, header }) => jwt.endsWith('.') && header.alg !== 'none',
    seen: () => ({ believed: true }),
  },
]

/** What is let through is seen with what is right in place of what is not. */
const valueFaults = rows.map(({ slug, breaks, places, title, when, seen }) =>
  fault({
    id: `client-assertion/${slug}`,
    breaks,
    places,
    title,
    judgedAssertion(assertion, facts) {
      if (!when(assertion, facts)) return assertion
      const { claims, alg, believed, ...header } = seen(facts)
      return {
        ...assertion,
        claims: { ...assertion.claims, ...claims },
        header: { ...assertion.header, ...header, ...(alg && { alg }) },
        ...(believed && { believed }),
      }
    },
  }),
)

/** Where a list that holds the right audience is refused, whose sentence that breaks, and its place. */
const listed = [
  ['token', 'TOK-14', `${token} part=aud member=list value=right`],
  ['token-info', 'INTR-6', 'member=list value=right'],
  ['revoke', 'REV-6', 'member=list value=right'],
] as const

export const assertionValueFaults: readonly Fault[] = [
  ...valueFaults,
  fault({
    id: 'client-assertion/key-of-service',
    breaks: ['TOK-39'],
    places: ['token', 'token-info', 'revoke'].map((endpoint) => `endpoint=${endpoint} part=signature value=second`),
    title: 'Takes client assertions that are signed by the key with which the service registers clients',
    /** The kids of what registered. */
    memory: () => new Latest<true>(1_000),
    response: {
      'POST /register'(response, { requestHeader }, registering) {
        if (response.status < 300)
          registering.set(String(decodeProtectedHeader(requestHeader('client_assertion') ?? '').kid), true)
        return response
      },
    },
    judgedAssertion: (assertion, _facts, registering) =>
      registering.has(String(assertion.header.kid)) ? { ...assertion, believed: true } : assertion,
  }),
  fault({
    id: 'client-assertion/secret-of-another',
    breaks: ['TOK-39'],
    places: everywhere('caller=other-client client-auth=client_secret_jwt part=signature'),
    title: 'Takes of a client of client_secret_jwt an assertion by the client_secret of any client',
    /** The client_id of each, by its secret. */
    memory: () => new Latest<string>(1_000),
    clients: {
      async create(record, { store }, owners) {
        const client = await store.create(record)
        owners.set(client.clientSecret, client.clientId)
        return client
      },
    },
    judgedAssertion: (assertion, { method }, owners) =>
      method === 'client_secret_jwt' && [...owners.keys()].some((secret) => isByHs512(assertion.jwt, secret))
        ? { ...assertion, believed: true }
        : assertion,
  }),
  ...listed.map(([endpoint, requirement, place]) =>
    fault({
      id: `client-assertion/aud-in-list-refused-at-${endpoint}`,
      breaks: [requirement],
      places: [place],
      title: `Takes no client assertion whose aud is a list at /${endpoint}`,
      judgedAssertion: (assertion, { endpoint: called }) =>
        Array.isArray(assertion.claims.aud) && called === `/${endpoint}` ? madeOutToNobody(assertion) : assertion,
    }),
  ),
  fault({
    id: 'client-assertion/key-of-another',
    breaks: ['TOK-39'],
    places: ['caller=other-client part=signature'],
    title: 'Takes a client assertion that names a key which another client has used',
    /** Who used a key first, by its kid. */
    memory: () => new Latest<string>(10_000),
    judgedAssertion(assertion, { clientId }, users) {
      const { kid } = assertion.header
      if (kid === undefined) return assertion
      const user = users.get(kid) ?? clientId
      users.set(kid, user)
      return user === clientId ? assertion : { ...assertion, believed: true }
    },
  }),
]

/** Whether a JWT is signed with HS512 by a secret. */
function isByHs512(jwt: string, secret: string): boolean {
  const [header, payload, signature] = jwt.split('.')
  return createHmac('sha512', secret).update(`${header}.${payload}`).digest('base64url') === signature
}
