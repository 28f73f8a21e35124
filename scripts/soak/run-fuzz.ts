import { parseArgs } from 'node:util'
import { fuzzBank } from './fuzz.js'

/**
 * Fuzzes the bank and its control door: node dist/scripts/soak/run-fuzz.js [--requests 100000] [--seed 1] [--only /token]. Prints what each
 * endpoint answered, each failure with the request that led to it, the slowest answer and the memory. 0 failures is the only good figure.
 */
const { values } = parseArgs({
  options: { requests: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
})
const seed = Number(values.seed ?? 1)
const { requests, statuses, failures, slowest, heap } = await fuzzBank({
  requests: Number(values.requests ?? 100_000),
  seed,
  only: values.only,
  onFailure: ({ endpoint, why, sent }) => console.log(`${endpoint}: ${why}\n${JSON.stringify(sent).slice(0, 4000)}\n`),
})
for (const [endpoint, counts] of statuses) {
  const told = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  console.log(`${endpoint.padEnd(24)} ${told.join('  ')}`)
}
console.log(`\n${requests} requests with seed ${seed}: ${failures.length} failures`)
console.log(`slowest answer ${slowest} ms; live memory ${heap.join(' -> ')} MB (with --expose-gc)`)
process.exitCode = failures.length === 0 ? 0 : 1
