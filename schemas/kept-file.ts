import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** Whether a file is one that nobody else could have written or read. Windows tells no modes: there a home directory is closed to others. */
function isOurs(descriptor: number): boolean {
  const { uid, mode } = fstatSync(descriptor)
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0)
}

/**
 * What a process of the same user kept in a file for the next.
 *
 * @returns undefined where the file is not the user's alone
 * @throws Error of any kind where there is none
 */
export function readKept(file: string): Buffer | undefined {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    return isOurs(descriptor) ? readFileSync(descriptor) : undefined
  } finally {
    closeSync(descriptor)
  }
}

/** Keeps something in a file, in one step and for the owner alone. */
export function keep(file: string, content: string | Uint8Array): void {
  const draft = `${file}.${process.pid}.new`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx' })
    renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** What can be done without: undefined where it cannot be had. */
export function whereItCan<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
