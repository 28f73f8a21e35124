import { randomUUID } from 'node:crypto'
import { BankError } from '../../errors.js'
import { NextLogins } from '../../next-logins.js'
import { copyOf, emptied, openDatabase } from '../../store/database.js'
import type { BankState, Bench, Operation } from '../operation.js'
import type { Snapshot } from '../operation-data.js'

/** How many snapshots are kept. */
const kept = 10

const text = { type: 'string' }

/** @throws {BankError} where what was kept is not to be taken back */
function checkInMemory({ context: { config } }: Bench): void {
  if (config.data === undefined) return
  throw new BankError(
    'invalid_request',
    'a data directory keeps what happened, and an audit log that nobody changes: start the bank in memory (the setting ephemeral, or createBank without data) to have it put back',
  )
}

async function stateOf({ context, store }: Bench): Promise<BankState> {
  const { faults, forcedOutcomes, people } = context
  const nextLogins = new NextLogins()
  nextLogins.takeUp(people.nextLogins)
  return {
    store: await copyOf(store()),
    faults: faults.list().map(({ fault, clientId }) => ({ id: fault.id, clientId })),
    outcomes: forcedOutcomes.list(),
    nextLogins,
  }
}

export const reset: Operation<object, object> = {
  id: 'reset',
  method: 'post',
  path: '/reset',
  summary:
    'Makes a bank in memory as new: no clients but those of its configuration, nobody logged in, no requests remembered, the faults of its start. Its keys and its clock stay.',
  input: { properties: {} },
  output: { type: 'object' },
  example: { input: {}, output: {} },
  async run(bench) {
    checkInMemory(bench)
    const { config } = bench.context
    const faults = config.faults.map((id) => ({ id }))
    const outcomes = Object.entries(config.outcomes).map(([client, outcome]) => ({ client, outcome }))
    await bench.exchange(emptied, { faults, outcomes, nextLogins: new NextLogins() })
    return {}
  },
}

export const snapshot: Operation<object, Snapshot> = {
  id: 'takeSnapshot',
  method: 'post',
  path: '/snapshots',
  summary:
    'Remembers all that a bank in memory knows, with faults and outcomes, to come back to; the last 10. The clock is no part of it.',
  input: { properties: {} },
  output: { type: 'object', required: ['id'], properties: { id: text } },
  example: { input: {}, output: { id: '5d0f' } },
  async run(bench) {
    checkInMemory(bench)
    const id = randomUUID()
    bench.snapshots.set(id, await bench.still(() => stateOf(bench)))
    for (const old of [...bench.snapshots.keys()].slice(0, -kept)) bench.snapshots.delete(old)
    return { id }
  },
}

export const listSnapshots: Operation<object, Snapshot[]> = {
  id: 'listSnapshots',
  method: 'get',
  path: '/snapshots',
  summary: 'The snapshots that can be restored, the first one first.',
  input: { properties: {} },
  output: { type: 'array', items: { type: 'object', required: ['id'], properties: { id: text } } },
  example: { input: {}, output: [{ id: '5d0f' }] },
  run: ({ snapshots }) => [...snapshots.keys()].map((id) => ({ id })),
}

export const restore: Operation<Snapshot, object> = {
  id: 'restoreSnapshot',
  method: 'post',
  path: '/snapshots/restore',
  summary:
    'Takes the bank back to a snapshot, as often as it is asked to. Requests are not remembered across it; the clock stays.',
  input: { required: ['id'], properties: { id: text } },
  output: { type: 'object' },
  example: { input: { id: '5d0f' }, output: {} },
  async run(bench, { id }) {
    checkInMemory(bench)
    const state = bench.snapshots.get(id)
    if (!state) throw new BankError('not_found', `there is no snapshot '${id}': the last ${kept} are kept`)
    await bench.exchange(() => openDatabase(Buffer.from(state.store)), state)
    return {}
  },
}
