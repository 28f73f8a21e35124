import { makeApp } from './app.js'
import type { Bank } from './bank-interface.js'
import { capabilities, signingFlow } from './capabilities.js'
import { holdClock } from './clock.js'
import { composeBank } from './compose-bank.js'
import { type BankConfig, type BankOptions, configure } from './config.js'
import { Metrics } from './control/metrics.js'
import { servedRoutes } from './control/served-routes.js'
import { Dispatcher } from './events/dispatcher.js'
import { makeEventToken } from './events/event-tokens.js'
import type { Composition } from './exchange.js'
import { ActiveFaults } from './faults/active.js'
import { Gate } from './gate.js'
import { DataDirectory } from './keys/data-directory.js'
import { sharedIdentity } from './keys/identity-in-memory.js'
import { Outbound } from './keys/outbound.js'
import { readAuthorities } from './keys/trusted-authorities.js'
import type { Log } from './log.js'
import { OptionError, type Origin } from './option-error.js'
import { People } from './people.js'
import { resolvePolicy } from './policy.js'
import { libraryNotices } from './provider/library.js'
import { assemble } from './running-bank.js'
import { BankServer } from './server.js'
import { maxDocumentBytes } from './signing/documents.js'
import { hostName, openStorage } from './storage.js'
import type { Database } from './store/database.js'
import { tlsOptions } from './tls.js'

/**
 * Puts a bank together. Without options it lives in memory, on any free port of the loopback interface: what a test wants.
 *
 * @param origin how the person named an option that was given, for messages about it
 * @throws {UsageError} naming the option, file or port that stands in the way, and the way out
 */
export async function createBank(
  options: BankOptions = {},
  log: Log = () => {},
  origin: Origin = () => undefined,
): Promise<Bank> {
  return putTogether(configure(options, origin), log).catch((error: unknown) => {
    throw error instanceof OptionError ? error.namedBy(origin) : error
  })
}

async function putTogether(config: BankConfig, told: Log): Promise<Bank> {
  const metrics = config.metrics === undefined ? undefined : await Metrics.make()
  const log: Log = (entry) => {
    metrics?.log(entry)
    told(entry)
  }
  const policy = resolvePolicy(config)
  const people = OptionError.of('people', () => new People(config.people))
  const faults = new ActiveFaults({
    people,
    scopes: capabilities.scopes,
    documentScopes: signingFlow.documentScopes,
  })
  for (const id of config.faults) OptionError.of('faults', () => faults.on(id))
  const serviceAuthorities = OptionError.of('serviceAuthorities', () =>
    config.serviceAuthorities.flatMap(readAuthorities),
  )
  const directory = config.data === undefined ? undefined : new DataDirectory(config.data, log)
  directory?.make()
  const storage = await openStorage(config, directory)
  const { identity, db, storeKey, turns, replicas, release: letGo } = storage
  replicas?.membership.onLost((message) => log({ event: 'error', message }))
  // The bank's own may be renewed while it runs.
  const authorities = () => [identity.authority.cert, ...serviceAuthorities]
  const server = new BankServer(
    () => ({
      ...tlsOptions(policy, faults),
      cert: identity.tls.cert,
      key: identity.tls.key,
      ca: authorities(),
    }),
    config.limits,
  )
  faults.watch(() => server.renew())
  const documents = new Outbound({
    ca: authorities(),
    networks: config.fetchNetworks,
    bytes: maxDocumentBytes,
  })
  const outbound = new Outbound({ ca: authorities(), networks: config.fetchNetworks, toldKeys: config.bench })

  const letGoOfClock = holdClock()
  let live: Composition | undefined
  async function release(): Promise<void> {
    await server.close()
    await live?.dispatcher.stop()
    await Promise.all([outbound.close(), documents.close()])
    await (live?.db ?? db).destroy()
    await letGo()
    letGoOfClock()
  }

  try {
    // The address has to be known before anything is put together that names it; one that is known is listened on when the bank can
    // answer.
    if (!config.issuer && config.port === 0) await server.listen(config.port, config.host)
    const issuer = config.issuer ?? `https://${hostName(config.host)}:${server.port ?? config.port}`
    const gate = new Gate()
    const firstKeys = directory ? [] : (await sharedIdentity()).bankKeys
    const compose = async (store: Database): Promise<Composition> => {
      const { context, secrets } = await composeBank({
        config: { ...config, issuer, idpId: config.idpId ?? new URL(issuer).host },
        policy,
        firstKeys,
        renewCertificates: () => storage.renewCertificates(server),
        identity,
        authorities,
        people,
        seams: faults,
        faults,
        outbound,
        documents,
        db: store,
        replicas,
        turns,
        storeKey,
        sealCopy: directory?.auditSeal(config.storeKey !== undefined),
        log,
      })
      const dispatcher = new Dispatcher({
        outbox: context.outbox,
        outbound,
        makeToken: (delivery) => makeEventToken(context, delivery),
        retryFor: config.retryFor,
        log,
        seams: faults,
      })
      const app = makeApp(context, secrets, gate)
      metrics?.watch(context.provider, servedRoutes(app), issuer)
      return { context, dispatcher, app, db: store }
    }
    live = await compose(db)
    await replicas?.membership.started()
    for (const message of libraryNotices) log({ event: 'notice', message })
    server.serve(live.app)
    return assemble({ live, compose, gate, faults, server, directory, metrics, release })
  } catch (error) {
    await release()
    throw error
  }
}

export type { Bank, BankFaults } from './bank-interface.js'
export type { BankOptions } from './config.js'
export { knownFaults } from './faults/active.js'
