import { AnsweredPages } from './answered-pages.js'
import { ForcedOutcomes } from './callback-messages.js'
import type { BankContext } from './context.js'
import { putPresetClients } from './endpoints/preset-clients.js'
import { ClaimUpdates } from './events/claim-updates.js'
import { BankKeys } from './keys/bank-keys.js'
import { ClientKeys } from './keys/client-keys.js'
import { type BankJwk, makeBankKey } from './keys/jwk.js'
import { serviceKeys } from './keys/service-keys.js'
import { OptionError } from './option-error.js'
import { makeProvider } from './provider/provider.js'
import { RequestHistory } from './request-history.js'
import { type Job, Scheduler } from './scheduler.js'
import { seedOutcomes, seedPeople } from './seeds.js'
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
import { Outages } from './store/outages.js'
import { Outbox } from './store/outbox.js'
import { PasswordTries } from './store/password-tries.js'
import { ProviderRecords } from './store/provider-records.js'
import { loadSecrets, type Secrets } from './store/secrets.js'
import { SigningRequests } from './store/signing-requests.js'
import { sweep } from './store/sweeper.js'
import { WaitingLogins } from './store/waiting-logins.js'
import { Subjects } from './subjects.js'
import { Troubles } from './troubles.js'

/** What there is of a bank before its context: its address is known, its store open. */
export type Foundation = Pick<
  BankContext,
  'config' | 'policy' | 'identity' | 'authorities' | 'people' | 'seams' | 'faults' | 'outbound' | 'documents' | 'log'
> & {
  db: Database
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
): Job[] {
  return [
    { name: 'sweeping what has expired', run: () => sweep(db).then(() => giveBackPages(db)) },
    { name: 'retention of request objects and audit entries', run: () => signingRequests.sweep() },
    { name: 'rotation of keys', run: () => keys.rotateIfDue(config.keyLifetimeDays * 86_400) },
    { name: 'renewal of certificates', run: renewCertificates },
    { name: 'outages that are over', run: () => outages.clear() },
  ]
}

/** Puts together what the parts of a bank share. */
export async function composeBank(foundation: Foundation): Promise<{ context: BankContext; secrets: Secrets }> {
  const { config, policy, identity, authorities, people, seams, faults, outbound, documents, db, storeKey, log } =
    foundation
  const encryptedValues = new EncryptedValues(storeKey)
  const secrets = await loadSecrets(db, encryptedValues)
  const keys = await BankKeys.load(
    db,
    encryptedValues,
    (alg) => makeBankKey(identity.authority, alg),
    foundation.firstKeys,
  )
  const outages = await Outages.load(db)
  for (const outage of config.outages) await outages.announce(outage)
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
    faults,
    outbox: new Outbox(db),
  }
  const providerRecords = new ProviderRecords(db, secrets.internal)
  await providerRecords.hashUserCodes()
  const madePeople = new MadePeople(db)
  await seedPeople({ config, madePeople, people })
  const forcedOutcomes = new ForcedOutcomes()
  await seedOutcomes({ config, clients, forcedOutcomes })
  const claimUpdates = new ClaimUpdates(known, new KnownPeople(db))
  await claimUpdates.begin()
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
    answeredPages: new AnsweredPages(),
    history: new RequestHistory(),
    troubles: new Troubles(),
    assertionIds: new AssertionIds(db),
    waitingLogins: new WaitingLogins(db, secrets.internal, config.limits),
    passwordTries: new PasswordTries(db, secrets.internal, config.limits),
    signingRequests,
    providerRecords,
    documents,
    heartbeat: new Heartbeat(db),
    outages,
    scheduler: new Scheduler(jobsOf(foundation, { signingRequests, keys, outages }), log),
    log,
  }
  const fetch = outbound.fetch as unknown as typeof globalThis.fetch
  return { context: { ...parts, provider: makeProvider(parts, secrets, fetch) }, secrets }
}
