import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { UsageError } from '../errors.js'
import { DataDirectory, files } from '../keys/data-directory.js'
import type { Audit, Verdict } from '../store/audit.js'
import type { Anchor } from '../store/audit-anchor.js'
import { type AuditEntry, entriesAbout } from '../store/audit-entry.js'
import { storeKeyForm, storeKeyIn } from '../store-key.js'
import { type DataFlag, dataOption } from './options.js'
import { secretIn } from './secret-in.js'
import type { Terminal } from './terminal.js'

/** Where the log is: in the data directory, or in PostgreSQL, of whose log the data directory has the key. */
interface LogFlags extends DataFlag {
  store?: string
  storeKeyFile?: string
}

const storeOption = [
  '--store <url>',
  'PostgreSQL database of the bank, where it has one',
  process.env.BANK_IDP_STORE || undefined,
] as const

const keyOption = [
  '--store-key-file <file>',
  'file of the key of the store, where it is not in the data directory',
  process.env.BANK_IDP_STORE_KEY_FILE || undefined,
] as const

/** The key of the store, where it is told to be elsewhere than in the data directory. @throws {UsageError} when it is none */
function keyElsewhere({ storeKeyFile }: LogFlags): Buffer | undefined {
  const text = process.env.BANK_IDP_STORE_KEY || secretIn(storeKeyFile, () => '--store-key-file')
  if (!text) return undefined
  const key = storeKeyIn(text)
  if (!key) throw new UsageError(`the key of the store is none: ${storeKeyForm}`)
  return key
}

/**
 * The log is read from the store itself, so that it can be examined without the bank, also a copy of it. A copy may lack store.key:
 * its entries can be read, and nobody can say that they are all there.
 */
async function withAudit<Result>(flags: LogFlags, use: (audit: Audit) => Promise<Result>): Promise<Result> {
  const { data, store } = flags
  const given = keyElsewhere(flags)
  // Loaded here alone: the other commands answer at once.
  const [{ openToRead }, { readPostgres }, { Audit }, { AuditSeal }, { EncryptedValues }] = await Promise.all([
    import('../store/database.js'),
    import('../store/postgres.js'),
    import('../store/audit.js'),
    import('../store/audit-seal.js'),
    import('../store/encrypted-values.js'),
  ])
  const db = store === undefined ? openToRead(join(data, files.store)) : await readPostgres(store)
  try {
    const directory = new DataDirectory(data)
    const key = given ?? directory.readStoreKey()
    if (!key) return await use(new Audit(db))
    const encryptedValues = new EncryptedValues(key)
    const seal = new AuditSeal(encryptedValues, directory.auditSeal(given !== undefined))
    return await use(new Audit(db, { encryptedValues, seal }))
  } finally {
    await db.destroy()
  }
}

/** What somebody else wrote need not be a time. */
function when(seconds: number): string {
  const time = new Date(seconds * 1000)
  return Number.isNaN(time.getTime()) ? String(seconds) : time.toISOString()
}

/** What is no JSON is shown as it is. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

function line({ sequence, at, result, txn, client_id, person_id, acr, amr }: AuditEntry): string {
  const what = `${result.padEnd(12)}  ${txn}  ${person_id}  ${acr} (${amr})`
  return `${String(sequence).padStart(6)}  ${when(at)}  ${what}  for ${client_id}`
}

function whole(entry: AuditEntry): string {
  const { sequence, at, structured_scope, ...rest } = entry
  const members = Object.entries(rest).map(([name, value]) => `  ${name.padEnd(16)} ${value}`)
  const what = indented(structured_scope).replaceAll('\n', '\n  ')
  return [`entry ${sequence}, ${when(at)}`, ...members, `  structured_scope ${what}`].join('\n')
}

const days = (seconds: number) => `${Math.round(seconds / 86_400)} days`

/** What the log itself says of what retention took away. */
function cut({ sequence, at, newest, retention }: Anchor): string {
  const over =
    newest == null || retention == null
      ? 'by a version that did not record how long entries are kept'
      : `the newest was made at ${when(newest)}, and entries were kept for ${days(retention)}`
  return `entries up to ${sequence} were removed by retention at ${when(at)}: ${over}`
}

function formatVerdict({ problems, entries, head, anchor }: Verdict): string {
  return [
    ...problems,
    ...(anchor ? [cut(anchor)] : []),
    `${entries} entries, ${problems.length === 0 ? 'none changed or removed' : `${problems.length} problems`}; head ${head}`,
  ].join('\n')
}

/** Entries of an export that were taken away as retention does, though their time was not over. */
function takenEarly({ at, retention }: Anchor, exported: readonly AuditEntry[]): string[] {
  return exported
    .filter((entry) => entry.at + (retention ?? 0) > at)
    .map((entry) => `entry ${entry.sequence} (txn ${entry.txn}) was removed before its retention period ended`)
}

