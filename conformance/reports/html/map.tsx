import type { Results } from '../../harness/results.js'
import { isExplained } from '../card.js'
import { type Cell, mapOf } from '../map.js'

/** The specification as a map: a cell for each requirement, by section, that leads to what came of it. */
export function MapView({ results }: { results: Results }) {
  return (
    <section aria-labelledby="map">
      <h2 id="map">The specification</h2>
      <div class="map">
        {mapOf(results).map(({ section, cells }) => (
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
