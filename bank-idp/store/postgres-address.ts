/** The oldest version of PostgreSQL that is supported, as server_version_num has it. */
export const oldestVersion = 150_000

/** The address of a store as it is told to people: without the password. */
export function nameOfStore(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
