import type { FaultSwitchboard } from './seams.js'
import type { Shared } from './shared.js'

const topic = 'faults'

/** Which fault, for which client: as one text, which is no longer than an index takes. */
const nameOf = (id: string, clientId = '') => JSON.stringify([id, clientId])

/** Has the faults of this process follow those of the other replicas. What a fault remembers each replica remembers for itself. */
export function followFaults(faults: FaultSwitchboard, shared: Shared): Promise<void> {
  return shared.remember(topic, {
    // Those of the start are on where nobody was told otherwise.
    forget: () => {},
    takeUp(name, state) {
      const [id = '', clientId = ''] = JSON.parse(name) as string[]
      const isOn = faults.list().some((one) => one.fault.id === id && (one.clientId ?? '') === clientId)
      if (state === 'on' && !isOn) faults.on(id, clientId || undefined)
      if (state === 'off' && (isOn || clientId === '')) faults.off(id, clientId || undefined)
    },
  })
}

/** Tells the other replicas that a fault was switched. */
export async function tellFault(shared: Shared, id: string, isOn: boolean, clientId?: string): Promise<void> {
  await shared.tell(topic, nameOf(id, clientId), isOn ? 'on' : 'off')
}
