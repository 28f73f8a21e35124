import { OwnAnsweredPages } from './answered-pages.js'
import type { BankContext } from './context.js'
import { putPresetClients } from './endpoints/preset-clients.js'
import { ClaimUpdates } from './events/claim-updates.js'
import { ForcedOutcomes } from './forced-outcomes.js'
import { BankKeys } from './keys/bank-keys.js'
import { ClientKeys } from './keys/client-keys.js'
import { type BankJwk, makeBankKey } from './keys/jwk.js'
import { serviceKeys } from './keys/service-keys.js'
import { OptionError } from './option-error.js'
import { makeProvider } from './provider/provider.js'
import { OwnRefreshRaces } from './refresh-races.js'
import { RequestHistory } from './request-history.js'
import { type Job, Scheduler } from './scheduler.js'
import { seedOutcomes, seedPeople } from './seeds.js'
import { alone, type Shared } from './shared.js'
import { followClock } from './shared-clock.js'
import { followFaults } from './shared-faults.js'
import { AssertionIds } from './store/assertion-ids.js'
import { AuditSeal, type SealCopy } from './store/audit-seal.js'
import { Blocks } from './store/blocks.js'
import { Clients } from './store/clients.js'
import { Consents } from './store/consents.js'
import { type Database, giveBackPages } from './store/database.js'
import { Devices } from './store/devices.js'
import { EncryptedValues } from './store/encrypted-values.js'
import { Heartbeat } from './store/heartbeat.js'
import { KnownPeople } from './store/known-people.js'
import { MadePeople } from './store/made-people.js'
import type { Replicas } from './store/membership.js'
import { Outages } from './store/outages.js'
import { Outbox } from './store/outbox.js'
import { PasswordTries } from './store/password-tries.js'
import { ProviderRecords } from './store/provider-records.js'
import { rememberedPeople } from './store/remembered-people.js'
import { loadSecrets, type Secrets } from './store/secrets.js'
import { SharedState } from './store/shared-state.js'
import { SigningRequests } from './store/signing-requests.js'
import { StoredAnsweredPages } from './store/stored-answered-pages.js'
import { StoredRefreshRaces } from './store/stored-refresh-races.js'
import { sweep } from './store/sweeper.js'
import { Throttles } from './store/throttles.js'
import { WaitingLogins } from './store/waiting-logins.js'
import { Subjects } from './subjects.js'
import { Troubles } from './troubles.js'

/** What there is of a bank before its context: its address is known, its store open. */
export type Foundation = Pick<
  BankContext,
  | 'config'
  | 'policy'
  | 'identity'
  | 'authorities'
  | 'people'
  | 'seams'
  | 'faults'
  | 'outbound'
  | 'documents'
  | 'turns'
  | 'log'
> & {
  db: Database
  /** Where other processes may use the store. */
  replicas: Replicas | undefined
  /** What secrets in the store are encrypted under. */
  storeKey: Buffer
  /** Where the seal of the audit log is copied to; undefined where nothing is kept. */
  sealCopy: SealCopy | undefined
  /** Keys to sign with from the start, where none are kept. */
  firstKeys: readonly BankJwk[]
  renewCertificates(): Promise<void>
}

/** What is to be done without being asked. */
function jobsOf(
  { config, db, renewCertificates }: Foundation,
  { signingRequests, keys, outages }: Pick<BankContext, 'signingRequests' | 'keys' | 'outages'>,
  ofReplicas: readonly Job[],
): Job[] {
  return [
    { name: 'sweeping what has expired', run: () => sweep(db).then(() => giveBackPages(db)) },
    { name: 'retention of request objects and audit entries', run: () => signingRequests.sweep() },
    { name: 'rotation of keys', run: () => keys.rotateIfDue(config.keyLifetimeDays * 86_400) },
    { name: 'renewal of certificates', everywhere: true, run: renewCertificates },
    { name: 'outages that are over', everywhere: true, run: () => outages.clear() },
    ...ofReplicas,
  ]
}

/**
 * What replicas of the bank tell each other, where it may have any.
 *
 * @throws {OptionError} where another one has another address
 */
async function beginToShare({ db, log, replicas, config }: Foundation): Promise<SharedState | undefined> {
  if (!replicas) return undefined
  const shared = await SharedState.begin(db, log, replicas.isFirst)
  const address = await shared.agree('address', config.issuer)
  if (address === config.issuer) return shared
  const problem = `the other banks on this store are at ${address}, and this one would be at ${config.issuer}: they are one bank, and need one address`
  throw new OptionError('issuer', { place: '', problem })
}

