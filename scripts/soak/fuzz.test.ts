import { fuzzBank } from './fuzz.js'

test('no request of a seeded fuzzing makes the bank fail, or the control door', async () => {
  const { failures, statuses } = await fuzzBank({
    requests: Number(process.env.FUZZ ?? 500),
    seed: Number(process.env.SEED ?? 20_261_125),
  })
  expect(failures).toEqual([])
  // Requests are not all refused at the door.
  for (const [endpoint, status] of [
    ['/auth', 302],
    ['/revoke', 200],
    ['/register', 200],
    ['/interaction', 200],
    ['door', 200],
  ] as const) {
    expect([endpoint, statuses.get(endpoint)?.has(status)]).toEqual([endpoint, true])
  }
}, 180_000)
