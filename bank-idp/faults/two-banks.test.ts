import { isDeepStrictEqual } from 'node:util'
import type { NestedJwt, NestedJwtKind, Route, SeamResponse, Seams } from '../seams.js'
import { bankForFile } from '../testing/banks.js'
import { withoutFaults } from '../testing/no-faults.js'
import type { TestClient, TestService } from '../testing/service.js'
import { fault } from './fault.js'
import { faults } from './index.js'

const ids = faults.map(({ id }) => id)
const remembering = faults.filter((one) => one.activate()((_, memory) => memory !== undefined)).map(({ id }) => id)

const routes: readonly Route[] = [
  'GET /profile',
  'GET /userinfo',
  'POST /token',
  'POST /token-info',
  'POST /revoke',
  'GET /auth',
]
const kinds: readonly NestedJwtKind[] = ['id_token', 'userinfo', 'profile', 'logout_token', 'notification_token']
const forms: readonly (readonly [Route, Record<string, string>])[] = [
  ['POST /token-info', { token: 'access', token_type_hint: 'refresh_token' }],
  ['POST /revoke', { token: 'access', token_type_hint: 'refresh_token' }],
  ['POST /revoke', { token: 'never issued' }],
  ['POST /token', { grant_type: 'refresh_token', refresh_token: 'refresh' }],
  ['POST /token', { grant_type: 'refresh_token', refresh_token: 'refresh', scope: 'openid profile.email' }],
  ['POST /token', { grant_type: 'refresh_token', refresh_token: 'refresh', scope: 'openid' }],
  ['GET /authorize', { request_uri: 'urn:request:1' }],
]
const issued = { access_token: 'access', refresh_token: 'refresh', scope: 'openid profile.name', expires_in: 3600 }

/**
 * What a bank does at its seams, in one order: every place that a fault could remember something from, and those where it would show. Each
 * entry says whether a value was changed, or how it was refused.
 *
 * @param kid of the key that the bank's clients have
 */
async function trace(seams: Seams, kid: string): Promise<string[]> {
  const seen: string[] = []
  async function note<Value>(what: string, value: Value, change: (copy: Value) => Value | undefined | Promise<Value>) {
    const copy: Value = JSON.parse(JSON.stringify(value))
    try {
      const after = (await change(copy)) ?? copy
      seen.push(`${what}: ${isDeepStrictEqual(after, value) ? 'as it was' : 'changed'}`)
    } catch (error) {
      seen.push(`${what}: ${(error as Error).message}`)
    }
  }
  async function ask() {
    for (const [route, form] of forms) {
      await note(`${route} ${JSON.stringify(form)}`, { ...form }, (copy) => {
        const parameters = new URLSearchParams(copy)
        seams.request(route, parameters, { issuer: 'https://bank.example' }, 'client')
        return Object.fromEntries(parameters)
      })
    }
  }
  async function answer(route: Route, response: SeamResponse) {
    const query = new URLSearchParams({ redirect_uri: 'https://client.example/', state: 'S' })
    const form = new URLSearchParams({ client_id: 'client', grant_type: 'authorization_code' })
    const facts = { issuer: 'https://bank.example', posted: false, query, form, requestHeader: () => 'Bearer access' }
    await note(`${route} ${response.status}`, response, (copy) => seams.responses(route)?.(copy, facts, 'client'))
  }
  await ask()
  for (const route of routes) await answer(route, { status: 401, headers: {}, body: { error: 'invalid_token' } })
  for (const route of routes) await answer(route, { status: 200, headers: {}, body: issued })
  await ask()
  await answer('GET /profile', { status: 401, headers: {}, body: { error: 'invalid_token' } })
  for (const kind of kinds) {
    const planned: NestedJwt = {
      claims: { sub: 'sub', iss: 'https://bank.example', txn: 'txn:openid:profile.name', events: [{}] },
      signing: { alg: 'PS512', key: { kty: 'RSA', kid: 'signing' } },
      typ: 'JWT',
      encryption: { alg: 'RSA-OAEP-256', enc: 'A256GCM', key: { kty: 'RSA', kid } },
    }
    await note(kind, planned, (copy) =>
      seams.nestedJwt(kind, copy, { clientId: 'client', bankKey: () => ({ kty: 'RSA' }) }),
    )
  }
  return seen
}

test.each(ids)('%s remembers nothing of another bank, nor from before it was switched off', async (id) => {
  const [one, other, right] = [withoutFaults(), withoutFaults(), withoutFaults()]
  one.on(id)
  other.on(id)
  const first = await trace(one, 'of the one')
  await trace(one, 'of the one')
  expect(await trace(other, 'of the other')).toEqual(first)
  expect((await trace(right, 'of the right bank')).filter((line) => !line.endsWith(': as it was'))).toEqual([])
  one.off(id)
  one.on(id)
  expect(await trace(one, 'of another client')).toEqual(first)
})

