import { copyFileSync, cpSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFile } from '../../schemas/package-file.js'
import { advanceClock } from '../clock.js'
import { AuditLog, claims, decision, jwsOf, retention, undecided } from '../testing/audit-log.js'
import { signObject } from '../testing/request-objects.js'
import { hashOf } from './audit.js'
import type { AuditEntry } from './audit-entry.js'
import { endsOf } from './audit-seal.js'
import { EncryptedValues } from './encrypted-values.js'
import { openSqlite } from './sqlite.js'

let log: AuditLog

beforeEach(async () => {
  log = await AuditLog.open()
})

afterEach(() => log.close())

async function decide(times: number): Promise<string[]> {
  const txns: string[] = []
  for (let count = 0; count < times; count += 1) txns.push(await log.decided())
  return txns
}

interface Trigger {
  name: string
  sql: string
}

/** The triggers as they are, around what they forbid. */
function byHand(...statements: string[]): void {
  const sqlite = openSqlite(join(log.data, 'bank.sqlite'))
  const triggers = sqlite.prepare("select name, sql from sqlite_master where type = 'trigger'").all() as Trigger[]
  for (const { name } of triggers) sqlite.exec(`drop trigger ${name}`)
  for (const statement of statements) sqlite.exec(statement)
  for (const { sql } of triggers) sqlite.exec(sql)
  sqlite.close()
}

/** Has triggers of somebody else in place of the store's own. @returns puts all back as it was */
function withTriggers(...triggers: string[]): () => void {
  const sqlite = openSqlite(join(log.data, 'bank.sqlite'))
  const own = sqlite.prepare("select name, sql from sqlite_master where type = 'trigger'").all() as Trigger[]
  for (const { name } of own) sqlite.exec(`drop trigger ${name}`)
  sqlite.exec('create table aside as select seal from audit_seal')
  for (const [at, trigger] of triggers.entries()) sqlite.exec(`create trigger another_${at} ${trigger}; end`)
  return () => {
    for (const at of triggers.keys()) sqlite.exec(`drop trigger another_${at}`)
    sqlite.exec('drop table aside')
    sqlite.exec(forgetNumbers)
    for (const { sql } of own) sqlite.exec(sql)
    sqlite.close()
  }
}

/** Writes the chain anew after a change of its entries: each hash fits again. */
function rehash(change: (entries: AuditEntry[]) => AuditEntry[]): void {
  const sqlite = openSqlite(join(log.data, 'bank.sqlite'), { readonly: true })
  const entries = sqlite.prepare('select * from audit order by sequence').all() as AuditEntry[]
  sqlite.close()
  let previous_hash = entries[0]?.previous_hash ?? ''
  const statements = change(entries).map((entry) => {
    const linked = { ...entry, previous_hash }
    previous_hash = hashOf(linked)
    const values = Object.entries({ ...linked, hash: previous_hash })
    const texts = values.map(([, value]) => (typeof value === 'number' ? value : `'${value}'`))
    return `insert into audit (${values.map(([name]) => name)}) values (${texts})`
  })
  byHand('delete from audit', ...statements)
}

/** No more than the number that is there now was ever given out. */
const forgetNumbers = "update sqlite_sequence set seq = (select max(sequence) from audit) where name = 'audit'"

async function foundOut(problem: RegExp): Promise<void> {
  const { code, stdout } = await log.audit('verify')
  expect(stdout).toMatch(problem)
  expect(code).toBe(1)
}

/** While the log cannot be shown to be intact, nothing is proven. */
async function notProven(txn: string | undefined, problem: RegExp): Promise<void> {
  const { code, stdout } = await log.audit('show', String(txn))
  expect(stdout).toMatch(/^Nothing is proven: the log cannot be shown to be intact\.$/m)
  expect(stdout).toMatch(problem)
  expect(stdout).not.toMatch(/log is intact/)
  expect(code).toBe(1)
}

