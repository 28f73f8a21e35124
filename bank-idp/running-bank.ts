import { attestations } from './attestations.js'
import type { Bank, BankFaults } from './bank-interface.js'
import { placeIn } from './config.js'
import { askedRequests } from './control/asked-requests.js'
import { bankClock } from './control/bank-clock.js'
import { benchOperations, makeBench } from './control/bench.js'
import { type ControlDoor, openControlDoor } from './control/door.js'
import type { Metrics } from './control/metrics.js'
import { openMetricsDoor } from './control/metrics-door.js'
import { unregistered } from './control/unknown-client.js'
import { UsageError } from './errors.js'
import { type Composition, Exchanges } from './exchange.js'
import type { Gate } from './gate.js'
import { type DataDirectory, files } from './keys/data-directory.js'
import type { PlainServer } from './plain-server.js'
import type { BankServer } from './server.js'
import { tellFault } from './shared-faults.js'
import type { Database } from './store/database.js'
import { targetFile } from './target-file.js'
import { yamlText } from './yaml-text.js'

/** What a bank is assembled of. */
interface Parts {
  /** What is in force; over another store it is another. */
  live: Composition
  compose(db: Database): Promise<Composition>
  gate: Gate
  faults: BankFaults
  server: BankServer
  directory: DataDirectory | undefined
  metrics: Metrics | undefined
  release(): Promise<void>
}

/** A bank that was put together: its methods, and what it does when it begins to listen and when it is closed. */
export function assemble({ live, compose, gate, faults, server, directory, metrics, release }: Parts): Bank {
  const { config, policy, identity, people, log } = live.context
  const { issuer } = config
  const { app } = live
  let started = false
  let door: ControlDoor | undefined
  let metricsDoor: PlainServer | undefined

  function start(): void {
    started = true
    live.context.scheduler.start()
    live.context.shared.start(() => live.context.scheduler.takeOver())
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
    still: (work) => exchanges.still(work),
    checkOpen: () => exchanges.checkOpen(),
  })

  function writeTarget(): void {
    // It holds the passwords of its people.
    directory?.write(files.target, targetFile(config, people, bank.control?.url), { secret: true, isMadeAnew: true })
  }

  async function open(): Promise<void> {
    if (!server.listening) await server.listen(config.port, config.host)
    if (config.control) {
      const kept = directory?.read(files.controlToken)
      door = await openControlDoor(
        bench,
        { host: config.controlHost, port: config.controlPort },
        config.controlToken ?? kept,
      )
      const { url, token, page } = door
      bank.control = { url, token, ...(page !== undefined && { page }) }
      directory?.write(files.controlToken, token, { secret: true, isMadeAnew: token === kept })
      directory?.write(files.control, JSON.stringify({ url }), { secret: true, isMadeAnew: true })
    }
    const place = placeIn(config.metrics ?? '')
    if (metrics && place) {
      metricsDoor = await openMetricsDoor(metrics, live.context, () => bench.store(), place)
      bank.metrics = metricsDoor.url
    }
    directory?.write(files.attestations, yamlText(attestations({ config, policy })), { isMadeAnew: true })
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

  /** Other replicas learn of it within a second. */
  function tellSwitched(id: string, isOn: boolean, clientId?: string): void {
    tellFault(live.context.shared, id, isOn, clientId).catch(({ message }: Error) => log({ event: 'error', message }))
  }

  const bank: Bank = {
    ...benchOperations(bench),
    app,
    issuer,
    config,
    policy,
    identity,
    people,
    faults: {
      get known() {
        return faults.known
      },
      on(id, clientId) {
        // What is no text the fault refuses.
        const ids = live.context.clients.ids()
        if (typeof clientId === 'string' && !ids.has(clientId)) throw new UsageError(unregistered(clientId, ids))
        faults.on(id, clientId)
        tellSwitched(id, true, clientId)
      },
      off(id, clientId) {
        faults.off(id, clientId)
        tellSwitched(id, false, clientId)
      },
      list: () => faults.list(),
      tls: (options) => faults.tls(options),
    },
    clock: bankClock(bench),
    get requests() {
      return askedRequests(bench)
    },
    async setClaims(login, changes) {
      exchanges.checkOpen()
      return live.context.claimUpdates.change(login, changes)
    },
    async listen() {
      exchanges.checkOpen()
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
      const answered = [server.close(), door?.close(), metricsDoor?.close()]
      await exchanges.close()
      await live.context.shared.stop()
      await live.context.scheduler.stop()
      await Promise.all(answered)
      await release()
    },
  }
  return bank
}
