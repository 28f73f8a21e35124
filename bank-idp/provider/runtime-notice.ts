/**
 * Holds back one notice of oidc-provider, which it prints while it is loaded: that it does not support Node 20. The versions that we support
 * are tested (package.json, engines), and what a program prints at its start is for its user. It is for library.ts alone, which imports this
 * file before oidc-provider and ends it after: the modules between are evaluated in the order of their imports, at once.
 */
const { warn } = console

console.warn = (...line: unknown[]) => {
  if (!String(line[0]).includes('Unsupported runtime')) warn(...line)
}

/** From now on all is printed again. */
export function endHoldingBack(): void {
  console.warn = warn
}
