import { decodeJwt, decodeProtectedHeader, type JWSHeaderParameters, type JWTPayload } from 'jose'
import { isNestedTooDeeply } from '../nesting.js'

/** Members of a header that are strings where they are there. RFC 7515 section 4.1. */
const strings = ['alg', 'typ', 'cty', 'kid', 'jku', 'x5u', 'x5t', 'x5t#S256'] as const

/**
 * The header of a JWS or JWE as it came, with members of the types that they have to be of.
 *
 * @throws {TypeError} when it cannot be read, or a member is of another type
 */
export function headerOfJwt(jwt: string): JWSHeaderParameters {
  const header = decodeProtectedHeader(jwt) as Record<string, unknown>
  const odd = strings.find((name) => !['undefined', 'string'].includes(typeof header[name]))
  if (odd !== undefined) throw new TypeError(`${odd} of its header is not a string`)
  return header
}

/**
 * The claims of a JWT as they came, without believing them.
 *
 * @throws {Error} when it is no JWT, or they are nested more deeply than any message is
 */
export function claimsOfJwt(jwt: string): JWTPayload {
  const claims = decodeJwt(jwt)
  if (isNestedTooDeeply(claims)) throw new TypeError('its claims are nested too deeply')
  return claims
}
