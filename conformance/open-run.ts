import { setMaxListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Run, Service } from './bank/conversation.js'
import type { KeysAt } from './bank/keys-seen.js'
import { PlacedRequestObjects } from './bank/placed-request-objects.js'
import { type Leftover, RegistrationLedger } from './bank/registration-ledger.js'
import { SeenAnswers } from './bank/seen-answers.js'
import { SeenTokens } from './bank/seen-tokens.js'
import { browserEndUser } from './end-user/browser.js'
import type { EndUser } from './end-user/end-user.js'
import { formsEndUser } from './end-user/forms.js'
import { personEndUser } from './end-user/person.js'
import { timed } from './end-user/time-spent.js'
import { EvidenceLog } from './evidence/evidence.js'
import { Masking } from './evidence/masking.js'
import { SuspendDetector } from './evidence/suspend-detector.js'
import { createHttpClient } from './http/http.js'
import { pacedClient } from './http/pace.js'
import { registrationSigner } from './service/assertions.js'
import { bankTime } from './service/clock.js'
import { outboxOf } from './service/outbox.js'
import { type ServiceServer, startServer } from './service/server.js'
import { addressOf, type Target } from './target/target.js'

/** Seconds for taking away everything that a run registered. */
const removalSeconds = 60

export interface OpenRunOptions {
  /** Fixes every name that the run chooses. */
  seed: string
  /** What an earlier run saw of the bank's keys. */
  earlier?: KeysAt | undefined
  /** Seconds of a clock that goes on while the machine sleeps; the system's when left out. */
  uptime?: (() => number) | undefined
  /** Ends the run. */
  signal?: AbortSignal | undefined
  /** Ends the taking away of what was registered, and whatever else is waited for at the end. */
  hurry?: AbortSignal | undefined
  /** Called with each request that is sent, as METHOD /path. */
  onRequest?: ((request: string) => void) | undefined
  /** Called when a person is needed who logs in by hand, with the address that they have to open in their browser. */
  onInvitation?: ((url: string) => void) | undefined
  /** Called with what whoever started the run has to know of it, such as that the browser has no sandbox. */
  onNotice?: ((text: string) => void) | undefined
  /** Comes between requests and their answers. */
  ask?: Run['ask']
  heard?: Run['heard']
}

/** What is there while a bank is talked to. */
export interface OpenRun {
  run: Run
  /**
   * Milliseconds that are nobody's fault so far: the bank had requests held back, a person was on its pages, time had to pass, or what the
   * bank sends by itself was waited for.
   */
  heldBack(): number
  /** Ends all that is under way. */
  end(): void
  /** Ends all that is under way, takes away what was registered, and tells what could not be. */
  close(): Promise<Leftover[]>
}

/**
 * Opens everything that talking to a bank takes: connections, the service's server, evidence, masking.
 * @throws TargetError when the target's control door does not answer, or its server's address cannot be listened on
 */
export async function openRun(
  target: Target,
  { seed, earlier, uptime, signal, hurry, onRequest, onInvitation = () => {}, onNotice, ask, heard }: OpenRunOptions,
): Promise<OpenRun> {
  const ending = new AbortController()
  const ended = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal
  setMaxListeners(0, ended)
  const end = () => ending.abort()
  const masking = new Masking()
  for (const { password } of target.people) masking.secret('password', password)
  if (target.control) masking.secret('control_token', target.control.token)
  for (const given of [target.client, target.otherClient])
    if (given?.clientSecret) masking.secret('client_secret', given.clientSecret)
  const [time, signer] = await Promise.all([bankTime(target, ended), target.keys && registrationSigner(target.keys)])
  const server = target.server && (await startServer(target.server))
  const service: Service = {
    clock: time.clock,
    ...(time.pass && { pass: time.pass }),
    ...(target.control && { outbox: outboxOf(target.control) }),
    wait: (milliseconds) => setTimeout(milliseconds, undefined, { signal: ended }),
    ...(signer && { signer }),
    ...(server && { server }),
  }
  const suspendDetector = new SuspendDetector(uptime)
  const http = pacedClient(createHttpClient(target), { address: addressOf(target), concurrency: target.concurrency })
  const endUser = timed(endUserOf(target, server, onInvitation, onNotice))
  const run: Run = {
    target,
    seed,
    http,
    service,
    endUser,
    evidence: new EvidenceLog(masking, onRequest),
    registrations: new RegistrationLedger(),
    accessTokens: [],
    seen: new SeenAnswers(),
    seenTokens: new SeenTokens(),
    requestObjects: new PlacedRequestObjects(),
    ...(earlier && { earlier }),
    ...(ask && { ask }),
    ...(heard && { heard }),
    signal: ended,
    shared: new Map(),
    begun: new Map(),
    suspendDetector,
  }
  return {
    run,
    end,
    heldBack: () => http.heldBack() + endUser.spent() + time.waited() + (server?.waited() ?? 0),
    async close() {
      end()
      const left = await run.registrations.removeAll(removalSeconds, hurry)
      suspendDetector.close()
      const hurried = new Promise<void>((resolve) => {
        if (hurry?.aborted) resolve()
        hurry?.addEventListener('abort', () => resolve(), { once: true })
      })
      await Promise.race([endUser.close(), hurried])
      await Promise.all([http.close(), server?.close()])
      return left
    },
  }
}

/** Who logs in, as the target file says; nobody who needs the server where there is none, as no rule that needs one runs then. */
function endUserOf(
  target: Target,
  server: ServiceServer | undefined,
  invite: (url: string) => void,
  say?: (text: string) => void,
): EndUser {
  const { login } = target
  if (login?.by === 'browser') return browserEndUser(target, say)
  return login?.by === 'person' && server ? personEndUser({ server, login, invite }) : formsEndUser(target)
}
