import { readFileSync } from 'node:fs'
import { decodeJwt } from 'jose'
import { type ChosenReadings, defaultEdition, openEdition } from '../schemas/editions/index.js'
import { packageFile } from '../schemas/package-file.js'
import { createBank } from './bank.js'
import { choiceOf, readingsProblem, resolvePolicy } from './policy.js'
import { bankForTest } from './testing/banks.js'

const { ambiguities } = openEdition()
const resolved = (readings: ChosenReadings = {}) => resolvePolicy({ edition: defaultEdition, readings })
const problem = (readings: Record<string, unknown>) =>
  readingsProblem({ edition: defaultEdition, readings: readings as ChosenReadings })

/** The ambiguities of which the register says that our bank can take more than one reading. */
const choices = ambiguities
  .map(({ id, readings }) => ({ id, offered: readings.filter(({ bank }) => bank).map((reading) => reading.id) }))
  .filter(({ offered }) => offered.length > 1)

test('a policy says by name what is done, and cannot be changed', () => {
  const policy = resolved({ 'AMB-2': 'redirect' })
  expect(policy).toMatchObject({ unknownClient: 'redirect', registrationStatus: 'ok', revocationAnswer: 'ok-empty' })
  expect(Object.isFrozen(policy)).toBe(true)
})

test('a policy has a member for each ambiguity of which the bank offers a choice, and for no other', () => {
  const first = choices.map(({ offered: [id] }) => id)
  expect(Object.values(resolved()).sort()).toEqual([...first].sort())
})

test.each(choices)('each reading that the bank offers of $id changes one member', ({ id, offered }) => {
  const usual = Object.entries(resolved())
  for (const reading of offered) {
    const changed = Object.entries(resolved({ [id]: reading })).filter(([name, value], i) => {
      expect(name).toBe(usual[i]?.[0])
      return value !== usual[i]?.[1]
    })
    expect(changed.map(([, value]) => value)).toEqual(reading === offered[0] ? [] : [reading])
    expect(problem({ [id]: reading })).toBeUndefined()
  }
})

test.each([
  'README.md',
  'CONTRIBUTING.md',
  ...['bank', 'your-bank', 'harness', 'certification'].map((name) => `docs/${name}.md`),
])('the readings that %s names exist', (file) => {
  for (const [choice, id = '', reading = ''] of readFileSync(packageFile(file), 'utf8').matchAll(
    /(AMB-\d+)=([\w-]+)/g,
  )) {
    expect([choice, problem({ [id]: reading })]).toEqual([choice, undefined])
  }
})

test('the readings that docs/bank.md gives for the published shape give it', async () => {
  const [, list = ''] =
    /BANK_IDP_READINGS=(\S+) npm start/.exec(readFileSync(packageFile('docs/bank.md'), 'utf8')) ?? []
  const readings = Object.fromEntries(list.split(',').map((choice) => choice.split('='))) as ChosenReadings
  const { bank, service } = await bankForTest({ readings })
  expect((await service.register()).body.error_description).toBe(
    'request_uris, require_auth_time, default_max_age, tos_uri, logo_uri are missing',
  )
  const page = 'https://app.example/page'
  const fields = { request_uris: ['#x'], require_auth_time: true, default_max_age: 3600, tos_uri: page, logo_uri: page }
  const { status, body } = await service.register(fields)
  expect(status).toBe(201)
  const client = { ...body, record: body, redirect_uri: body.redirect_uris[0] }
  const replacement = await service.replaceRegistration(client, service.record(fields))
  expect([replacement.status, replacement.body.error_description]).toEqual([400, 'client_id is missing'])
  const tokens = await service.login(client, 'openid profile.name')
  const userinfo = await service.http('get', '/userinfo').set('authorization', `Bearer ${tokens.body.access_token}`)
  expect(decodeJwt(await service.decrypt(userinfo.text))).toMatchObject({
    iss: bank.issuer,
    aud: body.client_id,
    verified_claims: { verification: { trust_framework: 'cz_aml' }, claims: { given_name: 'Jana' } },
  })
})

test('a reading is named as it is chosen', () => {
  expect(choiceOf('eventAddress', 'fixed-address')).toBe('AMB-51=fixed-address')
})

test('what cannot be chosen is reported with what can', () => {
  const ids = ambiguities.map(({ id }) => id).join(', ')
  expect(problem({ 'AMB-999': 'page' })).toBe(`edition 1.2 has no ambiguity 'AMB-999': there are ${ids}`)
  expect(problem({ 'AMB-2': 'created' })).toBe("AMB-2 has no reading 'created': give one of page, redirect, not-found")
  expect(problem({ 'AMB-2': 2 })).toBe("AMB-2 has no reading '2': give one of page, redirect, not-found")
  expect(problem({ 'AMB-65': 'whole-host' })).toBe(
    "this bank does not offer the reading 'whole-host' of AMB-65: it offers signing-grants-only",
  )
  expect(problem({ 'AMB-2': 2, 'AMB-15': 'page' })).toBe(
    "AMB-2 has no reading '2': give one of page, redirect, not-found; AMB-15 has no reading 'page': give one of ok, created",
  )
})

test('an edition that there is not is reported with the known ones', async () => {
  await expect(createBank({ edition: '9.9', readings: { 'AMB-2': 'redirect' } })).rejects.toThrow(
    /^option edition: there is no edition '9\.9' of the specification: the known ones are 1\.2$/,
  )
})

test('two banks of a process each have a policy of their own', async () => {
  const other = await bankForTest({ readings: { 'AMB-15': 'created', 'AMB-69': 'no-content' } })
  const usual = await bankForTest()
  expect([other.bank.config.edition, usual.bank.config.edition]).toEqual(['1.2', '1.2'])
  expect((await other.service.register({})).status).toBe(201)
  expect((await usual.service.register({})).status).toBe(200)
  expect(other.bank.policy.revocationAnswer).toBe('no-content')
  expect(usual.bank.policy.revocationAnswer).toBe('ok-empty')
})