describe('SIGN-19: found out without an export', () => {
  test('the newest entries were removed, with the memory of their numbers', async () => {
    const [txn] = await decide(3)
    byHand('delete from audit where sequence > 1', forgetNumbers)
    await foundOut(/^entries 2 to 3 were removed$/m)
    await notProven(txn, /^entries 2 to 3 were removed$/m)
  })

  test('all entries were removed', async () => {
    await decide(2)
    byHand('delete from audit', "delete from sqlite_sequence where name = 'audit'")
    await foundOut(/^entries 1 to 2 were removed$/m)
  })

  test('the chain was written anew with another person', async () => {
    const [txn] = await decide(3)
    rehash((entries) => entries.map((entry) => (entry.txn === txn ? { ...entry, person_id: 'p-2' } : entry)))
    await foundOut(/^entry 3 is not the one that the bank sealed: the log was written anew$/m)
  })

  test('an entry was changed by the store itself, as it was made', async () => {
    await decide(1)
    const undo = withTriggers(
      "after insert on audit begin update audit set person_id = 'p-2' where sequence = new.sequence",
    )
    const [txn] = await decide(1)
    undo()
    const problem = /^entry 2 \(txn .*\) was changed: its hash does not match$/m
    await foundOut(problem)
    await notProven(txn, problem)
  })

  test('an entry and its seal were lost by the store itself, once they were kept', async () => {
    await decide(1)
    copyFileSync(join(log.data, 'audit.seal'), join(log.data, 'earlier'))
    const seal = await log.db.selectFrom('audit_seal').select('seal').executeTakeFirstOrThrow()
    const [txn] = await decide(1)
    const made = await endsOf(log.db)
    // As if it had happened between the two.
    copyFileSync(join(log.data, 'earlier'), join(log.data, 'audit.seal'))
    byHand('delete from audit where sequence > 1', forgetNumbers, `update audit_seal set seal = '${seal.seal}'`)
    await log.seal.copy(log.db, made)
    await foundOut(/^entry 2 was removed$/m)
    await notProven(txn, /^entry 2 was removed$/m)
  })

  test('a store that tells somebody else each time it is asked', async () => {
    const [txn = ''] = await decide(1)
    const { columns = [] } = (await log.db.introspection.getTables()).find(({ name }) => name === 'audit') ?? {}
    const told = columns.map(({ name }) =>
      name === 'person_id' ? "case when other then 'p-2' else person_id end as person_id" : name,
    )
    log.byHand(
      'alter table audit rename to audit_real',
      `create view audit as select ${told} from (select *, random() & 1 as other from audit_real limit 9)`,
    )
    const answers = await Promise.all(Array.from({ length: 8 }, () => log.audit('show', txn)))
    const proofs = answers.flatMap(({ stdout }) =>
      /log is intact/.test(stdout) ? [/^Authorized by (\S+)/m.exec(stdout)?.[1]] : [],
    )
    for (const person of proofs) expect(person).toBe('p-1')
  })

  test('an entry was added at the end', async () => {
    await decide(2)
    rehash(([first, second]) =>
      [first, second, second].map((entry, at) => ({ ...(entry as AuditEntry), sequence: at + 1 })),
    )
    await foundOut(/^entry 3 is not sealed: somebody else added it, or the log was changed before$/m)
  })

  test('the oldest entries were removed under the record of an earlier retention', async () => {
    await decide(2)
    advanceClock(retention + 2)
    await log.requests.sweep()
    byHand('create table kept as select * from audit_anchor')
    await decide(2)
    advanceClock(retention + 2)
    await log.requests.sweep()
    await decide(1)
    byHand('delete from audit_anchor', 'insert into audit_anchor select * from kept')
    rehash((entries) => entries.map((entry) => ({ ...entry, sequence: 3 })))
    await foundOut(/^entries up to 2 were removed, and not by the bank: its retention removed those up to 4$/m)
  })

  test('the record of retention was removed, and the numbers begin anew', async () => {
    await decide(1)
    advanceClock(retention + 2)
    await log.requests.sweep()
    await decide(1)
    byHand('delete from audit_anchor')
    await foundOut(/^the record of retention was removed: the bank removed those up to 1$/m)
  })

  test('the seal was removed, or is another text', async () => {
    await decide(1)
    byHand("update audit_seal set seal = 'a.b.c'")
    await foundOut(/^the bank did not write the seal of the log: it does not open with store\.key$/m)
    byHand('delete from audit_seal')
    await foundOut(/^the seal of the log was removed$/m)
  })

  test('an older store was put in the place of the newer one', async () => {
    const file = join(log.data, 'bank.sqlite')
    await decide(1)
    await log.close()
    const older = readFileSync(file)
    log = await AuditLog.open(log.data)
    await decide(2)
    await log.close()
    writeFileSync(file, older)
    log = await AuditLog.open(log.data)
    await foundOut(/^entries 2 to 3 were removed$/m)
    // Nor do new entries in their place hide it.
    await decide(2)
    await foundOut(/^entry 3 is not the one that the bank sealed: the log was written anew$/m)
    await decide(2)
    await foundOut(/^entry 3 is not the one that the bank sealed: the log was written anew$/m)
  })
})

