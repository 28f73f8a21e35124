import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Numbered } from './build.js'
import { confirmed, judgeMutant, openProcesses } from './run.js'
import type { Ruling } from './verdict.js'

/** Programs whose bank goes wrong in three ways, by the mutant that is on. */
function brittlePrograms(): string {
  const programs = mkdtempSync(join(tmpdir(), 'mutation-'))
  const folder = join(programs, 'dist/scripts/mutation')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(programs, 'package.json'), '{"type":"module"}')
  const worker = `export default async function work({ mutant, rules: [rule] }) {
    if (mutant === 0) throw new Error('no such key')
    if (mutant === 1) process.kill(process.pid, 'SIGKILL')
    process.send('started')
    if (mutant === 2) process.kill(process.pid, 'SIGKILL')
    return { outcomes: [{ rule, requirement: 'TOK-2', status: 'pass' }] }
  }`
  writeFileSync(join(folder, 'worker.js'), worker)
  return programs
}

test('a bank that ends its process has crashed at its start, and is killed once it is examined; the next mutant is judged', async () => {
  const processes = openProcesses({ programs: brittlePrograms() }, { workers: 1, patience: 1, readings: {} })
  const rulesOf = () => ['token/a']
  const verdictOf = async (number: number) => {
    const reach = { rulesOf, rightBank: { 'token/a': { status: 'pass' as const } } }
    const { verdict, by } = await judgeMutant({ number } as Numbered, reach, processes.run, false)
    return [verdict, ...by.map(({ reason }) => reason)]
  }
  expect(await verdictOf(0)).toEqual(['crashed', 'no such key'])
  expect(await verdictOf(1)).toEqual(['crashed', 'Worker exited unexpectedly'])
  expect(await verdictOf(2)).toEqual(['killed', 'Worker exited unexpectedly'])
  expect(await verdictOf(3)).toEqual(['survived'])
  await processes.close()
})

test('what rules take back alone is believed once the third says it in the company of others', async () => {
  const asked: string[][] = []
  const ask = async (rules: readonly string[]): Promise<Ruling> => {
    asked.push([...rules])
    const by = [{ rule: rules[0] ?? '', requirement: 'TOK-2', reason: 'worn down' }]
    return rules.length > 1 ? { verdict: 'killed', by } : { verdict: 'survived', by: [] }
  }
  expect(await confirmed(['a', 'b', 'c', 'd', 'e'], ask)).toMatchObject({ verdict: 'killed', by: [{ rule: 'c' }] })
  expect(asked).toEqual([['a', 'b', 'c', 'd', 'e'], ['a'], ['b', 'c', 'd', 'e'], ['b'], ['c', 'd', 'e'], ['c']])
  expect(await confirmed(['a', 'b'], ask)).toEqual({ verdict: 'survived', by: [] })
})
