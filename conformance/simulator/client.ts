import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportJWK, importJWK, type JWK } from 'jose'
import { defaultMetadata, encryptedIdTokens } from '../bank/client-metadata.js'
import type { Conversation } from '../bank/conversation.js'
import { type Discovery, discover } from '../bank/discovery.js'
import { registration } from '../bank/registration.js'
import { goodCall } from '../bank/registration-call.js'
import { BankFailure } from '../evidence/failure.js'
import { type ClientKeys, clientKeys, type SigningKey } from '../service/client-keys.js'
import type { ClientEntry, Journal } from './journal.js'
import { outage, type Peer } from './peer.js'

const keysFile = 'client-keys.json'

/** The keys of the service's clients: those of {@link ApplicationKeys} that they register. */
export type ServiceKeys = ClientKeys & Required<Pick<ClientKeys, 'es256'>>

/** Their names in the file. */
const kept = ['signing', 'encryption', 'es256'] as const

type KeptKeys = Partial<Record<(typeof kept)[number], JWK>>

/** The keys of the service's clients; kept in the directory, since banks encrypt to what they fetched a while ago. */
export async function keptKeys(directory?: string): Promise<ServiceKeys> {
  const made = await clientKeys()
  const path = directory === undefined ? undefined : join(directory, keysFile)
  const known = path === undefined ? {} : readKeys(path)
  const keys: Record<string, SigningKey> = {}
  for (const name of kept) {
    const [jwk, fresh] = [known[name], made[name]]
    if (jwk) keys[name] = await restored(jwk)
    else if (fresh) keys[name] = fresh
  }
  const { signing = made.signing, encryption = made.encryption, es256 } = keys
  if (!es256) throw new Error('a key for ES256 is always made')
  if (path !== undefined && kept.some((name) => !known[name])) {
    const jwks = {
      signing: await exported(signing),
      encryption: await exported(encryption),
      es256: await exported(es256),
    }
    writeFileSync(path, JSON.stringify(jwks), { mode: 0o600 })
  }
  return { signing, encryption, es256 }
}

function readKeys(path: string): KeptKeys {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as KeptKeys
  } catch {
    return {}
  }
}

async function exported({ privateKey, publicJwk }: SigningKey): Promise<JWK> {
  return { ...(await exportJWK(privateKey)), ...publicJwk }
}

async function restored(jwk: JWK): Promise<SigningKey> {
  const { kid = '', alg = '' } = jwk
  const privateKey = (await importJWK(jwk, alg)) as SigningKey['privateKey']
  return { kid, alg, privateKey, publicJwk: publicPart(jwk) }
}

/** Public members of a key of any type (RFC 7518 section 6). */
export function publicPart({ kty, crv, x, y, n, e, kid, use, alg }: JWK): JWK {
  return JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, kid, use: use ?? 'sig', alg }))
}

/** What a service provider is to the service. */
export interface Provider {
  name: string
  /** Whether it is the bank itself. */
  own: boolean
  /** Whether the client is the one that has objects authorized. */
  signs?: boolean
}

/** The client of a service provider at a bank, if the service has one there that leads back to this address. */
function knownClient(
  journal: Journal,
  issuer: string,
  provider: Provider,
  redirectUri: string,
): ClientEntry | undefined {
  return journal
    .clients(issuer)
    .find(
      ({ name, own, signs = false, redirectUri: registered }) =>
        name === provider.name &&
        own === provider.own &&
        signs === (provider.signs ?? false) &&
        registered === redirectUri,
    )
}

/**
 * Registers a client for a service provider, with every grant and response type that the bank declares.
 * @param base address of the service
 * @throws BankFailure when the bank does not register it
 */
async function registerClient(
  conversation: Conversation,
  provider: Provider,
  base: string,
): Promise<Omit<ClientEntry, 'kind'>> {
  const discovery = await discover(conversation)
  const endpoint = await discovery.registrationEndpoint()
  const record = recordOf(discovery, provider, base)
  const response = await registration.send(conversation, { ...goodCall(conversation, endpoint), record })
  const clientId = response.member('client_id')
  if (response.status >= 300 || typeof clientId !== 'string') {
    const reason = response.member('error_description') ?? response.member('error') ?? `status ${response.status}`
    throw new BankFailure({ sentence: `the bank did not register the client: ${reason}` })
  }
  return { ...provider, issuer: conversation.run.target.issuer, clientId, redirectUri: `${base}/callback` }
}

function recordOf(discovery: Discovery, { name, own, signs }: Provider, base: string) {
  const declared = (member: string, wanted: readonly string[]) =>
    discovery.declared(member)?.filter((value) => wanted.includes(value)) ?? []
  const scopes = discovery.declared('scopes_supported')
  const frontChannel = discovery.value('frontchannel_logout_supported') === true
  return {
    ...defaultMetadata(discovery, base, name),
    client_name: name,
    ...(own && { client_type: 'bank' }),
    redirect_uris: [`${base}/callback`],
    jwks_uri: `${base}/clients/jwks.json`,
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
    ...(scopes && { scope: [...new Set([...scopes, ...(signs ? ['authorization'] : [])])].join(' ') }),
    ...(signs && encryptedIdTokens(discovery)),
  }
}

/**
 * The client of a service provider at a bank; registered where the bank does not know it yet.
 * @param base address of the service
 * @throws Outage when the bank says that it registers nobody now, BankFailure when it does not
 */
export async function clientAt(
  peer: Peer,
  conversation: Conversation,
  provider: Provider,
  { journal, base }: { journal: Journal; base: string },
): Promise<ClientEntry> {
  const known = knownClient(journal, peer.issuer, provider, `${base}/callback`)
  if (known) return known
  const { failing, reason } = await peer.health.outage()
  if (failing.has('dynamic-registration')) throw outage('register no client', reason)
  const entry: ClientEntry = { kind: 'client', ...(await registerClient(conversation, provider, base)) }
  journal.append(entry)
  return entry
}
