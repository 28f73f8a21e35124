import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import express, { type Express } from 'express'
import { type BankConfig, type BankOptions, configure } from './config.js'
import { type ControlDoor, openControlDoor } from './control/door.js'
import { discovery } from './endpoints/discovery.js'
import { documentPages } from './endpoints/documents.js'
import { endSession } from './endpoints/end-session.js'
import { healthcheck } from './endpoints/healthcheck.js'
import { interaction } from './endpoints/interaction.js'
import { keySet } from './endpoints/key-set.js'
import { register } from './endpoints/register.js'
import { errorHandler, ownHost, requestLog, traceId } from './endpoints/requests.js'
import { revoke } from './endpoints/revoke.js'
import { pathSeam, responseSeam } from './endpoints/seams.js'
import { token } from './endpoints/token.js'
import { tokenInfo } from './endpoints/token-info.js'
import { userinfo } from './endpoints/userinfo.js'
import { UsageError } from './errors.js'
import { Delivery } from './events/delivery.js'
import { makeEventToken } from './events/event-tokens.js'
import { ActiveFaults } from './faults/active.js'
import { BankKeys } from './keys/bank-keys.js'
import { ClientKeys } from './keys/client-keys.js'
import { DataDirectory, files } from './keys/data-directory.js'
import { type Identity, sharedIdentity } from './keys/identity.js'
import { type BankAlgorithm, type BankJwk, makeBankKey } from './keys/jwk.js'
import { Outbound } from './keys/outbound.js'
import type { Log } from './log.js'
import { People } from './people.js'
import { makeProvider } from './provider/provider.js'
import { Subjects } from './provider/subjects.js'
import type { Rooms } from './rooms.js'
import { AssertionIds } from './store/assertion-ids.js'
import { Clients } from './store/clients.js'
import { Consents } from './store/consents.js'
import { openDatabase } from './store/database.js'
import { Outbox } from './store/outbox.js'
import { ProviderRecords } from './store/provider-records.js'
import { loadSecrets, type Secrets } from './store/secrets.js'
import { targetFile } from './target-file.js'
import { tlsOptions } from './tls.js'

export interface Bank {
  /** The Express application, to mount elsewhere or to test without a socket. */
  app: Express
  /** The bank's address. */
  issuer: string
  config: Readonly<BankConfig>
  /** Whom the bank trusts and what the service needs: certificates (PEM) and the service's private key set. */
  identity: Identity
  people: People
  faults: ActiveFaults
  /** The open control door, after {@link Bank.listen}. */
  control?: ControlDoor
  /** Starts to answer. @returns the bank's address */
  listen(): Promise<string>
  /** Finishes what is running, then frees the port and the store. */
  close(): Promise<void>
}

function listenOn(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? `port ${port} is taken: choose another with --port, or 0 for any free one`
          : `cannot listen on ${host}:${port}: ${error.message}`
      reject(new UsageError(reason, { cause: error }))
    }
    server.once('error', fail).listen(port, host, () => {
      server.off('error', fail)
      resolve()
    })
  })
}

/** The host in the address of a bank that was given none. */
function hostName(host: string): string {
  return ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host) ? 'localhost' : host
}

/**
 * Puts a bank together. Without options it lives in memory, on any free port of the loopback interface: what a test wants.
 *
 * @throws {UsageError} naming the option, file or port that stands in the way, and the way out
 */
