import { type KeyGone, keysGone } from '../bank/keys-seen.js'
import type { RuleResult, Status } from '../harness/result.js'
import { mostSevere, type Report } from '../harness/results.js'

/** One thing in which two reports differ. */
export interface Difference {
  /** worse: a regression; better; changed: neither; new and gone: in one of the reports alone. */
  kind: 'worse' | 'better' | 'changed' | 'new' | 'gone'
  /** What differs: a rule, a requirement, an ambiguity, a key. */
  what: string
  description: string
}

/** How much is shown by a result: the higher, the worse. */
const weight: Record<Status, number> = {
  pass: 0,
  attested: 0,
  observed: 0,
  warn: 1,
  skip: 2,
  waived: 3,
  blocked: 4,
  error: 4,
  fail: 4,
}

/**
 * What changed between two reports of a bank: verdicts, requirements, readings, keys. Only a regression is `worse`: less holds, or
 * less is shown, than before; or a key is gone that has to be there.
 */
export function differences(old: Report, now: Report): Difference[] {
  return [
    ...rulesThatDiffer(old, now),
    ...requirementsThatDiffer(old, now),
    ...readingsThatDiffer(old, now),
    ...keysThatAreGone(old, now),
  ]
}

function rulesThatDiffer(old: Report, now: Report): Difference[] {
  const before = new Map(old.results.map((result) => [result.rule, result]))
  const after = new Map(now.results.map((result) => [result.rule, result]))
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((rule) => {
    const [was, is] = [before.get(rule), after.get(rule)]
    if (!was) return is ? [{ kind: 'new', what: rule, description: describe(is) } as const] : []
    if (!is) return [gone(was, now)]
    return [...statusThatDiffers(was, is), ...requirementOfRule(was, is)]
  })
}

function statusThatDiffers(was: RuleResult, is: RuleResult): Difference[] {
  const what = is.rule
  if (was.status !== is.status) return [step(what, was.status, is.status, `${was.status} -> ${describe(is)}`)]
  const [held, holds] = [was, is].map(({ status, finding }) => status !== 'observed' || finding === undefined)
  if (held === holds) return []
  const describeUse = (so: boolean | undefined) => (so ? 'uses the option' : 'does not use it')
  return [{ kind: 'changed', what, description: `the bank ${describeUse(held)} -> ${describeUse(holds)}` }]
}

/** What a rule is about can change with the version of the harness. */
function requirementOfRule(was: RuleResult, is: RuleResult): Difference[] {
  const [before, after] = [was, is].map(({ requirement, level }) => `${requirement} ${level}`)
  return before === after ? [] : [{ kind: 'changed', what: is.rule, description: `is about ${before} -> ${after}` }]
}

/** A rule without a result was left out of the new run, or the harness has it no more. */
function gone({ rule, status }: RuleResult, { selection, notRun }: Report): Difference {
  if (notRun.includes(rule)) return { kind: 'worse', what: rule, description: `${status} -> without a result` }
  if (selection.leftOut.includes(rule))
    return { kind: 'worse', what: rule, description: `${status} -> left out by the selection` }
  return { kind: 'gone', what: rule, description: `was ${status}; the harness no longer has this rule` }
}

function describe({ status, reason }: RuleResult): string {
  return reason === undefined ? status : `${status}: ${reason}`
}

function step(what: string, was: Status, is: Status, description: string): Difference {
  const [before, after] = [weight[was], weight[is]]
  return { kind: after > before ? 'worse' : after < before ? 'better' : 'changed', what, description }
}

function requirementsThatDiffer(old: Report, now: Report): Difference[] {
  const [before, after] = [statusByRequirement(old), statusByRequirement(now)]
  return [...before].flatMap(([requirement, was]) => {
    const is = after.get(requirement)
    return is === undefined || is === was ? [] : [step(requirement, was, is, `${was} -> ${is}`)]
  })
}

/** Of several rules the most severe. */
function statusByRequirement({ results }: Report): Map<string, Status> {
  const requirements = [...new Set(results.map(({ requirement }) => requirement))].sort()
  return new Map(
    requirements.flatMap((requirement) => {
      const status = mostSevere(results.filter((result) => result.requirement === requirement))
      return status ? [[requirement, status] as const] : []
    }),
  )
}

function readingsThatDiffer(old: Report, now: Report): Difference[] {
  const readings = ({ readings: taken }: Report) => {
    const texts = new Map<string, string[]>()
    for (const { ambiguity, reading, text } of taken)
      texts.set(ambiguity, [...(texts.get(ambiguity) ?? []), `${reading} (${text})`])
    return new Map([...texts].map(([ambiguity, all]) => [ambiguity, all.join(' and ')]))
  }
  const [before, after] = [readings(old), readings(now)]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((ambiguity): Difference[] => {
    const [was = 'not seen', is = 'not seen'] = [before.get(ambiguity), after.get(ambiguity)]
    return was === is ? [] : [{ kind: 'changed', what: ambiguity, description: `reading ${was} -> ${is}` }]
  })
}

const kindOfGone: Record<KeyGone['verdict'], Difference['kind']> = {
  'too early': 'worse',
  over: 'gone',
  unknown: 'gone',
}

/** A report of a run that never asked for the key set says nothing about it. */
function keysThatAreGone({ keySet: old }: Report, { keySet: now }: Report): Difference[] {
  if (now.keys.length === 0) return []
  return keysGone(old, now).map(({ kid, verdict, description }) => ({
    kind: kindOfGone[verdict],
    what: `key ${kid}`,
    description: verdict === 'too early' ? `${description} (JWKS-8)` : description,
  }))
}
