import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { advanceClock, nowSeconds } from '../clock.js'
import { AuditLog, claims, decision, jwsOf, retention, undecided } from '../testing/audit-log.js'
import { run } from '../testing/command.js'
import { documentObject, sha512 } from '../testing/request-objects.js'
import { Audit } from './audit.js'
import type { Database } from './database.js'
import type { SigningRequests } from './signing-requests.js'

let log: AuditLog
let data: string
let db: Database
let requests: SigningRequests

beforeEach(async () => {
  log = await AuditLog.open()
  ;({ data, db, requests } = log)
})

afterEach(() => log.close())

const decided: AuditLog['decided'] = (...args) => log.decided(...args)
const audit: AuditLog['audit'] = (...args) => log.audit(...args)
const byHand: AuditLog['byHand'] = (...args) => log.byHand(...args)

test('SIGN-19: a transaction is proven, by its txn and by the hash of its document; another is disproven', async () => {
  const document = documentObject()
  const txn = await decided({}, { documentObject: document })
  const refused = await decided({ result: 'refused' })
  for (const term of [txn, document.document_hash]) {
    const { code, stdout } = await audit('show', term)
    expect(stdout).toMatch(/\nAuthorized by p-1 for client c-1 at \S+Z, by loa3 \(pwd swk\); the log is intact\.\n$/)
    expect(code).toBe(0)
  }
  for (const [term, what] of [
    [refused, `${refused} for client c-1`],
    ['never-seen', 'never-seen'],
  ] as const) {
    const { code, stdout } = await audit('show', term)
    expect(stdout).toMatch(
      new RegExp(`Not authorized: the log is intact, and contains no authorization of ${what}\\.\n$`),
    )
    expect(code).toBe(1)
  }
  expect((await audit('list')).stdout.split('\n')).toEqual([
    expect.stringMatching(new RegExp(`^ {5}1 .* authorized {4}${txn}`)),
    expect.stringMatching(new RegExp(`^ {5}2 .* refused {7}${refused}`)),
    '',
  ])
})

test('SIGN-19: transactions of two clients that have one txn are told apart', async () => {
  const txn = await decided()
  await decided({ result: 'refused', personId: 'p-2' }, undefined, { clientId: 'c-2', txn })
  const [authorized, not] = [
    /^Authorized by p-1 for client c-1 at \S+Z, by loa3 \(pwd swk\); the log is intact\.$/m,
    new RegExp(`^Not authorized: the log is intact, and contains no authorization of ${txn} for client c-2\\.$`, 'm'),
  ]
  const both = await audit('show', txn)
  expect(both.stdout).toMatch(authorized)
  expect(both.stdout).toMatch(not)
  expect(both.code).toBe(1)
  const first = await audit('show', txn, '--client', 'c-1')
  expect(first.stdout).toMatch(authorized)
  expect([first.code, first.stdout.includes('client c-2')]).toEqual([0, false])
  const second = await audit('show', txn, '--client', 'c-2')
  expect(second.stdout).toMatch(not)
  expect([second.code, second.stdout.includes('client c-1')]).toEqual([1, false])
  expect(await audit('show', txn, '--client', 'c-3')).toMatchObject({
    code: 1,
    stdout: `Not authorized: the log is intact, and contains no authorization of ${txn} for client c-3.\n`,
  })
})

test('characters of a title that nobody sees, or that turn the line round, are shown as marks', async () => {
  const txn = await decided({}, { documentObject: { ...documentObject(), document_title: 'pay\u200b \u202e001' } })
  const { stdout } = await audit('show', txn)
  expect(stdout).toContain('"document_title": "pay[U+200B] [U+202E]001"')
  expect(stdout).not.toMatch(/[\u200b\u202e]/)
})

test('SIGN-19: a title, a field or a further member is neither a txn nor a hash', async () => {
  const [txn, hash] = [randomUUID(), sha512('another document')]
  const document = { ...documentObject(), document_title: txn, document_subject: hash, sign_field: hash }
  const fields = [{ key: txn, value: hash, priority: 1 }]
  const text = { fields, signObject_hash: sha512(`${txn}${hash}`), document_hash: hash }
  await decided({}, { signObject: text, documentObject: document })
  for (const term of [txn, hash, document.document_id]) {
    expect(await audit('show', term)).toMatchObject({
      code: 1,
      stdout: `Not authorized: the log is intact, and contains no authorization of ${term}.\n`,
    })
  }
  for (const term of [text.signObject_hash, document.document_hash, document.document_hash.toUpperCase()]) {
    expect((await audit('show', term)).code).toBe(0)
  }
})

