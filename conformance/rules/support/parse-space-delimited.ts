/** The words of a space-separated list; none of what is no string. */
export function parseSpaceDelimited(list: unknown): string[] {
  return typeof list === 'string' ? list.split(' ').filter(Boolean) : []
}
