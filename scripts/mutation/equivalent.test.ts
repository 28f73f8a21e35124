import { readFileSync, rmSync } from 'node:fs'
import { packageFile } from '../../schemas/package-file.js'
import { buildInstrumented } from './build.js'
import { equivalentsAmong, readEquivalents } from './record.js'

test('every entry of the list of equivalent mutants is about a mutant that there is, and has a reason', () => {
  const entries = readEquivalents(readFileSync(packageFile('scripts/mutation/equivalent.yaml'), 'utf8'))
  const { mutants, programs } = buildInstrumented()
  rmSync(programs, { recursive: true })
  expect(equivalentsAmong(mutants, entries).size).toBeGreaterThanOrEqual(entries.length)
})
