import { createHash } from 'node:crypto'
import { schema } from '../../schemas/index.js'
import type { Evidence, Exchange, Opened, PageSeen } from '../evidence/evidence.js'
import type { Results } from '../harness/results.js'
import { cardsOf, isExplained } from './card.js'
import { pathOf } from './steps-taken.js'

/** Texts that occur in evidence, each once, by its SHA-256 in hexadecimal digits. */
type Bodies = Map<string, string>

/**
 * The report for machines: what schemas/report.schema.json describes, and names as its schema. A line for each result and each item of
 * evidence; evidence of results that need no explanation is told in a few words each, without the JWTs that were opened on the way.
 * @param whole whether all evidence is told as it was recorded: tens of megabytes for a whole plan
 */
export function jsonReport(results: Results, { whole = false }: { whole?: boolean } = {}): string {
  const shown = new Set(results.results.filter(isExplained).flatMap(({ evidence }) => evidence))
  const bodies: Bodies = new Map()
  const evidence = results.evidence.flatMap((item): (Evidence | Brief)[] => {
    if (whole || shown.has(item.id)) return [withBodiesApart(item, bodies)]
    return item.kind === 'opened' ? [] : [brief(item)]
  })
  const told = new Set(evidence.map(({ id }) => id))
  const cards = cardsOf(results)
  const explained = results.results.map((result) => {
    const card = cards.get(result.rule)
    return { ...result, evidence: result.evidence.filter((id) => told.has(id)), ...(card && { card }) }
  })
  const report = { schema: schema('report').$id, ...results, results: explained, evidence }
  return `${linesOf({ ...report, bodies: Object.fromEntries(bodies) })}\n`
}

/** An object as JSON: a line for each member, and for each element of a list. */
function linesOf(value: object): string {
  const members = Object.entries(value).flatMap(([name, member]) => {
    if (member === undefined) return []
    const lines = Array.isArray(member) && member.length > 0 ? elementLines(member) : JSON.stringify(member)
    return [`${JSON.stringify(name)}: ${lines}`]
  })
  return `{\n${members.join(',\n')}\n}`
}

function elementLines(elements: readonly unknown[]): string {
  return `[\n${elements.map((element) => JSON.stringify(element)).join(',\n')}\n]`
}

/** An item as recorded, with a hash in place of each body. */
function withBodiesApart(item: Evidence, bodies: Bodies): Evidence {
  if (item.kind === 'exchange') return exchangeApart(item, bodies)
  return item.kind === 'page' ? pageApart(item, bodies) : item
}

function exchangeApart(item: Exchange, bodies: Bodies): Exchange {
  const { request, response } = item
  return {
    ...item,
    request: messageApart(request, bodies),
    ...(response && { response: messageApart(response, bodies) }),
  }
}

function messageApart<Message extends { body?: string }>(message: Message, bodies: Bodies): Message {
  return message.body === undefined ? message : { ...message, body: kept(message.body, bodies) }
}

function pageApart(item: PageSeen, bodies: Bodies): PageSeen {
  return { ...item, source: kept(item.source, bodies) }
}

/** Keeps a text and gives its hash. */
function kept(text: string, bodies: Bodies): string {
  const hash = createHash('sha256').update(text).digest('hex')
  bodies.set(hash, text)
  return hash
}

/** What an item was, in a few words. */
export interface Brief {
  id: string
  kind: 'brief'
  what: string
}

function brief(item: Exclude<Evidence, Opened>): Brief {
  return { id: item.id, kind: 'brief', what: inWords(item) }
}

function inWords(item: Exclude<Evidence, Opened>): string {
  switch (item.kind) {
    case 'exchange': {
      const { direction, request, response } = item
      return `${direction === 'received' ? 'received ' : ''}${request.method} ${pathOf(request.url)} ${response?.status ?? '-'}`
    }
    case 'handshakes':
      return `TLS handshakes with ${item.address}`
    case 'page':
      return `page ${pathOf(item.url)}`
  }
}
