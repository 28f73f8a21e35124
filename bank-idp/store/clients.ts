import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Client, ClientStore, RegisteredClient, RegistrationRecord } from '../client.js'
import { nowSeconds } from '../clock.js'
import { noteChange } from './changes.js'
import { type Database, inTransaction, writeAnew } from './database.js'
import { engineOf } from './dialects/dialect.js'
import { EncryptedValues } from './encrypted-values.js'
import { beginToEndTokens } from './provider-records.js'
import type { ClientRow } from './schema.js'

/** The records of oidc-provider by which somebody granted a client something, or that come of it. */
const grantedModels = ['AccessToken', 'AuthorizationCode', 'DeviceCode', 'Grant', 'RefreshToken'] as const

/** The client_id of every client, the first one registered first. */
export async function clientIds(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('clients').select('client_id').orderBy('issued_at').orderBy('client_id').execute()
  return rows.map(({ client_id }) => client_id)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** The registered clients. Those asked for last are kept in memory, since each request asks for one several times; who else writes them says so (changes.ts). */
export class Clients implements ClientStore {
  readonly #db: Database
  readonly #secrets: EncryptedValues
  readonly #known = new LRUCache<string, Client>({ max: 1_000 })
  readonly #ids = new Set<string>()
  /** How many times a client was changed: what was read before a change is not kept after it. */
  #changes = 0

  private constructor(db: Database, secrets: EncryptedValues) {
    this.#db = db
    this.#secrets = secrets
  }

  /**
   * Opens the store of clients. Their secrets cannot be kept as hashes: the answers to GET and PUT /register/{client_id} tell
   * them (specification: "Client registration record"), and client_secret_jwt verifies with them; so they are encrypted. Those that an
   * earlier version kept as they are are encrypted here.
   *
   * @throws {UsageError} when the secrets were encrypted under another key
   */
  static async open(db: Database, secrets: EncryptedValues): Promise<Clients> {
    const clients = new Clients(db, secrets)
    const rows = await db.selectFrom('clients').select(['client_id', 'client_secret']).execute()
    for (const { client_id } of rows) clients.#ids.add(client_id)
    const [encrypted] = rows.filter(({ client_secret }) => EncryptedValues.isEncrypted(client_secret))
    if (encrypted) clients.#secretOf(encrypted)
    const plain = rows.filter(({ client_secret }) => !EncryptedValues.isEncrypted(client_secret))
    if (plain.length === 0) return clients
    await inTransaction(db, async (transaction) => {
      for (const { client_id, client_secret } of plain) {
        await transaction
          .updateTable('clients')
          .set({ client_secret: secrets.encrypt(client_secret, client_id) })
          .where('client_id', '=', client_id)
          .execute()
      }
    })
    await writeAnew(db)
    return clients
  }

  async find(clientId: string): Promise<Client | undefined> {
    const known = this.#known.get(clientId)
    if (known) return known
    const changes = this.#changes
    const row = await this.#db.selectFrom('clients').selectAll().where('client_id', '=', clientId).executeTakeFirst()
    const client = row && this.#fromRow(row)
    if (client && changes === this.#changes) this.#known.set(clientId, client)
    return client
  }

  ids(): ReadonlySet<string> {
    return this.#ids
  }

  /** Whether any client registered this redirect URI. */
  async anyRegistered(redirectUri: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('redirect_uris')
      .select('client_id')
      .where('redirect_uri', '=', redirectUri)
      .executeTakeFirst()
    return row !== undefined
  }

  /**
   * Keeps a new client. Its registration access token has 256 random bits; its client_secret has 512, and 86 characters, whose octets are
   * the key of client_secret_jwt: strict libraries take no key shorter than the hash (RFC 7518 section 3.2).
   */
  async create(
    record: RegistrationRecord,
    clientSecret = randomBytes(64).toString('base64url'),
  ): Promise<RegisteredClient> {
    const registrationAccessToken = randomBytes(32).toString('base64url')
    const client: Client = {
      clientId: randomUUID(),
      record,
      clientSecret,
      issuedAt: nowSeconds(),
    }
    const row = {
      client_id: client.clientId,
      record: JSON.stringify(record),
      client_secret: this.#secrets.encrypt(client.clientSecret, client.clientId),
      registration_token_hash: sha256(registrationAccessToken),
      issued_at: client.issuedAt,
    }
    await this.#change(client.clientId, (db) => db.insertInto('clients').values(row).execute())
    this.#ids.add(client.clientId)
    return { ...client, registrationAccessToken }
  }

  /**
   * Keeps a client under a client_id and a client_secret that somebody chose, in place of what was kept of it. No registration access token is its.
   *
   * @param endsGrants as of {@link replace}
   */
  async put(clientId: string, record: RegistrationRecord, clientSecret: string, endsGrants = false): Promise<void> {
    const changed = {
      record: JSON.stringify(record),
      client_secret: this.#secrets.encrypt(clientSecret, clientId),
      registration_token_hash: sha256(randomBytes(32).toString('base64url')),
    }
    const keep = (db: Database) =>
      db
        .insertInto('clients')
        .values({ client_id: clientId, issued_at: nowSeconds(), ...changed })
        .onConflict((conflict) => conflict.column('client_id').doUpdateSet(changed))
        .execute()
    await this.#change(clientId, keep, endsGrants)
    this.#ids.add(clientId)
    this.#forget(clientId)
  }

  /** Whether the registration access token is the one issued for this client; compared in constant time. */
  async authorizes(clientId: string, registrationAccessToken: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('clients')
      .select('registration_token_hash')
      .where('client_id', '=', clientId)
      .executeTakeFirst()
    const given = Buffer.from(sha256(registrationAccessToken))
    return row !== undefined && timingSafeEqual(Buffer.from(row.registration_token_hash), given)
  }

  /** Puts the hash of a value that nobody knows in place of the token's. */
  async revokeRegistrationToken(registrationAccessToken: string): Promise<void> {
    await this.#db
      .updateTable('clients')
      .set({ registration_token_hash: sha256(randomBytes(32).toString('base64url')) })
      .where('registration_token_hash', '=', sha256(registrationAccessToken))
      .execute()
  }

  /**
   * Keeps another record of a client.
   *
   * @param endsGrants whether codes and tokens of before end with it, in the same transaction: people have other subs by the new record,
   *   and one grant tells one sub (OpenID Connect Core 5.3.2 and 12.2)
   */
  async replace(clientId: string, record: RegistrationRecord, endsGrants = false): Promise<void> {
    const keep = (db: Database) =>
      db
        .updateTable('clients')
        .set({ record: JSON.stringify(record) })
        .where('client_id', '=', clientId)
        .execute()
    await this.#change(clientId, keep, endsGrants)
    this.#forget(clientId)
  }

  /** Forgets the client and, in the same transaction, all that was granted to it. */
  async remove(clientId: string): Promise<void> {
    await inTransaction(this.#db, async (db) => {
      await beginToEndTokens(db)
      await db.deleteFrom('clients').where('client_id', '=', clientId).execute()
      await db.deleteFrom('consents').where('client_id', '=', clientId).execute()
      await db.deleteFrom('provider_records').where('client_id', '=', clientId).execute()
      await db.deleteFrom('signing_requests').where('client_id', '=', clientId).execute()
      await db.deleteFrom('ended_requests').where('client_id', '=', clientId).execute()
      await db.deleteFrom('outbox').where('client_id', '=', clientId).execute()
      await noteChange(db, 'clients', clientId)
    })
    this.#ids.delete(clientId)
    this.#forget(clientId)
  }

  /** Reads what another replica changed. */
  async changed(clientId: string): Promise<void> {
    this.#forget(clientId)
    const there = await this.#db
      .selectFrom('clients')
      .select('client_id')
      .where('client_id', '=', clientId)
      .executeTakeFirst()
    if (there) this.#ids.add(clientId)
    else this.#ids.delete(clientId)
  }

  async reload(): Promise<void> {
    this.doubt()
    const ids = await clientIds(this.#db)
    this.#ids.clear()
    for (const id of ids) this.#ids.add(id)
  }

  /** Each client is read anew. */
  doubt(): void {
    this.#changes += 1
    this.#known.clear()
  }

  /** Changes the row of a client, and lets other replicas know where there may be any: else a statement needs no transaction of its own. */
  async #change(clientId: string, work: (db: Database) => Promise<unknown>, endsGrants = false): Promise<void> {
    if (!engineOf(this.#db).isShared && !endsGrants) return void (await work(this.#db))
    await inTransaction(this.#db, async (db) => {
      if (endsGrants) await beginToEndTokens(db)
      await work(db)
      if (endsGrants) {
        const ofClient = db.deleteFrom('provider_records').where('client_id', '=', clientId)
        await ofClient.where('model', 'in', [...grantedModels]).execute()
      }
      await noteChange(db, 'clients', clientId)
    })
  }

  #forget(clientId: string): void {
    this.#changes += 1
    this.#known.delete(clientId)
  }

  #fromRow(row: ClientRow): Client {
    return {
      clientId: row.client_id,
      record: JSON.parse(row.record) as RegistrationRecord,
      clientSecret: this.#secretOf(row),
      issuedAt: row.issued_at,
    }
  }

  #secretOf({ client_id, client_secret }: Pick<ClientRow, 'client_id' | 'client_secret'>): string {
    return this.#secrets.open(client_secret, client_id, `the secret of client ${client_id}`)
  }
}
