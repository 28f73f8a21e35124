/** Whether it is written as scheme://host: parsers of URLs take https:host and https:///host for the same. */
export function isAddress(uri: string): boolean {
  return /^[a-z]+:\/\/[^/?#]/i.test(uri) && URL.canParse(uri)
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
  const { protocol, username, password } = new URL(uri)
  if (!schemes.includes(protocol)) return `is not ${schemes.map((scheme) => scheme.slice(0, -1)).join(' or ')}`
  if (!fragment && uri.includes('#')) return 'must not have a fragment'
  return username || password ? 'must not have a user or a password' : undefined
}