test.each([
  ['the entry', ['before insert on audit begin select raise(ignore)']],
  ['the entry, at once', ['after insert on audit begin delete from audit where sequence > 1']],
  [
    'the entry and the seal',
    ['before insert on audit begin select raise(ignore)', 'before update on audit_seal begin select raise(ignore)'],
  ],
  [
    'the entry with its seal',
    [
      `after update on audit_seal begin delete from audit where sequence > 1;
        update audit_seal set seal = (select seal from aside) where seal <> (select seal from aside)`,
    ],
  ],
])('SIGN-19: where the store itself loses %s, nothing is decided', async (_what, triggers) => {
  await decide(1)
  const undo = withTriggers(...triggers)
  const request = await log.add()
  const decided = log.requests.decide(request, decision, undecided, 'g-1')
  await expect(decided).rejects.toThrow(
    'the store did not keep what was written to the audit log: somebody else changed it',
  )
  expect(await log.requests.find(request.id)).toMatchObject({ decided: false })
  await foundOut(/^trigger another_0 is not the bank's: it may change what is written$/m)
  undo()
  expect(await log.audit('verify')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^1 entries, none changed or removed/),
  })
})

test.each([
  ['claims', 'claims = replace(claims, \'"s"\', \'"another"\')'],
  ['JWS', "jws = 'e30.e30.AA'"],
  ['person', "person_id = 'p-2'"],
  ['client', "client_id = 'c-2'"],
  ['end', 'expires_at = expires_at + 1'],
  ['authentication', 'authentication = null'],
  [
    'authentication, by that of another request',
    'authentication = (select authentication from signing_requests limit 1)',
  ],
])(
  'SIGN-19: a request object of whose row somebody else changed the %s is neither shown nor decided',
  async (_what, change) => {
    await log.add()
    const request = await log.add()
    byHand(`update signing_requests set ${change} where id = '${request.id}'`)
    const problem = `the request object ${request.id} in the store is not what the bank wrote: somebody else changed it`
    await expect(log.requests.find(request.id)).rejects.toThrow(problem)
    await expect(log.requests.decide(request, decision, undecided, 'g-1')).rejects.toThrow(problem)
    expect((await log.audit('verify')).stdout).toMatch(/^0 entries, none changed or removed/)
  },
)

test('SIGN-19: an entry that says something else than what its client signed is named', async () => {
  const made = claims()
  const jws = jwsOf({ ...made, structured_scope: { signObject: { ...signObject(), fields: [] } } })
  const request = await log.requests.add({ clientId: 'c-1', claims: made, jws, lifetime: 60 })
  await log.requests.decide(request, decision, undecided, 'g-1')
  const problem = /^entry 1 \(txn .*\) says something else than the request object in it$/m
  await foundOut(problem)
  await notProven(made.txn, problem)
})

test('SIGN-19: where the key is elsewhere, a log in use whose seal and copy are gone is not sealed again', async () => {
  await log.close()
  const key = EncryptedValues.makeKey()
  log = await AuditLog.open(undefined, key)
  const file = join(log.data, 'elsewhere')
  writeFileSync(file, key.toString('base64url'))
  const [txn] = await decide(2)
  expect((await log.audit('verify', '--store-key-file', file)).code).toBe(0)
  await log.close()
  byHand('delete from audit where sequence > 1', forgetNumbers, 'delete from audit_seal')
  rmSync(join(log.data, 'audit.seal'))
  for (const _start of [1, 2]) {
    log = await AuditLog.open(log.data, key)
    const { code, stdout } = await log.audit('show', String(txn), '--store-key-file', file)
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^the seal of the log was removed$/m)])
    await log.close()
  }
})

test.each([
  ['a text that is no JSON', "structured_scope = '{\"term'"],
  ['a scope of another kind', "structured_scope = 'null'"],
  ['no time', "at = 'long ago'"],
  ['what commands a terminal', "scope = char(27) || ']0;owned' || char(7)"],
])('SIGN-19: an entry that somebody else wrote %s into is listed, shown and named', async (_what, change) => {
  const [txn = ''] = await decide(1)
  byHand(`update audit set ${change}`)
  await foundOut(/^entry 1 \(txn .*\) was changed: its hash does not match$/m)
  await notProven(txn, /^entry 1 \(txn .*\) was changed: its hash does not match$/m)
  const listed = await log.audit('list')
  expect([listed.code, listed.stderr]).toEqual([0, ''])
  const { stdout, stderr } = await log.audit('show', 'nothing')
  expect([stderr, stdout.includes('\u001b')]).toEqual(['', false])
})

test('SIGN-19: an older store is found out though its seal was put in the place of the copy too', async () => {
  const file = join(log.data, 'bank.sqlite')
  const [txn] = await decide(1)
  await log.close()
  const older = readFileSync(file)
  log = await AuditLog.open(log.data)
  await decide(2)
  await log.close()
  writeFileSync(file, older)
  const sqlite = openSqlite(file, { readonly: true })
  const { seal } = sqlite.prepare('select seal from audit_seal').get() as { seal: string }
  sqlite.close()
  writeFileSync(join(log.data, 'audit.seal'), seal)
  const problem = /^the bank did not write audit\.seal: it does not open with store\.key$/m
  await foundOut(problem)
  // Nor does a start make another copy.
  log = await AuditLog.open(log.data)
  await notProven(txn, problem)
})

