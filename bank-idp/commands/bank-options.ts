import type { BankOptions } from '../config.js'
import { UsageError } from '../errors.js'
import type { Resolved } from '../settings.js'
import { secretIn } from './secret-in.js'

/**
 * The options of a bank by its settings, without those that are the command's own.
 *
 * @throws {UsageError} where two settings do not go together
 */
export function bankOptions({ settings, origin }: Resolved): BankOptions {
  const { ephemeral, quiet: _, print: __, readyFile: ___, controlTokenFile, storeKeyFile, ...rest } = settings
  const controlToken = rest.controlToken ?? secretIn(controlTokenFile, () => origin('controlTokenFile'))
  const storeKey = rest.storeKey ?? secretIn(storeKeyFile, () => origin('storeKeyFile'))
  const door = rest.control ? 'control' : rest.controlPort === undefined ? undefined : 'controlPort'
  // Who asks for the bench is told the token in its address.
  if (ephemeral && door && controlToken === undefined && !rest.benchPage) {
    throw new UsageError(
      `${origin(door)}: the control door keeps its token in the data directory, and --ephemeral has none: give a token with --control-token-file, or leave one of the two out`,
    )
  }
  const control = ephemeral && rest.control === undefined ? door !== undefined || rest.benchPage : rest.control
  // Where the door is shut nobody could ask what a bank in memory remembers.
  const memory = ephemeral && { data: undefined, ...(control === false && { bench: false }) }
  return { ...rest, control, controlToken, storeKey, ...memory }
}
