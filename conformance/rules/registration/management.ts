import type { Bank } from '../../bank/bank.js'
import { asOwn, type OwnClient } from '../../bank/registration.js'
import { type Managing, replacement } from '../../bank/registration-management.js'
import { inStep } from '../../bank/steps.js'
import { type Expect, format } from '../../harness/expect.js'
import { rule } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
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
      const known = [created.member(name), client.metadata[name]]
      expect(record[name], `${name} of the record`, response).toSatisfy(
        (value) => known.some((one) => comparable(name, one) === comparable(name, value)),
        `as registered, ${known.map(format).join(' or ')}`,
      )
    }
    reading('AMB-31', 'rfc7592')
  },
})

export const replaced = rule({
  id: 'registration/replace',
  requirement: 'REG-11',
  title: 'PUT replaces the record: what it names is taken, what it leaves out is gone',
  needs: toRegister,
  async check({ bank, expect, inVariation, reading }) {
    const client = await bank.readableClient()
    const record = replacement(client, { client_name: 'Conformance renamed', contacts: undefined })
    const response = await bank.manage('PUT', client, { record })
    expect(response).toHaveStatus(200, 204)
    reading('AMB-31', response.status === 204 ? 'put-no-content' : 'rfc7592')
    const seen = await bank.manage('GET', client)
    const records = { ...(response.status !== 204 && { 'the answer to PUT': response }), 'GET after the PUT': seen }
    for (const [which, one] of Object.entries(records)) {
      await inVariation(which, async () => {
        expect(one).toHaveStatus(200)
        expect(one.member('client_name'), 'client_name of the record', one).toBe('Conformance renamed')
        const contacts = one.member('contacts')
        expect(contacts, 'contacts of the record, which the PUT left out,', one).toSatisfy(
          (value) => !Array.isArray(value) || value.length === 0,
          'gone, or an empty list',
        )
      })
    }
  },
})

export const replacedAsTable = rule({
  id: 'registration/replace-as-table',
  requirement: 'REG-11',
  title: "PUT takes exactly the fields of the record's table, which has no client_id",
  needs: toRegister,
  async check({ bank, expect, reading }) {
    const client = await bank.readableClient()
    await bank.replaceRecord(client, replacement(client))
    const { client_id: _, ...record } = replacement(client, { client_name: 'Conformance renamed', contacts: undefined })
    const response = await bank.manage('PUT', client, { record })
    expect(response).toHaveStatus(200, 204, 400)
    if (response.status === 400) return reading('AMB-78', 'required')
    reading('AMB-78', 'optional')
    const seen = await bank.manage('GET', client)
    expect(seen).toHaveStatus(200)
    expect(seen.member('client_name'), 'client_name of the record', seen).toBe('Conformance renamed')
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

    expectRefused(expect, await requestLogin(bank, client, client.redirectUri), 'a request to /auth for it')
    const refusal = await bank.exchangeCode(client, 'no-code')
    expect(refusal).toHaveStatus(400, 401)
    expect(refusal.member('error'), 'error of POST /token for it', refusal).toBeOneOf([
      'invalid_client',
      'unauthorized_client',
      'not_found',
    ])
  },
})

export const accessToken = rule({
  id: 'registration/access-token',
  requirement: 'REG-13',
  title: "GET, PUT and DELETE without, or with another client's, registration access token are refused",
  needs: toRegister,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const client = await bank.readableClient()
    const other = await bank.readableClient()
    for (const method of managing) {
      for (const [what, token] of Object.entries({ 'without a token': undefined, "with another's": other.token })) {
        // 403 is taken without a token too, as the register of requirements has it.
        await inVariation(`${method} ${what}`, async () =>
          expectTokenRefused(tools, await bank.manage(method, client, { token }), 'expired'),
        )
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
  async check({ bank, expect, inVariation }) {
    const clientMetadata = { client_name: 'Conformance to be deleted' }
    const login = await bank.token({ clientMetadata })
    await bank.subjectInUserinfo(login)
    expect(await bank.manage('DELETE', await asOwn(await bank.registration(clientMetadata)))).toHaveStatus(204, 200)
    const profile = (await bank.discovery()).value('profile_endpoint') !== undefined
    for (const endpoint of profile ? (['userinfo', 'profile'] as const) : (['userinfo'] as const)) {
      await inVariation(endpoint, async () =>
        expect(await bank.userData[endpoint].try(login)).toHaveStatus(400, 401, 403),
      )
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
      expectTaken(expect, await requestLogin(bank, client, before), 'a request with the registered redirect_uri')
    })
    const record = replacement(client, { redirect_uris: [after] })
    const response = await bank.manage('PUT', client, { record })
    expect(response).toHaveStatus(200, 204)
    expectTaken(expect, await requestLogin(bank, client, after), 'a request with the new redirect_uri')
    expectRefused(expect, await requestLogin(bank, client, before), 'a request with the replaced redirect_uri')
  },
})

/** What /auth answers to a good request of a client with this redirect URI. */
async function requestLogin(bank: Bank, { clientId }: OwnClient, redirectUri: string): Promise<HttpResponse> {
  const url = new URL(await (await bank.discovery()).endpoint('authorization_endpoint'))
  const parameters = { client_id: clientId, redirect_uri: redirectUri, scope: 'openid', response_type: 'code' }
  const wanted = await bank.wantedParameters()
  for (const [name, value] of Object.entries({ ...wanted, ...parameters, state: 'any-state', nonce: 'any-nonce' })) {
    url.searchParams.set(name, String(value))
  }
  return bank.get(url.href)
}

/** Whether /auth begins no login. */
function isRefusal({ status, location }: Pick<HttpResponse, 'status' | 'location'>): boolean {
  return status >= 400 || (location !== undefined && new URL(location).searchParams.has('error'))
}

function expectTaken(expect: Expect, response: HttpResponse, what: string): void {
  const { status, location } = response
  const described = 'the beginning of a login: a status below 400, and no error in location'
  expect({ status, location }, `the answer to ${what}`, response).toSatisfy((answer) => !isRefusal(answer), described)
}

function expectRefused(expect: Expect, response: HttpResponse, what: string): void {
  const { status, location } = response
  const described = 'a refusal: a status of 400 or more, or an error in location'
  expect({ status, location }, `the answer to ${what}`, response).toSatisfy(isRefusal, described)
}
