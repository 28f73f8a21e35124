import { once } from 'node:events'
import { Agent } from 'node:https'
import { connect } from 'node:tls'
import type { Response } from 'supertest'
import { advanceClock } from '../clock.js'
import { bankForFile } from '../testing/banks.js'
import type { Cookies, Form } from '../testing/pages.js'

const scope = 'openid profile.name profile.birthdate offline_access'

const { bank, service, client } = await bankForFile({}, { scope, grant_types: ['authorization_code', 'refresh_token'] })

const other = await service.client({ scope })
let used = ''

const info = async (token: string) => (await service.post(client, '/token-info', { token })).body

test('TOK-15: of uses of one client assertion that race one is taken', async () => {
  const form = { token: 'none', ...(await service.clientAssertion(client.client_id, {}, '/token-info')) }
  const race = Array.from({ length: 20 }, () => service.http('post', '/token-info').type('form').send(form))
  const answers = await Promise.all(race)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)])
})

describe('TOK-26 races have one winner', () => {
  test('of exchanges of one code', async () => {
    const { code } = await service.authorize(client, 'openid', [{ person: 'petr' }, { action: 'approve' }])
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.redeem(client, String(code))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)])
  })

  test('of exchanges of one code, and what it won has ended when the last answer is out', async () => {
    const cookies: Cookies = new Map()
    const forms: Form[] = [{ person: 'petr' }, { action: 'approve', scope: scope.split(' ') }]
    for (let round = 0; round < Number(process.env.RACES ?? 10); round += 1) {
      const { code } = await service.authorize(client, scope, round === 0 ? forms : [], {}, cookies)
      const answers = await Promise.all(Array.from({ length: 6 }, () => service.redeem(client, String(code))))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(5).fill(400)])
      const won = answers.find(({ status }) => status === 200)?.body
      for (const token of [won.access_token, won.refresh_token]) expect(await info(token)).toEqual({ active: false })
    }
  })

  test.each<[string, () => Promise<Response>, boolean]>([
    ['its own client', () => service.redeem(client, used), false],
    [
      'its own client, for another address',
      () => service.redeem({ ...client, redirect_uri: 'https://other.example/' }, used),
      false,
    ],
    [
      'its own client, for no address',
      () => service.post(client, '/token', { grant_type: 'authorization_code', code: used }),
      false,
    ],
    ['another client', () => service.redeem(other, used), true],
    [
      'another client, for no address',
      () => service.post(other, '/token', { grant_type: 'authorization_code', code: used }),
      true,
    ],
    [
      'a client that does not prove who it is',
      () =>
        service.http('post', '/token').type('form').send({
          grant_type: 'authorization_code',
          code: used,
          redirect_uri: client.redirect_uri,
          client_id: client.client_id,
          client_secret: 'x',
        }),
      true,
    ],
  ])('a used code from %s', async (_who, replay, active) => {
    const { code } = await service.authorize(client, scope, [
      { person: 'petr' },
      { action: 'approve', scope: scope.split(' ') },
    ])
    used = String(code)
    const { body } = await service.redeem(client, used)
    expect((await replay()).status).toBe(400)
    for (const token of [body.access_token, body.refresh_token]) expect(await info(token)).toMatchObject({ active })
  })

  test('of refreshes with one token, and the winner keeps what it won', async () => {
    const { body } = await service.login(client, scope)
    const race = Array.from({ length: 20 }, () => service.refresh(client, body.refresh_token))
    const answers = await Promise.all(race)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)])
    const won = answers.find(({ status }) => status === 200)?.body
    for (const token of [won.access_token, won.refresh_token]) expect(await info(token)).toMatchObject({ active: true })
    expect((await service.refresh(client, won.refresh_token)).status).toBe(200)
  })

  test('of a refresh whose connection was under way before the answer to another was out', async () => {
    const { body } = await service.login(client, scope)
    const { hostname: host, port } = new URL(bank.issuer)
    const connection = connect({ host, port: Number(port), ca: bank.identity.authority.cert })
    await once(connection, 'secureConnect')
    const { body: won } = await service.refresh(client, body.refresh_token)
    const agent = Object.assign(new Agent(), { createConnection: () => connection })
    const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
    const late = await service
      .http('post', '/token')
      .agent(agent)
      .type('form')
      .send({ ...form, ...(await service.clientAssertion(client.client_id)) })
    expect([late.status, late.body.error_description]).toEqual([400, 'the refresh token was already used'])
    for (const token of [won.access_token, won.refresh_token]) expect(await info(token)).toMatchObject({ active: true })
  })
})

describe('a used refresh token', () => {
  /** What a refresh won, and the token that it used. */
  async function refreshed() {
    const { body } = await service.login(client, scope)
    const { body: won } = await service.refresh(client, body.refresh_token)
    return { old: body.refresh_token as string, won: [won.access_token, won.refresh_token] as string[] }
  }

  const areActive = async (tokens: string[]) => (await Promise.all(tokens.map(info))).map(({ active }) => active)

  test('ends what it won, whoever else asks with it at the same time', async () => {
    const { old, won } = await refreshed()
    const nobodys = { grant_type: 'refresh_token', refresh_token: old, client_id: client.client_id }
    const others = Array.from({ length: 10 }, () => [
      service.http('post', '/token').type('form').send(nobodys),
      service.refresh(other, old),
    ])
    const answers = await Promise.all([service.refresh(client, old), ...others.flat()])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
    expect(await areActive(won)).toEqual([false, false])
  })

  test('ends what it won, though it comes several times at once a while later', async () => {
    const { old, won } = await refreshed()
    advanceClock(120)
    const answers = await Promise.all(Array.from({ length: 4 }, () => service.refresh(client, old)))
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    expect(await areActive(won)).toEqual([false, false])
  })
})
