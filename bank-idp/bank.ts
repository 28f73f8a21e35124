/// <reference types="node" preserve="true" />
import type { RequestListener } from 'node:http'
import type { SecureContextOptions } from 'node:tls'
import { stringify } from 'yaml'
import type { Person } from '../fixtures/people.js'
import { makeApp } from './app.js'
import { attestations } from './attestations.js'
import { capabilities, signingFlow } from './capabilities.js'
import { holdClock } from './clock.js'
import { composeBank } from './compose-bank.js'
import { type BankConfig, type BankOptions, configure } from './config.js'
import { bankClock } from './control/bank-clock.js'
import type { BankClock, BenchOperations } from './control/bank-operations.js'
import { benchOperations, makeBench } from './control/bench.js'
import { type ControlDoor, openControlDoor } from './control/door.js'
import { Dispatcher } from './events/dispatcher.js'
import { makeEventToken } from './events/event-tokens.js'
import { type Composition, Exchanges } from './exchange.js'
import { ActiveFaults } from './faults/active.js'
import { Gate } from './gate.js'
import { DataDirectory, files } from './keys/data-directory.js'
import { type Identity, sharedIdentity } from './keys/identity.js'
import { Outbound } from './keys/outbound.js'
import { readAuthorities } from './keys/trusted-authorities.js'
import type { Log } from './log.js'
import { People } from './people.js'
import { type Policy, resolvePolicy } from './policy.js'
import { libraryNotices } from './provider/library.js'
import type { RequestHistory } from './request-history.js'
import type { FaultSwitchboard } from './seams.js'
import { BankServer } from './server.js'
import { maxDocumentBytes } from './signing/documents.js'
import { type Database, openDatabase } from './store/database.js'
import { EncryptedValues } from './store/encrypted-values.js'
import { lockDirectory } from './store/lock.js'
import { targetFile } from './target-file.js'
import { tlsOptions } from './tls.js'

/** The faults of one bank. */
export interface BankFaults extends FaultSwitchboard {
  /** The versions and suites of TLS as faults change them, for who serves {@link Bank.app} elsewhere. */
  tls(options: SecureContextOptions): SecureContextOptions
}

/** Its types mention Node.js and dependencies that bring their own types: what the bank is made of stays its own affair. */
export interface Bank extends BenchOperations {
  /** The Express application, to mount elsewhere or to test without a socket. */
  app: RequestListener
  /** The bank's address. */
  issuer: string
  config: Readonly<BankConfig>
  /** What it does where its edition of the specification allows several readings. */
  policy: Policy
  /** Whom the bank trusts and what the service needs: certificates (PEM) and the service's private key set. */
  identity: Identity
  people: People
  faults: BankFaults
  clock: BankClock
  /**
   * Changes what the bank knows of someone, and has the clients told that asked for it.
   *
   * @param changes values by claim; null takes a claim away
   * @returns the person as they are now
   * @throws {BankError} not_found, or invalid_request naming the claim
   */
  setClaims(login: string, changes: Record<string, unknown>): Promise<Person>
  /**
   * The last 200 requests that came and what was answered, decoded: with their secrets, so in memory alone, and empty where
   * {@link BankConfig.bench} is off.
   */
  requests: Pick<RequestHistory, 'list' | 'last' | 'waitFor' | 'clear'>
  /** Address and Bearer token of the open control door, after {@link Bank.listen}; `page` is the bench, with the token in its address. */
  control?: { url: string; token: string; page?: string }
  /** Starts to answer. @returns the bank's address */
  listen(): Promise<string>
  /** Finishes what is running, then frees the port and the store. */
  close(): Promise<void>
}

/** The host in the address of a bank that was given none. */
function hostName(host: string): string {
  return ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host) ? 'localhost' : host
}

/**
 * Puts a bank together. Without options it lives in memory, on any free port of the loopback interface: what a test wants.
 *
 * @param origin how the person named an option that was given, for messages about it
 * @throws {UsageError} naming the option, file or port that stands in the way, and the way out
 */
