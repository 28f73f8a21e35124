import { BankFailure } from '../evidence/failure.js'
import { variationNow } from '../evidence/variation.js'
import type { HttpResponse } from '../http/http.js'
import type { Expect } from './expect.js'

/** An expectation that a check reached, and whether it held. */
export interface ExpectationReached {
  /** The lines of rules that led to it, the innermost first, where they are traced: `rules/token/issue.js:40:5 < rules/token/issue.js:20`. */
  at: string
  /** The matcher, such as "toBe". */
  matcher: string
  /** What was judged, such as "scope of the token response" or "POST /token". */
  where: string
  /** The variation in which it was reached, if it was in one; one within another after that one's name. */
  variation?: string
  /** Id of the exchange whose answer holds what was judged, where that is known. */
  evidence?: string
  held: boolean
}

/** Tells what is judged apart from the rest of what a rule judges in a run. */
export function nameOf({ matcher, where, variation = '' }: ExpectationReached): string {
  return `${matcher} ${where} ${variation}`
}

/** Called with every expectation that a check reaches. */
export type ExpectationListener = (reached: ExpectationReached) => void

/** Frames that are looked at: a check may be many calls above its expectation. */
const deepest = 60

/** The lines of the folder `rules` by which the code got where it is. */
function linesOfRules(): string {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = deepest
  const { stack = '' } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  const [innermost = '', ...others] = [...stack.matchAll(/\/(rules\/\S+?:\d+:\d+)\)?$/gm)].map(([, line = '']) => line)
  // A call that waited stands at another column of its line than one that did not.
  return [innermost, ...others.map((line) => line.replace(/:\d+$/, ''))].join(' < ')
}

type Matchers = Record<string, (...given: unknown[]) => unknown>

/**
 * An `expect` that tells of each expectation when it has been judged.
 * @param traced whether it also tells by which lines it was reached, which costs time
 */
export function watched(expect: Expect, traced: boolean, listener: ExpectationListener): Expect {
  const watching = (...given: unknown[]): Matchers => {
    const [subject, where = whereOf(subject), seenIn] = given
    const variation = variationNow()?.name
    const { evidence } = (given.length === 1 ? subject : (seenIn ?? {})) as Partial<HttpResponse>
    const reached = {
      at: traced ? linesOfRules() : '',
      where: String(where),
      ...(variation !== undefined && { variation }),
      ...(evidence !== undefined && { evidence }),
    }
    const matchers: Matchers = Reflect.apply(expect, undefined, given)
    return Object.fromEntries(
      Object.entries(matchers).map(([matcher, judge]) => [
        matcher,
        (...expected: unknown[]) => {
          try {
            const judged = judge(...expected)
            listener({ ...reached, matcher, held: true })
            return judged
          } catch (error) {
            if (error instanceof BankFailure) listener({ ...reached, matcher, held: false })
            throw error
          }
        },
      ]),
    )
  }
  return watching as unknown as Expect
}

/** What an expectation about a response judges. */
function whereOf(response: unknown): string {
  const { method, url } = (response as HttpResponse).request
  return `${method} ${new URL(url).pathname}`
}
