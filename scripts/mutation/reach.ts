import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Build, folder } from './build.js'
import type { Answers, Job, Reached, RightBank } from './worker.js'

/** Gives a job to a process of its own. */
export type Run = <Kind extends Job['kind']>(job: Extract<Job, { kind: Kind }>) => Promise<Answers[Kind]>

/** Which mutants the rules can notice. */
export interface Reach {
  /** Rules that pass a mutant's place, those that cost least first; where that is every rule, those that pass its file before the others. */
  rulesOf(mutant: number): string[]
  rightBank: RightBank
}

interface Kept {
  key: string
  start: number[]
  /** Each with what its rule was made of. */
  rules: (Reached & { key?: string | undefined })[]
}

/** Rules that are run before what they came to is kept. */
const portion = 20

/**
 * Runs each rule by itself at the right bank, save those of which it is kept what came of it when bank, harness and rule were as they are.
 *
 * @param rules what each is made of, by its id
 * @param bank how the right bank is called, where there are several
 */
export async function reachOf(
  { key, mutants }: Build,
  rules: ReadonlyMap<string, string>,
  run: Run,
  bank: string,
): Promise<Reach> {
  const file = `${folder}/reach-${bank}.json`
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : undefined
  const kept: Kept = before?.key === key ? before : { key, start: await run({ kind: 'start' }), rules: [] }
  kept.rules = kept.rules.filter((one) => one.key !== undefined && one.key === rules.get(one.rule))
  const known = new Set(kept.rules.map(({ rule }) => rule))
  const open = [...rules.keys()].filter((rule) => !known.has(rule))
  for (let at = 0; at < open.length; at += portion) {
    const reached = await run({ kind: 'reach', rules: open.slice(at, at + portion) })
    kept.rules.push(...reached.map((one) => ({ ...one, key: rules.get(one.rule) })))
    writeFileSync(file, JSON.stringify(kept))
  }
  return reachBy(kept, mutants)
}

/** @param mutants of the build, by their numbers */
export function reachBy({ start, rules }: Pick<Kept, 'start' | 'rules'>, mutants: readonly { file: string }[]): Reach {
  const atStart = new Set(start)
  const fileOf = (mutant: number) => mutants[mutant]?.file
  const passed = rules
    .toSorted((a, b) => a.milliseconds - b.milliseconds)
    .map(({ rule, hits }) => {
      const later = hits.filter((mutant) => !atStart.has(mutant))
      return { rule, hits: new Set(hits), files: new Set(later.map(fileOf)) }
    })
  const idsOf = (some: readonly { rule: string }[]) => some.map(({ rule }) => rule)
  return {
    rulesOf(mutant) {
      if (!atStart.has(mutant)) return idsOf(passed.filter(({ hits }) => hits.has(mutant)))
      const near = passed.filter(({ files }) => files.has(fileOf(mutant)))
      return idsOf([...near, ...passed.filter((one) => !near.includes(one))])
    },
    rightBank: Object.fromEntries(
      rules.map(({ rule, status, reason }) => [rule, { status, ...(reason !== undefined && { reason }) }]),
    ),
  }
}
