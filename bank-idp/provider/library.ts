/**
 * oidc-provider with its notice about Node 20 held back: the versions we support are tested (package.json, engines), and what a program
 * prints at its start is for its user.
 */
const { warn } = console
console.warn = (...line: unknown[]) => {
  if (!String(line[0]).includes('Unsupported runtime')) warn(...line)
}
const library = await import('oidc-provider')
console.warn = warn

export const { Provider, errors, interactionPolicy } = library
export type { Adapter, AdapterPayload, Configuration, KoaContextWithOIDC } from 'oidc-provider'
export type Provider = InstanceType<typeof library.Provider>
