import { parseArgs } from 'node:util'
import { type Fuzzed, fuzzBank } from './fuzz.js'

/**
 * Fuzzes the bank and its control door: node dist/scripts/soak/run-fuzz.js [--requests 100000] [--seed 1] [--only /token]
 * [--store postgres://…]. Prints each
 * failure with the request that led to it, as it goes how far it is, and at its end what each endpoint answered. 0 failures is the only good
 * figure.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    store: { type: 'string' },
  },
})
const seed = Number(values.seed ?? 1)
function told({ requests, failures, slowest, held: [before, now], rows: [most, left] }: Fuzzed): string {
  const memory = `live memory ${before.memory} -> ${now.memory} MB`
  const rows = `${most} rows at the most, ${left} left after all had ended`
  return `${requests} requests with seed ${seed}: ${failures.length} failures; slowest answer ${slowest} ms; ${memory}; ${rows}`
}

const fuzzed = await fuzzBank({
  requests: Number(values.requests ?? 100_000),
  seed,
  only: values.only,
  store: values.store,
  onProgress: (sofar) => console.log(told(sofar)),
  onFailure: ({ endpoint, why, sent }) => console.log(`${endpoint}: ${why}\n${JSON.stringify(sent).slice(0, 4000)}\n`),
})
for (const [endpoint, counts] of fuzzed.statuses) {
  const answered = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  console.log(`${endpoint.padEnd(24)} ${answered.join('  ')}`)
}
console.log(`\n${told(fuzzed)}`)
process.exitCode = fuzzed.failures.length === 0 ? 0 : 1
