import { nowSeconds } from '../clock.js'
import type { Database } from './database.js'
import { prepared } from './prepared.js'

const blockOf = prepared(['device'], (db, { device }) =>
  db.selectFrom('device_blocks').select('since').where('device', '=', device),
)

const noteSignIn = prepared(['device', 'session_uid', 'person_id', 'signed_in_at'], (db, row) =>
  db
    .insertInto('devices')
    .values(row)
    .onConflict((conflict) => conflict.column('session_uid').doUpdateSet(row)),
)

/** A browser that somebody has signed in with. */
export interface Device {
  device: string
  /** Ids of those who signed in, and when each did so last, in seconds since the epoch. */
  people: { personId: string; signedInAt: number }[]
  /** Seconds since the epoch; absent while it is not blocked. */
  blockedSince?: number
}

/**
 * The browsers that people sign in with, as long as a login or a token of theirs lives, and those that are blocked (specification: "Token
 * kinds", rule 2: "for example a device is blocked").
 */
export class Devices {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Remembers a sign-in. @param sessionUid of the session that it made */
  async signedIn(device: string, sessionUid: string, personId: string): Promise<void> {
    await noteSignIn(this.#db, { device, session_uid: sessionUid, person_id: personId, signed_in_at: nowSeconds() })
  }

  async isBlocked(device: string): Promise<boolean> {
    return (await blockOf(this.#db, { device })).rows.length > 0
  }

  /** Uids of the sessions that were made with it. */
  async sessionsOf(device: string): Promise<string[]> {
    const rows = await this.#db.selectFrom('devices').select('session_uid').where('device', '=', device).execute()
    return rows.map(({ session_uid }) => session_uid)
  }

  /** Ids of those who signed in with it. */
  async peopleOf(device: string): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('devices')
      .select('person_id')
      .distinct()
      .where('device', '=', device)
      .execute()
    return rows.map(({ person_id }) => person_id)
  }

  /** Uids of the sessions that these people signed in to. */
  async sessionsOfPeople(ids: readonly string[]): Promise<string[]> {
    const rows = await this.#db.selectFrom('devices').select('session_uid').where('person_id', 'in', ids).execute()
    return rows.map(({ session_uid }) => session_uid)
  }

  /** Whether anything is known of it. */
  async isKnown(device: string): Promise<boolean> {
    return (await this.sessionsOf(device)).length > 0 || this.isBlocked(device)
  }

  async block(device: string): Promise<void> {
    await this.#db
      .insertInto('device_blocks')
      .values({ device, since: nowSeconds() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  async unblock(device: string): Promise<void> {
    await this.#db.deleteFrom('device_blocks').where('device', '=', device).execute()
  }

  /** All that are known, the one last used first. */
  async all(): Promise<Device[]> {
    const used = await this.#db
      .selectFrom('devices')
      .select(({ fn }) => ['device', 'person_id', fn.max('signed_in_at').as('signed_in_at')])
      .groupBy(['device', 'person_id'])
      .orderBy('signed_in_at', 'desc')
      .execute()
    const blocks = await this.#db.selectFrom('device_blocks').selectAll().orderBy('since', 'desc').execute()
    const names = [...new Set([...used, ...blocks].map(({ device }) => device))]
    return names.map((device) => {
      const people = used
        .filter((row) => row.device === device)
        .map(({ person_id, signed_in_at }) => ({ personId: person_id, signedInAt: Number(signed_in_at) }))
      const block = blocks.find((row) => row.device === device)
      return { device, people, ...(block && { blockedSince: block.since }) }
    })
  }
}
