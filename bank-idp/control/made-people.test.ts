import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import request from 'supertest'
import { type Bank, type BankOptions, createBank } from '../bank.js'

const app = { client_id: 'my-app', client_secret: 'my-secret', redirect_uris: ['https://app.example/cb'] }
const scope = 'openid profile.name profile.email'

const bank = await createBank({ clients: [app] })
afterAll(() => bank.close())
beforeEach(() => bank.reset())

/** What GET /userinfo tells of a token's person; undefined when it does not take the token. */
async function told(
  of: Bank,
  { access_token }: { access_token: string },
): Promise<Record<string, unknown> | undefined> {
  const headers = { authorization: `Bearer ${access_token}` }
  const { status, text } = await request(of.app).get('/userinfo').set(headers)
  return status === 200 ? decodeJwt(text) : undefined
}

test('a person who was made logs in, and tells what was said of them', async () => {
  const made = await bank.createPerson({ login: 'ota', like: 'jana', claims: { given_name: 'Ota', nickname: null } })
  expect(made).toMatchObject({ login: 'ota', password: 'ota-secret', acr: 'loa3' })
  expect([made.reason, made.reason_cs]).toEqual([
    'Was made for a test, like jana.',
    'Osoba vytvořená pro testování podle osoby jana.',
  ])
  expect(made.verified.claims).not.toContain('given_name')
  const { tokens } = await bank.login('my-app', 'ota', { scope, acrValues: 'loa3' })
  const claims = await told(bank, tokens)
  expect(claims).toMatchObject({ given_name: 'Ota', family_name: 'Dvořáková' })
  expect(claims).not.toHaveProperty('nickname')
})

test('of whom nothing is said the least is known', async () => {
  const { reason_cs: czech } = await bank.createPerson({ login: 'iva', acr: 'loa2' })
  expect(czech).toBe('Osoba vytvořená pro testování.')
  expect(await told(bank, (await bank.login('my-app', 'iva', { scope })).tokens)).toMatchObject({ name: 'iva' })
  await expect(bank.login('my-app', 'iva', { acrValues: 'loa3' })).rejects.toMatchObject({ code: 'eid_doesnt_exist' })
  await bank.createPerson({ login: 'jiri', behaviour: 'not-eligible' })
  await expect(bank.login('my-app', 'jiri')).rejects.toMatchObject({ code: 'eid_doesnt_exist' })
})

test.each<[object, string, string]>([
  [{ login: 'jana' }, 'invalid_request', "login: there is a person 'jana' already"],
  [{ login: 'Ota' }, 'invalid_request', 'login is not of the required form'],
  [{ login: 'ota', like: 'nobody' }, 'not_found', "no person has the login name 'nobody'"],
  [
    { login: 'ota', claims: { nicknam: 'O' } },
    'invalid_request',
    'nicknam is not a known member: did you mean nickname?',
  ],
  [{ login: 'ota', claims: { email: 7 } }, 'invalid_request', 'email must be a string, but is a number.'],
  [{ login: 'ota', claim: {} }, 'invalid_request', 'claim is not a known member: did you mean claims?'],
])('%j is nobody', async (person, code, message) => {
  await expect(bank.createPerson(person as { login: string })).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  })
  await expect(bank.setClaims('jana', { nicknam: 'J' })).rejects.toThrow('did you mean nickname?')
})

test('who is removed is nobody, and what they gave has ended', async () => {
  const { tokens, claims } = await bank.login('my-app', 'jana', { scope })
  await bank.deletePerson('jana')
  expect(await told(bank, tokens)).toBeUndefined()
  await expect(bank.login('my-app', 'jana')).rejects.toMatchObject({ code: 'not_found' })
  await bank.createPerson({ login: 'jana' })
  expect((await bank.login('my-app', 'jana')).claims.sub).not.toBe(claims.sub)
  await bank.reset()
  expect((await bank.login('my-app', 'jana')).claims.sub).toBe(claims.sub)
})

test('a snapshot has the people who were there', async () => {
  await bank.createPerson({ login: 'ota' })
  await bank.deletePerson('petr')
  await bank.nextLogin('karel', { claims: { nickname: 'Once' } })
  const taken = await bank.snapshot()
  await bank.reset()
  expect([bank.people.byLogin('ota'), bank.people.byLogin('petr')?.login]).toEqual([undefined, 'petr'])
  expect(await told(bank, (await bank.login('my-app', 'karel', { scope })).tokens)).not.toHaveProperty('nickname')
  await bank.restore(taken)
  expect([bank.people.byLogin('ota')?.login, bank.people.byLogin('petr')]).toEqual(['ota', undefined])
  const { tokens } = await bank.login('my-app', 'karel', { scope })
  expect(await told(bank, tokens)).toMatchObject({ nickname: 'Once' })
})

