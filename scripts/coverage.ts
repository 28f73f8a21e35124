import { Command } from 'commander'
import { type Coverage, coverage, type PlaceCoverage } from './proof/coverage.js'

function print(rows: Coverage[]): void {
  for (const { id, by, rules: own, faults: breaking, tests, places, state } of rows) {
    const cells = [
      own.join(' '),
      breaking.length > 0 && `faults: ${breaking.join(' ')}`,
      tests.length > 0 && `${tests.length} tests`,
    ]
    console.log(`${id.padEnd(10)} ${by.padEnd(8)} ${state.padEnd(5)} ${cells.filter(Boolean).join(' | ')}`)
    for (const { place, rules: there, faults: broken } of places.filter((one) => one.state === 'open')) {
      console.log(`${' '.repeat(20)}open  ${place}${lacking(there, broken)}`)
    }
  }
  const count = (state: Coverage['state']) => rows.filter((row) => row.state === state).length
  console.log(`\n${rows.length} requirements: ${count('done')} done, ${count('part')} in part, ${count('open')} open`)
  const places = rows.flatMap((row) => row.places)
  const countPlaces = (state: PlaceCoverage['state']) => places.filter((place) => place.state === state).length
  const [closed, unseen, open] = [countPlaces('closed'), countPlaces('unseen'), countPlaces('open')]
  console.log(`${places.length} places: ${closed} closed, ${unseen} cannot be seen from outside, ${open} open`)
}

/** What there is of an open place already. */
function lacking(own: readonly string[], breaking: readonly string[]): string {
  if (own.length > 0) return ` (${own.join(' ')}, but no fault)`
  return breaking.length > 0 ? ` (fault ${breaking.join(' ')}, but no rule)` : ''
}

const { json } = new Command('coverage')
  .description('What shows each requirement: its rules, the faults that prove them, its tests.')
  .option('--json', 'one array of {id, by, rules, faults, tests, places, state}')
  .parse()
  .opts<{ json?: boolean }>()
const rows = coverage()
if (json) console.log(JSON.stringify(rows, null, 2))
else print(rows)
