/**
 * An address with parameters added to its query, which else stays as it is, byte for byte (RFC 6749 section 3.1.2). One that has the name
 * of an added one gives way to it: no parameter comes twice (section 3.1).
 *
 * @param address without a fragment
 */
export function withParameters(address: string, parameters: Record<string, string> | [string, string][]): string {
  const added = new URLSearchParams(parameters)
  if (added.size === 0) return address
  const [path, ...rest] = address.split('?')
  const query = rest.join('?')
  const gives = (part: string) => [...new URLSearchParams(part).keys()].some((name) => added.has(name))
  const kept = query === '' ? [] : query.split('&').filter((part) => !gives(part))
  return `${path}?${[...kept, added].join('&')}`
}
