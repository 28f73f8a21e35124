import { nowSeconds } from '../clock.js'
import { openDatabase } from './database.js'
import { ProviderRecords } from './provider-records.js'
import { sweep } from './sweeper.js'

test('what has expired is swept, in more than one batch, and what lives is left', async () => {
  const db = await openDatabase(':memory:')
  const records = new ProviderRecords(db, 'key')
  for (let i = 0; i < 1100; i += 1) await records.upsert('AccessToken', `dead-${i}`, {}, -1)
  await records.upsert('AccessToken', 'alive', {}, 3600)
  await records.upsert('Session', 'without-end', {})
  await db
    .insertInto('assertion_ids')
    .values({ issuer: 'a', jti: 'dead', expires_at: nowSeconds() - 1 })
    .execute()
  await db
    .insertInto('assertion_ids')
    .values({ issuer: 'a', jti: 'alive', expires_at: nowSeconds() + 60 })
    .execute()
  await records.upsert('RefreshToken', 'offline', { sessionUid: 'of a token' }, 3600)
  await records.upsert('Session', 'open', { uid: 'of a login' }, 3600)
  const signedIn = { device: 'a', person_id: 'p', signed_in_at: 0 }
  const sessions = ['over', 'of a token', 'of a login']
  await db
    .insertInto('devices')
    .values(sessions.map((session_uid) => ({ ...signedIn, session_uid })))
    .execute()
  expect(await sweep(db)).toBe(1102)
  const known = await db.selectFrom('devices').select('session_uid').orderBy('session_uid').execute()
  expect(known.map(({ session_uid }) => session_uid)).toEqual(['of a login', 'of a token'])
  const left = await db.selectFrom('provider_records').select('model').orderBy('model').execute()
  expect(left.map(({ model }) => model)).toEqual(['AccessToken', 'RefreshToken', 'Session', 'Session'])
  expect(await db.selectFrom('assertion_ids').select('jti').execute()).toEqual([{ jti: 'alive' }])
  await db.destroy()
})