/** Entries of an export that are not in the log as they were. */
function missingFrom(log: readonly AuditEntry[], exported: readonly AuditEntry[]): string[] {
  const hashes = new Map(log.map(({ sequence, hash }) => [sequence, hash]))
  return exported
    .filter(({ sequence, hash }) => hashes.get(sequence) !== hash)
    .map(({ sequence, txn }) => `entry ${sequence} (txn ${txn}) is missing from the log or differs from the export`)
}

function readExport(file: string): AuditEntry[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((text) => JSON.parse(text) as AuditEntry)
  } catch (error) {
    throw new UsageError(`${file} is not an export of an audit log: ${(error as Error).message}`, { cause: error })
  }
}

/** Whether the entries about one transaction of one client prove that its person authorized it. */
function proofFor(about: readonly AuditEntry[], what: string): string {
  const authorized = about.filter(isAuthorization)
  if (authorized.length === 0) return `Not authorized: the log is intact, and contains no authorization of ${what}.`
  return authorized
    .map(
      ({ person_id, client_id, at, acr, amr }) =>
        `Authorized by ${person_id} for client ${client_id} at ${when(at)}, by ${acr} (${amr}); the log is intact.`,
    )
    .join('\n')
}

const isAuthorization = ({ result }: AuditEntry) => result === 'authorized'

/** The entries of each client: transactions of two clients may have one txn. */
function byClient(about: readonly AuditEntry[]): [clientId: string, entries: AuditEntry[]][] {
  const clients = [...new Set(about.map(({ client_id }) => client_id))]
  return clients.map((id) => [id, about.filter(({ client_id }) => client_id === id)])
}

/** What the entries about a transaction prove, of each client by itself. @param client the one that was asked about */
function proof(term: string, about: readonly AuditEntry[], { problems }: Verdict, client?: string): string {
  if (problems.length > 0) return `Nothing is proven: the log cannot be shown to be intact.\n${problems.join('\n')}`
  const of = (id?: string) => (id === undefined ? term : `${term} for client ${id}`)
  if (about.length === 0) return proofFor([], of(client))
  return byClient(about)
    .map(([id, entries]) => proofFor(entries, of(id)))
    .join('\n')
}

/** `bank-idp audit`: proves or disproves that a transaction was authorized by its end-user. Specification: "Authentication" 11. */
export function auditCommands(program: Command, { print, write, fail }: Terminal): void {
  const audit = program.command('audit').description('the log of processed authorizations')
  const onLog = (name: string) =>
    audit
      .command(name)
      .option(...dataOption)
      .option(...storeOption)
      .option(...keyOption)
  onLog('list')
    .description('list the entries, oldest first')
    .action((flags: LogFlags) =>
      withAudit(flags, async (log) => {
        const { entries } = await log.examine()
        print(entries.map(line).join('\n') || 'the log contains no authorization')
      }),
    )
  onLog('show')
    .description('prove or disprove that a transaction was authorized')
    .argument('<term>', 'its txn, the hash of its text, envelope or a document, or the last part of its request_uri')
    .option('--client <client_id>', 'the client that asked for it; without this, each client is answered by itself')
    .action((term: string, { client, ...flags }: LogFlags & { client?: string }) =>
      withAudit(flags, async (log) => {
        const { entries, verdict } = await log.examine()
        const about = entriesAbout(entries, term).filter(
          ({ client_id }) => client === undefined || client_id === client,
        )
        for (const entry of about) print(whole(entry))
        print(proof(term, about, verdict, client))
        const proven = about.length > 0 && byClient(about).every(([, entries]) => entries.some(isAuthorization))
        if (verdict.problems.length > 0 || !proven) fail()
      }),
    )
  onLog('verify')
    .description('name each entry that was changed or removed')
    .option('--against <file>', 'also compare the log with an earlier export')
    .action(({ against, ...flags }: LogFlags & { against?: string }) =>
      withAudit(flags, async (log) => {
        const { entries, verdict } = await log.examine()
        const { anchor } = verdict
        const oldest = anchor?.sequence ?? 0
        const exported = against === undefined ? [] : readExport(against)
        const taken = exported.filter(({ sequence }) => sequence <= oldest)
        for (const { sequence, txn, at } of taken)
          print(`entry ${sequence} (txn ${txn}), made at ${when(at)}, was removed by retention`)
        const missing = missingFrom(
          entries,
          exported.filter(({ sequence }) => sequence > oldest),
        )
        const early = anchor ? takenEarly(anchor, taken) : []
        const problems = [...verdict.problems, ...early, ...missing]
        print(formatVerdict({ ...verdict, problems }))
        if (problems.length > 0) fail()
      }),
    )
  onLog('export')
    .description('write all entries, one JSON object per line')
    .option('--out <file>', 'the file to write to (default: standard output)')
    .action(({ out, ...flags }: LogFlags & { out?: string }) =>
      withAudit(flags, async (log) => {
        const lines = (await log.examine()).entries.map((entry) => JSON.stringify(entry))
        if (out === undefined) for (const one of lines) write(one)
        else writeFileSync(out, lines.map((one) => `${one}\n`).join(''), { mode: 0o600 })
      }),
    )
}
