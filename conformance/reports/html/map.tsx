import type { Results } from '../../harness/results.js'
import { isExplained } from '../card.js'
import { type Cell, mapOf } from '../map.js'

/** The specification as a map: a cell for each requirement, by section, that leads to what came of it. */
export function MapView({ results }: { results: Results }) {
  const sections = mapOf(results)
  const cells = sections.flatMap((section) => section.cells)
  const statuses = [...new Set(cells.flatMap(({ result }) => result?.status ?? []))]
  return (
    <section aria-labelledby="map">
      <h2 id="map">The specification</h2>
      <p class="legend">
        A cell for each requirement:{' '}
        {statuses.map((status) => (
          <span class={`cell ${status}`} key={status}>
            {status}
          </span>
        ))}
        {cells.some(({ result }) => !result) && <span class="cell">not examined</span>}
      </p>
      <div class="map">
        {sections.map(({ section, cells }) => (
          <div key={section}>
            <h3>{section}</h3>
            <ul>
              {cells.map((cell) => (
                <li key={cell.requirement}>
                  <CellView cell={cell} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  )
}

function CellView({ cell: { requirement, text, result } }: { cell: Cell }) {
  if (!result) {
    return (
      <span class="cell" title={`${requirement}, not examined: ${text}`}>
        {requirement}
      </span>
    )
  }
  const { status, rule } = result
  return (
    <a
      class={`cell ${status}`}
      href={`#${isExplained(result) ? 'card' : 'rule'}-${rule}`}
      title={`${requirement}, ${status}: ${text}`}
    >
      {requirement}
    </a>
  )
}
