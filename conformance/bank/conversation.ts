import { createHmac } from 'node:crypto'
import type { EndUser } from '../end-user/end-user.js'
import type { EvidenceLog, Recorder } from '../harness/evidence.js'
import type { Signer } from '../service/assertions.js'
import type { BankClock } from '../service/clock.js'
import type { ServiceServer } from '../service/server.js'
import type { HttpClient, HttpRequest, HttpResponse } from './http.js'
import type { KeysAt } from './keys-seen.js'
import type { RegistrationLedger } from './registration-ledger.js'
import type { Target } from './target.js'

/** The service as far as the target file equips it. */
export interface Service {
  /** Signs RegistrationAuthJWT. */
  signer?: Signer
  /** Where banks fetch from. */
  server?: ServiceServer
  /** The bank's time, which assertions are made out in. */
  clock: BankClock
  /** Has so many seconds pass at the bank; absent where nothing can. */
  pass?(seconds: number): Promise<void>
}

/** What all conversations of one run have in common. */
export interface Run {
  target: Target
  /** Everything the run chooses a name for is drawn from it. */
  seed: string
  http: HttpClient
  service: Service
  endUser: EndUser
  evidence: EvidenceLog
  registrations: RegistrationLedger
  /** What an earlier run saw of the bank's keys. */
  earlier?: KeysAt
  /** Every access token that came, in the order it came. */
  accessTokens: string[]
  /** Ends every conversation. */
  signal: AbortSignal
  shared: Map<string, { outcome: Promise<unknown>; evidence: Recorder }>
}

/** What one rule, or one shared step, says to the bank: it has evidence and run-chosen names of its own. */
export class Conversation {
  readonly evidence: Recorder
  private named = 0

  /** @param title tells this conversation from the others of the run; with the seed it fixes the names chosen in it */
  constructor(
    readonly run: Run,
    private readonly title: string,
    readonly signal: AbortSignal,
  ) {
    this.evidence = run.evidence.recorder()
  }

  /** A name that no other conversation of this run chooses: 22 characters of base64url. */
  name(): string {
    this.named += 1
    return createHmac('sha256', this.run.seed).update(`${this.title}\n${this.named}`).digest('base64url').slice(0, 22)
  }

  send(request: HttpRequest): Promise<HttpResponse> {
    return this.run.http.send(request, this)
  }

  /**
   * Does the work once in this run, whoever asks first; its evidence is evidence of everyone who asks.
   * @param key names the work and its parameters
   */
  shared<Outcome>(key: string, work: (conversation: Conversation) => Promise<Outcome>): Promise<Outcome> {
    let entry = this.run.shared.get(key)
    if (!entry) {
      const conversation = new Conversation(this.run, key, this.run.signal)
      entry = { outcome: work(conversation), evidence: conversation.evidence }
      this.run.shared.set(key, entry)
    }
    this.evidence.use(entry.evidence)
    return entry.outcome as Promise<Outcome>
  }
}

/** A key for `shared`: what the work is, and its parameters whatever their order. */
export function keyOf(work: string, parameters: object): string {
  const entries = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${work} ${JSON.stringify(entries.map(([name, value]) => [name, value ?? null]))}`
}
