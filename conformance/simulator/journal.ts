import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { TargetError } from '../target/target-error.js'

/** A client that the service registered at a bank. */
export interface ClientEntry {
  kind: 'client'
  issuer: string
  /** What the service calls it. */
  name: string
  /** Whether the bank itself is the service provider: what it does then is the bank's own usage. */
  own: boolean
  /** Whether it is the one that has objects authorized. */
  signs?: boolean
  clientId: string
  redirectUri: string
}

/** A login that was completed: a record of the statistics. */
export interface LoginEntry {
  kind: 'login'
  /** ISO 8601. */
  at: string
  issuer: string
  clientId: string
  idpSub: string
  sepSub: string
  /** Tells one person from another across banks. */
  person: string
  /** The bank's transaction number, when the bank gave one. */
  txn?: string
  /** The bank's name of the browser session, when it gave one. */
  sid?: string
}

export type Entry =
  | ClientEntry
  | LoginEntry
  /** The bank no longer knows the client. */
  | { kind: 'client-gone'; issuer: string; clientId: string }
  /** The bank was the service provider in this transaction. */
  | { kind: 'own-usage'; issuer: string; txn: string }
  | { kind: 'logout'; at: string; issuer: string; jti: string; clientIds: string[]; sub?: string; sid?: string }
  | { kind: 'front-channel-logout'; at: string; issuer: string; sid?: string }
  | { kind: 'notification'; at: string; issuer: string; jti: string; events: unknown[] }
  | { kind: 'assertion'; issuer: string; jti: string }

type OfKind<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>
type WithJti = Extract<Entry, { jti: string }>['kind']

const file = 'journal.jsonl'

/**
 * All that the service keeps: one line of JSON for each thing that happened, on disk before anyone is told that it was taken in. A line
 * that a crash cut short never counted, and is dropped at the next start.
 */
export class Journal {
  readonly #entries: Entry[] = []
  readonly #byJti = new Map<string, Entry>()
  readonly #descriptor: number | undefined

  /**
   * @param directory made when missing; without one everything is forgotten with the process
   * @throws TargetError when the directory cannot be used or the journal in it is damaged
   */
  constructor(directory?: string) {
    if (directory === undefined) return
    const path = join(directory, file)
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
      const whole = text.slice(0, text.lastIndexOf('\n') + 1)
      for (const line of whole.split('\n').slice(0, -1)) this.#remember(JSON.parse(line) as Entry)
      if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole))
      this.#descriptor = openSync(path, 'a', 0o600)
    } catch (error) {
      throw new TargetError([`--data ${directory}: ${error instanceof Error ? error.message : error}`])
    }
  }

  /** Keeps something that happened. It is on disk when this returns. */
  append(entry: Entry): void {
    if (this.#descriptor !== undefined) {
      writeSync(this.#descriptor, `${JSON.stringify(entry)}\n`)
      fsyncSync(this.#descriptor)
    }
    this.#remember(entry)
  }

  /** What happened of a kind, in order. */
  of<Kind extends Entry['kind']>(kind: Kind): OfKind<Kind>[] {
    return this.#entries.filter((entry): entry is OfKind<Kind> => entry.kind === kind)
  }

  /** What an issuer's jti was taken in with. */
  taken<Kind extends WithJti>(kind: Kind, issuer: string, jti: string): OfKind<Kind> | undefined {
    return this.#byJti.get(jtiKey(kind, issuer, jti)) as OfKind<Kind> | undefined
  }

  /** The clients that the service has at a bank now. */
  clients(issuer: string): ClientEntry[] {
    const gone = new Set(this.of('client-gone').map(({ clientId }) => clientId))
    return this.of('client').filter((entry) => entry.issuer === issuer && !gone.has(entry.clientId))
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
  }

  #remember(entry: Entry): void {
    this.#entries.push(entry)
    if ('jti' in entry) this.#byJti.set(jtiKey(entry.kind, entry.issuer, entry.jti), entry)
  }
}

function jtiKey(kind: string, issuer: string, jti: string): string {
  return JSON.stringify([kind, issuer, jti])
}
