import { type Kysely, type Migration, sql } from 'kysely'
import { engineOf } from './dialects/dialect.js'

/**
 * A change of rows that a version before may have kept. What came after it knows another engine too, whose stores never had such rows.
 */
export function changeOfRows(change: (db: Kysely<unknown>) => Promise<unknown>) {
  return async (db: Kysely<unknown>): Promise<void> => {
    if (engineOf(db).isFirst) await change(db)
  }
}

const sessionOfTokens = changeOfRows((db) =>
  sql`update provider_records set session_uid = json_extract(payload, '$.sessionUid')`.execute(db),
)

/** Found without a look at everybody's: a column took its place (0029). */
const indexAccounts = changeOfRows((db) =>
  sql`create index provider_records_account
    on provider_records (json_extract(payload, '$.accountId'))`.execute(db),
)

/** The changes of the schema that came first, in their order: see migrations.ts. */
export const firstMigrations: Record<string, Migration> = {
  '0001-first': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('secrets')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('value', 'text', (c) => c.notNull())
        .execute()
      await db.schema
        .createTable('keys')
        .addColumn('sequence', 'integer', (c) => c.primaryKey().autoIncrement())
        .addColumn('kid', 'text', (c) => c.notNull().unique())
        .addColumn('jwk', 'text', (c) => c.notNull())
        .addColumn('created_at', 'integer', (c) => c.notNull())
        .addColumn('retired_at', 'integer')
        .execute()
      await db.schema
        .createTable('clients')
        .addColumn('client_id', 'text', (c) => c.primaryKey())
        .addColumn('record', 'text', (c) => c.notNull())
        .addColumn('client_secret', 'text', (c) => c.notNull())
        .addColumn('registration_token_hash', 'text', (c) => c.notNull())
        .addColumn('issued_at', 'integer', (c) => c.notNull())
        .execute()
      await db.schema
        .createTable('consents')
        .addColumn('person_id', 'text', (c) => c.notNull())
        .addColumn('client_id', 'text', (c) => c.notNull())
        .addColumn('scope', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('consents_key', ['person_id', 'client_id'])
        .execute()
      await db.schema
        .createTable('assertion_ids')
        .addColumn('issuer', 'text', (c) => c.notNull())
        .addColumn('jti', 'text', (c) => c.notNull())
        .addColumn('expires_at', 'integer', (c) => c.notNull())
        .addPrimaryKeyConstraint('assertion_ids_key', ['issuer', 'jti'])
        .execute()
      await db.schema.createIndex('assertion_ids_expiry').on('assertion_ids').column('expires_at').execute()
      await db.schema
        .createTable('provider_records')
        .addColumn('model', 'text', (c) => c.notNull())
        .addColumn('id', 'text', (c) => c.notNull())
        .addColumn('payload', 'text', (c) => c.notNull())
        .addColumn('grant_id', 'text')
        .addColumn('client_id', 'text')
        .addColumn('uid', 'text')
        .addColumn('user_code', 'text')
        .addColumn('expires_at', 'integer')
        .addColumn('consumed_at', 'integer')
        .addPrimaryKeyConstraint('provider_records_key', ['model', 'id'])
        .execute()
      for (const column of ['grant_id', 'client_id', 'uid', 'user_code', 'expires_at']) {
        await db.schema.createIndex(`provider_records_${column}`).on('provider_records').column(column).execute()
      }
    },
  },
  '0002-outages': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('outages')
        .addColumn('part', 'text', (c) => c.primaryKey())
        .addColumn('starts_at', 'integer', (c) => c.notNull())
        .addColumn('ends_at', 'integer')
        .addColumn('reason', 'text')
        .execute()
      await db.schema
        .createTable('heartbeat')
        .addColumn('only', 'integer', (c) => c.primaryKey())
        .addColumn('beat_at', 'integer', (c) => c.notNull())
        .execute()
    },
  },
  '0003-outbox': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('outbox')
        .addColumn('sequence', 'integer', (c) => c.primaryKey().autoIncrement())
        .addColumn('receiver', 'text', (c) => c.notNull())
        .addColumn('client_id', 'text', (c) => c.notNull())
        .addColumn('person_id', 'text', (c) => c.notNull())
        .addColumn('content', 'text', (c) => c.notNull())
        .addColumn('jti', 'text')
        .addColumn('since_ms', 'integer', (c) => c.notNull())
        .addColumn('next_at_ms', 'integer', (c) => c.notNull())
        .addColumn('attempts', 'integer', (c) => c.notNull())
        .addColumn('problem', 'text')
        .addColumn('given_up_at_ms', 'integer')
        .execute()
      await db.schema.createIndex('outbox_line').on('outbox').columns(['receiver', 'person_id', 'next_at_ms']).execute()
      await db.schema.createIndex('outbox_receiver').on('outbox').columns(['receiver', 'sequence']).execute()
      await db.schema.createIndex('outbox_next').on('outbox').columns(['given_up_at_ms', 'next_at_ms']).execute()
      for (const column of ['jti', 'client_id']) {
        await db.schema.createIndex(`outbox_${column}`).on('outbox').column(column).execute()
      }
    },
  },
  '0004-session-of-tokens': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('provider_records').addColumn('session_uid', 'text').execute()
      await sessionOfTokens(db)
      await db.schema.createIndex('provider_records_session_uid').on('provider_records').column('session_uid').execute()
    },
  },
  '0005-people': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('people')
        .addColumn('person_id', 'text', (c) => c.primaryKey())
        .addColumn('claims', 'text', (c) => c.notNull())
        .addColumn('changes', 'text', (c) => c.notNull())
        .execute()
    },
  },
  '0008-signing': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('signing_requests')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('client_id', 'text', (c) => c.notNull())
        .addColumn('claims', 'text', (c) => c.notNull())
        .addColumn('jws', 'text', (c) => c.notNull())
        .addColumn('person_id', 'text')
        .addColumn('hinted_id', 'text')
        .addColumn('created_at', 'integer', (c) => c.notNull())
        .addColumn('expires_at', 'integer', (c) => c.notNull())
        .addColumn('decided_at', 'integer')
        .addColumn('grant_id', 'text', (c) => c.unique())
        .addColumn('certificate', 'text')
        .execute()
      await db.schema.createIndex('signing_requests_expiry').on('signing_requests').column('expires_at').execute()
      await db.schema
        .createTable('audit')
        .addColumn('sequence', 'integer', (c) => c.primaryKey().autoIncrement())
        .addColumn('at', 'integer', (c) => c.notNull())
        .addColumn('txn', 'text', (c) => c.notNull())
        .addColumn('request_id', 'text', (c) => c.notNull())
        .addColumn('client_id', 'text', (c) => c.notNull())
        .addColumn('person_id', 'text', (c) => c.notNull())
        .addColumn('subject', 'text', (c) => c.notNull())
        .addColumn('result', 'text', (c) => c.notNull())
        .addColumn('acr', 'text', (c) => c.notNull())
        .addColumn('amr', 'text', (c) => c.notNull())
        .addColumn('scope', 'text', (c) => c.notNull())
        .addColumn('structured_scope', 'text', (c) => c.notNull())
        .addColumn('request_object', 'text', (c) => c.notNull())
        .addColumn('previous_hash', 'text', (c) => c.notNull())
        .addColumn('hash', 'text', (c) => c.notNull())
        .execute()
      await db.schema.createIndex('audit_txn').on('audit').column('txn').execute()
      await db.schema
        .createTable('audit_anchor')
        .addColumn('sequence', 'integer', (c) => c.notNull())
        .addColumn('hash', 'text', (c) => c.notNull())
        .addColumn('at', 'integer', (c) => c.notNull())
        .execute()
      await engineOf(db).protectAudit(db)
    },
  },
  '0009-blocks': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('blocks')
        .addColumn('person_id', 'text', (c) => c.primaryKey())
        .addColumn('since', 'integer', (c) => c.notNull())
        .execute()
      await indexAccounts(db)
    },
  },
  '0011-reckoned-ages': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('people').addColumn('reckoned_from', 'text').execute()
    },
  },
}
