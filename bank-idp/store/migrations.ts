import type { Kysely, Migration } from 'kysely'

/** Every change of the schema in its order. One that has shipped is never edited: the next one mends it. */
export const migrations: Record<string, Migration> = {
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
}