export async function createBank(options: BankOptions = {}, log: Log = () => {}): Promise<Bank> {
  const config = configure(options)
  const faults = new ActiveFaults()
  for (const id of config.faults) faults.on(id)
  const people = new People(config.people)
  const directory = config.data === undefined ? undefined : new DataDirectory(config.data)
  const { identity, makeKey } = await identityOf(config, directory)
  const db = await openDatabase(directory ? directory.resolve(files.store) : ':memory:')
  const secureContext = () => ({
    ...tlsOptions(config.readings, faults),
    cert: identity.tls.cert,
    key: identity.tls.key,
    ca: [identity.authority.cert],
  })
  // A certificate is asked for and checked route by route: registration needs one, the pages must not.
  const server = createServer({ ...secureContext(), requestCert: true, rejectUnauthorized: false })
  faults.watch(() => server.setSecureContext(secureContext()))
  const outbound = new Outbound({ ca: [identity.authority.cert], networks: config.fetchNetworks })

  let delivery: Delivery | undefined
  async function release(): Promise<void> {
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeIdleConnections()
    })
    await delivery?.stop()
    await outbound.close()
    await db.destroy()
  }

  try {
    // The address has to be known before anything is put together that names it.
    if (!config.issuer) await listenOn(server, config.port, config.host)
    const { port } = (server.address() as AddressInfo | null) ?? config
    const issuer = config.issuer ?? `https://${hostName(config.host)}:${port}`
    const secrets = await loadSecrets(db)
    const outbox = new Outbox(db)
    const parts: Omit<Rooms, 'provider'> = {
      config: { ...config, issuer, idpId: config.idpId ?? new URL(issuer).host },
      identity,
      keys: await BankKeys.load(db, makeKey),
      clientKeys: new ClientKeys(outbound),
      clients: new Clients(db),
      consents: new Consents(db),
      assertionIds: new AssertionIds(db),
      people,
      subjects: new Subjects(secrets.pairwise),
      faults,
      outbound,
      outbox,
      log,
    }
    const provider = makeProvider(parts, secrets, new ProviderRecords(db), outbound.fetch as unknown as typeof fetch)
    const rooms: Rooms = { ...parts, provider }
    delivery = new Delivery({
      outbox,
      outbound,
      makeToken: (parcel) => makeEventToken(rooms, parcel),
      retryFor: config.retryFor,
      log,
    })
    const app = makeApp(rooms, secrets)
    server.on('request', app)
    return assemble(rooms, app, server, directory, delivery, release)
  } catch (error) {
    await release()
    throw error
  }
}

/** The certificates, and how keys are made: those of the data directory, or the ones that all banks in memory share. */
async function identityOf(config: BankConfig, directory?: DataDirectory) {
  if (!directory) {
    const { identity, bankKeys } = await sharedIdentity()
    const makeKey = async (alg: BankAlgorithm): Promise<BankJwk> =>
      bankKeys.find((key) => key.alg === alg) ?? makeBankKey(identity.authority, alg)
    return { identity, makeKey }
  }
  const named = config.issuer ? [new URL(config.issuer).hostname] : []
  const identity = await directory.identity([...new Set(['localhost', '127.0.0.1', hostName(config.host), ...named])])
  return { identity, makeKey: (alg: BankAlgorithm) => makeBankKey(identity.authority, alg) }
}

/** All paths of the bank, below the path of its address. */
function makeApp(rooms: Rooms, secrets: Secrets): Express {
  const paths = express
    .Router()
    .use(pathSeam(rooms), responseSeam(rooms))
    .use(
      discovery(rooms),
      documentPages(rooms),
      keySet(rooms),
      healthcheck(rooms),
      register(rooms),
      interaction(rooms),
      userinfo(rooms),
    )
    .use(token(rooms, secrets.internal), tokenInfo(rooms), revoke(rooms), endSession(rooms))
    .use(rooms.provider.callback())
  return express()
    .disable('x-powered-by')
    .set('query parser', 'simple')
    .set('etag', false)
    .use(traceId, requestLog(rooms), ownHost(rooms))
    .use(new URL(rooms.config.issuer).pathname, paths)
    .use(errorHandler(rooms)) as Express
}

function assemble(
  rooms: Rooms,
  app: Express,
  server: Server,
  directory: DataDirectory | undefined,
  delivery: Delivery,
  release: () => Promise<void>,
): Bank {
  const { config, identity, people, faults } = rooms
  const { issuer } = config
  const bank: Bank = {
    app,
    issuer,
    config,
    identity,
    people,
    faults,
    async listen() {
      if (!server.listening) await listenOn(server, config.port, config.host)
      if (config.control) {
        bank.control = await openControlDoor(rooms, config.controlPort, directory?.read(files.controlToken))
        directory?.write(files.controlToken, bank.control.token, { secret: true })
        directory?.write(files.control, JSON.stringify({ url: bank.control.url }), { secret: true })
      }
      directory?.write(files.target, targetFile(issuer, config.idpId, people, bank.control?.url))
      delivery.start()
      return issuer
    },
    async close() {
      await bank.control?.close()
      await release()
    },
  }
  return bank
}

export type { BankOptions } from './config.js'
