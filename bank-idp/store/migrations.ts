import { type Kysely, type Migration, sql } from 'kysely'
import { engineOf } from './dialects/dialect.js'
import { changeOfRows, firstMigrations } from './first-migrations.js'
import { hashIds } from './kept-ids.js'
import type { Tables } from './schema.js'

const redirectUrisOfClients = changeOfRows((db) =>
  sql`insert or ignore into redirect_uris
    select value, client_id from clients, json_each(clients.record, '$.redirect_uris')`.execute(db),
)

const accountsOfRecords = changeOfRows(async (db) => {
  await sql`update provider_records
    set account_id = json_extract(payload, '$.accountId'), ends_at = json_extract(payload, '$.exp')`.execute(db)
  await db.schema.dropIndex('provider_records_account').execute()
})

/** Every change of the schema in its order. One that has shipped is never edited: the next one corrects it. */
export const migrations: Record<string, Migration> = {
  ...firstMigrations,
  '0012-retired-keys': {
    // A key that signs no more needs its private half no more.
    up: changeOfRows((db) =>
      sql`update keys
        set jwk = json_remove(jwk, '$.d', '$.p', '$.q', '$.dp', '$.dq', '$.qi')
        where retired_at is not null and json_extract(jwk, '$.use') = 'sig'`.execute(db),
    ),
  },
  '0013-devices': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('devices')
        .addColumn('session_uid', 'text', (c) => c.primaryKey())
        .addColumn('device', 'text', (c) => c.notNull())
        .addColumn('person_id', 'text', (c) => c.notNull())
        .addColumn('signed_in_at', 'integer', (c) => c.notNull())
        .execute()
      await db.schema.createIndex('devices_device').on('devices').column('device').execute()
      await db.schema
        .createTable('device_blocks')
        .addColumn('device', 'text', (c) => c.primaryKey())
        .addColumn('since', 'integer', (c) => c.notNull())
        .execute()
    },
  },
  '0014-room-for-heartbeat': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('heartbeat').addColumn('room', 'blob').execute()
    },
  },
  '0015-outbox-lines': {
    async up(db: Kysely<unknown>) {
      // What stands behind the head of a line waits by the same time as the head.
      await sql`update outbox set next_at_ms = given_up_at_ms where given_up_at_ms is not null`.execute(db)
      await sql`update outbox
        set next_at_ms = (select max(line.next_at_ms) from outbox as line
          where line.receiver = outbox.receiver and line.person_id = outbox.person_id)
        where given_up_at_ms is null`.execute(db)
      await db.schema.dropIndex('outbox_receiver').execute()
      const columns = ['receiver', 'given_up_at_ms', 'next_at_ms']
      await db.schema.createIndex('outbox_due').on('outbox').columns(columns).execute()
    },
  },
  '0016-verification': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('people').addColumn('verification', 'text').execute()
    },
  },
  '0017-outages-one-after-the-other': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('outages').renameTo('outages_before').execute()
      await db.schema
        .createTable('outages')
        .addColumn('part', 'text', (c) => c.notNull())
        .addColumn('starts_at', 'integer', (c) => c.notNull())
        .addColumn('ends_at', 'integer')
        .addColumn('reason', 'text')
        .addPrimaryKeyConstraint('outages_key', ['part', 'starts_at'])
        .execute()
      await sql`insert into outages select part, starts_at, ends_at, reason from outages_before`.execute(db)
      await db.schema.dropTable('outages_before').execute()
    },
  },
  '0018-audit-retention': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('audit_anchor').addColumn('newest', 'integer').execute()
      await db.schema.alterTable('audit_anchor').addColumn('retention', 'integer').execute()
      await db.schema.alterTable('audit_anchor').addColumn('seal', 'text').execute()
    },
  },
  '0019-audit-authentication': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('audit_anchor').renameColumn('seal', 'authentication').execute()
    },
  },
  '0020-subjects-as-uuids': {
    async up(db: Kysely<unknown>) {
      // What clients know people by does not change: a store with a secret for subjects goes on making the digests that it made.
      await sql`update secrets set name = 'digests' where name = 'pairwise'`.execute(db)
    },
  },
  '0021-openid-alone': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable('consents')
        .addColumn('openid_alone', 'integer', (c) => c.notNull().defaultTo(0))
        .execute()
    },
  },
  '0022-ended-requests': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('ended_requests')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('client_id', 'text', (c) => c.notNull())
        .addColumn('redirect_uri', 'text')
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('expires_at', 'integer', (c) => c.notNull())
        .execute()
      await db.schema.createIndex('ended_requests_expiry').on('ended_requests').column('expires_at').execute()
    },
  },
  '0023-hashed-tokens': { up: changeOfRows((db) => hashIds(db as Kysely<Tables>)) },
  '0024-audit-seal': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('audit_seal')
        .addColumn('only', 'integer', (c) => c.primaryKey())
        .addColumn('seal', 'text', (c) => c.notNull())
        .execute()
    },
  },
  '0025-password-tries': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('password_tries')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('wrong', 'integer', (c) => c.notNull())
        .addColumn('ends_at', 'integer', (c) => c.notNull())
        .execute()
      await db.schema.createIndex('password_tries_end').on('password_tries').column('ends_at').execute()
    },
  },
  '0026-indexes-of-what-anybody-can-ask': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('redirect_uris')
        .addColumn('redirect_uri', 'text', (c) => c.notNull())
        .addColumn('client_id', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('redirect_uris_key', ['redirect_uri', 'client_id'])
        .execute()
      await db.schema.createIndex('redirect_uris_client').on('redirect_uris').column('client_id').execute()
      await redirectUrisOfClients(db)
      await engineOf(db).followRedirectUris(db)
      await sql`create index waiting_logins on provider_records (client_id) where model = 'Interaction'`.execute(db)
    },
  },
  '0027-waiting-logins': {
    async up(db: Kysely<unknown>) {
      await db.schema.dropIndex('waiting_logins').execute()
      await db.schema
        .createTable('waiting_logins')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('client_id', 'text', (c) => c.notNull())
        .addColumn('caller', 'text', (c) => c.notNull())
        .addColumn('gone_on', 'integer', (c) => c.notNull())
        .addColumn('expires_at', 'integer', (c) => c.notNull())
        .execute()
      const columns = ['client_id', 'caller', 'expires_at']
      await db.schema.createIndex('waiting_logins_caller').on('waiting_logins').columns(columns).execute()
    },
  },
  '0028-made-people': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('made_people')
        .addColumn('number', 'integer', (c) => c.primaryKey().autoIncrement())
        .addColumn('login', 'text', (c) => c.notNull().unique())
        .addColumn('person', 'text')
        .execute()
    },
  },
  '0029-accounts-of-records': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('provider_records').addColumn('account_id', 'text').execute()
      await db.schema.alterTable('provider_records').addColumn('ends_at', 'integer').execute()
      await accountsOfRecords(db)
      await db.schema.createIndex('provider_records_account_id').on('provider_records').column('account_id').execute()
    },
  },
  '0030-order-of-waiting-logins': {
    async up(db: Kysely<unknown>) {
      await db.schema.dropIndex('waiting_logins_caller').execute()
      await db.schema.alterTable('waiting_logins').renameTo('waiting_logins_before').execute()
      await db.schema
        .createTable('waiting_logins')
        .addColumn('number', 'integer', (c) => c.primaryKey().autoIncrement())
        .addColumn('id', 'text', (c) => c.notNull().unique())
        .addColumn('client_id', 'text', (c) => c.notNull())
        .addColumn('caller', 'text', (c) => c.notNull())
        .addColumn('gone_on', 'integer', (c) => c.notNull())
        .addColumn('expires_at', 'integer', (c) => c.notNull())
        .execute()
      await sql`insert into waiting_logins (id, client_id, caller, gone_on, expires_at)
        select id, client_id, caller, gone_on, expires_at from waiting_logins_before order by expires_at`.execute(db)
      await db.schema.dropTable('waiting_logins_before').execute()
      const columns = ['client_id', 'caller', 'expires_at']
      await db.schema.createIndex('waiting_logins_caller').on('waiting_logins').columns(columns).execute()
    },
  },
  '0031-indexes-of-what-records-have': {
    // Most records have few of these, and each index costs as much to write as the record.
    async up(db: Kysely<Tables>) {
      for (const column of ['grant_id', 'client_id', 'uid', 'user_code', 'session_uid', 'account_id'] as const) {
        const name = `provider_records_${column}`
        await db.schema.dropIndex(name).execute()
        await db.schema.createIndex(name).on('provider_records').column(column).where(column, 'is not', null).execute()
      }
    },
  },
  '0032-replicas': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('shared_state')
        .addColumn('number', 'integer', (c) => c.primaryKey().autoIncrement())
        .addColumn('topic', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('value', 'text', (c) => c.notNull())
        .addUniqueConstraint('shared_state_name', ['topic', 'name'])
        .execute()
      await db.schema
        .createTable('changes')
        .addColumn('number', 'integer', (c) => c.primaryKey().autoIncrement())
        .addColumn('topic', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .execute()
      await db.schema
        .createTable('throttles')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('since_ms', 'integer', (c) => c.notNull())
        .addColumn('at_ms', 'integer', (c) => c.notNull())
        .addColumn('amount', 'integer', (c) => c.notNull())
        .execute()
      await db.schema
        .createTable('refresh_requests')
        .addColumn('number', 'integer', (c) => c.primaryKey().autoIncrement())
        .addColumn('token', 'text', (c) => c.notNull())
        .addColumn('began_ms', 'integer', (c) => c.notNull())
        .addColumn('ended_ms', 'integer')
        .execute()
      await db.schema.createIndex('refresh_requests_token').on('refresh_requests').column('token').execute()
      await db.schema
        .createTable('shared_files')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('content', 'text', (c) => c.notNull())
        .execute()
    },
  },
  '0033-authentic-requests': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('signing_requests').addColumn('authentication', 'text').execute()
    },
  },
}
