import { deviceGrant } from '../capabilities.js'
import type { Provider } from './library.js'
import { waiveClientRules } from './patches.js'

/**
 * Two rules of the library's for clients that are not ours: none of the implicit flow at localhost, where those of a developer live;
 * and none of the device grant unless it authenticates by a key, which the library cannot see (client-authentication.ts).
 */
export function relaxClientSchema(provider: Provider): void {
  waiveClientRules(
    provider,
    (message, code) => code === 'implicit-forbid-localhost' || message.startsWith(`pairwise ${deviceGrant}`),
  )
}