test('a data directory keeps them', async () => {
  const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
  const first = await createBank({ data, clients: [app] })
  const made = await first.createPerson({ login: 'ota', like: 'jana' })
  await first.setClaims('ota', { email: 'ota@example.org' })
  await first.deletePerson('petr')
  await first.close()
  const second = await createBank({ data, clients: [app] })
  expect(second.people.byLogin('ota')).toMatchObject({ id: made.id, claims: { email: 'ota@example.org' } })
  expect(second.people.byLogin('petr')).toBeUndefined()
  await second.close()
  rmSync(data, { recursive: true })
})

test('a file has people and outcomes from the start, and again after a reset', async () => {
  const seeded = await createBank({
    clients: [app],
    morePeople: [{ login: 'ota', like: 'jana', claims: { nickname: 'Oto' } }],
    outcomes: { 'my-app': 'not-eligible' },
  })
  const taken = await seeded.snapshot()
  await expect(seeded.login('my-app', 'ota')).rejects.toMatchObject({ code: 'eid_doesnt_exist' })
  const { claims, tokens } = await seeded.login('my-app', 'ota', { scope })
  expect(await told(seeded, tokens)).toMatchObject({ nickname: 'Oto' })
  const spent = await seeded.snapshot()
  await seeded.reset()
  await expect(seeded.login('my-app', 'ota')).rejects.toMatchObject({ code: 'eid_doesnt_exist' })
  await expect(seeded.login('my-ap', 'ota')).rejects.toThrow(
    /^no client is registered as 'my-ap': did you mean my-app\?$/,
  )
  await seeded.restore(taken)
  await expect(seeded.login('my-app', 'ota')).rejects.toMatchObject({ code: 'eid_doesnt_exist' })
  await seeded.restore(spent)
  expect((await seeded.login('my-app', 'ota')).claims.sub).toBe(claims.sub)
  await seeded.close()
})

test.each<[BankOptions, string]>([
  [
    { morePeople: [{ login: 'ota', claims: { nicknam: 'O' } }] },
    'option morePeople[0] (ota): nicknam is not a known member',
  ],
  [{ morePeople: [{ login: 'ota', lik: 'jana' } as never] }, 'lik is not a known member: did you mean like?'],
  [
    { outcomes: { 'my-app': 'sunny' as never } },
    "option outcomes.my-app: 'sunny' is no outcome: give one of authentication-",
  ],
  [{ outcomes: { nobody: 'not-eligible' } }, "option outcomes.nobody: no client is registered as 'nobody'"],
  [
    { clients: [app], outcomes: { 'my-ap': 'not-eligible' } },
    "no client is registered as 'my-ap': did you mean my-app?",
  ],
])('%j is told', async (options, message) => {
  await expect(createBank(options)).rejects.toThrow(message)
})

test('the claims of the next login are told by its tokens alone', async () => {
  await bank.nextLogin('jana', { claims: { email: 'once@example.org', nickname: null } })
  const asked = { scope: `${scope} offline_access` }
  const [first, second] = [await bank.login('my-app', 'jana', asked), await bank.login('my-app', 'jana', asked)]
  expect(await told(bank, second.tokens)).toMatchObject({ email: bank.people.byLogin('jana')?.claims.email })
  const form = { grant_type: 'refresh_token', refresh_token: first.tokens.refresh_token }
  const refreshed = await request(bank.app)
    .post('/token')
    .type('form')
    .send({ ...form, client_id: 'my-app', client_secret: 'my-secret' })
  for (const tokens of [first.tokens, refreshed.body]) {
    const claims = await told(bank, tokens)
    expect(claims).toMatchObject({ email: 'once@example.org', given_name: 'Jana' })
    expect(claims).not.toHaveProperty('nickname')
  }
})

test('a next login ends as it is told, and the one after it does not', async () => {
  await bank.nextLogin('jana', { outcome: 'switched-off' })
  await expect(bank.login('my-app', 'jana')).rejects.toMatchObject({
    code: 'eid_doesnt_exist',
    message: 'User disabled authentication',
  })
  expect((await bank.login('my-app', 'jana')).claims.iss).toBe(bank.issuer)
  await bank.nextLogin('jana', { outcome: 'not-eligible' })
  await bank.nextLogin('jana', {})
  expect((await bank.login('my-app', 'jana')).claims.iss).toBe(bank.issuer)
  await expect(bank.nextLogin('jana', { claims: { emial: 'x' } })).rejects.toThrow('did you mean email?')
})

test('who is blocked does not log in until unblocked', async () => {
  const { tokens } = await bank.login('my-app', 'jana', { scope })
  await bank.blockPerson('jana')
  expect(await told(bank, tokens)).toBeUndefined()
  await expect(bank.login('my-app', 'jana')).rejects.toMatchObject({ code: 'eid_doesnt_exist' })
  await bank.blockPerson('jana', false)
  expect((await bank.login('my-app', 'jana')).claims.iss).toBe(bank.issuer)
})
