// Before oidc-provider: see there.
import './runtime-notice.js'

import { errors, interactionPolicy, Provider } from 'oidc-provider'
import { endHoldingBack } from './runtime-notice.js'

endHoldingBack()

export type { Adapter, AdapterPayload, Configuration, KoaContextWithOIDC } from 'oidc-provider'
export { errors, interactionPolicy, Provider }
