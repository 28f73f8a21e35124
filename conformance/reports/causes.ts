import type { Exchange } from '../evidence/evidence.js'
import type { RuleResult } from '../harness/result.js'
import type { Results } from '../harness/results.js'
import { tolerableSkewSeconds } from '../service/assertions.js'

/** What a likely cause is read from. */
interface Case {
  result: RuleResult
  /** The exchange that shows the finding. */
  exchange: Exchange | undefined
  results: Pick<Results, 'results' | 'evidence'>
}

/** Headers by which a bank's engineers find a request in their log. */
const requestIds = ['x-request-id', 'x-correlation-id', 'traceparent', 'x-amzn-trace-id']

/** What is known to lie behind results, the surest first; each tells the likely cause in words when it sees its signs. */
const causes: readonly ((situation: Case) => string | undefined)[] = [
  ({ result: { blockedBy, reason }, results }) => {
    if (blockedBy === undefined) return undefined
    const about = results.results.find(({ rule }) => rule === blockedBy)
    if (about?.status === 'pass')
      return `This rule was not reached: ${reason}. ${blockedBy}, the rule about that step, passed: the difference is in what else this rule requests, or for which person.`
    const said = about?.reason === undefined ? '' : ` (${about.status}: ${about.reason})`
    return `This rule was not reached: its step failed, and ${blockedBy} is the rule about that step${said}. Look there first.`
  },
  ({ result }) =>
    result.status === 'error' && result.reason?.startsWith('the target file: ')
      ? 'The target file does not match the bank; `conformance doctor` checks it step by step.'
      : undefined,
  ({ result }) =>
    result.status === 'error' ? 'This is a mistake of the harness, not of the bank. Please report it.' : undefined,
  ({ exchange }) => {
    const failure = exchange?.failure ?? ''
    if (exchange && isLate(exchange)) {
      return 'The bank is overloaded, or is waiting for something itself, such as a fetch of jwks_uri; a lower `concurrency` or a higher `timeout_seconds` in the target file may help.'
    }
    if (/TLS/.test(failure))
      return 'TLS behaves differently at this address than at the others; `conformance doctor` shows it.'
    return failure ? 'The bank, or a proxy before it, closed the connection: was it stopped or restarted?' : undefined
  },
  ({ exchange }) => {
    const skew = exchange && clockSkew(exchange)
    if (skew === undefined || Math.abs(skew) <= tolerableSkewSeconds) return undefined
    const [seconds, direction] = [Math.abs(skew), skew > 0 ? 'ahead of' : 'behind']
    return `By its Date header the bank's clock is ${seconds} s ${direction} ours, and the validity of tokens and assertions depends on it.`
  },
  ({ exchange, results }) => {
    const status = exchange?.response?.status ?? 0
    if (!exchange || status < 500) return undefined
    const id = requestIds.flatMap((name) => exchange.response?.headers[name] ?? [])[0]
    const well = servedAs(exchange, results)
    const others =
      well === 0
        ? ''
        : ` It served ${well} others of the same address: load may be the cause, and a lower \`concurrency\` in the target file shows it.`
    return `The bank itself failed (${status}); its log of ${exchange.at}${id ? `, request ${id},` : ''} says why.${others}`
  },
  ({ exchange, result, results }) => {
    const { error } = errorOf(exchange)
    if (error !== 'invalid_client' || !exchange) return undefined
    if (exchange.request.url.endsWith('/register')) {
      return 'The bank does not accept the RegistrationAuthJWT: does it know service.keys and service.client_certificate? `conformance doctor` checks them.'
    }
    const fetched = result.evidence.some((id) => received(results).has(id))
    if (fetched)
      return 'The bank knows the client but does not accept its authentication: the method, algorithm, key, audience or times.'
    // Whose keys it fetched earlier in the run cannot be told: those of this client may be among them.
    return received(results).size > 0
      ? "The bank does not accept the client's authentication: the method, algorithm, key, audience or times; or it has older keys of the client, which it did not fetch before this answer."
      : "The bank did not fetch the client's keys before it answered: it may not be able to reach service.server.url, or it uses older keys."
  },
  ({ exchange, result }) => {
    const type = String(exchange?.response?.headers['content-type'] ?? '')
    const asked = String(exchange?.request.headers.accept ?? '')
    const status = exchange?.response?.status ?? 0
    // What a redirect says beside where it leads is a note for people, as most servers write it.
    const isPage = type.startsWith('text/html') && !(status >= 300 && status < 400)
    return isPage && !asked.includes('html') && result.finding
      ? 'The answer is a page where data was expected: a proxy, a firewall or a catch-all route answers in place of the bank.'
      : undefined
  },
  ({ exchange }) =>
    exchange?.response?.status === 404
      ? 'The bank serves nothing at this address: is a prefix or a version missing in the path, or is the endpoint not built yet?'
      : undefined,
  ({ exchange }) =>
    exchange?.response?.status === 403 && errorOf(exchange).error === undefined
      ? 'The request was forbidden, perhaps by a firewall in front of the bank.'
      : undefined,
  ({ exchange, result, results }) => {
    if (!/[?&#]error=/.test(String(exchange?.response?.headers.location))) return undefined
    const requests = results.evidence.flatMap((item) =>
      item.kind === 'exchange' && result.evidence.includes(item.id) && /[?&]response_type=/.test(item.request.url)
        ? [item.request.url]
        : [],
    )
    // A rule may have asked for it in another request before.
    const asked = requests.at(-1)?.includes('acr_values=loa3')
    return asked
      ? 'The login asks for loa3: `conformance doctor` shows whether the person of kind full reaches it.'
      : undefined
  },
]

/** Whether the bank did not answer whole in the time that it had. */
export function isLate({ failure = '' }: Exchange): boolean {
  return /did not (answer|send)\b.* (within|in time)\b/.test(failure)
}

/** The likely cause of a result that is no pass, where one is known. */
export function likelyCause(
  result: RuleResult,
  exchange: Exchange | undefined,
  results: Case['results'],
): string | undefined {
  for (const cause of causes) {
    const likely = cause({ result, exchange, results })
    if (likely) return likely
  }
  return undefined
}

/** How many requests like this one were served. */
function servedAs({ request }: Exchange, { evidence }: Case['results']): number {
  return evidence.filter(
    (item) =>
      item.kind === 'exchange' &&
      item.request.method === request.method &&
      item.request.url === request.url &&
      (item.response?.status ?? 500) < 300,
  ).length
}

/** How far the Date header is ahead of our clock, in seconds. */
function clockSkew({ at, milliseconds = 0, response }: Exchange): number | undefined {
  const date = Date.parse(String(response?.headers.date))
  if (Number.isNaN(date)) return undefined
  const [early, late] = [Date.parse(at) - 1000, Date.parse(at) + milliseconds]
  if (date >= early && date <= late) return 0
  return Math.round((date > late ? date - late : date - early) / 1000)
}

function errorOf(exchange: Exchange | undefined): { error?: unknown } {
  try {
    return JSON.parse(exchange?.response?.body ?? '{}') ?? {}
  } catch {
    return {}
  }
}

function received({ evidence }: Case['results']): Set<string> {
  return new Set(
    evidence.flatMap((item) => (item.kind === 'exchange' && item.direction === 'received' ? [item.id] : [])),
  )
}
