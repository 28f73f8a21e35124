import type { Bank } from '../../bank/bank.js'
import { asOwn, type OwnClient } from '../../bank/registration.js'
import { type Managing, replacement } from '../../bank/registration-management.js'
import { inStep } from '../../bank/steps.js'
import { rule } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { expectTokenRefused } from '../support/bearer-refusal.js'
import { comparable } from '../support/records.js'

const managing: readonly Managing[] = ['GET', 'PUT', 'DELETE']

export const read = rule({
  id: 'registration/read',
  requirement: 'REG-10',
  title: 'GET with the registration access token returns the record',
  needs: toRegister,
  async check({ bank, expect, reading }) {
    const { response: created, ...client } = await bank.client.fresh()
    const response = await bank.manage('GET', { ...client, response: created })
    expect(response).toHaveStatus(200)
    expect(response).toHaveMediaType('application/json')
    const names = Object.keys(client.metadata)
    const record = expect(response.json, 'the record', response).toHaveMembers(['client_id', ...names])
    for (const name of ['client_id', ...names]) {
      const known = [created.member(name), client.metadata[name]].map((value) => comparable(name, value))
      const same = known.includes(comparable(name, record[name]))
      expect(same ? known[0] : record[name], `${name} of the record`, response).toBe(known[0])
    }
    reading('AMB-31', 'rfc7592')
  },
})

export const replaced = rule({
  id: 'registration/replace',
  requirement: 'REG-11',
  title: 'PUT replaces the record: what it names is taken, what it leaves out is gone',
  needs: toRegister,
  async check({ bank, expect, reading }) {
    const client = await bank.readableClient()
    const record = replacement(client, { client_name: 'Conformance renamed', contacts: undefined })
    const response = await bank.manage('PUT', client, { record })
    expect(response).toHaveStatus(200, 204)
    reading('AMB-31', response.status === 204 ? 'put-no-content' : 'rfc7592')
    const seen = await bank.manage('GET', client)
    for (const one of response.status === 204 ? [seen] : [response, seen]) {
      expect(one).toHaveStatus(200)
      expect(one.member('client_name'), 'client_name of the record', one).toBe('Conformance renamed')
      const contacts = one.member('contacts')
      expect(Array.isArray(contacts) ? contacts : [], 'contacts, which were left out,', one).toEqual([])
    }
  },
})

export const deleted = rule({
  id: 'registration/delete',
  requirement: 'REG-12',
  title: 'After DELETE the client is unknown to /auth, /token and /register',
  needs: toRegister,
  async check({ bank, expect, reading }) {
    const client = await bank.readableClient()
    const response = await bank.manage('DELETE', client)
    expect(response).toHaveStatus(204, 200)
    reading('AMB-31', response.status === 204 ? 'rfc7592' : 'delete-ok')
    expect(await bank.manage('GET', client)).toHaveStatus(400, 401, 403, 404)

    expect(await isTaken(bank, client, client.redirectUri), 'a request to /auth for it').toBe('refused')
    const exchange = await bank.exchange(client, 'no-code')
    expect(exchange).toHaveStatus(400, 401)
    expect(exchange.member('error'), 'error of POST /token for it', exchange).toMatch(
      /^(invalid_client|unauthorized_client|not_found)$/,
      'invalid_client or unauthorized_client',
    )
  },
})

export const accessToken = rule({
  id: 'registration/access-token',
  requirement: 'REG-13',
  title: "GET, PUT and DELETE without, or with another client's, registration access token are refused",
  needs: toRegister,
  async check(tools) {
    const { bank, expect } = tools
    const client = await bank.readableClient()
    const other = await bank.readableClient()
    for (const method of managing) {
      for (const token of [undefined, other.token]) {
        // 403 is taken without a token too, as the register of requirements has it.
        expectTokenRefused(tools, await bank.manage(method, client, { token }), 'expired')
      }
    }
    expect(await bank.manage('GET', client)).toHaveStatus(200)
  },
})

export const deletedTokens = rule({
  id: 'registration/delete-ends-tokens',
  requirement: 'REG-26',
  title: "After DELETE the client's access tokens are refused at /userinfo and /profile",
  needs: [...toRegister, ...toLogIn],
  async check({ bank, expect }) {
    const clientMetadata = { client_name: 'Conformance to be deleted' }
    const login = await bank.token({ clientMetadata })
    await bank.subjectInUserinfo(login)
    expect(await bank.manage('DELETE', await asOwn(await bank.registration(clientMetadata)))).toHaveStatus(204, 200)
    const profile = (await bank.discovery()).value('profile_endpoint') !== undefined
    for (const endpoint of profile ? (['userinfo', 'profile'] as const) : (['userinfo'] as const)) {
      expect(await bank.userData[endpoint].try(login)).toHaveStatus(400, 401, 403)
    }
  },
})

export const changeHolds = rule({
  id: 'registration/change-holds',
  requirement: 'REG-29',
  title: 'A change by PUT holds for the next /auth request',
  needs: toRegister,
  async check({ bank, expect }) {
    const client = await bank.readableClient()
    const before = client.redirectUri
    const after = `${before}/changed`
    await inStep('authorization', async () => {
      expect(await isTaken(bank, client, before), 'a request with the registered redirect_uri').toBe('taken')
    })
    const record = replacement(client, { redirect_uris: [after] })
    const response = await bank.manage('PUT', client, { record })
    expect(response).toHaveStatus(200, 204)
    expect(await isTaken(bank, client, after), 'a request with the new redirect_uri').toBe('taken')
    expect(await isTaken(bank, client, before), 'a request with the replaced redirect_uri').toBe('refused')
  },
})

/** Whether /auth begins a login for a good request of a client with this redirect URI. */
async function isTaken(bank: Bank, { clientId }: OwnClient, redirectUri: string): Promise<'taken' | 'refused'> {
  const url = new URL(await (await bank.discovery()).endpoint('authorization_endpoint'))
  const parameters = { client_id: clientId, redirect_uri: redirectUri, scope: 'openid', response_type: 'code' }
  const wanted = await bank.wantedParameters()
  for (const [name, value] of Object.entries({ ...wanted, ...parameters, state: 'any-state', nonce: 'any-nonce' })) {
    url.searchParams.set(name, String(value))
  }
  const { status, location } = await bank.get(url.href)
  const refused = status >= 400 || (location !== undefined && new URL(location).searchParams.has('error'))
  return refused ? 'refused' : 'taken'
}
