import type { Headers, Masking } from './masking.js'

/** Characters of a body, or of an opened payload's JSON, that a record keeps. */
const longestRecordedCharacters = 8192

/** What was seen of the TLS connection that carried an exchange. */
export interface TlsFacts {
  protocol: string
  cipher: string
  /** SHA-256 fingerprint of the bank's certificate. */
  certificate: string
  /** Whether this connection had a client certificate to show. */
  clientCertificate: boolean
}

/** One HTTP request and its response; without response and failure it was still under way when the record was closed. */
export interface Exchange {
  id: string
  kind: 'exchange'
  /** `sent` by the harness to the bank, or `received` from the bank, which fetches from the harness. */
  direction: 'sent' | 'received'
  /** ISO 8601. */
  at: string
  milliseconds?: number
  request: { method: string; url: string; headers: Headers; body?: string }
  response?: { status: number; headers: Headers; body?: string }
  /** Why there is no whole response, in words. */
  failure?: string
  tls?: TlsFacts
  /** The steps of a good request that were replaced in the attempt which begins with this one, such as ["record"]. */
  changed?: string[]
}

/** A JWT that was opened: decrypted, verified, or made by the harness itself. */
export interface Opened {
  id: string
  kind: 'opened'
  at: string
  what: string
  /** Absent where the claims alone are told, as they came from somewhere else. */
  header?: unknown
  payload?: unknown
}

/** TLS handshakes tried with one address, each on a connection of its own. */
export interface Handshakes {
  id: string
  kind: 'handshakes'
  at: string
  /** host:port. */
  address: string
  /** What each offered, and the suite agreed on, or "refused", or "not offered" where the local library cannot. */
  tried: { version: string; suites: string; outcome: string }[]
}

/** A page on which a browser got no further, as it stood there. */
export interface PageSeen {
  id: string
  kind: 'page'
  at: string
  url: string
  /** HTML. */
  source: string
  /** JPEG as base64, what was entered painted over. */
  screenshot?: string
}

export type Evidence = Exchange | Opened | Handshakes | PageSeen

/** Ends a begun exchange. */
export interface PendingExchange {
  id: string
  answered(response: { status: number; headers: Headers; body: string }, tls?: TlsFacts): void
  failed(failure: string, tls?: TlsFacts): void
}

/** All evidence of a run, numbered in the order it came. */
export class EvidenceLog {
  /** As it was recorded: what its name tells to be a secret is masked. */
  readonly items: Evidence[] = []
  /** @param onRequest called with each request that is sent, as METHOD /path */
  constructor(
    readonly masking: Masking,
    readonly onRequest?: (request: string) => void,
  ) {}

  /** A recorder for one rule or one shared step. */
  recorder(): Recorder {
    return new Recorder(this)
  }

  /** What may be shown: every secret that is known by now is masked, wherever it is. */
  masked(): Evidence[] {
    return this.masking.late(this.items)
  }

  nextId(): string {
    return `e${this.items.length + 1}`
  }
}

/** Collects the evidence of one rule or of one shared step. */
export class Recorder {
  private readonly own: Evidence[] = []
  private readonly used = new Set<Recorder>()
  private replaced: string[] = []
  /** How much was recorded in the run when this began, and when its work had ended. */
  private readonly from: number
  private until = Number.POSITIVE_INFINITY

  constructor(private readonly log: EvidenceLog) {
    this.from = log.items.length
  }

  /** The work that is recorded here has ended: what banks fetch at its addresses later on is for the work of others. */
  ended(): void {
    this.until = this.log.items.length
  }

  /** What the other recorder holds, now and later, is evidence here too. */
  use(other: Recorder): void {
    if (other !== this) this.used.add(other)
  }

  /** Marks the request that is sent next as one of which these steps were replaced. */
  changed(steps: string[]): void {
    this.replaced = steps
  }

