import { TestPostgres } from '../../bank-idp/testing/postgres.js'
import { fuzzBank } from './fuzz.js'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await TestPostgres.start()
})
afterAll(() => postgres.stop())

test.each(['SQLite', 'PostgreSQL'])(
  'on %s no request of a seeded fuzzing makes the bank fail, or the control door, and nothing is left of it',
  async (engine) => {
    const { failures, statuses } = await fuzzBank({
      requests: Number(process.env.FUZZ ?? 500),
      seed: Number(process.env.SEED ?? 20_261_125),
      store: engine === 'PostgreSQL' ? await postgres.database() : undefined,
    })
    expect(failures).toEqual([])
    // Requests are not all refused at the door.
    for (const [endpoint, status] of [
      ['/auth', 302],
      ['/revoke', 200],
      ['/register', 200],
      ['/ros', 201],
      ['/interaction', 200],
      ['door', 200],
      ['door by its schemas', 200],
      ['client assertions', 200],
      ['key sets that it fetches', 200],
      ['sector documents that it fetches', 200],
      ['request objects that it fetches', 302],
    ] as const) {
      expect([endpoint, statuses.get(endpoint)?.has(status)]).toEqual([endpoint, true])
    }
  },
)
