import { authenticatedBy } from '../../bank/client-metadata.js'
import { type Registration, withoutPublished } from '../../bank/registration.js'
import type { Expect } from '../../harness/expect.js'
import { rule } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toRegister } from '../../target/needs.js'
import { recordTrials } from '../support/record-trials.js'
import { jsonInUtf8, ofNoTable, wholeRecord } from '../support/records.js'
import { recordMethods } from '../support/refusals.js'
import { atMethods } from '../support/registration-calls.js'
import { toldByProxies } from '../support/told-by-proxies.js'

/** What the response carries beyond the record and client_secret ("Client registration record"). */
const given = ['client_id', 'registration_access_token', 'registration_client_uri', 'client_id_issued_at']

/** What every record has. */
const recorded = ['redirect_uris', 'client_name', 'jwks_uri', 'scope']

export const create = rule({
  id: 'registration/create',
  requirement: 'REG-1',
  places: [
    ...[...given, ...recorded].map((member) => `member=${member}`),
    ...['client_secret_post', 'client_secret_jwt'].map((method) => `client-auth=${method} member=client_secret`),
    'value=superset',
    'value=subset',
    'member=response_types value=missing',
    'parameter=content-type',
    'value=unknown',
    'member=registration_client_uri value=wrong',
  ],
  title: 'A client is registered: 200 with the record and what the bank gives it',
  needs: toRegister,
  async check({ bank, service, expect, inVariation, note, reading, warn }) {
    const withKey = await bank.registration()
    const { status } = withKey.response
    expectRegistered(expect, withKey)
    const whole = await bank.registration(await wholeRecord(bank, service))
    await inVariation('a record of every field', async () => expectRegistered(expect, whole))
    const methods = (await bank.discovery()).declared('token_endpoint_auth_methods_supported')
    for (const method of ['client_secret_post', 'client_secret_jwt'].filter((one) => methods?.includes(one))) {
      const withSecret = await bank.registration(authenticatedBy(method))
      if (withSecret.response.status >= 400) note(`${method} is declared but not registered (see REG-21 and REG-35)`)
      else {
        await inVariation(method, async () => {
          expectRegistered(expect, withSecret, ['client_secret'])
          const { response } = withSecret
          expect(response.member('client_secret'), 'client_secret', response).toBeText()
        })
      }
    }
    const least = await bank.registration(withoutPublished)
    if (least.response.status !== 400) expectRegistered(expect, least)
    // Neither reading of AMB-58 asks for it, and what it stands for is code (OpenID Connect Dynamic Client Registration section 2).
    const untyped = await bank.registration({ response_types: undefined })
    await inVariation('a record without response_types', async () => expectRegistered(expect, untyped))
    // As the first record was, which is the same.
    const expectTaken = (answer: HttpResponse) => expect(answer).toHaveStatus(200, 201)
    await inVariation('with a charset in the content type', async () =>
      expectTaken(await bank.registration.try({}, () => ({ headers: jsonInUtf8 }))),
    )
    await inVariation('with a member of no table', async () =>
      expectTaken(await bank.registration.try({}, ({ record }) => ({ record: { ...record, ...ofNoTable } }))),
    )
    await inVariation('with another host told in headers, as by a proxy', async () => {
      const host = 'conformance.invalid'
      const answer = await bank.registration.try({}, () => ({ headers: toldByProxies(host) }))
      // The specification says nothing of proxies.
      if (String(answer.member('registration_client_uri')).includes(host))
        warn('registration_client_uri has its host from the headers of whoever registers (RFC 7239 section 8.1)')
    })
    reading('AMB-58', least.response.status === 400 ? 'as-published' : 'fewest')
    reading('AMB-15', status === 200 ? 'ok' : 'created')
    reading('AMB-21', withKey.response.member('client_secret') === undefined ? 'unless-private-key-jwt' : 'always')
  },
})

function expectRegistered(expect: Expect, { request, response }: Registration, further: string[] = []): void {
  expect(response).toHaveStatus(200, 201)
  expect(response).toHaveMediaType('application/json')
  const sent = recorded.filter((name) => name in request.record)
  expect(response.json, 'the registration response', response).toHaveMembers([...sent, ...given, ...further])
}

