import { userDataEndpoints } from './claims.js'
import type { Metadata } from './client-metadata.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { idTokenEncryption } from './dressing.js'
import { refresh } from './refresh.js'
import { client as clients } from './registration.js'
import { offlineParameters, token } from './token.js'
import { introspection } from './token-state.js'
import { userData } from './user-data.js'

/**
 * A login that asks for everything at once: every scope, each declared level, a max_age, a language and a display. Its tokens are refreshed once, for all
 * scopes by name, and looked at wherever a bank tells of them. Once in a run: what is seen of it is seen with the tokens of all others.
 */
export function muchAsked(conversation: Conversation): Promise<void> {
  return conversation.shared('much asked', async (own) => {
    const clientMetadata = await itsRecord(own)
    const { dataScopes, metadata } = await clients(own, clientMetadata)
    const levels = (await discover(own)).declared('acr_values_supported') ?? []
    const offline = String(metadata.scope).split(' ').includes('offline_access')
    const scope = ['openid', ...dataScopes, ...(offline ? ['offline_access'] : [])].join(' ')
    const parameters = {
      display: 'page',
      ui_locales: 'sk en',
      max_age: '3600',
      ...(levels.length > 0 && { acr_values: levels.toReversed().join(' ') }),
      ...(offline && (await offlineParameters(own))),
    }
    const login = await token.fresh(own, { clientMetadata, scope, parameters })
    const { client, accessToken, response } = login
    await introspection.try(own, { client, token: accessToken })
    for (const endpoint of userDataEndpoints) await userData[endpoint].try(own, { client, accessToken })
    const refreshToken = response.member('refresh_token')
    if (typeof refreshToken !== 'string') return
    await introspection.try(own, { client, token: refreshToken })
    const refreshed = await refresh.try(own, { login: { client, refreshToken }, form: { scope } })
    const second = refreshed.member('access_token')
    if (typeof second === 'string') await introspection.try(own, { client, token: second })
  })
}

/** The record of a client whose id_tokens are encrypted, where one can be registered. */
async function itsRecord(own: Conversation): Promise<Metadata> {
  const encryption = idTokenEncryption(await discover(own))
  const record = { client_name: 'Conformance asking for everything', ...encryption }
  return clients.canBe(own, record) ? record : {}
}
