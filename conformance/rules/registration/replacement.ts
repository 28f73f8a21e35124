import { declaredDataScopes, declaredIn, type Metadata, recordFields } from '../../bank/client-metadata.js'
import type { OwnClient } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import { format } from '../../harness/expect.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { SigningKey } from '../../service/client-keys.js'
import { toRegister } from '../../target/needs.js'
import { comparable, elementsOf, expectEchoed, jsonInUtf8, ofNoTable, wholeRecord } from '../support/records.js'

export const replaced = rule({
  id: 'registration/replace',
  requirement: 'REG-11',
  places: ['member=client_name', 'member=contacts value=missing', 'parameter=content-type', 'value=unknown'],
  title: 'PUT replaces the record: what it names is taken, what it leaves out is gone, what nobody knows is ignored',
  needs: toRegister,
  async check({ bank, expect, inVariation, reading }) {
    const client = await bank.readableClient()
    const record = replacement(client, { client_name: 'Conformance renamed', contacts: undefined })
    const response = await bank.manage('PUT', client, () => ({ record }))
    expect(response).toHaveStatus(200, 204)
    reading('AMB-31', response.status === 204 ? 'put-no-content' : 'rfc7592')
    if (response.status !== 204) expect(response).toHaveMediaType('application/json')
    const seen = await bank.manage('GET', client)
    expect(seen).toHaveStatus(200)
    const records = { ...(response.status !== 204 && { 'the answer to PUT': response }), 'GET after the PUT': seen }
    for (const [which, one] of Object.entries(records)) {
      await inVariation(which, async () => {
        expect(one.member('client_name'), 'client_name of the record', one).toBe('Conformance renamed')
        const contacts = one.member('contacts')
        expect(contacts, 'contacts of the record, which the PUT left out,', one).toSatisfy(
          (value) => !Array.isArray(value) || value.length === 0,
          'gone, or an empty list',
        )
      })
    }
    await inVariation('with a charset in the content type', async () =>
      expect(await bank.manage('PUT', client, () => ({ record, headers: jsonInUtf8 }))).toHaveStatus(200, 204),
    )
    const further = { ...record, ...ofNoTable }
    await inVariation('with a member of no table', async () =>
      expect(await bank.manage('PUT', client, () => ({ record: further }))).toHaveStatus(200, 204),
    )
  },
})

export const replacedAsTable = rule({
  id: 'registration/replace-as-table',
  requirement: 'REG-11',
  places: ['member=client_id value=missing'],
  title: "PUT takes exactly the fields of the record's table, which has no client_id",
  needs: toRegister,
  async check({ bank, expect, reading }) {
    const client = await bank.readableClient()
    await bank.replaceRecord(client, replacement(client))
    const { client_id: _, ...record } = replacement(client, { client_name: 'Conformance renamed', contacts: undefined })
    const response = await bank.manage('PUT', client, () => ({ record }))
    expect(response).toHaveStatus(200, 204, 400)
    if (response.status === 400) return reading('AMB-78', 'required')
    reading('AMB-78', 'optional')
    const seen = await bank.manage('GET', client)
    expect(seen).toHaveStatus(200)
    expect(seen.member('client_name'), 'client_name of the record', seen).toBe('Conformance renamed')
  },
})

/** Fields that a PUT may have to name all the same: a bank may require them as published (AMB-58). */
const requiredAsPublished = ['request_uris', 'default_max_age', 'require_auth_time', 'tos_uri', 'logo_uri']

/**
 * Fields that a PUT may leave out, so that they are gone. Not those that a bank may fill in with the value that they had: algorithms and
 * flows, and the encryption of user data, which it may require (AMB-48).
 */
const droppable = [
  'contacts',
  'client_uri',
  'policy_uri',
  'initiate_login_uri',
  'backchannel_logout_uri',
  'notification_uri',
  'sector_identifier_uri',
  'id_token_encrypted_response_alg',
  'id_token_encrypted_response_enc',
  'request_object_encryption_alg',
  'request_object_encryption_enc',
  'default_acr_values',
  'required_scope',
]