/** What a bank remembers for a while: by itself, or with other replicas in the store. */
function memoriesOf(db: Database, clients: Clients, sharedState: SharedState | undefined) {
  if (!sharedState) return { answeredPages: new OwnAnsweredPages(), refreshRaces: new OwnRefreshRaces(), jobs: [] }
  const refreshRaces = new StoredRefreshRaces(db)
  const run = () => Promise.all([sharedState.sweep(), refreshRaces.sweep()]).then(() => {})
  return {
    answeredPages: new StoredAnsweredPages(db, clients),
    refreshRaces,
    jobs: [{ name: 'sweeping what replicas told each other', run }],
  }
}

/** Puts together what the parts of a bank share. */
export async function composeBank(foundation: Foundation): Promise<{ context: BankContext; secrets: Secrets }> {
  const {
    config,
    policy,
    identity,
    authorities,
    people,
    seams,
    faults,
    outbound,
    documents,
    db,
    storeKey,
    turns,
    log,
  } = foundation
  const encryptedValues = new EncryptedValues(storeKey)
  const secrets = await loadSecrets(db, encryptedValues)
  // Before anything is read that another replica may change.
  const sharedState = await beginToShare(foundation)
  const shared: Shared = sharedState ?? alone
  await followClock(shared)
  await followFaults(faults, shared)
  const keys = await BankKeys.load(
    db,
    encryptedValues,
    (alg) => makeBankKey(identity.authority, alg),
    foundation.firstKeys,
  )
  const outages = await Outages.load(db)
  // What the configuration says of the start of a bank is not said once more by another replica of one that runs.
  const isFirst = foundation.replicas?.isFirst !== false
  if (isFirst) for (const outage of config.outages) await outages.announce(outage)
  const seal = new AuditSeal(encryptedValues, foundation.sealCopy)
  await seal.begin(db)
  const signingRequests = new SigningRequests(db, config.auditRetentionDays * 86_400, encryptedValues, seal)
  const clientKeys = new ClientKeys(outbound, seams)
  const clients = await Clients.open(db, encryptedValues)
  await putPresetClients({ config, outbound, policy, seams }, clients)
  const known = {
    config,
    policy,
    clients: seams.clients(clients),
    consents: new Consents(db),
    people,
    subjects: new Subjects(secrets, seams),
    seams,
    shared,
    faults,
    outbox: new Outbox(db),
  }
  const providerRecords = new ProviderRecords(db, secrets.internal)
  await providerRecords.hashUserCodes()
  const [madePeople, knownPeople] = [new MadePeople(db), new KnownPeople(db)]
  await seedPeople({ config, madePeople, people })
  await people.nextLogins.shareBy(shared)
  const forcedOutcomes = new ForcedOutcomes(shared)
  if (isFirst) await seedOutcomes({ config, clients, forcedOutcomes })
  await forcedOutcomes.begin()
  const troubles = new Troubles(shared)
  await troubles.begin()
  const claimUpdates = new ClaimUpdates(known, knownPeople)
  await claimUpdates.begin()
  const { made, claims } = rememberedPeople(people, madePeople, knownPeople)
  sharedState?.rememberTables({ clients, keys, outages, 'made people': made, claims })
  const { answeredPages, refreshRaces, jobs } = memoriesOf(db, clients, sharedState)
  const parts: Omit<BankContext, 'provider'> = {
    ...known,
    claimUpdates,
    madePeople,
    identity,
    authorities,
    blocks: new Blocks(db),
    devices: new Devices(db),
    keys,
    clientKeys,
    serviceKeys: OptionError.of('serviceKeys', () =>
      serviceKeys(config.serviceKeys, identity.service.jwks, clientKeys),
    ),
    outbound,
    forcedOutcomes,
    answeredPages,
    refreshRaces,
    history: new RequestHistory(foundation.replicas && config.replica),
    troubles,
    assertionIds: new AssertionIds(db),
    waitingLogins: new WaitingLogins(db, secrets.internal, config.limits),
    passwordTries: new PasswordTries(db, secrets.internal, config.limits),
    throttles: new Throttles(db, secrets.internal),
    signingRequests,
    providerRecords,
    documents,
    heartbeat: new Heartbeat(db),
    outages,
    turns,
    scheduler: new Scheduler(jobsOf(foundation, { signingRequests, keys, outages }, jobs), log, () =>
      foundation.replicas ? foundation.replicas.membership.hasJobs() : Promise.resolve(true),
    ),
    log,
  }
  const fetch = outbound.fetch as unknown as typeof globalThis.fetch
  return { context: { ...parts, provider: makeProvider(parts, secrets, fetch) }, secrets }
}
