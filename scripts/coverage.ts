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
    for (const one of places) {
      if (one.state !== 'part' && one.state !== 'open') continue
      console.log(`${' '.repeat(20)}${one.state}  ${one.place}${lacking(one)}`)
    }
  }
  const count = (state: Coverage['state']) => rows.filter((row) => row.state === state).length
  console.log(`\n${rows.length} requirements: ${count('done')} done, ${count('part')} in part, ${count('open')} open`)
  const places = rows.flatMap((row) => row.places)
  const countPlaces = (state: PlaceCoverage['state']) => places.filter((place) => place.state === state).length
  const [done, part, open, unseen] = (['done', 'part', 'open', 'unseen'] as const).map(countPlaces)
  console.log(
    `${places.length} places: ${done} done, ${part} in part, ${open} open, ${unseen} cannot be seen from outside`,
  )
}

/** What there is already of a place that is not done. */
function lacking({ rules: own, faults: breaking }: PlaceCoverage): string {
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