/** A client of a whole record, with values that no bank would fill in by itself. */
async function wholeClient({ bank, service }: Pick<Tools, 'bank' | 'service'>): Promise<OwnClient> {
  const acrs = (await bank.discovery()).declared('acr_values_supported')
  return bank.client.fresh({
    ...(await wholeRecord(bank, service)),
    default_max_age: 4321,
    // A bank may tell false where none was given.
    require_auth_time: true,
    ...(acrs && { default_acr_values: [...acrs].reverse() }),
  })
}

/** Replaces the record of a client, and expects these fields of it to be no longer as they were, in the answer and when read. */
async function expectReplaced(
  { bank, expect, inVariation }: Pick<Tools, 'bank' | 'expect' | 'inVariation'>,
  client: OwnClient,
  record: Metadata,
  fields: readonly string[],
): Promise<void> {
  const response = await bank.manage('PUT', client, () => ({ record }))
  expect(response).toHaveStatus(200, 204)
  const seen = await bank.manage('GET', client)
  expect(seen).toHaveStatus(200)
  const records = { ...(response.status !== 204 && { 'the answer to PUT': response }), 'GET after the PUT': seen }
  for (const [which, one] of Object.entries(records)) {
    await inVariation(which, async () => {
      for (const field of fields) {
        const before = client.metadata[field]
        const left = elementsOf(field, before).filter((old) => !elementsOf(field, record[field]).includes(old))
        expect(one.member(field), `${field} of the record`, one).toSatisfy(
          (value) =>
            comparable(field, value) !== comparable(field, before) &&
            !elementsOf(field, value).some((element) => left.includes(element)),
          `other than before the PUT, and without what it left out of ${format(before)}`,
        )
      }
    })
  }
}

export const eachDropped = rule({
  id: 'registration/replace-drops-each',
  requirement: 'REG-11',
  places: [...droppable, ...requiredAsPublished].map((member) => `member=${member} value=missing`),
  title: 'Each field that a PUT leaves out is gone, in the answer and when the record is read',
  needs: toRegister,
  async check(tools) {
    const { bank, note } = tools
    const client = await wholeClient(tools)
    const without = (fields: readonly string[]) =>
      replacement(client, Object.fromEntries(fields.map((field) => [field, undefined])))
    const dropped = droppable.filter((field) => client.metadata[field] !== undefined)
    await expectReplaced(tools, client, without(dropped), dropped)

    const least = without([...dropped, ...requiredAsPublished])
    const { status } = await bank.manage('PUT', client, () => ({ record: least }))
    if (status === 400) note('a PUT has to name the fields that are required as published (AMB-58)')
    else await expectReplaced(tools, client, least, requiredAsPublished)
  },
})

/** Algorithms that need no key of ours: a bank may have something to say against them, whoever registers them. */
const withoutOurKey = /^(HS|none)/

