import type { Rooms } from '../rooms.js'
import type { ProviderRecords } from '../store/provider-records.js'
import type { Secrets } from '../store/secrets.js'
import { adapterFactory } from './adapter.js'
import { capabilities } from './capabilities.js'
import { type Configuration, type KoaContextWithOIDC, Provider } from './library.js'

const hour = 3600
const year = 365 * 24 * hour

/** Token lifetimes in seconds. Specification: "Token kinds and required minimum validity"; a code lives ten minutes (published). */
const ttl = {
  AccessToken: hour,
  IdToken: hour,
  AuthorizationCode: 600,
  Interaction: hour,
  Session: 8 * hour,
  // A grant outlives every token that rests on it.
  Grant: 2 * year,
}

/**
 * Consent is kept in a store of its own, and every authorization gets a grant of its own: revoking one token then touches nothing else,
 * and a new authentication changes no earlier token (specification: "Token kinds", rules 1 and 2).
 */
function loadExistingGrant(consents: Rooms['consents']) {
  return async (ctx: KoaContextWithOIDC) => {
    const { oidc } = ctx
    const { client, account, provider } = oidc
    const consented = oidc.result?.consent?.grantId
    if (consented) return provider.Grant.find(consented)
    if (!client || !account) return undefined
    const requested = [...oidc.requestParamScopes]
    const approved = await consents.scopes(account.accountId, client.clientId)
    if (!requested.every((scope) => approved.includes(scope))) return undefined
    const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
    grant.addOIDCScope(requested.join(' '))
    await grant.save()
    return grant
  }
}

/** oidc-provider, set up as the part of the bank that signs people in and issues codes and tokens. */
export function makeProvider(
  rooms: Omit<Rooms, 'provider'>,
  secrets: Secrets,
  records: ProviderRecords,
  fetch: Configuration['fetch'],
): Provider {
  const { config, clients, consents, people, keys, subjects, log } = rooms
  const configuration: Configuration = {
    adapter: adapterFactory(clients, records, secrets.internal),
    jwks: { keys: keys.forProvider() } as Configuration['jwks'],
    cookies: { keys: [secrets.cookies], long: { signed: true, secure: true }, short: { signed: true, secure: true } },
    clientAuthMethods: ['client_secret_post'],
    scopes: capabilities.scopes,
    claims: { openid: ['sub'] },
    acrValues: new Set(capabilities.acrValues),
    responseTypes: ['code'],
    subjectTypes: ['public', 'pairwise'],
    enabledJWA: {
      idTokenSigningAlgValues: ['PS512', 'ES512'],
      idTokenEncryptionAlgValues: ['RSA-OAEP-256'],
      idTokenEncryptionEncValues: ['A256GCM'],
    },
    features: {
      devInteractions: { enabled: false },
      // Served by endpoints/userinfo.ts, since GET /profile has to seal its replies the same way.
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      encryption: { enabled: true },
    },
    routes: { authorization: '/auth', token: '/token', jwks: '/.well-known/jwks.json' },
    interactions: {
      url: (_ctx, interaction) =>
        `${new URL(config.issuer).pathname.replace(/\/$/, '')}/interaction/${interaction.uid}`,
    },
    ttl,
    // Tokens end by their own expiry, by revocation or by logout, not because the browser's session does.
    expiresWithSession: () => false,
    pkce: { required: () => false },
    conformIdTokenClaims: true,
    fetch,
    // Registration has read the sector document; the library need not do so again each time it loads the client.
    sectorIdentifierUriValidate: () => false,
    pairwiseIdentifier: (_ctx, accountId, client) => subjects.pairwise(String(client.sectorIdentifier), accountId),
    findAccount: (_ctx, id) => {
      const person = people.byId(id)
      return person && { accountId: person.id, claims: () => ({ sub: person.id }) }
    },
    loadExistingGrant: loadExistingGrant(consents),
    renderError: (ctx, out) => {
      ctx.type = 'application/json'
      ctx.body = out
    },
  }
  const provider = new Provider(config.issuer, configuration)
  provider.on('server_error', (ctx, error) => {
    log({ event: 'error', message: error.message, stack: error.stack, trace: ctx.response.get('x-b3-traceid') })
  })
  provider.use(async (ctx, next) => {
    await next()
    // The specification's redirects are 302; the library answers 303.
    if (ctx.status === 303 && ctx.response.get('location')) ctx.status = 302
    const { client } = (ctx as KoaContextWithOIDC).oidc ?? {}
    if (client) (ctx.res as { locals?: { client?: string } }).locals = { client: client.clientId }
  })
  return provider
}
