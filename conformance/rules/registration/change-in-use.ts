import type { Parameters } from '../../bank/authorization.js'
import type { Bank } from '../../bank/bank.js'
import type { Metadata } from '../../bank/client-metadata.js'
import { dressNow } from '../../bank/dress.js'
import { asOwn, type Client } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import { inStep, unlessStopped } from '../../bank/steps.js'
import { rule } from '../../harness/rule.js'
import type { SigningKey } from '../../service/client-keys.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { claimsFor, isSupported } from '../request-object/by-reference.js'
import { expectBeginning, expectNoBeginning, requestLogin } from '../support/login-requests.js'

/** A change of the record, with a request that it forbids and one that it allows. */
interface Change {
  before: Metadata
  after: Metadata
  /** What only the old record allows. */
  old(client: Client): Parameters | Promise<Parameters>
  /** What the new record allows. */
  now: Parameters
}

/** By the member that is changed; those that the bank cannot have are left out. */
async function changesForAuth(bank: Bank): Promise<Record<string, Change>> {
  const discovery = await bank.discovery()
  const { redirectUri, dataScopes, keys } = await bank.replaceableClient()
  const declares = (list: string, value: string) => discovery.declared(list)?.includes(value) ?? false
  const changed = `${redirectUri}/changed`
  const [first, second] = dataScopes
  const place = bank.placeForRequestObject()
  const key = Object.values<SigningKey>({ ...keys }).find(({ alg }) =>
    declares('request_object_signing_alg_values_supported', alg),
  )
  const implicit = declares('response_types_supported', 'token') && declares('grant_types_supported', 'implicit')
  return {
    redirect_uris: {
      before: { redirect_uris: [redirectUri] },
      after: { redirect_uris: [changed] },
      old: () => ({ redirect_uri: redirectUri }),
      now: { redirect_uri: changed },
    },
    ...(second && {
      scope: {
        before: { scope: `openid ${first}` },
        after: { scope: `openid ${second}` },
        old: () => ({ scope: `openid ${first}` }),
        now: { scope: `openid ${second}` },
      },
    }),
    ...(implicit && {
      response_types: {
        before: {
          response_types: ['code', 'token'],
          grant_types: ['authorization_code', 'implicit'],
          scope: 'openid',
        },
        after: { response_types: ['code'], grant_types: ['authorization_code'] },
        old: () => ({ response_type: 'token' }),
        now: { response_type: 'code' },
      },
    }),
    ...(key &&
      isSupported(discovery) && {
        request_uris: {
          before: { request_uris: [place] },
          after: { request_uris: [`${place}-of-another`] },
          async old(client) {
            bank.placeRequestObject(place, await bank.makeRequestObject(claimsFor(bank, client), { key }))
            return { request_uri: place }
          },
          now: {},
        },
      }),
  }
}

export const changeHolds = rule({
  id: 'registration/change-holds',
  requirement: 'REG-29',
  places: [
    ...['redirect_uris', 'scope', 'response_types', 'request_uris'].map((member) => `member=${member}`),
    ...['redirect_uris', 'scope'].map((member) => `use=after-refusal member=${member}`),
  ],
  title: 'A change by PUT holds for the next /auth request, also where it was refused before',
  needs: toRegister,
  async check({ bank, expect, inVariation }) {
    for (const [member, { before, after, old, now }] of Object.entries(await changesForAuth(bank))) {
      await inVariation(`a change of ${member}`, async () => {
        const client = await bank.client.fresh(before)
        const allowed = await old(client)
        await inStep('authorization', async () =>
          expectBeginning(expect, await requestLogin(bank, client, allowed), 'a request that the record allows'),
        )
        const record = replacement(client, after)
        const { redirect_uri: redirectUri = client.redirectUri } = now
        const changed = { ...client, metadata: record, redirectUri: String(redirectUri) }
        // So that a bank shows which remembers what it refused; how it refuses is for others to judge.
        if (dressNow() === undefined)
          await unlessStopped(inStep('authorization', () => requestLogin(bank, changed, now)))
        expect(await bank.manage('PUT', client, () => ({ record }))).toHaveStatus(200, 204)
        expectBeginning(expect, await requestLogin(bank, changed, now), `a request with the new ${member}`)
        expectNoBeginning(expect, await requestLogin(bank, changed, allowed), `a request with the replaced ${member}`)
      })
    }
  },
})

export const authTime = rule({
  id: 'registration/change-of-auth-time',
  requirement: 'REG-33',
  places: ['use=after-put'],
  title: 'Once a PUT sets require_auth_time, the id_token of the next login has auth_time',
  needs: [...toRegister, ...toLogIn],
  async check({ bank, expect, service }) {
    const plain = { client_name: 'Conformance auth_time by PUT', require_auth_time: false, default_max_age: undefined }
    // A bank may want default_max_age in every record (AMB-58).
    const isTaken = (await bank.registration(plain)).response.status < 300
    const clientMetadata = isTaken ? plain : { ...plain, default_max_age: 3600 }
    const client = await asOwn(await bank.registration(clientMetadata))
    const session = bank.session({ clientMetadata })
    await session.signIn({ parameters: { max_age: undefined } })
    await bank.replaceRecord(client, replacement(client, { require_auth_time: true }))
    const { response, client: of } = await bank.token.fresh({ authorization: await session.ask({}) })
    const { claims } = await bank.idToken(response, of)
    expect(claims.auth_time, 'auth_time of the id_token after the PUT', response).toBeNear(service.clock(), 600, 's')
  },
})