/** Other values for each field of a client's record that has another. */
async function changesOf({ bank }: Pick<Tools, 'bank'>, { metadata, keys }: OwnClient): Promise<Metadata> {
  const discovery = await bank.discovery()
  const base = String(metadata.redirect_uris).replace(/\/whole\/.*/, '/changed')
  const redirectUris = [`${base}/callback`]
  const other = (member: string, list: string) => {
    const value = declaredIn(discovery, list)?.find((one) => one !== metadata[member] && !withoutOurKey.test(one))
    return value === undefined || metadata[member] === undefined ? {} : { [member]: value }
  }
  const acrs = discovery.declared('acr_values_supported') ?? []
  const [data] = declaredDataScopes(discovery)
  const uris = ['logo', 'client', 'policy', 'tos', 'initiate_login', 'backchannel_logout', 'notification']
  return {
    client_name: 'Conformance changed',
    contacts: ['changed@example.org'],
    redirect_uris: redirectUris,
    sector_identifier_uri: await bank.sectorDocument(redirectUris),
    jwks_uri: bank.hostKeys(Object.values<SigningKey>({ ...keys }).map(({ publicJwk }) => publicJwk)).url,
    ...Object.fromEntries(uris.map((name) => [`${name}_uri`, `${base}/${name}`])),
    request_uris: [`${base}/request-object`],
    default_max_age: 1234,
    require_auth_time: false,
    ...(acrs.length > 1 && { default_acr_values: acrs.slice(0, 1) }),
    scope: ['openid', data].join(' ').trim(),
    required_scope: 'openid',
    ...([metadata.grant_types].flat().length > 1 && { grant_types: ['authorization_code'] }),
    ...other('subject_type', 'subject_types_supported'),
    ...other('id_token_signed_response_alg', 'id_token_signing_alg_values_supported'),
    ...other('userinfo_signed_response_alg', 'userinfo_signing_alg_values_supported'),
    ...other('profile_signed_response_alg', 'profile_signing_alg_values_supported'),
    ...other('request_object_signing_alg', 'request_object_signing_alg_values_supported'),
    ...other('token_endpoint_auth_signing_alg', 'token_endpoint_auth_signing_alg_values_supported'),
  }
}

/** The fields that get another value. */
const changeable = [
  ...['client_name', 'contacts', 'redirect_uris', 'sector_identifier_uri', 'jwks_uri', 'logo_uri', 'client_uri'],
  ...['policy_uri', 'tos_uri', 'initiate_login_uri', 'backchannel_logout_uri', 'notification_uri', 'request_uris'],
  ...['default_max_age', 'require_auth_time', 'default_acr_values', 'scope', 'required_scope', 'grant_types'],
  ...['subject_type', 'id_token_signed_response_alg', 'userinfo_signed_response_alg', 'profile_signed_response_alg'],
  ...['request_object_signing_alg', 'token_endpoint_auth_signing_alg'],
]

export const eachChanged = rule({
  id: 'registration/replace-changes-each',
  requirement: 'REG-11',
  places: [...changeable.map((member) => `member=${member}`), 'member=contacts value=empty'],
  title: 'Each field that a PUT gives another value has it, in the answer and when the record is read',
  needs: toRegister,
  async check(tools) {
    const client = await wholeClient(tools)
    const changes = await changesOf(tools, client)
    const differing = changeable.filter(
      (name) => name in changes && comparable(name, changes[name]) !== comparable(name, client.metadata[name]),
    )
    await expectReplaced(tools, client, replacement(client, changes), differing)
    await tools.inVariation('a list that is emptied', async () => {
      const emptied = { ...replacement(client, changes), contacts: [] }
      const { status } = await tools.bank.manage('PUT', client, () => ({ record: emptied }))
      // A bank may want whoever is named to be somebody.
      if (status === 400) return
      const seen = await tools.bank.manage('GET', client)
      tools.expect(seen).toHaveStatus(200)
      tools.expect([seen.member('contacts') ?? []].flat(), 'contacts of the record', seen).toEqual([])
    })
  },
})

export const echoed = rule({
  id: 'registration/record-echoed-put',
  requirement: 'REG-2',
  places: Object.keys(recordFields).map((member) => `method=PUT member=${member}`),
  title: 'Each field of the record comes back from PUT with its type and value',
  needs: toRegister,
  async check(tools) {
    const { bank, expect, service, skip } = tools
    const { metadata, ...client } = await bank.readableClient()
    const whole = replacement({ ...client, metadata: { ...metadata, ...(await wholeRecord(bank, service)) } })
    const response = await bank.manage('PUT', { ...client, metadata }, () => ({ record: whole }))
    if (response.status === 204) return skip('the bank answers PUT without a body (AMB-31)')
    expect(response).toHaveStatus(200)
    await expectEchoed(tools, { ...client, metadata: whole }, response)
  },
})
