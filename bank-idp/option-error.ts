import type { Violation } from '../schemas/index.js'
import { UsageError } from './errors.js'
import { toldProblems } from './tell-violation.js'

/** How the person named an option that was given, such as `--port` or `bank.yaml: port`; undefined where nobody did. */
export type Origin = (option: string) => string | undefined

/** What is wrong with an option, or with a place in it. */
export interface OptionProblem {
  /** Below the option, as people write it: `[0].redirect_uris`; empty for the whole. */
  place: string
  problem: string
}

/** One line about an option: `bank.yaml: clients[0].redirect_uris is missing.` */
export function tellProblem(option: string, { place, problem }: OptionProblem, origin: Origin): string {
  return `${origin(option) ?? `option ${option}`}${place}${/^(is|are|has|must) /.test(problem) ? ' ' : ': '}${problem}`
}

/** Violations of a schema, a problem each. @param known names of members, of which one that nobody knows may be a slip */
export function problemsOf(violations: readonly Violation[], known: readonly string[]): OptionProblem[] {
  const told = toldProblems(violations, known)
  return violations.map(({ path }, i) => ({ place: placeOf(path), problem: told[i] ?? '' }))
}

/** A JSON pointer (RFC 6901) as people write what is in a list or an object: /0/redirect_uris is [0].redirect_uris. */
function placeOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`))
    .join('')
}

/** What is wrong with an option, found only where it is used. */
export class OptionError extends UsageError {
  readonly #option: string
  readonly #found: OptionProblem

  constructor(option: string, found: OptionProblem, { cause }: { cause?: unknown } = {}) {
    super(
      tellProblem(option, found, () => undefined),
      { cause },
    )
    this.#option = option
    this.#found = found
  }

  /** Does what uses an option: bad use of the program is told as what is wrong with that option. */
  static of<Result>(option: string, use: () => Result): Result {
    try {
      return use()
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      throw new OptionError(option, { place: '', problem: error.message }, { cause: error })
    }
  }

  /** The same, by the name that the person gave. */
  namedBy(origin: Origin): UsageError {
    return new UsageError(tellProblem(this.#option, this.#found, origin), { cause: this })
  }
}
