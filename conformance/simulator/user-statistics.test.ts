import type { JWTPayload } from 'jose'
import { validate } from '../../schemas/index.js'
import { askStatistics, seconds, signedByUntrustedKey } from '../testing/bank-messages.js'
import { bankForTest } from '../testing/banks.js'
import type { ForeignBank } from '../testing/foreign-bank.js'
import { bankAndSimulator, simulatorForTest } from '../testing/simulator-for-test.js'
import type { Entry } from './journal.js'

const day = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * day).toISOString()

function login(bank: ForeignBank, days: number, changes: Partial<Entry> = {}): Entry {
  const sepSub = '6c1a4a7e-5b7c-4f0e-9a51-0d6a2f5f0c01'
  const base = {
    kind: 'login',
    at: ago(days),
    issuer: bank.url,
    clientId: 'app-1',
    idpSub: 'somebody',
    sepSub,
    person: 'p',
  }
  return { ...base, ...changes } as Entry
}

describe('POST /user-stat-data', () => {
  const refused: [string, JWTPayload][] = [
    ['another issuer', { iss: 'idp-2' }],
    ['another subject', { sub: 'idp-2' }],
    ['another audience', { aud: 'https://service.example/user-stat-data' }],
    ['an expiry long past', { exp: seconds() - 3600 }],
    ['no exp', { exp: undefined }],
    ['no iat', { iat: undefined }],
    ['no jti', { jti: undefined }],
  ]
  test.each(refused)(
    'SVC-3[part=iss], SVC-3[part=sub], SVC-3[part=aud], SVC-3[part=exp], SVC-3[part=iat], SVC-3[part=jti]: an assertion with %s is 401',
    async (_what, claims) => {
      const { bank, service } = await bankAndSimulator()
      const { status, headers, json: body } = await askStatistics(service, bank, { idpSub: 'somebody' }, claims)
      expect([status, body]).toMatchObject([401, { error: 'invalid_token' }])
      expect(headers['www-authenticate']).toMatch(/^Bearer error="invalid_token"/)
    },
  )

  test('SVC-3[part=replay], SVC-3[value=missing]: an assertion serves once, and none is 401', async () => {
    const { bank, service } = await bankAndSimulator()
    const twice = { jti: 'the-same' }
    expect(await askStatistics(service, bank, { idpSub: 'somebody' }, twice)).toMatchObject({ status: 200 })
    expect(await askStatistics(service, bank, { idpSub: 'somebody' }, twice)).toMatchObject({ status: 401 })
    const none = await service.send('POST', '/user-stat-data', '{"idpSub":"x"}', { 'content-type': 'application/json' })
    expect(none.status).toBe(401)
  })

  test('SVC-3[part=signature]: an assertion signed by an untrusted key is 401', async () => {
    const { bank, service } = await bankAndSimulator()
    const answer = await askStatistics(service, { ...bank, sign: signedByUntrustedKey }, { idpSub: 'somebody' })
    expect(answer).toMatchObject({ status: 401 })
  })

  test('SVC-4[value=missing]: without idpSub and sepSub the message says what is missing', async () => {
    const { bank, service } = await bankAndSimulator()
    for (const body of [{ idp: true }, { idpSub: '', sepSub: '' }]) {
      const answer = await askStatistics(service, bank, body)
      expect([answer.status, answer.json]).toEqual([
        400,
        {
          message: 'idpSub or sepSub must be filled',
          error: 'invalid_request',
          error_description: 'idpSub or sepSub must be filled',
        },
      ])
      expect(validate('user-stat-response', answer.json)).toEqual([])
    }
  })

  const mistaken: [string, unknown, RegExp][] = [
    ['a timestamp without offset', { idpSub: 'x', dateFrom: '2026-01-01T00:00:00' }, /dateFrom/],
    ['a sepSub that is no UUID', { sepSub: 'x' }, /sepSub/],
    ['an idp that is no boolean', { idpSub: 'x', idp: 'true' }, /idp/],
    ['an interval that ends before it begins', { idpSub: 'x', dateFrom: ago(1), dateTo: ago(2) }, /after dateTo/],
    ['an interval of more than 180 days', { idpSub: 'x', dateFrom: ago(181), dateTo: ago(0) }, /180 days/],
    ['no JSON object', [1], /JSON object/],
  ]
  test.each(mistaken)(
    'SVC-4[member=dateFrom value=other-type], SVC-4[member=sepSub value=other-type], SVC-4[member=idp value=other-type]: %s is refused with 400',
    async (_what, body, reason) => {
      const { bank, service } = await bankAndSimulator()
      const answer = await askStatistics(service, bank, body)
      expect([answer.status, answer.json]).toMatchObject([400, { error_description: expect.stringMatching(reason) }])
    },
  )

  test('SVC-5[member=firstAuth], SVC-5[member=numberOfRecords], SVC-5[member=numberOfIdpRecords], SVC-5[member=authHistory], SVC-5[member=idp], SVC-5[member=message]: the figures are of all logins of the person in the interval, across all banks', async () => {
    const [bank, other] = [await bankForTest(), await bankForTest()]
    const service = await simulatorForTest([bank, other])
    const { journal } = service.simulator
    journal.append({ kind: 'own-usage', issuer: bank.url, txn: 't-1' })
    const entries = [
      login(bank, 20, { txn: 't-1' }),
      login(other, 10, { idpSub: 'otherwise' }),
      login(bank, 5, { txn: 't-2' }),
      login(bank, 200),
      login(bank, 3, { idpSub: 'a-stranger', sepSub: '6c1a4a7e-5b7c-4f0e-9a51-0d6a2f5f0c02', person: 'q' }),
    ]
    for (const entry of entries) journal.append(entry)
    const at = entries.map((entry) => ('at' in entry ? entry.at : ''))
    const own = { authDateTime: at[0], idp: true }
    const all = [own, { authDateTime: at[1], idp: false }, { authDateTime: at[2], idp: false }]
    const whole = { firstAuth: at[0], lastAuth: at[2], numberOfRecords: 3, numberOfIdpRecords: 1, authHistory: all }
    const bySub = await askStatistics(service, bank, { idpSub: 'somebody' })
    expect(bySub.json).toEqual(whole)
    expect(validate('user-stat-response', bySub.json)).toEqual([])
    const sepSub = '6c1a4a7e-5b7c-4f0e-9a51-0d6a2f5f0c01'
    expect((await askStatistics(service, bank, { sepSub })).json).toEqual(whole)
    expect((await askStatistics(service, bank, { idpSub: 'somebody', idp: true })).json).toEqual({
      firstAuth: at[0],
      lastAuth: at[0],
      numberOfRecords: 1,
      numberOfIdpRecords: 1,
      authHistory: [own],
    })
    expect(
      (await askStatistics(service, bank, { idpSub: 'somebody', dateFrom: ago(12), dateTo: ago(7) })).json,
    ).toMatchObject({
      firstAuth: at[1],
      lastAuth: at[1],
      numberOfRecords: 1,
    })
    // One bank's sub says nothing at another bank, and another bank's own usage is none of this one's.
    const nothing = { numberOfRecords: 0, numberOfIdpRecords: 0, authHistory: [], message: 'No records.' }
    expect((await askStatistics(service, other, { idpSub: 'somebody' }, {}, 'idp-2')).json).toEqual(nothing)
    expect((await askStatistics(service, other, { idpSub: 'otherwise' }, {}, 'idp-2')).json).toMatchObject({
      numberOfRecords: 3,
      numberOfIdpRecords: 0,
    })
  })
})
