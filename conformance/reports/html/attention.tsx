import type { Results } from '../../harness/results.js'
import { alike } from '../alike.js'
import { cardsOf } from '../card.js'
import { leftLines } from '../left.js'
import { type Root, rootsOf } from '../roots.js'
import { sequenceOf } from '../sequence.js'
import { shownWith } from '../shown-evidence.js'
import { CardView } from './card.js'
import { List } from './list.js'
import type { Sources } from './sources.js'

/** What somebody has to act on: an index of the failures, then a card for each cause. */
export function Attention({ results, sources }: { results: Results; sources: Sources }) {
  const cards = cardsOf(results)
  const evidence = new Map(results.evidence.map((item) => [item.id, item]))
  const roots = rootsOf(results)
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">What needs attention</h2>
      {roots.length === 0 && <p>Nothing.</p>}
      <Index roots={roots.filter(({ first }) => first.status === 'fail')} />
      {roots.map((root) => {
        const card = cards.get(root.first.rule)
        return (
          card && (
            <CardView
              key={root.first.rule}
              root={root}
              card={card}
              sequence={sequenceOf(root.first, evidence)}
              shown={shownWith(root.first, evidence)}
              sources={sources}
            />
          )
        )
      })}
      <List title="Left at the bank" items={leftLines(results.registrationsLeft, { all: false })} />
    </section>
  )
}

/** The failures by topic, each leading to its card. */
function Index({ roots }: { roots: readonly Root[] }) {
  const failed = roots.flatMap(({ first, same }) => [first, ...same]).sort((a, b) => (a.rule < b.rule ? -1 : 1))
  if (failed.length === 0) return null
  return (
    <nav aria-label="Failures" class="index">
      {alike(failed, ({ rule }) => rule.split('/')[0] ?? rule).map((group) => (
        <p key={group[0].rule}>
          <strong>{group[0].rule.split('/')[0]}</strong>
          {group.map(({ rule, requirement }) => (
            <span key={rule}>
              {' '}
              <a href={`#card-${rule}`} title={requirement}>
                {rule.split('/')[1]}
              </a>
            </span>
          ))}
        </p>
      ))}
    </nav>
  )
}
