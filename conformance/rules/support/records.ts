import { isUrl } from '../../../schemas/is-url.js'
import type { Bank } from '../../bank/bank.js'
import { declaredDataScopes, declaredIn, type Metadata, recordFields } from '../../bank/client-metadata.js'
import type { Service } from '../../bank/conversation.js'
import type { OwnClient } from '../../bank/registration.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'

/** JSON has no charset, and one that is named has no effect (RFC 8259 section 11). */
export const jsonInUtf8 = { 'content-type': 'application/json; charset=utf-8' }

/** A member of a record that nobody knows, which is ignored (RFC 7591 section 2). */
export const ofNoTable = { conformance_member: 'of no table' }

/** The elements of a list, or of scopes; what is neither has none. */
export function elementsOf(member: string, value: unknown): readonly unknown[] {
  const scopes = member === 'scope' || member === 'required_scope'
  const list = scopes && typeof value === 'string' ? value.split(' ') : value
  return Array.isArray(list) ? list : []
}

/** Letters, digits and the like, which a percent-encoding may stand for and means the same (RFC 3986 section 6.2.2.2). */
const unreserved = /[\w.~-]/

/** An address in one form of all that are equivalent (RFC 3986 sections 6.2.2 and 6.2.3): https://a.example is https://A.example:443/. */
function normalForm(address: string): string {
  return new URL(address).href.replaceAll(/%[\da-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
    return unreserved.test(character) ? character : encoded.toUpperCase()
  })
}

/** A value as it is compared: lists and scopes as sets, addresses that nobody is led to in whichever form. */
export function comparable(member: string, value: unknown): string {
  if (recordFields[member] === 'uri' && typeof value === 'string' && isUrl(value)) return normalForm(value)
  const elements = elementsOf(member, value)
  return JSON.stringify(elements.length > 0 || Array.isArray(value) ? [...new Set(elements)].sort() : (value ?? null))
}

/** Changes of the default record that fill in every field of the record table, with values that the bank declares. */
export async function wholeRecord(bank: Bank, { server }: Service): Promise<Metadata> {
  if (!server) throw new Error('a rule that registers has to need what is in toRegister')
  const discovery = await bank.discovery()
  const base = `${server.url}/whole`
  const redirectUris = [`${base}/callback`, `${base}/second`]
  const scopes = declaredDataScopes(discovery)
  const first = (list: string) => declaredIn(discovery, list)?.[0]
  const nestedJwtMembers = (kind: string) => {
    const alg = first(`${kind}_encryption_alg_values_supported`)
    const enc = first(`${kind}_encryption_enc_values_supported`)
    return alg && enc ? { [`${kind}_encrypted_response_alg`]: alg, [`${kind}_encrypted_response_enc`]: enc } : {}
  }
  const acrs = discovery.declared('acr_values_supported') ?? []
  const signing = first('profile_signing_alg_values_supported')
  const objectSigning = first('request_object_signing_alg_values_supported')
  const objectAlg = first('request_object_encryption_alg_values_supported')
  const objectEnc = first('request_object_encryption_enc_values_supported')
  return {
    redirect_uris: redirectUris,
    contacts: ['conformance@example.org', 'second@example.org'],
    request_uris: [`${base}/request-object`, `${base}/second-request-object`],
    sector_identifier_uri: await bank.sectorDocument(redirectUris),
    client_uri: `${base}/home`,
    policy_uri: `${base}/policy`,
    initiate_login_uri: `${base}/login`,
    backchannel_logout_uri: `${base}/logout`,
    notification_uri: `${base}/notify`,
    required_scope: ['openid', ...scopes.slice(0, 1)].join(' '),
    ...(acrs.length > 0 && { default_acr_values: acrs }),
    ...(signing && { profile_signed_response_alg: signing }),
    ...nestedJwtMembers('id_token'),
    ...nestedJwtMembers('profile'),
    ...(objectSigning && { request_object_signing_alg: objectSigning }),
    ...(objectAlg &&
      objectEnc && { request_object_encryption_alg: objectAlg, request_object_encryption_enc: objectEnc }),
  }
}

/** Fields of no table that say nothing to a bank which names the session in each logout: it may ignore them (RFC 7591 section 2). */
const mayBeIgnored = ['backchannel_logout_session_required', 'frontchannel_logout_session_required']

/**
 * That an answer has each field of a record, in its form.
 * @returns the fields whose values the bank replaced (RFC 7591 section 3.2.1)
 */
export function expectFields({ expect }: Pick<Tools, 'expect'>, sent: Metadata, response: HttpResponse): string[] {
  const answered = Object(response.told)
  const metadata = Object.fromEntries(
    Object.entries(sent).filter(([name]) => name in answered || !mayBeIgnored.includes(name)),
  )
  const record = expect(response.json, 'the registration response', response).toHaveMembers(Object.keys(metadata))
  // A member without a value that nobody registered is as good as left out (RFC 7592 section 2.2).
  const told = Object.entries(record).filter(([name, value]) => value !== null || name in metadata)
  expect<unknown>(Object.fromEntries(told), 'the registration response', response).toFitSchema('registration-record')
  return differing(metadata, record, metadata)
}

/** The fields of a record whose values are not the same in two others. */
function differing(
  metadata: Metadata,
  found: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): string[] {
  return Object.keys(metadata).filter((name) => comparable(name, found[name]) !== comparable(name, wanted[name]))
}

/**
 * That an answer gives back each field of the client's record, with its type and value. A bank may replace a value (RFC 7591 section
 * 3.2.1), if the one given back then holds: it is warned.
 */
export async function expectEchoed(
  { bank, expect, warn }: Pick<Tools, 'bank' | 'expect' | 'warn'>,
  client: OwnClient,
  response: HttpResponse,
): Promise<void> {
  const { metadata } = client
  const replaced = expectFields({ expect }, metadata, response)
  if (replaced.length === 0) return
  const read = await bank.manage('GET', client)
  const record = expect(response.json, 'the registration response', response).toBeObject()
  const holds = expect(read.json, 'the record read back', read).toBeObject()
  const unheld = replaced.filter((name) => differing(metadata, holds, record).includes(name))
  expect(unheld, 'the values that came back and do not hold', read).toEqual([])
  warn(`the bank replaced the values of ${replaced.join(', ')}`)
}
