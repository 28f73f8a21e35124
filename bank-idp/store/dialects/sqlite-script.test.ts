import { openDatabase } from '../database.js'
import { openSqlite } from '../sqlite.js'
import { engineOf } from './dialect.js'
import { scriptOf } from './sqlite.js'
import { scriptFor } from './sqlite-script.js'

test('a script makes the tables, rows, numbers, indexes and triggers of a store in another one', () => {
  const from = openSqlite(':memory:')
  from.exec(`create table "a b" (number integer primary key autoincrement, text text unique, bytes blob, real real);
    create table log (said text not null);
    create index by_text on "a b" (text, real);
    create trigger told after insert on "a b" begin insert into log values (coalesce(new.text, '')); end;
    insert into "a b" (number, text, bytes, real) values (7, 'it''s; "so"', x'00ff', 1.5), (9, null, null, null), (12, 'gone', null, null);
    delete from "a b" where number = 12`)
  const to = openSqlite(':memory:')
  to.exec(scriptFor(from))
  expect(scriptFor(to)).toBe(scriptFor(from))
  for (const table of ['"a b"', 'log', 'sqlite_sequence']) {
    expect(to.prepare(`select * from ${table}`).all()).toEqual(from.prepare(`select * from ${table}`).all())
  }
  to.exec('insert into "a b" (text) values (\'next\')')
  expect(to.prepare('select max(number) from "a b"').pluck().get()).toBe(13)
  expect(to.prepare('select said from log').pluck().all()).toEqual(['it\'s; "so"', '', 'gone', 'next'])
})

test('each store in memory is as the first one, and holds nothing of another', async () => {
  const first = await openDatabase(':memory:')
  const script = scriptOf(engineOf(first))
  await first.insertInto('blocks').values({ person_id: 'jana', since: 1 }).execute()
  const second = await openDatabase(':memory:')
  expect(scriptOf(engineOf(second))).toBe(script)
  expect(await second.selectFrom('blocks').selectAll().execute()).toEqual([])
  await Promise.all([first.destroy(), second.destroy()])
})
