import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportJWK, importJWK, type JWK } from 'jose'
import { defaultMetadata } from '../../bank/application-metadata.js'
import type { Conversation } from '../../bank/conversation.js'
import { type Discovery, discover } from '../../bank/discovery.js'
import { goodCall, sendRegistration } from '../../bank/registration.js'
import { BankFailure } from '../../harness/failure.js'
import { type ApplicationKeys, applicationKeys, type SigningKey } from '../application-keys.js'
import type { ApplicationEntry, Journal } from './journal.js'

const keysFile = 'application-keys.json'

/** The keys of the service's applications; kept in the directory, since banks encrypt to what they fetched a while ago. */
export async function keptKeys(directory?: string): Promise<ApplicationKeys> {
  if (directory === undefined) return applicationKeys()
  const path = join(directory, keysFile)
  const kept = (() => {
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as { signing: JWK; encryption: JWK }
    } catch {
      return undefined
    }
  })()
  if (kept) return { signing: await restored(kept.signing), encryption: await restored(kept.encryption) }
  const made = await applicationKeys()
  const jwks = { signing: await exported(made.signing), encryption: await exported(made.encryption) }
  writeFileSync(path, JSON.stringify(jwks), { mode: 0o600 })
  return made
}

async function exported({ privateKey, publicJwk }: SigningKey): Promise<JWK> {
  return { ...(await exportJWK(privateKey)), ...publicJwk }
}

async function restored(jwk: JWK): Promise<SigningKey> {
  const { kty, n, e, kid = '', use = '', alg = '' } = jwk
  const privateKey = (await importJWK(jwk, alg)) as SigningKey['privateKey']
  return { kid, alg, privateKey, publicJwk: { kty, n, e, kid, use, alg } as JWK }
}

/** What a service provider is to the service. */
export interface Provider {
  name: string
  /** Whether it is the bank itself. */
  own: boolean
}

/** The application of a service provider at a bank, if the service has one there that leads back to this address. */
export function knownApplication(
  journal: Journal,
  issuer: string,
  provider: Provider,
  redirectUri: string,
): ApplicationEntry | undefined {
  return journal
    .applications(issuer)
    .find((entry) => entry.name === provider.name && entry.own === provider.own && entry.redirectUri === redirectUri)
}

/**
 * Registers an application for a service provider, with every grant and response type that the bank declares.
 * @param base address of the service
 * @throws BankFailure when the bank does not register it
 */
export async function registerApplication(
  conversation: Conversation,
  provider: Provider,
  base: string,
): Promise<Omit<ApplicationEntry, 'kind'>> {
  const discovery = await discover(conversation)
  const endpoint = await discovery.registrationEndpoint()
  const record = recordOf(discovery, provider, base)
  const response = await sendRegistration(conversation, { ...goodCall(conversation, endpoint), record })
  const clientId = response.member('client_id')
  if (response.status >= 300 || typeof clientId !== 'string') {
    const told = response.member('error_description') ?? response.member('error') ?? `status ${response.status}`
    throw new BankFailure({ sentence: `the bank did not register the application: ${told}` })
  }
  return { ...provider, issuer: conversation.run.target.issuer, clientId, redirectUri: `${base}/callback` }
}

function recordOf(discovery: Discovery, { name, own }: Provider, base: string) {
  const declared = (member: string, wanted: readonly string[]) =>
    discovery.declared(member)?.filter((value) => wanted.includes(value)) ?? []
  const scopes = discovery.declared('scopes_supported')
  const frontChannel = discovery.value('frontchannel_logout_supported') === true
  return {
    ...defaultMetadata(discovery, base, name),
    client_name: name,
    ...(own && { client_type: 'bank' }),
    redirect_uris: [`${base}/callback`],
    jwks_uri: `${base}/applications/jwks.json`,
    backchannel_logout_uri: `${base}/back-channel/logout`,
    notification_uri: `${base}/notify`,
    ...(frontChannel && {
      frontchannel_logout_uri: `${base}/front-channel/logout`,
      frontchannel_logout_session_required: true,
      post_logout_redirect_uris: [`${base}/`],
    }),
    grant_types: [
      ...new Set(['authorization_code', ...declared('grant_types_supported', ['refresh_token', 'implicit'])]),
    ],
    response_types: [...new Set(['code', ...declared('response_types_supported', ['token'])])],
    ...(scopes && { scope: scopes.join(' ') }),
  }
}
