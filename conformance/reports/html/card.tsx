import type { RuleResult } from '../../harness/result.js'
import { waiverLine } from '../../harness/waiver.js'
import type { Card } from '../card.js'
import { furtherInWords } from '../explanation.js'
import { explains, type Root } from '../roots.js'
import type { Sequence } from '../sequence.js'
import { EvidenceView } from './evidence.js'
import { SequenceView } from './sequence.js'
import type { Sources } from './sources.js'

interface CardProps {
  root: Root
  card: Card
  sequence: Sequence
  /** What shows the finding. */
  shown: Parameters<typeof EvidenceView>[0]['item'][]
  sources: Sources
}

/** All that a reader needs to act on what has one cause, folded to a line. */
export function CardView({ root, card, sequence, shown, sources }: CardProps) {
  const { first: result, same, blocked } = root
  const { requirement } = card
  const rows: [string, string | undefined, 'code'?][] = [
    ['Source', requirement.source],
    ['Also accepted', requirement.accept],
    ['Variation', result.finding?.variation?.name],
    ['Looked at', result.finding?.where],
    ['Expected', card.expected],
    ['Actual', card.actual],
    ['Wrong too', furtherInWords(result.finding)],
    ['Blocked by', result.blockedBy],
    ['Waiver', result.waiver && waiverLine(result.waiver)],
    ['Done', card.did],
    ['Likely cause', card.cause],
    ['Run it again', card.again, 'code'],
    ['By hand', card.curl, 'code'],
  ]
  return (
    <details class="card" data-status={result.status}>
      <summary>
        <span class={`status ${result.status}`}>{result.status}</span>{' '}
        <span class="line">
          <strong>{result.rule}</strong> {result.reason}
        </span>
        {explains(root) > 0 && <span class="explains">explains {explains(root)} more</span>}
      </summary>
      <article id={`card-${result.rule}`} data-status={result.status} aria-label={result.rule}>
        <p>
          {result.requirement} {result.level}, “{requirement.section}”: {requirement.text}
        </p>
        {result.reason && <p>{result.reason}</p>}
        <div class="told">
          <dl>
            {rows.map(
              ([name, text, code]) =>
                text && (
                  <>
                    <dt>{name}</dt>
                    <dd>{code ? <code>{text}</code> : text}</dd>
                  </>
                ),
            )}
          </dl>
          <SequenceView sequence={sequence} rule={result.rule} />
        </div>
        <Others title={`The same of ${same.length} more`} results={same} />
        <Others title={`${blocked.length} could not be reached because of it`} results={blocked} />
        {shown.map((item) => (
          <EvidenceView key={item.id} item={item} sources={sources} />
        ))}
      </article>
    </details>
  )
}

function Others({ title, results }: { title: string; results: readonly RuleResult[] }) {
  if (results.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul class="others">
        {results.map(({ rule, requirement, title: what }) => (
          <li key={rule} id={`card-${rule}`}>
            {requirement} {rule}: {what}
          </li>
        ))}
      </ul>
    </>
  )
}
