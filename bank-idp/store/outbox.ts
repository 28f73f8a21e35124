import { randomUUID } from 'node:crypto'
import type { Selectable, Updateable } from 'kysely'
import { now } from '../clock.js'
import { type Database, inTransaction, maxRowsPerStatement } from './database.js'
import type { OutboxRow } from './schema.js'

/** A client is to be told that a person is logged out. */
export interface LogoutContent {
  kind: 'logout'
  sub: string
  sid?: string
}

/** A client is to be told that claims of a person have changed. */
export interface ClaimUpdateContent {
  kind: 'notification'
  /** Tells one change from another: what several clients hear of one change is told together. */
  change: string
  /** ISO 8601 with offset. */
  at: string
  sub: string
  claims: string[]
}

/** Something to be told to one client. */
export interface OutboxItem {
  /** Address that it is posted to. */
  receiver: string
  clientId: string
  /** Whom it is about: what is about one person arrives in order. */
  personId: string
  content: LogoutContent | ClaimUpdateContent
}

/** What one token carries: one logout, or a batch of claim updates. */
export interface Delivery {
  jti: string
  receiver: string
  /** How often it was sent, this time included. */
  attempts: number
  /** Milliseconds since the epoch. */
  since: number
  items: OutboxItem[]
}

/** A delivery as it is shown to people. */
export interface OutboxEntry {
  /** Absent while no token was made for it. */
  jti?: string
  kind: OutboxItem['content']['kind']
  receiver: string
  /** Number of events. */
  events: number
  attempts: number
  /** ISO 8601. */
  since: string
  /** ISO 8601; absent when it was given up. */
  next?: string
  given_up: boolean
  /** Why the last attempt failed. */
  problem?: string
}

/** Claim updates that one token carries at the most. */
export const maxEventsPerToken = 100

type Row = Selectable<OutboxRow>

/**
 * What the bank has to tell clients, from the transaction that caused it until it is delivered or given up. Rows of one receiver
 * and person form a line: while the head of a line waits for its next attempt, nothing behind it is sent. A whole line waits by the same
 * next_at_ms, so that what can be sent is found without a look at all that cannot.
 */
export class Outbox {
  readonly #db: Database
  #added: (receivers: string[]) => void = () => {}

  constructor(db: Database) {
    this.#db = db
  }

  /** Lines are read and moved as a whole. */
  #inTurn<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
    return inTransaction(this.#db, work, 'outbox')
  }

  /** Calls back with the receivers that there is something new for. */
  onAdded(callback: (receivers: string[]) => void): void {
    this.#added = callback
  }

