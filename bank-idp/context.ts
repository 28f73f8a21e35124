import type { BankConfig } from './config.js'
import type { ClaimUpdates } from './events/claim-updates.js'
import type { ActiveFaults } from './faults/active.js'
import type { BankKeys } from './keys/bank-keys.js'
import type { ClientKeys } from './keys/client-keys.js'
import type { Identity } from './keys/identity.js'
import type { Outbound } from './keys/outbound.js'
import type { ServiceKeys } from './keys/service-keys.js'
import type { Log } from './log.js'
import type { People } from './people.js'
import type { Policy } from './policy.js'
import type { ForcedOutcomes } from './provider/callback-messages.js'
import type { Provider } from './provider/library.js'
import type { Subjects } from './provider/subjects.js'
import type { Scheduler } from './scheduler.js'
import type { AssertionIds } from './store/assertion-ids.js'
import type { Blocks } from './store/blocks.js'
import type { Clients } from './store/clients.js'
import type { Consents } from './store/consents.js'
import type { Devices } from './store/devices.js'
import type { Heartbeat } from './store/heartbeat.js'
import type { Outages } from './store/outages.js'
import type { Outbox } from './store/outbox.js'
import type { SigningRequests } from './store/signing-requests.js'

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
  clients: Clients
  consents: Consents
  blocks: Blocks
  devices: Devices
  assertionIds: AssertionIds
  signingRequests: SigningRequests
  /** The way to documents that clients serve. */
  documents: Outbound
  heartbeat: Heartbeat
  outages: Outages
  scheduler: Scheduler
  people: People
  forcedOutcomes: ForcedOutcomes
  subjects: Subjects
  faults: ActiveFaults
  provider: Provider
  outbox: Outbox
  claimUpdates: ClaimUpdates
  log: Log
}
