import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parse } from 'yaml'
import type { Mutant } from './mutants.js'
import type { Ruling } from './verdict.js'

/** What came of one mutant in one run. */
export interface Result extends Ruling {
  /** Id of the mutant. */
  id: string
  /** Of the build that it was found with: other than now where the bank or the harness changed since. */
  key: string
  /** Which bank was changed: that with its own readings, or which other; own where nothing is said. */
  readings?: string
  /** How many rules could notice it. */
  rules: number
  seconds: number
  /** YYYY-MM-DD. */
  date: string
}

/** Results as they come, one JSON line each; a run that was ended goes on from there. */
export class Record {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  add(result: Result): void {
    mkdirSync(dirname(this.#file), { recursive: true })
    appendFileSync(this.#file, `${JSON.stringify(result)}\n`)
  }

  /** The last result of each mutant, by its id. A line that was cut off as a run was ended is none. */
  read(): Map<string, Result> {
    const text = existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : ''
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    const results = whole.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Result] : []))
    return new Map(results.map((result) => [result.id, result]))
  }
}

/** Code and reasons as they are printed: in one line, and shortened. */
export const oneLine = (text: string) => (text.length > 160 ? `${text.slice(0, 160)} …` : text).replace(/\s+/g, ' ')

/** Mutants that were judged to change nothing that can be seen on the wire. */
export interface Equivalent {
  file: string
  /** The text of the line of the source. */
  text: string
  /** As they are printed. All of the line that are like the rest of the entry when left out. */
  operator?: string
  from?: string
  to?: string
  /** What was sent and came back the same, or why nothing can. */
  reason: string
}

const named = ['file', 'text', 'operator', 'from', 'to'] as const

/** @param text YAML: a list of {@link Equivalent} */
export function readEquivalents(text: string): Equivalent[] {
  return (parse(text) ?? []) as Equivalent[]
}

/**
 * The reasons why mutants are equivalent, by their ids.
 * @throws Error naming an entry without a reason, or one that is about no mutant
 */
export function equivalentsAmong(mutants: readonly Mutant[], entries: readonly Equivalent[]): Map<string, string> {
  const reasons = new Map<string, string>()
  for (const entry of entries) {
    const told = named.flatMap((name) => (entry[name] === undefined ? [] : [entry[name]])).join(' · ')
    const meant = mutants.filter((mutant) =>
      named.every((name) => [undefined, mutant[name], oneLine(mutant[name])].includes(entry[name])),
    )
    if (!entry.reason) throw new Error(`equivalent without a reason: ${told}`)
    if (meant.length === 0) throw new Error(`equivalent that is no mutant any more: ${told}`)
    for (const { id } of meant) reasons.set(id, entry.reason)
  }
  return reasons
}
