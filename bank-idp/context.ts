// The type alone, not the library itself: the ground imports nothing of provider/.
import type Provider from 'oidc-provider'
import type { Person } from '../fixtures/people.js'
import type { AnsweredPages } from './answered-pages.js'
import type { ClientStore } from './client.js'
import type { BankConfig } from './config.js'
import type { ForcedOutcomes } from './forced-outcomes.js'
import type { BankKeys } from './keys/bank-keys.js'
import type { ClientKeys } from './keys/client-keys.js'
import type { Identity } from './keys/identity.js'
import type { Outbound } from './keys/outbound.js'
import type { ServiceKeys } from './keys/service-keys.js'
import type { Log } from './log.js'
import type { People } from './people.js'
import type { Policy } from './policy.js'
import type { RefreshRaces } from './refresh-races.js'
import type { RequestHistory } from './request-history.js'
import type { Scheduler } from './scheduler.js'
import type { FaultSwitchboard, Seams } from './seams.js'
import type { Shared } from './shared.js'
import type { AssertionIds } from './store/assertion-ids.js'
import type { Blocks } from './store/blocks.js'
import type { Consents } from './store/consents.js'
import type { Devices } from './store/devices.js'
import type { Heartbeat } from './store/heartbeat.js'
import type { ClaimChanges } from './store/known-people.js'
import type { MadePeople } from './store/made-people.js'
import type { Outages } from './store/outages.js'
import type { Outbox } from './store/outbox.js'
import type { PasswordTries } from './store/password-tries.js'
import type { ProviderRecords } from './store/provider-records.js'
import type { SigningRequests } from './store/signing-requests.js'
import type { Throttles } from './store/throttles.js'
import type { WaitingLogins } from './store/waiting-logins.js'
import type { Subjects } from './subjects.js'
import type { Troubles } from './troubles.js'
import type { Turns } from './turns.js'

/** What the parts of one bank share. */
export interface BankContext {
  config: Readonly<BankConfig> & { issuer: string; idpId: string }
  /** What the bank does where the specification allows several readings. */
  policy: Policy
  identity: Identity
  /** PEM of the authorities whose client certificates are trusted. */
  authorities(): readonly string[]
  keys: BankKeys
  clientKeys: ClientKeys
  serviceKeys: ServiceKeys
  outbound: Outbound
  clients: ClientStore
  consents: Consents
  blocks: Blocks
  devices: Devices
  assertionIds: AssertionIds
  passwordTries: PasswordTries
  waitingLogins: WaitingLogins
  signingRequests: SigningRequests
  /** The way to documents that clients serve. */
  documents: Outbound
  heartbeat: Heartbeat
  outages: Outages
  scheduler: Scheduler
  people: People
  madePeople: MadePeople
  forcedOutcomes: ForcedOutcomes
  answeredPages: AnsweredPages
  subjects: Subjects
  seams: Seams
  /** For the control door, which switches faults; nothing else asks for them. */
  faults: FaultSwitchboard
  provider: Provider
  /** What the provider keeps. */
  providerRecords: ProviderRecords
  outbox: Outbox
  /** What came and was answered, where the bank is a bench. */
  history: RequestHistory
  /** What answers are to have wrong, where the bank is a bench. */
  troubles: Troubles
  claimUpdates: {
    /**
     * Changes what the bank knows of a person, and has clients told.
     *
     * @param changes values by claim; null takes a claim away
     * @returns the person as they are now
     * @throws {BankError} not_found, or invalid_request naming the claim
     */
    change(login: string, changes: ClaimChanges): Promise<Person>
  }
  /** What replicas of the bank tell each other. */
  shared: Shared
  /** How requests that must not come between each other wait for those of other replicas. */
  turns: Turns
  refreshRaces: RefreshRaces
  throttles: Throttles
  log: Log
}
