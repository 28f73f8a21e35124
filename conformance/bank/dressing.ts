import { authenticatedBy, type Metadata } from './client-metadata.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { isDressed } from './dress.js'
import { sampleChallenge } from './sample-challenge.js'
import { sectorDocument } from './sector-document.js'

/** A name for state or nonce as it is sent: in another dress a long one, with what has to be encoded on the way. */
export function dressedName(name: string): string {
  return isDressed() ? `${name} &=%+/é ${'long'.repeat(40)}` : name
}

/**
 * What an authorization request carries in another dress: parameters that ask for what is so anyhow, or for one more sign-in.
 * @param changes of the default record that its client has
 */
export async function dressedParameters(
  conversation: Conversation,
  { response_types }: Metadata,
): Promise<Record<string, string>> {
  const discovery = await discover(conversation)
  const isForCode = ![response_types].flat().includes('token')
  // PKCE is about codes (RFC 7636): a bank may refuse a challenge where none is asked for.
  const takesChallenge = isForCode && discovery.declared('code_challenge_methods_supported')?.includes('S256')
  // A token never travels in the query (AMB-11).
  const takesMode = isForCode && discovery.declared('response_modes_supported')?.includes('query')
  const [level] = discovery.declared('acr_values_supported') ?? []
  return {
    prompt: 'login',
    display: 'page',
    max_age: '3000',
    ui_locales: 'cs en',
    sep_id: 'another-organization',
    ...(level !== undefined && { acr_values: level }),
    ...(takesChallenge && sampleChallenge),
    ...(takesMode && { response_mode: 'query' }),
  }
}

/**
 * Members of a client's record in another dress, in place of the default ones: each member that may be there, several values where one
 * would do, and what the default has otherwise, as far as the bank declares it.
 * @param base address below which everything of this client lies
 * @param changes of the record that a rule asks for, which these members have to go with
 */
export async function dressedMetadata(conversation: Conversation, base: string, changes: Metadata): Promise<Metadata> {
  const discovery = await discover(conversation)
  const declares = (list: string, value: string) => discovery.declared(list)?.includes(value) === true
  const bySecret = declares('token_endpoint_auth_methods_supported', 'client_secret_post')
  const redirect_uris = [`${base}/other-callback`, `${base}/callback`]
  return {
    contacts: ['conformance@example.org', 'another@example.org'],
    redirect_uris,
    // The document lists the addresses of every client that names it.
    ...(!changes.redirect_uris && { sector_identifier_uri: await sectorDocument(conversation, redirect_uris) }),
    request_uris: [`${base}/other-request-object`, `${base}/request-object`],
    client_uri: `${base}/`,
    policy_uri: `${base}/policy`,
    initiate_login_uri: `${base}/initiate`,
    backchannel_logout_uri: `${base}/logout`,
    notification_uri: `${base}/notify`,
    default_max_age: 1800,
    ...(isAsked('openid', changes) && { required_scope: 'openid' }),
    ...(declares('acr_values_supported', 'loa2') && { default_acr_values: ['loa2'] }),
    ...(declares('subject_types_supported', 'public') && { subject_type: 'public' }),
    ...(bySecret && !changes.token_endpoint_auth_method && authenticatedBy('client_secret_post')),
    ...(declares('id_token_signing_alg_values_supported', 'ES512') && { id_token_signed_response_alg: 'ES512' }),
    ...(declares('userinfo_signing_alg_values_supported', 'ES512') && {
      userinfo_signed_response_alg: 'ES512',
      profile_signed_response_alg: 'ES512',
    }),
  }
}

/** Whether a record with these changes registers a scope that the default one has. */
function isAsked(scope: string, { scope: changed = scope }: Metadata): boolean {
  return String(changed).split(' ').includes(scope)
}
