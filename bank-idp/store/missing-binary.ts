/**
 * What to do where the binary of better-sqlite3 is not there, or was made for another Node.js or machine: npm installs packages without
 * their scripts where it is told to, and binaries are made for one version.
 *
 * @returns undefined for any other error
 */
export function missingBinary({ message, code }: Error & { code?: string }): string | undefined {
  const missing = message.startsWith('Could not locate the bindings file')
  if (!missing && code !== 'ERR_DLOPEN_FAILED') return undefined
  const here = `Node.js ${process.version} on ${process.platform} ${process.arch}`
  const problem = missing ? 'is missing' : 'was made for another Node.js or machine'
  return `the store needs the binary of better-sqlite3 for ${here}, and it ${problem}: run npm rebuild better-sqlite3, which fetches it, or compiles it with Python, make and a C++ compiler`
}
