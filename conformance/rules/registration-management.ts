import { type Managing, replacement } from '../bank/registration-management.js'
import { toRegister } from '../harness/needs.js'
import { rule } from '../harness/rule.js'
import { comparable } from './records.js'

const managing: readonly Managing[] = ['GET', 'PUT', 'DELETE']

export const read = rule({
  id: 'registration/read',
  requirement: 'REG-10',
  title: 'GET with the registration access token returns the record',
  needs: toRegister,
  async check({ bank, expect, reading }) {
    const { response: created, ...application } = await bank.ownApplication()
    const response = await bank.manage('GET', { ...application, response: created })
    expect(response).toHaveStatus(200)
    expect(response).toHaveMediaType('application/json')
    const names = Object.keys(application.metadata)
    const record = expect(response.json, 'the record', response).toHaveMembers(['client_id', ...names])
    for (const name of ['client_id', ...names]) {
      const known = [created.member(name), application.metadata[name]].map((value) => comparable(name, value))
      const same = known.includes(comparable(name, record[name]))
      expect(same ? known[0] : record[name], `${name} of the record`, response).toBe(known[0])
    }
    reading('AMB-31', 1)
  },
})

export const replaced = rule({
  id: 'registration/replace',
  requirement: 'REG-11',
  title: 'PUT replaces the record: what it names is taken, what it leaves out is gone',
  needs: toRegister,
  async check({ bank, expect, reading }) {
    const application = await bank.readableApplication()
    const record = replacement(application, { client_name: 'Conformance renamed', contacts: undefined })
    const response = await bank.manage('PUT', application, { record })
    expect(response).toHaveStatus(200, 204)
    reading('AMB-31', response.status === 204 ? 3 : 1)
    const seen = await bank.manage('GET', application)
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
  title: 'After DELETE the application is unknown to /auth, /token and /register',
  needs: toRegister,
  async check({ bank, expect, reading }) {
    const application = await bank.readableApplication()
    const response = await bank.manage('DELETE', application)
    expect(response).toHaveStatus(204, 200)
    reading('AMB-31', response.status === 204 ? 1 : 2)
    expect(await bank.manage('GET', application)).toHaveStatus(401, 403, 404)

    const url = new URL(await (await bank.discovery()).endpoint('authorization_endpoint'))
    const { clientId, redirectUri } = application
    const parameters = { client_id: clientId, redirect_uri: redirectUri, scope: 'openid', response_type: 'code' }
    for (const [name, value] of Object.entries({ ...parameters, state: 'deleted', nonce: 'deleted' })) {
      url.searchParams.set(name, value)
    }
    const begun = await bank.get(url.href)
    const refused = begun.status >= 400 || (begun.location && new URL(begun.location).searchParams.has('error'))
    expect(refused ? 'refused' : `taken (status ${begun.status})`, '/auth for it', begun).toBe('refused')

    const exchange = await bank.exchange(application, 'no-code')
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
  async check({ bank, expect }) {
    const application = await bank.readableApplication()
    const other = await bank.readableApplication()
    for (const method of managing) {
      for (const token of [undefined, other.token]) {
        expect(await bank.manage(method, application, { token })).toHaveStatus(401, 403)
      }
    }
    expect(await bank.manage('GET', application)).toHaveStatus(200)
  },
})