  /**
   * Keeps what is to be told, in the transaction of its cause.
   * @param work writes the cause, and says what is to be told of it
   */
  async with(work: (db: Database) => Promise<OutboxItem[]>): Promise<void> {
    const receivers = await this.#inTurn(async (db) => {
      const at = now()
      const rows = (await work(db)).map(({ receiver, clientId, personId, content }) => ({
        receiver,
        client_id: clientId,
        person_id: personId,
        content: JSON.stringify(content),
        jti: content.kind === 'logout' ? randomUUID() : null,
        since_ms: at,
        attempts: 0,
      }))
      for (let begin = 0; begin < rows.length; begin += maxRowsPerStatement) {
        const some = rows.slice(begin, begin + maxRowsPerStatement)
        // What is new waits with what stands before it in its line.
        const insert = db.insertInto('outbox').values(({ fn, val, selectFrom }) =>
          some.map((row) => {
            const line = selectFrom('outbox as line')
              .select(({ fn: { max } }) => max('line.next_at_ms').as('next'))
              .where('line.receiver', '=', row.receiver)
              .where('line.person_id', '=', row.person_id)
            return { ...row, next_at_ms: fn.coalesce(line, val(at)) }
          }),
        )
        await insert.execute()
      }
      return rows.map(({ receiver }) => receiver)
    })
    this.#added([...new Set(receivers)])
  }

  /** Receivers that something can be sent to now. */
  async dueReceivers(): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('outbox')
      .select('receiver')
      .distinct()
      .where('given_up_at_ms', 'is', null)
      .where('next_at_ms', '<=', now())
      .execute()
    return rows.map(({ receiver }) => receiver)
  }

  /**
   * Takes the next delivery for a receiver. The attempt is noted before it is made: should the process die on the way, it counts as failed.
   * @param nextAttempt when it is tried again, in milliseconds since the epoch, by the number of this attempt
   */
  async take(receiver: string, nextAttempt: (attempt: number) => number): Promise<Delivery | undefined> {
    return this.#inTurn(async (db) => {
      const rows = await db
        .selectFrom('outbox')
        .selectAll()
        .where('receiver', '=', receiver)
        .where('given_up_at_ms', 'is', null)
        .where('next_at_ms', '<=', now())
        .orderBy('next_at_ms')
        .orderBy('sequence')
        .limit(2 * maxEventsPerToken)
        .execute()
      const [head] = rows
      if (!head) return undefined
      const chosen =
        head.jti === null
          ? batchOf(rows)
          : await db.selectFrom('outbox').selectAll().where('jti', '=', head.jti).orderBy('sequence').execute()
      const jti = head.jti ?? randomUUID()
      const attempts = head.attempts + 1
      await db
        .updateTable('outbox')
        .set({ jti, attempts })
        .where(
          'sequence',
          'in',
          chosen.map(({ sequence }) => sequence),
        )
        .execute()
      const delivery = { jti, receiver, attempts, since: head.since_ms, items: chosen.map(itemOf) }
      await sendLinesAt(db, delivery, nextAttempt(attempts))
      return delivery
    })
  }

  /** The delivery has arrived. */
  async delivered(delivery: Delivery): Promise<void> {
    await this.#inTurn(async (db) => {
      const { numDeletedRows } = await db.deleteFrom('outbox').where('jti', '=', delivery.jti).executeTakeFirst()
      // Of an attempt that outlived its time another may have told before: what is under way by now waits on.
      if (numDeletedRows > 0n) await sendLinesAt(db, delivery, now())
    })
  }

  /**
   * The receiver refused the whole token: each half is told anew, by a token of its own, until the event that it objects to is alone.
   * What was refused was not taken in, so that its jti counts as unheard. What is about one person stays together as long as it can,
   * for a line goes on only when its head has arrived.
   */
  async split(delivery: Delivery, problem: string): Promise<void> {
    await this.#inTurn(async (db) => {
      const rows = await db
        .selectFrom('outbox')
        .selectAll()
        .where('jti', '=', delivery.jti)
        .orderBy('sequence')
        .execute()
      if (rows.length === 0) return
      const persons = [...new Set(rows.map(({ person_id }) => person_id))]
      const place = (row: Row) => (persons.length > 1 ? persons.indexOf(row.person_id) : rows.indexOf(row))
      const half = (persons.length > 1 ? persons.length : rows.length) / 2
      for (const part of [rows.filter((row) => place(row) < half), rows.filter((row) => place(row) >= half)]) {
        const sequences = part.map(({ sequence }) => sequence)
        const anew = { jti: randomUUID(), problem }
        await db.updateTable('outbox').set(anew).where('sequence', 'in', sequences).execute()
      }
      await sendLinesAt(db, delivery, now())
    })
  }

  /** @param next when it is tried again, in milliseconds since the epoch; undefined gives it up */
  async failed(delivery: Delivery, problem: string, next: number | undefined): Promise<void> {
    const at = now()
    const outcome: Updateable<OutboxRow> = next === undefined ? { given_up_at_ms: at, next_at_ms: at } : {}
    await this.#inTurn(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('outbox')
        .set({ problem, ...outcome })
        .where('jti', '=', delivery.jti)
        .executeTakeFirst()
      if (numUpdatedRows > 0n) await sendLinesAt(db, delivery, next ?? at)
    })
  }

  /** Everything that is not delivered, oldest first. */
  async list(): Promise<OutboxEntry[]> {
    const rows = await this.#db.selectFrom('outbox').selectAll().orderBy('sequence').execute()
    const deliveries = new Map<string, Row[]>()
    for (const row of rows) {
      const key = row.jti ?? `${row.receiver} unmade`
      const delivery = deliveries.get(key)
      if (delivery) delivery.push(row)
      else deliveries.set(key, [row])
    }
    return [...deliveries.values()].flatMap((delivery) => (delivery[0] ? [entryOf(delivery[0], delivery.length)] : []))
  }

  /**
   * Takes up again what was given up.
   * @param jti of one delivery; all when left out
   * @returns how many events are taken up
   */
  async retry(jti?: string): Promise<number> {
    const query = this.#db
      .updateTable('outbox')
      .set(({ selectFrom }) => ({
        given_up_at_ms: null,
        attempts: 0,
        since_ms: now(),
        next_at_ms: selectFrom('outbox as line')
          .select(({ fn }) => fn.max('line.next_at_ms').as('next'))
          .whereRef('line.receiver', '=', 'outbox.receiver')
          .whereRef('line.person_id', '=', 'outbox.person_id'),
      }))
      .where('given_up_at_ms', 'is not', null)
    const { numUpdatedRows } = await (jti === undefined
      ? query
      : query.where('jti', '=', jti)
    ).executeTakeFirstOrThrow()
    this.#added(await this.dueReceivers())
    return Number(numUpdatedRows)
  }
}

/** When the lines that a delivery is of go on, in milliseconds since the epoch: its own events, and those behind them. */
async function sendLinesAt(db: Database, { receiver, items }: Delivery, at: number): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ next_at_ms: at })
    .where('receiver', '=', receiver)
    .where('person_id', 'in', [...new Set(items.map(({ personId }) => personId))])
    .where('given_up_at_ms', 'is', null)
    .execute()
}

/** As many claim updates as go into one token, none of which passes another of its line. */
function batchOf(rows: readonly Row[]): Row[] {
  const passed = new Set<string>()
  return rows
    .filter((row) => {
      if (row.jti === null && !passed.has(row.person_id)) return true
      passed.add(row.person_id)
      return false
    })
    .slice(0, maxEventsPerToken)
}

function itemOf({ receiver, client_id, person_id, content }: Row): OutboxItem {
  return { receiver, clientId: client_id, personId: person_id, content: JSON.parse(content) as OutboxItem['content'] }
}

function entryOf(
  { jti, receiver, content, attempts, since_ms, next_at_ms, given_up_at_ms, problem }: Row,
  events: number,
) {
  const { kind } = JSON.parse(content) as OutboxItem['content']
  return {
    ...(jti !== null && { jti }),
    kind,
    receiver,
    events,
    attempts,
    since: new Date(since_ms).toISOString(),
    ...(given_up_at_ms === null && { next: new Date(next_at_ms).toISOString() }),
    given_up: given_up_at_ms !== null,
    ...(problem !== null && { problem }),
  }
}
