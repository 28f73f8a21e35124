import { type Fault, fault } from './fault.js'

/** Checks of an assertion that a bank may forget at one place alone. */
type Part = 'iss' | 'sub' | 'aud' | 'exp' | 'iat' | 'jti' | 'replay' | 'signature' | 'algorithm'

/** What each check is about, for titles. */
const forgets: Record<Part, string> = {
  iss: 'whatever its iss',
  sub: 'whatever its sub',
  aud: 'whoever it is made out to',
  exp: 'that has expired, or never does',
  iat: 'before its nbf, and whatever its iat,',
  jti: 'without jti',
  replay: 'as often as it comes',
  signature: 'without a look at its signature',
  algorithm: 'without a look at the registered algorithm',
}

/** Where checks are forgotten: as the checks have it, and in words. */
const wheres = {
  '/token-info': ['token-info', 'at /token-info'],
  '/revoke': ['revoke', 'at /revoke'],
  refresh_token: ['refresh', 'where a refresh token is exchanged'],
  client_secret_jwt: ['secret', 'of a client of client_secret_jwt'],
} as const

type Where = keyof typeof wheres

const byMethod = (endpoint: string, rest = '') =>
  ['private_key_jwt', 'client_secret_jwt'].map((method) => `endpoint=${endpoint} client-auth=${method}${rest}`)

/** Lifetimes at an endpoint, of either method. */
const exp = (endpoint: string) => [
  `endpoint=${endpoint} client-auth=private_key_jwt part=exp value=missing`,
  `endpoint=${endpoint} client-auth=private_key_jwt part=exp value=wrong`,
]

const jti = (endpoint: string) => [`endpoint=${endpoint} client-auth=private_key_jwt part=jti value=missing`]

const ofSecret = (rest = '') =>
  ['token', 'token-info', 'revoke'].map((one) => `endpoint=${one} client-auth=client_secret_jwt${rest}`)

/** Of RSASSA-PKCS1-v1_5, and of the registered algorithm. */
const algorithms = (endpoint: string) => [
  `endpoint=${endpoint} alg=RS256`,
  `endpoint=${endpoint} client-auth=private_key_jwt`,
]

/** Algorithms that discovery does not declare. */
const undeclared = ['PS256', 'PS384', 'ES256', 'ES384'].map((alg) => `endpoint=token-info alg=${alg}`)

const audiences = ['missing', 'wrong', 'prefix', 'superset'].map((value) => `value=${value}`)

/** Which check is forgotten where: the requirements that it breaks, and the places of those. */
const rows: readonly (readonly [Where, Part, breaks: readonly string[], places: readonly string[]])[] = [
  ['/token-info', 'iss', ['TOK-14'], ['endpoint=token-info part=iss']],
  ['/token-info', 'sub', ['TOK-14'], ['endpoint=token-info part=sub']],
  ['/token-info', 'aud', ['INTR-6'], audiences],
  ['/token-info', 'exp', ['TOK-38'], exp('token-info')],
  ['/token-info', 'iat', ['TOK-38'], ['endpoint=token-info part=nbf']],
  ['/token-info', 'jti', ['TOK-38'], jti('token-info')],
  ['/token-info', 'replay', ['TOK-15'], byMethod('token-info')],
  [
    '/token-info',
    'signature',
    ['TOK-39', 'REG-18', 'REG-27'],
    [...byMethod('token-info', ' part=signature'), 'endpoint=token-info'],
  ],
  ['/token-info', 'algorithm', ['TOK-16', 'REG-24', 'DISC-13'], [...algorithms('token-info'), ...undeclared]],
  ['/revoke', 'iss', ['REV-4'], ['part=iss value=wrong']],
  ['/revoke', 'sub', ['REV-4'], ['part=sub value=wrong']],
  ['/revoke', 'aud', ['REV-6'], audiences],
  ['/revoke', 'exp', ['TOK-38'], exp('revoke')],
  ['/revoke', 'iat', ['TOK-38'], ['endpoint=revoke part=nbf']],
  ['/revoke', 'jti', ['TOK-38'], jti('revoke')],
  ['/revoke', 'replay', ['TOK-15'], byMethod('revoke')],
  [
    '/revoke',
    'signature',
    ['TOK-39', 'REG-18', 'REG-27'],
    [...byMethod('revoke', ' part=signature'), 'endpoint=revoke'],
  ],
  ['/revoke', 'algorithm', ['TOK-16', 'REG-24', 'DISC-13'], [...algorithms('revoke'), 'endpoint=revoke alg=PS256']],
  ['refresh_token', 'iss', ['TOK-14'], ['endpoint=token grant=refresh part=iss']],
  ['refresh_token', 'sub', ['TOK-14'], ['endpoint=token grant=refresh part=sub']],
  ['refresh_token', 'aud', ['TOK-14'], ['endpoint=token grant=refresh part=aud']],
  ['refresh_token', 'exp', ['TOK-38'], ['endpoint=token grant=refresh part=exp']],
  ['refresh_token', 'iat', ['TOK-38'], ['endpoint=token grant=refresh part=nbf']],
  ['refresh_token', 'jti', ['TOK-38'], ['endpoint=token grant=refresh part=jti']],
  ['refresh_token', 'replay', ['TOK-15'], ['endpoint=token grant=refresh']],
  ['refresh_token', 'signature', ['TOK-39'], ['endpoint=token grant=refresh part=signature']],
  [
    'refresh_token',
    'algorithm',
    ['REG-24', 'TOK-16'],
    ['endpoint=token grant=refresh', 'endpoint=token grant=refresh alg=RS256'],
  ],
  ['client_secret_jwt', 'iss', ['TOK-14'], ['endpoint=token client-auth=client_secret_jwt part=iss']],
  ['client_secret_jwt', 'sub', ['TOK-14'], ['endpoint=token client-auth=client_secret_jwt part=sub']],
  [
    'client_secret_jwt',
    'aud',
    ['TOK-14', 'INTR-6', 'REV-6'],
    ['endpoint=token client-auth=client_secret_jwt part=aud', 'client-auth=client_secret_jwt'],
  ],
  ['client_secret_jwt', 'exp', ['TOK-38'], ofSecret(' part=exp')],
  ['client_secret_jwt', 'jti', ['TOK-38'], ofSecret(' part=jti')],
  ['client_secret_jwt', 'replay', ['TOK-15'], ofSecret()],
  ['client_secret_jwt', 'signature', ['TOK-39'], ofSecret(' part=signature')],
  ['client_secret_jwt', 'algorithm', ['REG-24'], ['endpoint=token-info client-auth=client_secret_jwt']],
]

/** A check that is left out at one place, while it is asked at the others. */
export const assertionCheckFaults: readonly Fault[] = rows.map(([where, part, breaks, places]) => {
  const [slug, inWords] = wheres[where]
  return fault({
    id: `client-assertion/${part}-unchecked-${slug}`,
    breaks,
    places,
    title: `Takes a client assertion ${forgets[part]} ${inWords}`,
    without: [`client-assertion/${part} at ${where}`],
  })
})