test('SIGN-19: what was removed stays found out when the bank goes on and starts anew', async () => {
  await decide(3)
  byHand('delete from audit where sequence > 1', forgetNumbers)
  await decide(1)
  await foundOut(/^entry 3 was removed$/m)
  await decide(2)
  await foundOut(/^entry 3 is not the one that the bank sealed: the log was written anew$/m)
  advanceClock(retention + 2)
  await log.requests.sweep()
  await log.close()
  log = await AuditLog.open(log.data)
  await foundOut(/not by the bank: its retention removed none$/m)
})

test('SIGN-19: without store.key, or without the copy of the seal, the log is not called intact', async () => {
  const [txn] = await decide(1)
  const [copy, key] = ['audit.seal', 'store.key'].map((name) => join(log.data, name)) as [string, string]
  copyFileSync(copy, `${copy}.kept`)
  rmSync(copy)
  await foundOut(/^audit\.seal is missing, which holds a copy of the log's seal$/m)
  writeFileSync(copy, 'a.b.c')
  await foundOut(/^the bank did not write audit\.seal: it does not open with store\.key$/m)
  copyFileSync(`${copy}.kept`, copy)
  expect((await log.audit('verify')).code).toBe(0)
  rmSync(key)
  await foundOut(/^store\.key is missing: without it nobody can tell/m)
  await notProven(txn, /^store\.key is missing/m)
})

test('SIGN-19: a copy of the seal that is gone is not made again, by a decision or a start, so that an older seal stays found out', async () => {
  const copy = join(log.data, 'audit.seal')
  await decide(1)
  rmSync(copy)
  await decide(1)
  await foundOut(/^audit\.seal is missing, which holds a copy of the log's seal$/m)
  await log.close()
  log = await AuditLog.open(log.data)
  await foundOut(/^audit\.seal is missing, which holds a copy of the log's seal$/m)
})

test('SIGN-19: a decision stands where the copy of its seal can be neither read nor written', async () => {
  const copy = join(log.data, 'audit.seal')
  const before = readFileSync(copy)
  rmSync(copy)
  mkdirSync(copy)
  const [txn] = await decide(1)
  rmdirSync(copy)
  writeFileSync(copy, before)
  expect((await log.audit('show', String(txn))).code).toBe(0)
})

test('SIGN-19: a bank that ended between the copy of the first seal and the seal has lost nothing', async () => {
  await log.close()
  byHand('delete from audit_seal')
  log = await AuditLog.open(log.data)
  expect((await log.audit('verify')).code).toBe(0)
})

test('SIGN-19: without its seal and its copy a log is not taken for one of an earlier version, however the bank starts', async () => {
  const [txn] = await decide(2)
  await log.close()
  byHand('delete from audit where sequence > 1', forgetNumbers, 'delete from audit_seal')
  rmSync(join(log.data, 'audit.seal'))
  for (const _start of [1, 2]) {
    log = await AuditLog.open(log.data)
    await foundOut(/^the seal of the log was removed$/m)
    await notProven(txn, /^the seal of the log was removed$/m)
    await log.close()
  }
  // Nor is one whose whole store is of an earlier version.
  cpSync(packageFile('fixtures/data-directories/0.1.0/bank.sqlite'), join(log.data, 'bank.sqlite'))
  log = await AuditLog.open(log.data)
  await foundOut(/^the seal of the log was removed$/m)
})

test('SIGN-19: the log of an earlier version is sealed when the bank starts, and not before', async () => {
  await decide(2)
  await log.close()
  byHand('delete from audit_seal')
  rmSync(join(log.data, 'audit.seal'))
  const key = join(log.data, 'store.key')
  const [first = ''] = readFileSync(key, 'utf8').split('\n')
  writeFileSync(key, first)
  await foundOut(/^the log was never sealed: an earlier version of the bank kept it/m)
  log = await AuditLog.open(log.data)
  expect(await log.audit('verify')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^2 entries, none changed or removed; head [0-9a-f]{64}\n$/),
  })
})

test('SIGN-19: a bank that ended between an entry and the copy of its seal has lost nothing', async () => {
  const copy = join(log.data, 'audit.seal')
  const [txn] = await decide(1)
  const before = readFileSync(copy)
  await decide(1)
  writeFileSync(copy, before)
  expect((await log.audit('verify')).code).toBe(0)
  await log.close()
  log = await AuditLog.open(log.data)
  expect(readFileSync(copy)).not.toEqual(before)
  expect((await log.audit('show', String(txn))).code).toBe(0)
})