test('SIGN-19: an object is decided once, and the log has one entry of it, however many race', async () => {
  const asked = claims()
  const request = await requests.add({ clientId: 'c-1', claims: asked, jws: jwsOf(asked), lifetime: 60 })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => requests.decide(request, decision, undecided, randomUUID())),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await new Audit(db).examine()).entries).toHaveLength(1)
})

test('SIGN-19: the store refuses to change or remove an entry', async () => {
  await decided()
  expect(() => byHand("update audit set person_id = 'other'")).toThrow('entries of the audit log are never changed')
  expect(() => byHand('delete from audit')).toThrow('entries of the audit log are removed by retention alone')
})

test.each<[string, string[], RegExp]>([
  [
    'changed',
    ["update audit set person_id = 'other' where sequence = 2"],
    /^entry 2 \(txn \S+\) was changed: its hash does not match$/m,
  ],
  ['removed', ['delete from audit where sequence = 2'], /^entry 2 was removed$/m],
  ['last and removed', ['delete from audit where sequence = 3'], /^entry 3 was removed$/m],
  ['first and removed with the next', ['delete from audit where sequence < 3'], /^entries 1 to 2 were removed$/m],
  [
    'taken from elsewhere',
    ['update audit set sequence = 9 where sequence = 2', 'update audit set sequence = 2 where sequence = 3'],
    /^entry 2 \(txn \S+\) was changed/m,
  ],
])('SIGN-19: an entry that was %s by hand is named', async (_what, statements, named) => {
  for (let count = 0; count < 3; count += 1) await decided()
  expect(await audit('verify')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^3 entries, none changed or removed; head [0-9a-f]{64}\n$/),
  })
  byHand('drop trigger audit_no_change', 'drop trigger audit_no_removal', ...statements)
  const { code, stdout } = await audit('verify')
  expect(stdout).toMatch(named)
  expect(stdout).toContain('trigger audit_no_change, which prevents changes and removals of entries, is missing')
  expect(code).toBe(1)
})

test('SIGN-19: an earlier export names what is missing from a log that was written anew as a whole', async () => {
  const txn = await decided()
  const file = join(data, 'export.jsonl')
  expect((await audit('export', '--out', file)).code).toBe(0)
  expect((await audit('verify', '--against', file)).code).toBe(0)
  byHand(
    'drop trigger audit_no_removal',
    'delete from audit',
    "delete from sqlite_sequence where name = 'audit'",
    "create trigger audit_no_removal before delete on audit when 1 begin select raise(abort, 'x'); end",
  )
  await decided({ personId: 'p-2' })
  const { code, stdout } = await audit('verify', '--against', file)
  expect(stdout).toContain(`entry 1 (txn ${txn}) is missing from the log or differs from the export`)
  expect(code).toBe(1)
  writeFileSync(file, 'no JSON')
  expect((await audit('verify', '--against', file)).code).toBe(2)
})

/** Has retention take away what was decided so far. */
async function removeAsRetentionDoes(): Promise<void> {
  advanceClock(retention + 2)
  await requests.sweep()
}

test('SIGN-19: retention takes the oldest entries away, and says so; what is left is verified', async () => {
  const earlier = [await decided(), await decided()]
  const file = join(data, 'before-retention.jsonl')
  await audit('export', '--out', file)
  await removeAsRetentionDoes()
  const txn = await decided()
  const { code, stdout } = await audit('verify')
  expect(stdout).toMatch(
    /^entries up to 2 were removed by retention at \S+Z: the newest was made at \S+Z, and entries were kept for 10 days\n1 entries, none changed or removed; head/,
  )
  expect(code).toBe(0)
  const against = await audit('verify', '--against', file)
  const named = earlier.map((one, i) => `entry ${i + 1} (txn ${one}), made at `)
  expect([against.code, ...named.map((text) => against.stdout.includes(text))]).toEqual([0, true, true])
  expect((await audit('show', txn)).code).toBe(0)
})

