import { execFile } from 'node:child_process'
import type { Recorder } from '../evidence/evidence.js'
import type { Person } from '../target/target.js'
import { TargetError } from '../target/target-error.js'

/** How long a program may take to print a one-time code, in milliseconds. */
const oneTimeCodeTimeoutMs = 30_000

/** Writes what a person enters: the value of the target file with its placeholders replaced. */
export type Writer = (value: string) => Promise<string>

/**
 * Writes for a person. A one-time code is made each time that it is asked for, and masked in what is recorded.
 * @param command program and arguments that print the code
 */
export function writerFor(
  { login, password }: Person,
  command: readonly string[] | undefined,
  evidence: Recorder,
): Writer {
  return async (value) => {
    const code = value.includes('{code}') && command ? await oneTimeCode(command, login) : ''
    if (code) evidence.secret('one_time_code', code)
    const written: Record<string, string> = { '{login}': login, '{password}': password, '{code}': code }
    return value.replace(/\{(login|password|code)\}/g, (placeholder) => written[placeholder] ?? '')
  }
}

/** @throws TargetError when the program fails, takes too long or prints nothing; what it printed is not told, for it may be secret */
function oneTimeCode([program = '', ...given]: readonly string[], login: string): Promise<string> {
  const args = given.map((arg) => arg.replaceAll('{login}', () => login))
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout: oneTimeCodeTimeoutMs }, (error, stdout) => {
      const code = stdout.trim()
      if (!error && code) return resolve(code)
      const why = !error
        ? 'printed nothing'
        : error.code === 'ENOENT'
          ? 'is not there'
          : error.killed
            ? `did not end within ${oneTimeCodeTimeoutMs / 1000} s`
            : `ended with ${error.code ?? error.signal}`
      reject(new TargetError([`login.code: ${program} ${why}`]))
    })
  })
}
