import type { JWSHeaderParameters, JWTPayload } from 'jose'

/** The kinds of JWT that the bank takes. A RegistrationAuthJWT is a client assertion of the service's. */
export type JwtKind = 'client assertion' | 'id_token' | 'request object'

/** What marks a JWT as being of a kind. */
interface Marks {
  /** Values of `typ`, which may be left out: in lower case, without "application/" (RFC 7515 section 4.1.9). */
  types: readonly string[]
  /** Claims without which it is of another kind. */
  required: readonly string[]
  /** Claims that only JWTs of other kinds carry. */
  foreign: readonly string[]
}

/**
 * RFC 8725 sections 3.11 and 3.12; the audience is for the place to judge. Events are those of logout tokens and notifications (OpenID
 * Connect Back-Channel Logout 1.0 section 2.4), and replies with user data do not expire. A request object may say whatever an authorization
 * request may; who it is from needs no sub (RFC 9101 section 10.8).
 */
const kinds: Readonly<Record<JwtKind, Marks>> = {
  'client assertion': {
    types: ['jwt', 'client-authentication+jwt'],
    required: [],
    foreign: ['events', 'response_type', 'redirect_uri', 'structured_scope'],
  },
  id_token: { types: ['jwt'], required: ['sub', 'aud', 'exp', 'iat'], foreign: ['events'] },
  'request object': { types: ['jwt', 'oauth-authz-req+jwt'], required: [], foreign: ['events'] },
}

/**
 * Says why a JWT is not of a kind: a sentence about "it"; undefined when nothing speaks against it. One with
 * an unencoded payload is of none (RFC 7797 section 7).
 */
export function notOfKind(kind: JwtKind, header: JWSHeaderParameters, claims: JWTPayload): string | undefined {
  const { types, required, foreign } = kinds[kind]
  const { typ, b64 = true } = header
  if (b64 !== true) return 'its header has b64, which is for what is no JWT'
  if (typ !== undefined && !types.includes(typ.toLowerCase().replace(/^application\//, ''))) return `its typ is ${typ}`
  const missing = required.find((name) => claims[name] === undefined)
  if (missing !== undefined) return `it has no ${missing}`
  const other = foreign.find((name) => claims[name] !== undefined)
  return other === undefined ? undefined : `it carries ${other}`
}
