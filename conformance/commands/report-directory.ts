import { constants, existsSync } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { UsageError } from '../output.js'

/**
 * Makes the directory of --out, so that a report that cannot be written is told of before the bank is asked.
 * @throws UsageError in one line when it is a file, or cannot be made or written to
 */
export async function makeReportDirectory(out: string): Promise<void> {
  try {
    await make(resolve(out))
    await access(out, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const what = code === 'EEXIST' ? 'is a file' : `cannot be written to (${code})`
    throw new UsageError(`--out ${out} ${what}: name a directory`)
  }
}

/** One directory after the other: where none can be made, such as below /proc, mkdir's own recursion does not end. */
async function make(directory: string): Promise<void> {
  const parent = dirname(directory)
  if (!existsSync(parent)) await make(parent)
  if (!existsSync(directory)) await mkdir(directory)
  else if (!(await stat(directory)).isDirectory())
    throw Object.assign(new Error(`${directory} is a file`), { code: 'EEXIST' })
}
