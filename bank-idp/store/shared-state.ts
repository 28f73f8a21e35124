import type { Log } from '../log.js'
import type { Shared, SharedPart } from '../shared.js'
import { PostgresTrouble } from '../store-trouble.js'
import { noteChange, type TableTopic } from './changes.js'
import { type Database, inTransaction } from './database.js'
import { prepared } from './prepared.js'

/** Something that each replica remembers of a table. */
export interface RememberedTable {
  /** Reads what was changed. */
  changed(name: string): Promise<void> | void
  /** Reads all of it. */
  reload(): Promise<void> | void
  /** What is remembered may be out of date: what the store can be asked for at each use is forgotten. */
  doubt?(): void
}

/** Milliseconds within which a replica that nobody asks anything learns what changed. */
const pollMs = 1_000

/** Changes that are kept for replicas that were away: of more they read all anew. */
const keptChanges = 1_000

const changesAfter = prepared(['number'], (db, { number }) =>
  db
    .selectFrom('changes')
    .selectAll()
    .where('number', '>', number)
    .orderBy('number')
    .limit(keptChanges + 1),
)

/** {@link Shared} among the processes that use one store. */
export class SharedState implements Shared {
  readonly #db: Database
  readonly #log: Log
  readonly #remembered = new Map<string, RememberedTable>()
  /** The last change that was taken up. */
  #last: number
  /** Whether something may have been missed. */
  #behind = false
  #reading: Promise<void> = Promise.resolve()
  /** The reading that has not begun: it learns of all that was told before it was asked for. */
  #next: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #polling: Promise<void> = Promise.resolve()

  private constructor(db: Database, log: Log, last: number) {
    this.#db = db
    this.#log = log
    this.#last = last
  }

  /**
   * What is read of the store from now on is no older than what is told of changes.
   *
   * @param isFirst whether no other replica runs: what those were told that are gone is forgotten, as by a bank that is started anew
   */
  static async begin(db: Database, log: Log, isFirst: boolean): Promise<SharedState> {
    if (isFirst) await db.deleteFrom('shared_state').execute()
    return new SharedState(db, log, await lastChange(db))
  }

  /** What all replicas have alike: the first one says it. @returns what was said */
  async agree(topic: string, value: string): Promise<string> {
    const said = () => this.#db.selectFrom('shared_state').select('value').where('topic', '=', topic).executeTakeFirst()
    const known = await said()
    if (!known) await this.tell(topic, '', value)
    return known?.value ?? value
  }

  /** Names who remembers what is in tables of their own. */
  rememberTables(tables: Readonly<Record<TableTopic, RememberedTable>>): void {
    for (const [topic, table] of Object.entries(tables)) this.#remembered.set(topic, table)
  }

  async remember(topic: string, part: SharedPart): Promise<void> {
    const known = () => this.#db.selectFrom('shared_state').select(['name', 'value']).where('topic', '=', topic)
    const remembered: RememberedTable = {
      async changed(name) {
        const row = await known().where('name', '=', name).executeTakeFirst()
        part.takeUp(name, row?.value)
      },
      async reload() {
        const rows = await known().orderBy('number').execute()
        part.forget()
        for (const { name, value } of rows) part.takeUp(name, value)
      },
    }
    this.#remembered.set(topic, remembered)
    for (const { name, value } of await known().orderBy('number').execute()) part.takeUp(name, value)
  }

  async tell(topic: string, name: string, value: string | null): Promise<void> {
    await this.#alone(topic, name, (db) => this.#put(db, topic, name, value))
    // Meanwhile what was known before may have been taken up once more.
    await this.fresh()
  }

  async change(topic: string, name: string, work: (value: string) => string | null | undefined): Promise<boolean> {
    return this.#alone(topic, name, async (db) => {
      const row = await db
        .selectFrom('shared_state')
        .select('value')
        .where('topic', '=', topic)
        .where('name', '=', name)
        .executeTakeFirst()
      const changed = row && work(row.value)
      if (changed === undefined) return false
      await this.#put(db, topic, name, changed)
      return true
    })
  }

  /** Does something with a name that no other replica does meanwhile. Where it fails, what is remembered here may not be what the store has. */
  async #alone<Result>(topic: string, name: string, work: (db: Database) => Promise<Result>): Promise<Result> {
    try {
      return await inTransaction(this.#db, work, `${topic} ${name}`)
    } catch (error) {
      this.#behind = true
      throw error
    }
  }

  async #put(db: Database, topic: string, name: string, value: string | null): Promise<void> {
    // The one that is told last comes last where all is read.
    await db.deleteFrom('shared_state').where('topic', '=', topic).where('name', '=', name).execute()
    if (value !== null) await db.insertInto('shared_state').values({ topic, name, value }).execute()
    await noteChange(db, topic, name)
  }

  fresh(): Promise<void> {
    const read = () => {
      this.#next = undefined
      this.#reading = this.#read()
      return this.#reading
    }
    this.#next ??= this.#reading.then(read, read)
    return this.#next
  }

  start(also: () => Promise<void>): void {
    this.#timer ??= setInterval(() => {
      this.#polling = this.#polling
        .then(() => this.fresh())
        .then(also)
        .catch(({ message, stack }: Error) => this.#log({ event: 'error', message, stack }))
    }, pollMs).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#polling
    await this.#reading.catch(() => {})
  }

  /** Forgets the changes that every replica has learned of. */
  async sweep(): Promise<void> {
    const before = (await lastChange(this.#db)) - keptChanges
    await this.#db.deleteFrom('changes').where('number', '<', before).execute()
  }

  /** What cannot be read now is read as soon as it can: until then nothing is remembered that the store would have to be asked for. */
  async #read(): Promise<void> {
    try {
      const { rows } = await changesAfter(this.#db, { number: this.#last })
      const [first, last] = [rows[0], rows.at(-1)]
      // Numbers that are missing were of transactions that came to nothing, or of changes that are swept.
      const missed = rows.length > keptChanges || (first !== undefined && first.number > this.#last + 1)
      if (this.#behind || missed) return await this.#reload()
      for (const { topic, name } of rows) await this.#remembered.get(topic)?.changed(name)
      this.#last = last?.number ?? this.#last
    } catch (error) {
      this.#behind = true
      for (const remembered of this.#remembered.values()) remembered.doubt?.()
      if (!(error instanceof PostgresTrouble)) throw error
    }
  }

  async #reload(): Promise<void> {
    const last = await lastChange(this.#db)
    for (const remembered of this.#remembered.values()) await remembered.reload()
    this.#last = last
    this.#behind = false
  }
}

async function lastChange(db: Database): Promise<number> {
  const row = await db
    .selectFrom('changes')
    .select(({ fn }) => fn.max('number').as('last'))
    .executeTakeFirst()
  return Number(row?.last ?? 0)
}
