import { stripVTControlCharacters } from 'node:util'

const { warn } = console
const kept: string[] = []

/**
 * What oidc-provider says while it is loaded, such as that it does not support this version of Node.js: for the log, which is JSON, in place
 * of the console. library.ts alone imports this file before oidc-provider and ends it after: the modules between are evaluated in the
 * order of their imports, at once.
 */
export const libraryNotices: readonly string[] = kept

console.warn = (...line: unknown[]) => {
  if (String(line[0]).includes('oidc-provider')) kept.push(stripVTControlCharacters(String(line[0])))
  else warn(...line)
}

/** From now on all is printed again. */
export function endKeeping(): void {
  console.warn = warn
}