export async function createBank(
  options: BankOptions = {},
  log: Log = () => {},
  origin?: (option: string) => string | undefined,
): Promise<Bank> {
  const config = configure(options, origin)
  const policy = resolvePolicy(config)
  const people = new People(config.people)
  const faults = new ActiveFaults({
    people,
    scopes: capabilities.scopes,
    documentScopes: signingFlow.documentScopes,
  })
  for (const id of config.faults) faults.on(id)
  const serviceAuthorities = config.serviceAuthorities.flatMap(readAuthorities)
  const directory = config.data === undefined ? undefined : new DataDirectory(config.data, log)
  directory?.make()
  const lock = directory && lockDirectory(directory.resolve(files.lock), directory.path)
  const { identity, db, storeKey } = await openStorage(config, directory).catch((error: unknown) => {
    lock?.release()
    throw error
  })
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
    lock?.release()
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
        renewCertificates: () => renewCertificates(config, identity, server, directory),
        identity,
        authorities,
        people,
        seams: faults,
        faults,
        outbound,
        documents,
        db: store,
        storeKey,
        sealCopy: directory?.auditSeal(),
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
      return { context, dispatcher, app: makeApp(context, secrets, gate), db: store }
    }
    live = await compose(db)
    for (const message of libraryNotices) log({ event: 'notice', message })
    server.serve(live.app)
    return assemble({ live, compose, gate, faults, server, directory, release })
  } catch (error) {
    await release()
    throw error
  }
}

/** What a bank keeps: in its data directory, or for as long as the process lives. */
async function openStorage(
  config: BankConfig,
  directory?: DataDirectory,
): Promise<{ identity: Identity; db: Database; storeKey: Buffer }> {
  return {
    storeKey: directory?.storeKey() ?? EncryptedValues.makeKey(),
    identity: directory ? await directory.identity(hostNames(config)) : (await sharedIdentity()).identity,
    db: await openDatabase(directory ? directory.resolve(files.store) : ':memory:'),
  }
}

/** Names and addresses under which the bank is reached. */
function hostNames({ issuer, host }: BankConfig): string[] {
  const named = issuer ? [new URL(issuer).hostname] : []
  return [...new Set(['localhost', '127.0.0.1', hostName(host), ...named])]
}

/** Takes up certificates that were made anew since, or that somebody put in place of them. */
async function renewCertificates(
  config: BankConfig,
  identity: Identity,
  server: BankServer,
  directory?: DataDirectory,
): Promise<void> {
  if (!directory) return
  const { cert } = identity.tls
  Object.assign(identity, await directory.identity(hostNames(config)))
  if (identity.tls.cert !== cert) server.renew()
}

/** What a bank is assembled of. */
interface Parts {
  /** What is in force; over another store it is another. */
  live: Composition
  compose(db: Database): Promise<Composition>
  gate: Gate
  faults: BankFaults
  server: BankServer
  directory: DataDirectory | undefined
  release(): Promise<void>
}

function assemble({ live, compose, gate, faults, server, directory, release }: Parts): Bank {
  const { config, policy, identity, people, log } = live.context
  const { issuer } = config
  const { app } = live
  let started = false
  let door: ControlDoor | undefined

  function start(): void {
    started = true
    live.context.scheduler.start()
    live.dispatcher.start()
  }

  const exchanges = new Exchanges({
    live,
    compose,
    gate,
    taken() {
      bench.context = live.context
      if (started) start()
    },
  })
  const bench = makeBench({
    app,
    context: live.context,
    store: () => live.db,
    exchange: (open, state) => exchanges.exchange(open, state),
  })

  function writeTarget(): void {
    // It holds the passwords of its people.
    directory?.write(files.target, targetFile(config, people, bank.control?.url), { secret: true })
  }

  async function open(): Promise<void> {
    if (!server.listening) await server.listen(config.port, config.host)
    if (config.control) {
      door = await openControlDoor(
        bench,
        { host: config.controlHost, port: config.controlPort },
        config.controlToken ?? directory?.read(files.controlToken),
      )
      const { url, token, page } = door
      bank.control = { url, token, ...(page !== undefined && { page }) }
      directory?.write(files.controlToken, token, { secret: true })
      directory?.write(files.control, JSON.stringify({ url }), { secret: true })
    }
    directory?.write(files.attestations, stringify(attestations({ config, policy })))
    writeTarget()
    people.watch(() => {
      try {
        writeTarget()
      } catch (error) {
        // The person is changed all the same.
        log({ event: 'error', message: (error as Error).message })
      }
    })
    await live.context.scheduler.run()
    start()
  }

  const bank: Bank = {
    ...benchOperations(bench),
    app,
    issuer,
    config,
    policy,
    identity,
    people,
    faults,
    clock: bankClock(bench),
    get requests() {
      return live.context.history
    },
    setClaims: (login, changes) => live.context.claimUpdates.change(login, changes),
    async listen() {
      try {
        await open()
      } catch (error) {
        await bank.close()
        throw error
      }
      return issuer
    },
    async close() {
      // Who listens no more is asked nothing new while the rest comes to its end.
      const answered = [server.close(), door?.close()]
      await exchanges.close()
      await live.context.scheduler.stop()
      await Promise.all(answered)
      await release()
    },
  }
  return bank
}

export type { BankOptions } from './config.js'
export { knownFaults } from './faults/active.js'
