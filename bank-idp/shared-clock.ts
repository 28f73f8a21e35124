import { type ClockState, clockState, resetClock, takeUpClock } from './clock.js'
import type { Shared } from './shared.js'

const [topic, name] = ['clock', 'clock']

/** Has the clock of this process follow those of the other replicas. */
export function followClock(shared: Shared): Promise<void> {
  return shared.remember(topic, {
    forget: resetClock,
    takeUp(_name, state) {
      if (state === undefined) resetClock()
      else takeUpClock(JSON.parse(state) as ClockState)
    },
  })
}

/** Tells the other replicas how the clock of this process stands to the machine's, once it was moved. */
export async function tellClock(shared: Shared): Promise<void> {
  const state = clockState()
  const isReset = state.offsetMilliseconds === 0 && state.standsAt === undefined
  await shared.tell(topic, name, isReset ? null : JSON.stringify(state))
}