describe('SIGN-19: a removal that is made to look like retention is found out', () => {
  const cutAfter = (sequence: number, ...changes: string[]) => [
    'update audit_anchor set sequence = ' +
      `${sequence}, hash = (select hash from audit where sequence = ${sequence})${changes.map((one) => `, ${one}`).join('')}`,
    `delete from audit where sequence <= ${sequence}`,
  ]
  const anchor = (newest: string, kept: string) =>
    `insert into audit_anchor select sequence, hash, ${nowSeconds()}, ${newest}, ${kept}, null from audit where sequence = 3`
  const noted =
    /^entries up to 4 were removed, and the bank did not write the record of that retention: its authentication does not match$/m

  test.each([
    ['by an anchor as it was', cutAfter(4), noted],
    [
      'by an anchor of which all was changed',
      cutAfter(4, `at = at + ${retention}`, 'newest = at', 'retention = 0'),
      noted,
    ],
    [
      'by an anchor as an earlier version wrote it',
      cutAfter(4, 'newest = null', 'retention = null', 'authentication = null'),
      /^entries up to 4 were removed, and nothing shows that their retention period had ended$/m,
    ],
  ])('%s', async (_how, statements, problem) => {
    await decided()
    await decided()
    await removeAsRetentionDoes()
    for (let count = 0; count < 3; count += 1) await decided()
    byHand(...statements)
    const { code, stdout } = await audit('verify')
    expect(stdout).toMatch(problem)
    expect(code).toBe(1)
  })

  test.each([
    [
      'with nothing but where it cut',
      () => anchor('null', 'null'),
      'nothing shows that their retention period had ended',
    ],
    ['without the authentication', () => anchor('at', '0'), 'its authentication does not match'],
  ])('by an anchor made by hand %s', async (_how, made, problem) => {
    for (let count = 0; count < 4; count += 1) await decided()
    byHand(made(), 'delete from audit where sequence <= 3')
    const { code, stdout } = await audit('verify')
    expect(stdout).toContain(problem)
    expect(code).toBe(1)
  })

  test('without the key that authenticates the anchor, by when the newest was made, or by an earlier export', async () => {
    const txn = await decided()
    const file = join(data, 'export.jsonl')
    await audit('export', '--out', file)
    rmSync(join(data, 'store.key'))
    const cut = (newest: string) =>
      byHand(
        'delete from audit_anchor',
        `insert into audit_anchor select sequence, hash, ${nowSeconds() + 99}, ${newest}, ${retention}, null from audit`,
      )
    cut('at')
    expect(await audit('verify')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('entries up to 1 were removed before their retention period ended'),
    })
    cut(`at - ${retention}`)
    byHand('delete from audit')
    expect(await audit('verify')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^store\.key is missing: without it nobody can tell whether entries at the ends of the log were removed$/m,
      ),
    })
    const { code, stdout } = await audit('verify', '--against', file)
    expect(stdout).toContain(`entry 1 (txn ${txn}) was removed before its retention period ended`)
    expect(code).toBe(1)
  })
})

test('a request object past its end is swept, one whose grant lives stays', async () => {
  const asked = claims()
  const add = (lifetime: number) => requests.add({ clientId: 'c-1', claims: asked, jws: jwsOf(asked), lifetime })
  const [past, granted] = [await add(-1), await add(60)]
  const row = { model: 'Grant', id: 'g-1', payload: '{}', grant_id: null, client_id: null, uid: null, user_code: null }
  await db
    .insertInto('provider_records')
    .values({ ...row, expires_at: null, consumed_at: null })
    .execute()
  await requests.decide(granted, decision, undecided, 'g-1')
  advanceClock(120_000)
  await requests.sweep()
  expect(await requests.find(past.id)).toBeUndefined()
  expect(await requests.find(granted.id)).toMatchObject({ decided: true })
  await expect(requests.decide(past, decision, undecided)).rejects.toThrow('request_uri is unknown')
})

test('a log that is not there, or is none, is told in one line', async () => {
  const none = join(data, 'none')
  expect(await run('audit', 'verify', '--data', none)).toMatchObject({
    code: 2,
    stderr: `bank-idp: the store ${join(none, 'bank.sqlite')} does not exist: name the data directory of a bank with --data\n`,
  })
  mkdirSync(none)
  writeFileSync(join(none, 'bank.sqlite'), 'no store')
  expect(await run('audit', 'verify', '--data', none)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^bank-idp: the store .* cannot be read: file is not a database; name the .*\n$/),
  })
})
