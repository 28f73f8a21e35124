/** The words of a space-separated list, as scopes and acr_values are written (RFC 6749 section 3.3). */
export function parseSpaceDelimited(list: string | undefined): string[] {
  return list ? list.split(' ').filter(Boolean) : []
}