/** A good redirect URI, to which nobody is sent. */
const good = 'https://app.conformance.example/callback'

/** Redirect URIs of which one is not https. */
const notHttps: Readonly<Record<string, readonly string[]>> = {
  'of scheme http': [good.replace('https', 'http')],
  'of scheme HTTP': [good.replace('https', 'HTTP')],
  'of scheme com.example.app': [good.replace('https', 'com.example.app')],
  'of scheme http at the own machine': ['http://localhost/callback'],
  'of scheme http at the own machine by its number': ['http://127.0.0.1:8080/callback'],
  'of scheme http with https in its path': [`http://app.conformance.example/${good}`],
  'of scheme httpsx': [good.replace('https', 'httpsx')],
  'of scheme wss': [good.replace('https', 'wss')],
  'without a scheme': [good.replace('https:', '')],
  'of scheme http, before another': [`${good.replace('https', 'http')}/first`, good],
}

/** Those of http that are alone, behind a good one: a bank may look at the second by other eyes. */
const afterAnother = Object.fromEntries(
  Object.entries(notHttps)
    .filter(([, uris]) => uris.length === 1 && uris[0]?.startsWith('http:'))
    .map(([what, uris], i) => {
      const others = [good, `${good}/second`]
      // Right behind the first, the last of three, between two.
      const position = ['after another', 'after two others', 'between two others'][i % 3]
      return [
        `${what}, ${position}`,
        i % 3 === 0 ? [good, ...uris] : i % 3 === 1 ? [...others, ...uris] : [good, ...uris, `${good}/second`],
      ]
    }),
)

/** Hosts that no name of DNS can be; those that separate, or stand for others, mislead whoever writes them into a header or compares them. */
const noHosts = ['a;b.example', 'a,b.example', '*.conformance.example']

export const redirectUriHost = rule({
  id: 'registration/redirect-uri-host',
  requirement: 'REG-4',
  places: atMethods(recordMethods, 'member=host'),
  title: 'A redirect URI whose host is no host name is not registered',
  needs: toRegister,
  // The specification says of a redirect URI that it is https alone, so that a bank is warned.
  async check(tools) {
    const { expect, inVariation, warn } = tools
    const trials = recordTrials(tools)
    for (const method of recordMethods) {
      expect((await trials[method]({ redirect_uris: [good] })).status, 'the status for a good one').toBeAtMost(299)
      for (const host of noHosts) {
        await inVariation(`${method} of a redirect URI at ${host}`, async () => {
          const response = await trials[method]({ redirect_uris: [good.replace('app.conformance.example', host)] })
          expect(response.status, 'the status of the answer', response).toBeAtMost(499)
          if (response.status < 300)
            warn(`a redirect URI at ${host} is taken by ${method} (RFC 3986 section 3.2.2, RFC 7591 section 5)`)
        })
      }
    }
  },
})

export const redirectUriNotHttps = rule({
  id: 'registration/redirect-uri-not-https',
  requirement: 'REG-4',
  places: atMethods(
    recordMethods,
    ...['wrong', 'upper-case', 'unknown', 'suffix', 'missing', 'first', 'last'].map((value) => `value=${value}`),
    'member=other-scheme',
  ).concat('method=PUT use=after-refusal'),
  title: 'A redirect URI that is not https is refused by POST and PUT, alone or beside others',
  needs: toRegister,
  async check(tools) {
    const { expect, inVariation } = tools
    const trials = recordTrials(tools)
    for (const method of recordMethods) {
      const several = await trials[method]({ redirect_uris: [good, `${good}/second`] })
      for (const [what, redirect_uris] of Object.entries({ ...notHttps, ...afterAnother })) {
        // A bank that takes no second one has another reason to refuse it.
        if (redirect_uris.length > 1 && several.status >= 400) continue
        await inVariation(`${method} of a redirect URI ${what}`, async () =>
          expect(await trials[method]({ redirect_uris })).toBeError(400, 'invalid_redirect_uri'),
        )
      }
    }
    await trials.expectKept()
  },
})
