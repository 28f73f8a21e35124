import { decodeProtectedHeader, type JWSHeaderParameters } from 'jose'

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
