import { randomBytes } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import { nowSeconds } from '../clock.js'
import { BankError } from '../errors.js'
import type { EndedRequest, RequestClaims, SigningRequest } from '../signing-request.js'
import { Audit, appendEntry, auditLog, type Decision } from './audit.js'
import type { AuditSeal } from './audit-seal.js'
import { type Database, inTransaction, maxRowsPerStatement } from './database.js'
import type { EncryptedValues } from './encrypted-values.js'
import { prepared } from './prepared.js'
import type { SigningRequestRow, Tables } from './schema.js'

type NewRequest = Pick<SigningRequest, 'clientId' | 'claims' | 'jws' | 'personId' | 'hintedId' | 'certificate'> & {
  /** Seconds. */
  lifetime: number
}

type Row = Selectable<SigningRequestRow>

/** What does not change of a request, and is said of it in the audit log. */
function authenticatedText(row: Row): string {
  const { authentication: _, decided_at: __, grant_id: ___, ...lasting } = row
  return JSON.stringify(Object.entries(lasting).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** What the authentication of a request belongs to. */
const owner = 'signing request'

function fromRow(row: Row): SigningRequest {
  return {
    id: row.id,
    clientId: row.client_id,
    claims: JSON.parse(row.claims) as RequestClaims,
    jws: row.jws,
    ...(row.person_id !== null && { personId: row.person_id }),
    ...(row.hinted_id !== null && { hintedId: row.hinted_id }),
    expiresAt: row.expires_at,
    decided: row.decided_at !== null,
    ...(row.certificate !== null && { certificate: row.certificate }),
  }
}

const finding = (by: 'id' | 'grant_id') =>
  prepared(['value'], (db, { value }) => db.selectFrom('signing_requests').selectAll().where(by, '=', value))

const findBy = { id: finding('id'), grant_id: finding('grant_id') }

/** The request objects that wait for their person, and those decided until they are swept. */
export class SigningRequests {
  readonly #db: Database
  readonly #audit: Audit
  readonly #retention: number
  readonly #encryptedValues: EncryptedValues
  readonly #seal: AuditSeal

  /** @param retention how long audit entries are kept, in seconds */
  constructor(db: Database, retention: number, encryptedValues: EncryptedValues, seal: AuditSeal) {
    this.#db = db
    this.#audit = new Audit(db, { encryptedValues, seal })
    this.#retention = retention
    this.#encryptedValues = encryptedValues
    this.#seal = seal
  }

  /** Keeps a request object under an id of its own. */
  async add({ clientId, claims, jws, personId, hintedId, certificate, lifetime }: NewRequest): Promise<SigningRequest> {
    const row: Row = {
      id: randomBytes(32).toString('base64url'),
      client_id: clientId,
      claims: JSON.stringify(claims),
      jws,
      person_id: personId ?? null,
      hinted_id: hintedId ?? null,
      created_at: nowSeconds(),
      expires_at: nowSeconds() + lifetime,
      decided_at: null,
      grant_id: null,
      certificate: certificate ?? null,
      authentication: null,
    }
    const authentication = this.#encryptedValues.authenticate(authenticatedText(row), owner)
    await this.#db
      .insertInto('signing_requests')
      .values({ ...row, authentication })
      .execute()
    return fromRow(row)
  }

  async find(id: string): Promise<SigningRequest | undefined> {
    const { rows } = await findBy.id(this.#db, { value: id })
    return rows[0] && this.#believed(rows[0])
  }

  /** The request object whose authorization became a grant; undefined for grants of other flows. */
  async ofGrant(grantId: string): Promise<SigningRequest | undefined> {
    const { rows } = await findBy.grant_id(this.#db, { value: grantId })
    return rows[0] && this.#believed(rows[0])
  }

  /**
   * A request as the bank wrote it. One that an earlier version took and that is decided comes into no log any more.
   *
   * @throws {Error} where somebody else wrote to it: what a person is shown, and what the log then says, is what the client signed
   */
  #believed(row: Row): SigningRequest {
    const { authentication, decided_at } = row
    const isOlder = authentication === null && decided_at !== null
    if (!isOlder && !this.#encryptedValues.isAuthentic(authenticatedText(row), owner, authentication))
      throw new Error(`the request object ${row.id} in the store is not what the bank wrote: somebody else changed it`)
    return fromRow(row)
  }

  /**
   * Decides a request object, and writes the audit entry in the same transaction: there is never one without the other.
   *
   * @param judge throws when the request as it is then must not be decided; of several that race exactly one finds it undecided
   * @param grantId the grant that carries the authorization; undefined when it was refused
   * @param write writes what follows from the decision, in the same transaction too
   */
  async decide(
    { id }: SigningRequest,
    decision: Decision,
    judge: (request: SigningRequest) => Promise<void>,
    grantId?: string,
    write: (db: Database) => Promise<void> = async () => {},
  ): Promise<void> {
    const work = async (db: Transaction<Tables>) => {
      const {
        rows: [row],
      } = await findBy.id(db, { value: id })
      if (!row)
        throw new BankError('invalid_request_uri', 'request_uri is unknown').refusedBy('authorize/request-known')
      const request = this.#believed(row)
      await judge(request)
      await db
        .updateTable('signing_requests')
        .set({ decided_at: nowSeconds(), grant_id: grantId ?? null })
        .where('id', '=', id)
        .execute()
      const sealed = await this.#seal.renew(db, () => appendEntry(db, request, decision))
      await write(db)
      return sealed
    }
    await this.#seal.copy(this.#db, await inTransaction(this.#db, work, auditLog))
  }

  /** What is left of a request object that was swept; undefined when there was none. */
  async ended(id: string): Promise<EndedRequest | undefined> {
    const row = await this.#db.selectFrom('ended_requests').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) return undefined
    const { client_id, redirect_uri, state } = row
    return { clientId: client_id, state, ...(redirect_uri !== null && { redirectUri: redirect_uri }) }
  }

  /**
   * Takes away audit entries whose time is over, and requests past their end, save those whose grant lives: what its tokens are bound to
   * stands here. Where a person can be sent back to who comes too late is kept as long as an entry.
   */
  async sweep(): Promise<void> {
    const at = nowSeconds()
    const work = async (db: Transaction<Tables>) => {
      const over = db
        .selectFrom('signing_requests')
        .where('expires_at', '<', at)
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom('provider_records')
                .select('provider_records.id')
                .where('model', '=', 'Grant')
                .whereRef('provider_records.id', '=', 'signing_requests.grant_id'),
            ),
          ),
        )
      const some = over.select(['id', 'client_id', 'claims', 'expires_at']).limit(maxRowsPerStatement)
      for (let rows = await some.execute(); rows.length > 0; rows = await some.execute()) {
        const ended = rows.map(({ claims, ...row }) => {
          const { redirect_uri = null, state } = JSON.parse(claims) as RequestClaims
          return { ...row, redirect_uri, state }
        })
        await db.insertInto('ended_requests').values(ended).execute()
        const ids = rows.map(({ id }) => id)
        await db.deleteFrom('signing_requests').where('id', 'in', ids).execute()
      }
      await db
        .deleteFrom('ended_requests')
        .where('expires_at', '<', at - this.#retention)
        .execute()
    }
    await inTransaction(this.#db, work, 'sweep of requests')
    await this.#audit.removeOlderThan(this.#retention)
  }
}
