import { Command } from 'commander'
import { type Coverage, coverage } from './proof/coverage.js'

function print(rows: Coverage[]): void {
  for (const { id, by, rules: own, faults: breaking, tests, state } of rows) {
    const cells = [
      own.join(' '),
      breaking.length > 0 && `faults: ${breaking.join(' ')}`,
      tests.length > 0 && `${tests.length} tests`,
    ]
    console.log(`${id.padEnd(10)} ${by.padEnd(8)} ${state.padEnd(5)} ${cells.filter(Boolean).join(' | ')}`)
  }
  const count = (state: Coverage['state']) => rows.filter((row) => row.state === state).length
  console.log(`\n${rows.length} requirements: ${count('done')} done, ${count('part')} in part, ${count('open')} open`)
}

const { json } = new Command('coverage')
  .description('What shows each requirement: its rules, the faults that prove them, its tests.')
  .option('--json', 'one array of {id, by, rules, faults, tests, state}')
  .parse()
  .opts<{ json?: boolean }>()
const rows = coverage()
if (json) console.log(JSON.stringify(rows, null, 2))
else print(rows)