test('there are faults that remember something', () => {
  expect(remembering).toContain('revocation/profile-remembered')
  expect(remembering.length).toBeGreaterThan(10)
})

test('what a fault remembers is of the kind that its memory makes', () => {
  const described = { id: 'a/b', breaks: [], title: 'Counts' }
  const counting = fault({
    ...described,
    memory: () => ({ count: 0 }),
    requestObject: (_request, _bank, memory) => {
      memory.count += 1
    },
  })
  fault({
    ...described,
    // @ts-expect-error the memory is not a string
    memory: () => ({ count: 0 }),
    requestObject: (_request, _bank, memory: string) => memory.trim(),
  })
  // @ts-expect-error without memory nothing is remembered
  fault({ ...described, requestObject: (_request, _bank, memory: { count: number }) => (memory.count += 1) })
  const [once, again] = [counting.activate(), counting.activate()]
  once((deviation, memory) =>
    deviation.requestObject?.({ header: { alg: 'none' }, claims: {}, headers: {} }, bankFacts, memory),
  )
  expect([once((_, memory) => memory), again((_, memory) => memory)]).toEqual([{ count: 1 }, { count: 0 }])
})

const bankFacts = { people: { byId: () => undefined, identities: () => [] }, scopes: [], documentScopes: [] }

const registered = {
  scope: 'openid offline_access profile.name profile.birthdate',
  grant_types: ['authorization_code', 'refresh_token'],
  profile_encrypted_response_alg: 'RSA-OAEP-256',
}
const wrong = await bankForFile({}, registered)
const right = await bankForFile({}, registered)

const profileWith = (service: TestService, token: string) =>
  service.http('get', '/profile').set('authorization', `Bearer ${token}`)

/** Uses tokens in every way in which a bank could remember something wrong of them. */
async function useTokens({ service, client }: { service: TestService; client: TestClient }) {
  const scope = 'openid offline_access profile.name'
  const { access_token, refresh_token } = (await service.login(client, scope)).body
  const before = await profileWith(service, access_token)
  const { name, given_name } = JSON.parse(
    Buffer.from((await service.decrypt(before.text)).split('.')[1] ?? '', 'base64url').toString(),
  )
  const refused = await service.refresh(client, refresh_token, 'openid profile.birthdate')
  const narrowed = await service.refresh(client, refresh_token, 'openid')
  const whole = await service.refresh(client, narrowed.body.refresh_token ?? refresh_token)
  const live = await service.post(client, '/token-info', { token: access_token, token_type_hint: 'refresh_token' })
  const revoked = await service.post(client, '/revoke', { token: access_token, token_type_hint: 'refresh_token' })
  const after = await profileWith(service, access_token)
  const unknown = await service.post(client, '/revoke', { token: 'unknown' })
  return {
    name: name ?? given_name,
    refused: refused.body.error,
    whole: [whole.status, String(whole.body.scope).split(' ').sort()],
    live: live.body.active,
    statuses: [before, narrowed, revoked, after, unknown].map(({ status }) => status),
  }
}

/** What each remembers of the other bank is seen above; here, that a right one beside them goes by nothing that they change. */
const together = Array.from({ length: Math.ceil(remembering.length / 20) }, (_, i) =>
  remembering.slice(i * 20, i * 20 + 20),
)

test.each(together)('beside a bank with %s and the nineteen after it another is a right one', async (...these) => {
  for (const id of these) wrong.bank.faults.on(id)
  try {
    // Whatever a wrong bank answers.
    await useTokens(wrong).catch(() => undefined)
    expect(await useTokens(right)).toEqual({
      name: 'Jana',
      refused: 'invalid_scope',
      whole: [200, ['offline_access', 'openid', 'profile.name']],
      live: true,
      statuses: [200, 200, 200, 401, 200],
    })
  } finally {
    for (const id of these) wrong.bank.faults.off(id)
  }
})

test('a profile that one bank remembers is not shown by another', async () => {
  const id = 'revocation/profile-remembered'
  for (const { bank } of [wrong, right]) bank.faults.on(id)
  try {
    const { access_token } = (await wrong.service.login(wrong.client, 'openid profile.name')).body
    expect((await profileWith(wrong.service, access_token)).status).toBe(200)
    await wrong.service.post(wrong.client, '/revoke', { token: access_token })
    expect((await profileWith(wrong.service, access_token)).status).toBe(200)
    expect((await profileWith(right.service, access_token)).status).toBe(401)
  } finally {
    for (const { bank } of [wrong, right]) bank.faults.off(id)
  }
})
