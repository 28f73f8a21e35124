import type { Evidence, Exchange } from '../evidence/evidence.js'
import type { RuleResult } from '../harness/result.js'

/** At most this many steps are listed; of more, the last ones. */
const mostSteps = 8

/** What a rule did up to the exchange that shows its finding, in one sentence, from its evidence. */
export function stepsTaken(result: RuleResult, evidence: ReadonlyMap<string, Evidence>): string {
  const sent = result.evidence.flatMap((id) => {
    const item = evidence.get(id)
    return item?.kind === 'exchange' && item.direction === 'sent' ? [item] : []
  })
  const judged = sent.findIndex(({ id }) => id === result.finding?.evidence)
  const before = judged < 0 ? sent : sent.slice(0, judged)
  const steps = counted(before.map(phrase))
  const listed = steps.length > mostSteps ? ['…', ...steps.slice(-mostSteps)] : steps
  const last = sent[judged]
  if (last) listed.push(`sent ${name(last)}, whose answer is judged`)
  return listed.length === 0 ? 'The harness sent nothing to the bank.' : `The harness ${joined(listed)}.`
}

function phrase(exchange: Exchange): string {
  const { request, response } = exchange
  const path = pathOf(request.url)
  if (path.endsWith('/.well-known/openid-configuration')) return 'read the discovery document'
  if (path.endsWith('/jwks.json')) return 'read the key set'
  if (isRegistration(exchange) && response && response.status < 300) return 'registered a client'
  if (String(request.headers.accept).includes('text/html')) return 'sent a person through the pages of /auth'
  return `sent ${name(exchange)}`
}

function isRegistration({ request }: Exchange): boolean {
  return request.method === 'POST' && pathOf(request.url).endsWith('/register')
}

function name({ request }: Exchange): string {
  return `${request.method} ${pathOf(request.url)}`
}

/** The path as it was recorded: a mask in it is no URL. */
export function pathOf(url: string): string {
  return url.replace(/^\w+:\/\/[^/?#]*/, '').replace(/[?#].*$/s, '')
}

/** Steps that follow each other and are the same become one. */
function counted(phrases: readonly string[]): string[] {
  const runs: { phrase: string; count: number }[] = []
  for (const one of phrases) {
    const last = runs.at(-1)
    if (last?.phrase === one) last.count += 1
    else runs.push({ phrase: one, count: 1 })
  }
  return runs.map(({ phrase, count }) => (count === 1 ? phrase : `${phrase} (${count} requests)`))
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