  /** Records a request that leaves (or came in) now. */
  begin(direction: Exchange['direction'], request: Exchange['request']): PendingExchange {
    const { masking } = this.log
    const began = performance.now()
    const exchange: Exchange = {
      id: this.log.nextId(),
      kind: 'exchange',
      direction,
      at: new Date().toISOString(),
      request: {
        method: request.method,
        url: masking.url(request.url),
        headers: masking.headers(request.headers),
        ...(request.body && { body: this.body(request.headers, request.body) }),
      },
    }
    if (direction === 'sent' && this.replaced.length > 0) exchange.changed = this.replaced.splice(0)
    this.keep(exchange)
    if (direction === 'sent') this.log.onRequest?.(`${request.method} ${masking.text(new URL(request.url).pathname)}`)
    const end = (tls: TlsFacts | undefined) => {
      exchange.milliseconds = Math.round(performance.now() - began)
      if (tls) exchange.tls = tls
    }
    return {
      id: exchange.id,
      answered: (response, tls) => {
        end(tls)
        exchange.response = {
          status: response.status,
          headers: masking.headers(response.headers),
          ...(response.body && { body: this.body(response.headers, response.body) }),
        }
      },
      failed: (failure, tls) => {
        end(tls)
        exchange.failure = failure
      },
    }
  }

  /** The id that what is recorded next will have. */
  next(): string {
    return this.log.nextId()
  }

  /** Records what a JWT holds. */
  opened(what: string, header: unknown, payload?: unknown): void {
    this.keep({
      id: this.log.nextId(),
      kind: 'opened',
      at: new Date().toISOString(),
      what,
      ...(header !== undefined && { header: this.log.masking.json(header) }),
      ...(payload !== undefined && { payload: this.bounded(payload) }),
    })
  }

  /** Records a page. @param page.screenshot JPEG as base64 without anything secret in it */
  page({ url, source, screenshot }: { url: string; source: string; screenshot?: string }): void {
    const { masking } = this.log
    this.keep({
      id: this.log.nextId(),
      kind: 'page',
      at: new Date().toISOString(),
      url: masking.url(url),
      source: this.body({ 'content-type': 'text/html' }, source),
      ...(screenshot && { screenshot }),
    })
  }

  /** Has a value masked from now on wherever it turns up. */
  secret(name: string, value: string): void {
    this.log.masking.secret(name, value)
  }

  /** Begins a record of TLS handshakes. */
  handshakes(address: string): { id: string; add(tried: Handshakes['tried'][number]): void } {
    const record: Handshakes = {
      id: this.log.nextId(),
      kind: 'handshakes',
      at: new Date().toISOString(),
      address,
      tried: [],
    }
    this.keep(record)
    return { id: record.id, add: (tried) => record.tried.push(tried) }
  }

  /**
   * The evidence in the order it came, shared steps included, each item once: of what was fetched at the addresses of a shared step that
   * came while the step, or this, was under way.
   */
  all(): Evidence[] {
    const seen = new Set<Recorder>()
    const items = new Set<Evidence>()
    const gather = (recorder: Recorder) => {
      if (seen.has(recorder)) return
      seen.add(recorder)
      for (const item of recorder.own) if (!isOfOthers(item, recorder.until, this.from)) items.add(item)
      for (const other of recorder.used) gather(other)
    }
    gather(this)
    return [...items].sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)))
  }

  /** All that was recorded in the run so far, here or elsewhere. */
  ofRun(): readonly Evidence[] {
    return this.log.items
  }

  /** The request whose answer is awaited, and whether it was sent here or in a step that is shared. */
  pending(): { exchange: Exchange; shared: boolean } | undefined {
    const exchange = this.all().find(isPending)
    return exchange && { exchange, shared: !this.own.includes(exchange) }
  }

  private keep(item: Evidence): void {
    this.own.push(item)
    this.log.items.push(item)
  }

  private body(headers: Headers, text: string): string {
    return this.beginning(this.log.masking.body(String(headers['content-type'] ?? ''), text))
  }

  private bounded(payload: unknown): unknown {
    const masked = this.log.masking.json(payload)
    const text = JSON.stringify(masked)
    return text.length > longestRecordedCharacters ? this.beginning(text) : masked
  }

  /** As much of a text as is recorded. Masked first where it is cut: of half a secret nobody would know that it is one. */
  private beginning(text: string): string {
    if (text.length <= longestRecordedCharacters) return text
    const masked = this.log.masking.text(text)
    return `${masked.slice(0, longestRecordedCharacters)}… [of ${masked.length} characters]`
  }
}

/** Whether a bank fetched it once a shared step had ended, and before what looks at it began. @param until, from how much was recorded then */
function isOfOthers(item: Evidence, until: number, from: number): boolean {
  if (item.kind !== 'exchange' || item.direction !== 'received' || item.request.method !== 'GET') return false
  const number = Number(item.id.slice(1))
  return until < number && number <= from
}

function isPending(item: Evidence): item is Exchange {
  return item.kind === 'exchange' && item.direction === 'sent' && !item.response && item.failure === undefined
}
