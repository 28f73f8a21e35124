import { authenticatedBy } from '../../bank/client-metadata.js'
import type { Registration } from '../../bank/registration.js'
import type { Expect } from '../../harness/expect.js'
import { rule } from '../../harness/rule.js'
import { toRegister } from '../../target/needs.js'

/** What the response carries beyond the record and client_secret ("Client registration record"). */
const given = ['client_id', 'registration_access_token', 'registration_client_uri', 'client_id_issued_at']

/** Required as published; which fields are required the specification does not show (AMB-58). */
const requiredAsPublished = ['request_uris', 'require_auth_time', 'default_max_age', 'tos_uri', 'logo_uri']

export const create = rule({
  id: 'registration/create',
  requirement: 'REG-1',
  title: 'A client is registered: 200 with the record and what the bank gives it',
  needs: toRegister,
  async check({ bank, expect, note, reading }) {
    const withKey = await bank.registration()
    const { status } = withKey.response
    expectRegistered(expect, withKey)
    const methods = (await bank.discovery()).declared('token_endpoint_auth_methods_supported')
    if (methods?.includes('client_secret_post')) {
      const withSecret = await bank.registration(authenticatedBy('client_secret_post'))
      if (withSecret.response.status >= 400) note('client_secret_post is declared but not registered (see REG-21)')
      else expectRegistered(expect, withSecret, ['client_secret'])
    }
    const least = await bank.registration(Object.fromEntries(requiredAsPublished.map((field) => [field, undefined])))
    if (least.response.status !== 400) expectRegistered(expect, least)
    reading('AMB-58', least.response.status === 400 ? 'as-published' : 'fewest')
    reading('AMB-15', status === 200 ? 'ok' : 'created')
    reading('AMB-21', withKey.response.member('client_secret') === undefined ? 'unless-private-key-jwt' : 'always')
  },
})

function expectRegistered(expect: Expect, { request, response }: Registration, further: string[] = []): void {
  expect(response).toHaveStatus(200, 201)
  expect(response).toHaveMediaType('application/json')
  const sent = ['redirect_uris', 'client_name', 'jwks_uri', 'scope'].filter((name) => name in request.record)
  expect(response.json, 'the registration response', response).toHaveMembers([...sent, ...given, ...further])
}

export const redirectUriNotHttps = rule({
  id: 'registration/redirect-uri-not-https',
  requirement: 'REG-4',
  title: 'A redirect URI that is not https is refused',
  needs: toRegister,
  async check({ bank, expect, inVariation }) {
    for (const scheme of ['http', 'com.example.app']) {
      await inVariation(`a redirect URI of scheme ${scheme}`, async () => {
        const refusal = await bank.registration.modified({}, ({ record }) => ({
          record: { ...record, redirect_uris: [String(record.redirect_uris).replace('https', scheme)] },
        }))
        expect(refusal).toBeError(400, 'invalid_redirect_uri')
      })
    }
  },
})
