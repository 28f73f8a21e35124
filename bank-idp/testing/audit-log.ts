import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DataDirectory, files } from '../keys/data-directory.js'
import type { RequestClaims, SigningRequest } from '../signing-request.js'
import type { Decision } from '../store/audit.js'
import { AuditSeal } from '../store/audit-seal.js'
import { type Database, openDatabase } from '../store/database.js'
import { EncryptedValues } from '../store/encrypted-values.js'
import { SigningRequests } from '../store/signing-requests.js'
import { openSqlite } from '../store/sqlite.js'
import { run } from './command.js'
import { signObject } from './request-objects.js'

/** How long entries of the log are kept, in seconds. */
export const retention = 10 * 86_400

export const decision: Decision = {
  result: 'authorized',
  personId: 'p-1',
  subject: 's-1',
  acr: 'loa3',
  amr: ['pwd', 'swk'],
  scope: 'openid authorization',
}

export async function undecided({ decided }: { decided: boolean }): Promise<void> {
  if (decided) throw new Error('decided before')
}

export function claims(structured_scope: object = { signObject: signObject() }): RequestClaims {
  return {
    txn: randomUUID(),
    client_id: 'c-1',
    nonce: 'n',
    state: 's',
    response_type: 'code',
    acr_values: 'loa3',
    max_age: 60,
    structured_scope,
  }
}

/** A request object as a client sends it; nothing of the log looks at its signature. */
export function jwsOf(claims: RequestClaims): string {
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.AA`
}

/** The data directory of a bank that authorizes request objects and does nothing else, with its log. */
export class AuditLog {
  readonly data: string
  readonly db: Database
  readonly requests: SigningRequests
  readonly seal: AuditSeal

  private constructor(data: string, db: Database, requests: SigningRequests, seal: AuditSeal) {
    this.data = data
    this.db = db
    this.requests = requests
    this.seal = seal
  }

  /** Starts a bank in a directory; to be closed. @param key of the store, where it is kept elsewhere */
  static async open(data = mkdtempSync(join(tmpdir(), 'bank-idp-audit-')), key?: Buffer): Promise<AuditLog> {
    const directory = new DataDirectory(data)
    const db = await openDatabase(directory.resolve(files.store))
    const encryptedValues = new EncryptedValues(key ?? directory.storeKey())
    const seal = new AuditSeal(encryptedValues, directory.auditSeal(key !== undefined))
    await seal.begin(db)
    return new AuditLog(data, db, new SigningRequests(db, retention, encryptedValues, seal), seal)
  }

  close(): Promise<void> {
    return this.db.destroy()
  }

  /** Takes a request object. */
  add(changes: Partial<RequestClaims> = {}): Promise<SigningRequest> {
    const made = { ...claims(), ...changes }
    return this.requests.add({ clientId: made.client_id, claims: made, jws: jwsOf(made), lifetime: 60 })
  }

  /** Decides a request object. @returns its txn */
  async decided(
    changes: Partial<Decision> = {},
    structured_scope?: object,
    { clientId = 'c-1', txn = randomUUID() }: { clientId?: string; txn?: string } = {},
  ): Promise<string> {
    const request = await this.add({ ...claims(structured_scope), txn, client_id: clientId })
    await this.requests.decide(request, { ...decision, ...changes }, undecided, randomUUID())
    return txn
  }

  /** Runs `bank-idp audit`. */
  audit(...args: string[]): ReturnType<typeof run> {
    return run('audit', ...args, '--data', this.data)
  }

  /** What someone with the file of the store does to it. */
  byHand(...statements: string[]): void {
    const sqlite = openSqlite(join(this.data, files.store))
    for (const statement of statements) sqlite.exec(statement)
    sqlite.close()
  }
}
