import { createHmac } from 'node:crypto'
import type { EndUser } from '../end-user/end-user.js'
import type { EvidenceLog, Recorder } from '../evidence/evidence.js'
import { doubtOf, NoAnswer } from '../evidence/failure.js'
import { type SuspendDetector, wasSuspended } from '../evidence/suspend-detector.js'
import { variationNow, within } from '../evidence/variation.js'
import type { HttpClient, HttpRequest, HttpResponse } from '../http/http.js'
import type { Signer } from '../service/assertions.js'
import type { BankClock } from '../service/clock.js'
import type { Outbox } from '../service/outbox.js'
import type { Post } from '../service/post-box.js'
import type { ServiceServer } from '../service/server.js'
import type { Target } from '../target/target.js'
import { dressHeaders, dressNow } from './dress.js'
import type { KeysAt } from './keys-seen.js'
import type { PlacedRequestObjects } from './placed-request-objects.js'
import type { RegistrationLedger } from './registration-ledger.js'
import type { SeenAnswers } from './seen-answers.js'
import type { SeenTokens } from './seen-tokens.js'

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
  /** What the bank has still to send, where it has a control door. */
  outbox?: Outbox
  /** Waits until so many milliseconds are over. */
  wait(milliseconds: number): Promise<void>
}

/** Which answer of the bank it is. */
export interface AnswerPlace {
  /** The title of the conversation; of a rule's, its id. */
  conversation: string
  /** How many conversations of that title there were before. */
  before: number
  /** The variation in which it was asked for, if it was in one. */
  variation?: string
  /** How many were asked for before it, there. */
  index: number
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
  /** What came back to /auth, and every error that is not redirected: for the rules that judge all of them. */
  seen: SeenAnswers
  /** Every answer that gave tokens, and what was told of them: likewise. */
  seenTokens: SeenTokens
  /** What lies at the addresses that are given as request_uri. */
  requestObjects: PlacedRequestObjects
  /** Ends every conversation. */
  signal: AbortSignal
  suspendDetector: SuspendDetector
  /** Comes between a request and its answer, where somebody keeps answers or gives others. @param at the bank's time, in Unix seconds */
  ask?(place: AnswerPlace, at: number, send: () => Promise<HttpResponse>): Promise<HttpResponse>
  /** Told of a post of the bank's that somebody judges, and of the evidence that it is known by there. */
  heard?(post: Post, evidence: string): void
  shared: Map<string, Shared>
  /** How many conversations of each title there were: what is begun again chooses other names. */
  begun: Map<string, number>
}

/** Work that is done once in a run. */
interface Shared {
  outcome: Promise<unknown>
  evidence: Recorder
  /** When, and by whom it was asked for first. */
  began: number
  by: Conversation
  /** Whether time passed at the bank since. */
  stale?: true
}

/** Has all shared work of a run done anew from now on: time passed at the bank, and what it gave before may have expired. */
export function renewShared({ shared }: Run): void {
  for (const work of shared.values()) work.stale = true
}

/** What one rule, or one shared step, says to the bank: it has evidence and run-chosen names of its own. */
export class Conversation {
  readonly evidence: Recorder
  /** How many names were chosen, by variation: which others are tried changes none. */
  private readonly named = new Map<string, number>()
  /** How many requests there were, by variation. */
  private readonly requests = new Map<string, number>()
  /** How many of its title there were before. */
  private readonly before: number
  /** Tells it from every other of the run. */
  private readonly id: string

  /** @param title tells this conversation from the others of the run; with the seed it fixes the names chosen in it */
  constructor(
    readonly run: Run,
    private readonly title: string,
    readonly signal: AbortSignal,
  ) {
    this.evidence = run.evidence.recorder()
    this.before = run.begun.get(title) ?? 0
    run.begun.set(title, this.before + 1)
    this.id = this.before === 0 ? title : `${title}, again ${this.before}`
  }

  /** A name that no other conversation of this run chooses: 22 characters of base64url. */
  name(): string {
    const variation = variationNow()?.name ?? ''
    const named = `${this.id}\n${variation}\n${counted(this.named, variation)}`
    return createHmac('sha256', this.run.seed).update(named).digest('base64url').slice(0, 22)
  }

  /**
   * @param signal ends the wait for the answer
   * @throws NoAnswer as {@link HttpClient.send}
   */
  async send(request: HttpRequest, signal = this.signal): Promise<HttpResponse> {
    const { evidence } = this
    const { http, suspendDetector, service, ask = (_, __, send) => send() } = this.run
    const began = suspendDetector.moment()
    const dressed = { ...request, headers: { ...dressHeaders(), ...request.headers } }
    try {
      const response = await ask(this.nextPlace(), service.clock(), () => http.send(dressed, { evidence, signal }))
      response.cameAt = service.clock()
      return response
    } catch (error) {
      if (error instanceof NoAnswer && suspendDetector.since(began)) throw new NoAnswer(error.finding, wasSuspended)
      throw error
    }
  }

  private nextPlace(): AnswerPlace {
    const variation = variationNow()?.name
    const index = counted(this.requests, variation ?? '')
    return { conversation: this.title, before: this.before, ...(variation !== undefined && { variation }), index }
  }

  /**
   * Does the work once in this run, whoever asks first; its evidence is evidence of everyone who asks. It is done anew where it came to
   * nothing for no fault of the bank; for a rule that is begun again and had asked for it first, since it may have used it up; and once
   * the harness stood still or time passed at the bank, since what was given before may have expired meanwhile.
   * @param named names the work and its parameters; what is done in another dress is other work
   */
  shared<Outcome>(named: string, work: (conversation: Conversation) => Promise<Outcome>): Promise<Outcome> {
    const dress = dressNow()
    const key = dress ? `${named}, in ${dress}` : named
    const { shared, signal, suspendDetector } = this.run
    let entry = shared.get(key)
    if (!entry || entry.stale || suspendDetector.since(entry.began) || this.repeats(entry.by)) {
      const conversation = new Conversation(this.run, key, signal)
      const began = suspendDetector.moment()
      const outcome = within(undefined, () => work(conversation)).finally(() => conversation.evidence.ended())
      const begun: Shared = { by: this, began, outcome, evidence: conversation.evidence }
      shared.set(key, begun)
      begun.outcome.catch((error: unknown) => {
        if (doubtOf(error) !== undefined && shared.get(key) === begun) shared.delete(key)
      })
      entry = begun
    }
    this.evidence.use(entry.evidence)
    return entry.outcome as Promise<Outcome>
  }

  private repeats({ title, before }: Conversation): boolean {
    return title === this.title && before < this.before
  }
}

/** How many there were so far, by their name. */
function counted(counts: Map<string, number>, name: string): number {
  const before = counts.get(name) ?? 0
  counts.set(name, before + 1)
  return before
}

/** A key for `shared`: what the work is, and its parameters whatever their order. */
export function keyOf(work: string, parameters: object): string {
  const entries = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${work} ${JSON.stringify(entries.map(([name, value]) => [name, value ?? null]))}`
}
