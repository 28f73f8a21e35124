// Before oidc-provider: see there.
import './library-notices.js'

import { errors, interactionPolicy, Provider } from 'oidc-provider'
import { endKeeping, libraryNotices } from './library-notices.js'

endKeeping()

export type { Adapter, AdapterPayload, Configuration, KoaContextWithOIDC } from 'oidc-provider'
export { errors, interactionPolicy, libraryNotices, Provider }
