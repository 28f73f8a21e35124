import { isUrl } from '../schemas/is-url.js'
/** Whether it is written as scheme://host: parsers of URLs take https:host and https:///host for the same. */
export function isAddress(uri: string): boolean {
  return /^[a-z]+:\/\/[^/?#]/i.test(uri) && isUrl(uri)
}

/** Whether a user or a password stands before the host, though it be an empty one, which parsers of URLs take for none. */
export function hasUser(uri: string): boolean {
  return /^[^:]+:\/\/[^/?#\\]*@/.test(uri)
}

/** A host of labels of letters, digits and inner hyphens (RFC 1123 section 2.1), a name of 253 characters at the most, or an IPv6 address. */
const hostName =
  /^(?=.{1,253}\.?$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*\.?$|^\[[\da-f:.]+\]$/

/** Whether a host, as the URL standard writes it, is a name or an address of the Internet: that standard lets `a;b` and `*` pass. */
export function isHost(host: string): boolean {
  return hostName.test(host)
}

/**
 * What is wrong with the host of an absolute URI, which is compared and shown as it was written.
 *
 * @returns undefined when nothing is
 */
export function hostProblem(uri: string): string | undefined {
  const { hostname } = new URL(uri)
  if (!isHost(hostname)) return `has the host ${hostname}, which is no host name (RFC 1123 section 2.1)`
  const [, written = ''] = /^[^:]+:\/\/(?:[^/?#\\]*@)?(\[[^\]]*\]|[^/?#\\:]*)/.exec(uri) ?? []
  // A name in letters beyond ASCII is known to DNS, and to who compares, by its A-labels alone (RFC 5890 section 2.3.2.1).
  return written.toLowerCase() === hostname ? undefined : `must have its host written as ${hostname}`
}

/** Bytes of a text that the store finds rows by: PostgreSQL takes no index entry of more than 2,704 (nbtree). */
const longestIndexed = 2_048

/** What is wrong with the length of such a text; undefined when nothing is. */
export function lengthProblem(text: string): string | undefined {
  return Buffer.byteLength(text) > longestIndexed ? `is longer than ${longestIndexed} bytes` : undefined
}

/** What an address has to be. */
export interface AddressRule {
  schemes: readonly string[]
  /** Whether it may end in a fragment, which is not sent to where it is fetched from or posted to. */
  fragment?: boolean
}

/** What is wrong with an address; undefined when nothing is. */
export function addressProblem(uri: string, { schemes, fragment = false }: AddressRule): string | undefined {
  if (!isAddress(uri)) return 'is not an absolute URI'
  const { protocol } = new URL(uri)
  if (!schemes.includes(protocol)) return `is not ${schemes.map((scheme) => scheme.slice(0, -1)).join(' or ')}`
  if (!fragment && uri.includes('#')) return 'must not have a fragment'
  return hasUser(uri) ? 'must not have a user or a password' : hostProblem(uri)
}
