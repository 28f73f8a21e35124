import type { Evidence, Exchange } from '../evidence/evidence.js'
import type { RuleResult } from '../harness/result.js'
import { changedExchange } from './shown-evidence.js'
import { pathOf } from './steps-taken.js'

/** Who talks to each other, from left to right. */
export const actors = ['service', 'browser', 'bank'] as const

export type Actor = (typeof actors)[number]

/** A request and its answer, or several like it in a row. */
export interface Arrow {
  from: Actor
  to: Actor
  /** Such as "POST /token". */
  label: string
  /** The status of the answer, or why there is none. */
  answer: string
  count: number
  /** What of it was replaced, such as "record". */
  changed?: string
  /** Whether its answer is what the finding is about. */
  judged: boolean
}

/** The exchanges of a result as a sequence. */
export interface Sequence {
  /** Arrows that came before the ones shown. */
  earlier: number
  arrows: Arrow[]
}

/** So many arrows are drawn at most; of more, the last ones. */
const mostArrows = 10

/** What a rule did up to the exchange that shows its finding. @param evidence by id */
export function sequenceOf(result: RuleResult, evidence: ReadonlyMap<string, Evidence>): Sequence {
  const items = result.evidence.flatMap((id) => evidence.get(id) ?? [])
  const exchanges = items.filter((item) => item.kind === 'exchange')
  const judged = exchanges.findIndex(({ id }) => id === result.finding?.evidence)
  const changed = changedExchange(result, evidence)
  const arrows: Arrow[] = []
  for (const exchange of judged < 0 ? exchanges : exchanges.slice(0, judged + 1)) {
    const arrow = arrowOf(exchange, exchange === changed, exchange === exchanges[judged])
    const last = arrows.at(-1)
    if (last && areAlike(last, arrow)) last.count += 1
    else arrows.push(arrow)
  }
  const earlier = Math.max(0, arrows.length - mostArrows)
  return { earlier, arrows: arrows.slice(earlier) }
}

function arrowOf(exchange: Exchange, changed: boolean, judged: boolean): Arrow {
  const { direction, request, response, failure } = exchange
  const sender: Actor = String(request.headers.accept).includes('text/html') ? 'browser' : 'service'
  return {
    ...(direction === 'received' ? { from: 'bank', to: 'service' } : { from: sender, to: 'bank' }),
    label: `${request.method} ${pathOf(request.url)}`,
    answer: response ? String(response.status) : (failure ?? 'no answer'),
    count: 1,
    ...(changed && exchange.changed && { changed: exchange.changed.join(', ') }),
    judged,
  }
}

/** Whether they are drawn as one: a browser's way through pages, and what is asked again and again. */
function areAlike(one: Arrow, other: Arrow): boolean {
  if (one.changed || other.changed || one.judged || other.judged) return false
  if (one.from !== other.from) return false
  return one.from === 'browser' || (one.label === other.label && one.answer === other.answer)
}
