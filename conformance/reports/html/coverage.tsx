import type { Status } from '../../harness/result.js'
import type { Results } from '../../harness/results.js'
import { coverageBySection } from '../coverage.js'

const columns: readonly Status[] = [
  'pass',
  'attested',
  'fail',
  'error',
  'blocked',
  'waived',
  'warn',
  'observed',
  'skip',
]

/** What was examined of each section, in numbers: a table, which on a telephone is a list of what is not nothing. */
export function Coverage({ results }: { results: Results }) {
  return (
    <table class="coverage">
      <thead>
        <tr>
          <th scope="col">Section</th>
          {['requirements', ...columns, 'not examined', 'not seen from outside'].map((name) => (
            <th key={name} scope="col" class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {coverageBySection(results).map(({ section, requirements, examined, notExamined, inside }) => (
          <tr key={section}>
            <th scope="row">{section}</th>
            <Count name="requirements" count={requirements} />
            {columns.map((status) => (
              <Count key={status} name={status} count={examined[status] ?? 0} status={status} />
            ))}
            <Count name="not examined" count={notExamined} />
            <Count name="not seen from outside" count={inside} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Count({ name, count, status = '' }: { name: string; count: number; status?: string }) {
  return (
    <td data-name={name} class={`number ${count > 0 ? status : ''}`}>
      {count || ''}
    </td>
  )
}
