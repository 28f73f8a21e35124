import { constants, existsSync } from 'node:fs'
import { access, mkdir, rmdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { UsageError } from '../output.js'
import { fileTrouble } from '../target/file-trouble.js'

/**
 * Makes a directory where it is not there yet, so that what cannot be written is told of before anything is done for it.
 * @param given what the user wrote to name it
 * @returns the directories that were made, the outermost first
 * @throws UsageError in one line when it is a file, or cannot be made or written to
 */
export async function makeDirectory(directory: string, given = directory): Promise<string[]> {
  try {
    const made = await make(resolve(directory))
    if (!(await stat(directory)).isDirectory()) throw new UsageError(`${given} is a file: name a directory`)
    await access(directory, constants.W_OK | constants.X_OK)
    return made
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${given} cannot be written to (${fileTrouble(error)}): name a directory`)
  }
}

/** Takes away again what `makeDirectory` made, as far as it is empty: of what did not come about nothing is left. */
export async function removeMade(made: readonly string[]): Promise<void> {
  for (const empty of made.toReversed()) await rmdir(empty).catch(() => {})
}

/** One directory after the other: where none can be made, such as below /proc, mkdir's own recursion does not end. */
async function make(directory: string): Promise<string[]> {
  if (existsSync(directory)) return []
  const made = await make(dirname(directory))
  await mkdir(directory)
  return [...made, directory]
}
