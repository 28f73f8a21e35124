import type { Response } from 'express'
import { capabilities, signingFlow } from '../capabilities.js'
import type { BankContext } from '../context.js'
import { cookieNames } from '../cookie-names.js'
import type { Secrets } from '../store/secrets.js'
import { accessTokenValues } from './access-token-value.js'
import { adapterFactory } from './adapter.js'
import { authorizationAnswer } from './authorization-answer.js'
import { cookieKeys } from './cookie-keys.js'
import { deviceAnswer, devicePaths } from './device-grant.js'
import { rememberDevice } from './devices.js'
import { errorAnswers } from './error-answers.js'
import { features } from './features.js'
import { loadExistingGrant } from './grants.js'
import { issueIdTokensAsNestedJwt } from './id-token.js'
import { makePolicy } from './interaction-policy.js'
import { internalParameters } from './internal-request.js'
import { type Configuration, errors, type KoaContextWithOIDC, Provider } from './library.js'
import { ownFailures } from './library-failures.js'
import { rememberRefusals } from './library-refusals.js'
import { checkMembers } from './patches.js'
import { relaxClientSchema } from './relax-client-schema.js'
import { timesToLive } from './times-to-live.js'
import { accessTokenBits, keepOfflineAccess, refreshResponse, storeInOneTransaction } from './token-issue.js'
import { withoutCors } from './without-cors.js'

/** What the library has to know of this bank, which its own code then acts on. */
function configurationOf(
  context: Pick<
    BankContext,
    | 'answeredPages'
    | 'blocks'
    | 'clients'
    | 'config'
    | 'consents'
    | 'keys'
    | 'people'
    | 'policy'
    | 'providerRecords'
    | 'seams'
    | 'signingRequests'
    | 'subjects'
    | 'waitingLogins'
  >,
  secrets: Secrets,
  fetch: Configuration['fetch'],
  prompts: ReturnType<typeof makePolicy>,
): Configuration {
  const { config, policy, clients, people, keys, subjects } = context
  return {
    adapter: adapterFactory(context, secrets.internal),
    // The library signs nothing itself (id-token.ts), but wants to know which algorithms there are keys for.
    jwks: { keys: keys.signing() } as Configuration['jwks'],
    cookies: {
      names: cookieNames,
      keys: [secrets.cookies],
      long: { signed: true, secure: true },
      short: { signed: true, secure: true },
    },
    clientAuthMethods: ['client_secret_post'],
    scopes: [...new Set([...capabilities.scopes, ...signingFlow.documentScopes])],
    claims: { openid: ['sub'] },
    acrValues: new Set(capabilities.acrValues),
    responseTypes: ['code', 'id_token token', 'code id_token', 'code id_token token'],
    subjectTypes: ['pairwise'],
    enabledJWA: {
      idTokenSigningAlgValues: ['PS512', 'ES512'],
      idTokenEncryptionAlgValues: ['RSA-OAEP-256'],
      idTokenEncryptionEncValues: ['A256GCM'],
    },
    features: features(context),
    routes: {
      authorization: '/auth',
      token: '/token',
      jwks: '/.well-known/jwks.json',
      device_authorization: devicePaths.authorization,
      code_verification: devicePaths.verification,
    },
    interactions: {
      url: (_ctx, interaction) =>
        `${new URL(config.issuer).pathname.replace(/\/$/, '')}/interaction/${interaction.uid}`,
      policy: prompts,
    },
    ttl: timesToLive(context),
    // Tokens end by their own expiry, by revocation or by logout, not because the browser's session does.
    expiresWithSession: () => false,
    formats: { bitsOfOpaqueRandomness: accessTokenBits(policy) },
    rotateRefreshToken: () => policy.usedRefreshToken !== 'kept',
    extraParams: { offline_access: keepOfflineAccess, ...internalParameters },
    pkce: { required: () => false },
    conformIdTokenClaims: true,
    fetch,
    // Registration has read the sector document; the library need not do so again each time it loads the client.
    sectorIdentifierUriValidate: () => false,
    pairwiseIdentifier: async (_ctx, accountId, { clientId }) => {
      const client = await clients.find(clientId)
      if (!client) throw new errors.InvalidClient('the client is no longer registered')
      return subjects.of(client, accountId)
    },
    findAccount: async (_ctx, id) => {
      const person = (await context.blocks.isBlocked(id)) ? undefined : people.byId(id)
      return person && { accountId: person.id, claims: () => ({ sub: person.id }) }
    },
    loadExistingGrant: loadExistingGrant(context),
    renderError: errorAnswers(context),
  }
}

/** oidc-provider, set up as the part of the bank that signs people in and issues codes and tokens. */
export function makeProvider(
  context: Pick<
    BankContext,
    | 'answeredPages'
    | 'blocks'
    | 'clientKeys'
    | 'clients'
    | 'config'
    | 'consents'
    | 'devices'
    | 'keys'
    | 'log'
    | 'outbox'
    | 'people'
    | 'policy'
    | 'providerRecords'
    | 'seams'
    | 'signingRequests'
    | 'subjects'
    | 'waitingLogins'
  >,
  secrets: Secrets,
  fetch: Configuration['fetch'],
): Provider {
  const { config } = context
  const prompts = makePolicy(context)
  const provider = new Provider(config.issuer, configurationOf(context, secrets, fetch, prompts))
  provider.keys = cookieKeys(secrets.cookies)
  checkMembers(provider)
  issueIdTokensAsNestedJwt(provider, context)
  accessTokenValues(provider, context)
  relaxClientSchema(provider)
  ownFailures(provider, context)
  rememberRefusals(provider, prompts)
  provider.use(withoutCors)
  provider.use(rememberDevice(context, provider))
  provider.use(storeInOneTransaction(context))
  provider.use(refreshResponse(context))
  provider.use(authorizationAnswer)
  provider.use(deviceAnswer(context))
  provider.use(async (ctx, next) => {
    await next()
    // The specification's redirects are 302; the library answers 303.
    if (ctx.status === 303 && ctx.response.get('location')) ctx.status = 302
    const { client, params } = (ctx as KoaContextWithOIDC).oidc ?? {}
    // Where a page leads back, the library has parameters as soon as the answer of the page is used up.
    if (params) context.answeredPages.wentOn(String(ctx.path.split('/').at(-1)))
    if (client) Object.assign((ctx.res as unknown as Response).locals, { client: client.clientId })
  })
  return provider
}
