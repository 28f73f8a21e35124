import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBank } from '../../bank-idp/bank.js'
import { People } from '../../bank-idp/people.js'
import { packageFile } from '../../schemas/package-file.js'

/**
 * Shows that a lookup costs the same however many people there are: node dist/scripts/benchmarks/people.js [number, default 100000].
 * Prints how long loading and the start of a bank take, and the median time of a lookup with the bundled people alone and with all.
 */
const number = Number(process.argv[2] ?? 100_000)
const folder = mkdtempSync(join(tmpdir(), 'people-'))

function medianNanoseconds(people: People): number {
  const everyone = people.all()
  // As many as there are bundled, from all over: what differs is the number of the others.
  const sample = Array.from({ length: 25 }, (_, i) => everyone[Math.floor((i * everyone.length) / 25)])
  const times = Array.from({ length: 20_000 }, (_, i) => {
    const { id, login } = sample[i % sample.length] ?? { id: '', login: '' }
    const began = process.hrtime.bigint()
    if (people.byId(id) === undefined || people.byLogin(login) === undefined) throw new Error(`${login} is not found`)
    return Number(process.hrtime.bigint() - began)
  })
  return times.sort((a, b) => a - b)[times.length / 2] ?? 0
}

try {
  const petr = JSON.parse(readFileSync(packageFile('fixtures/people/petr.json'), 'utf8'))
  for (let i = 0; i < number; i += 1) {
    const person = { ...petr, id: randomUUID(), login: `person-${i}` }
    writeFileSync(join(folder, `${i}.json`), JSON.stringify(person))
  }
  const bundled = new People()
  const began = performance.now()
  const all = new People(folder)
  console.log(`loaded ${all.all().length} people in ${Math.round(performance.now() - began)} ms`)
  const started = performance.now()
  await (await createBank({ people: folder })).close()
  console.log(`a bank with them starts in ${Math.round(performance.now() - started)} ms`)
  console.log(`lookup, median: ${medianNanoseconds(bundled)} ns among ${bundled.all().length} people`)
  console.log(`lookup, median: ${medianNanoseconds(all)} ns among ${all.all().length} people`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
