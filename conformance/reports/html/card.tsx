import type { Evidence, Exchange, Opened } from '../../evidence/evidence.js'
import type { RuleResult } from '../../harness/result.js'
import { waiverLine } from '../../harness/waiver.js'
import type { Card } from '../card.js'
import { furtherInWords } from '../explanation.js'

interface CardProps {
  result: RuleResult
  /** Of which the same is to be said. */
  others: readonly RuleResult[]
  card: Card
  /** What shows the finding. */
  decisive: Evidence | undefined
  /** The JWTs that belong to it. */
  opened: readonly Opened[]
}

/** All that a reader needs to act on a result. */
export function CardView({ result, others, card, decisive, opened }: CardProps) {
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
    <article data-status={result.status} id={`card-${result.rule}`}>
      <h3>
        <span class={`status ${result.status}`}>{result.status}</span> {result.rule}
      </h3>
      <p>
        {result.requirement} {result.level}, “{requirement.section}”: {requirement.text}
      </p>
      {result.reason && <p>{result.reason}</p>}
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
      {others.length > 0 && (
        <p>
          The same of {others.length} more:
          {others.map(({ rule }) => (
            <span key={rule} id={`card-${rule}`}>
              {' '}
              {rule}
            </span>
          ))}
        </p>
      )}
      {decisive && (
        <details open={result.status === 'fail'}>
          <summary>{`${titles[decisive.kind]} ${decisive.id}`}</summary>
          {decisive.kind === 'page' && decisive.screenshot && (
            <img src={`data:image/jpeg;base64,${decisive.screenshot}`} alt={`The page at ${decisive.url}`} />
          )}
          <pre>{textOf(decisive)}</pre>
        </details>
      )}
      {opened.map((jwt) => (
        <details key={jwt.id} open={result.status === 'fail'}>
          <summary>{`Opened ${jwt.id}: ${jwt.what}`}</summary>
          <pre>{JSON.stringify({ header: jwt.header, payload: jwt.payload }, null, 2)}</pre>
        </details>
      ))}
    </article>
  )
}

const titles: Record<Evidence['kind'], string> = {
  exchange: 'Exchange',
  opened: 'Evidence',
  handshakes: 'Evidence',
  page: 'Page',
}

function textOf(decisive: Evidence): string {
  if (decisive.kind === 'exchange') return exchangeText(decisive)
  return decisive.kind === 'page' ? `${decisive.url}\n\n${decisive.source}` : JSON.stringify(decisive, null, 2)
}

function exchangeText({ request, response, failure }: Exchange): string {
  const message = (first: string, headers: Exchange['request']['headers'], body?: string) => [
    first,
    ...Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`)),
    ...(body === undefined ? [] : ['', body]),
  ]
  return [
    ...message(`${request.method} ${request.url}`, request.headers, request.body),
    '',
    ...(response ? message(String(response.status), response.headers, response.body) : []),
    ...(failure === undefined ? [] : [failure]),
  ].join('\n')
}
