import { setTimeout } from 'node:timers/promises'
import { validate } from '../../schemas/index.js'
import { askDoor, type Control } from './control-door.js'

/** Milliseconds between two looks, at first and at last. */
const pauses = { first: 200, last: 1_000 }

/** What a bank has still to send, as its control door tells it. */
export interface Outbox {
  /** Whether the door was seen to tell it. */
  isTold(): boolean
  /**
   * Waits until there is nothing left to send to any of these addresses: found so twice, as what was just answered may not have been kept yet.
   * @returns false when the door does not tell, or `signal` ended the waiting
   */
  emptied(addresses: readonly string[], signal: AbortSignal): Promise<boolean>
}

/** An event on its way; without `next` it is not tried again. */
interface Entry {
  receiver: string
  next?: string
}

export function outboxOf(control: Control): Outbox {
  let told: boolean | undefined
  const isLeft = async (addresses: readonly string[], signal: AbortSignal): Promise<boolean> => {
    const { status, said } = await askDoor(control, '/outbox', { signal })
    told = status === 200 && validate('control-outbox', said).length === 0
    if (!told) throw new Error('the door does not tell')
    const waiting = (said as Entry[])
      .filter(({ next }) => next !== undefined)
      .map(({ receiver }) => new URL(receiver).href)
    return addresses.some((address) => waiting.includes(new URL(address).href))
  }
  const untilEmpty = async (addresses: readonly string[], signal: AbortSignal): Promise<boolean> => {
    for (let pause = pauses.first, found = 0; found < 2; pause = Math.min(2 * pause, pauses.last)) {
      await setTimeout(pause, undefined, { signal })
      found = (await isLeft(addresses, signal)) ? 0 : found + 1
    }
    return true
  }
  return {
    isTold: () => told === true,
    emptied: async (addresses, signal) => told !== false && untilEmpty(addresses, signal).catch(() => false),
  }
}
