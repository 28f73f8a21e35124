import type { Fault } from '../../bank-idp/faults/fault.js'
import { openEdition } from '../../schemas/editions/index.js'
import { isAtPlace } from './at-place.js'
import type { Matrix } from './matrix.js'
import { type Outcome, turnedRed } from './outcome.js'
import type { Variant } from './variants.js'

/** Deviations of the right bank's results that are known, by rule, each with its reason. */
export interface Allowed {
  skip: Record<string, string>
  warn: Record<string, string>
}

/** On the right bank every rule passes, and what does not is on the list, which holds nothing else. */
export function judgeRightBank(outcomes: readonly Outcome[], allowed: Allowed): string[] {
  const problems = outcomes.flatMap(({ rule, status, reason }) => {
    if (status === 'pass' || status === 'observed' || status === 'attested') return []
    if ((status === 'skip' || status === 'warn') && allowed[status][rule]) return []
    return [`right bank: ${rule} is ${status}: ${reason ?? 'without a reason'}`]
  })
  const stale = (['skip', 'warn'] as const).flatMap((status) =>
    Object.keys(allowed[status])
      .filter((rule) => outcomes.find((outcome) => outcome.rule === rule)?.status !== status)
      .map((rule) => `right bank: ${rule} is on the list of allowed ${status}s but is not one`),
  )
  return [...problems, ...stale]
}

function broken(outcomes: readonly Outcome[], name: string): string[] {
  return outcomes
    .filter(({ status, timedOut }) => status === 'error' || timedOut)
    .map(({ rule, reason }) => `${name}: ${rule} ended in an error, which proves nothing: ${reason}`)
}

/** The rules that a run left as they are on the right bank. */
export function unmoved(outcomes: readonly Outcome[], rightBank: readonly Outcome[]): Set<string> {
  const before = new Map(rightBank.map(({ rule, status, reason }) => [rule, `${status} ${reason}`]))
  return new Set(
    outcomes.filter(({ rule, status, reason }) => before.get(rule) === `${status} ${reason}`).map(({ rule }) => rule),
  )
}

/**
 * A fault turns a rule of its requirement red, and no other that it does not declare with a reason, but for rules that judge what the
 * others asked for.
 */
export function judgeFault(fault: Fault, outcomes: readonly Outcome[], rightBank: readonly Outcome[]): string[] {
  const red = turnedRed(outcomes, rightBank)
  const unproven = fault.breaks
    .filter((id) => !red.some(({ requirement }) => requirement === id))
    .map((id) => {
      const own = outcomes.filter(({ requirement }) => requirement === id)
      return `${fault.id}: no rule of ${id} turns red (${own.map(({ rule, status }) => `${rule} is ${status}`).join(', ') || 'there is none'})`
    })
  const unseenAt = (fault.places ?? [])
    .filter(
      (place) =>
        !red.some(
          ({ requirement, places }) => fault.breaks.includes(requirement) && isAtPlace(places, requirement, place),
        ),
    )
    .map((place) => `${fault.id}: no rule that looks at '${place}' turns red`)
  const others = red.filter(({ requirement }) => !fault.breaks.includes(requirement))
  const collateral = others.map(({ rule }) => rule)
  const declared = Object.keys(fault.collateral ?? {})
  const undeclared = others.filter(({ rule, last }) => !last && !declared.includes(rule)).map(({ rule }) => rule)
  const stale = declared.filter((rule) => !collateral.includes(rule))
  return [
    ...broken(outcomes, fault.id),
    ...unproven,
    ...unseenAt,
    ...undeclared.map((rule) => {
      const reason = red.find((outcome) => outcome.rule === rule)?.reason
      return `${fault.id}: ${rule} turns red too, which the fault does not declare: ${reason}`
    }),
    ...stale.map((rule) => `${fault.id}: declares that ${rule} turns red too, but it does not`),
  ]
}

/** What a conformant bank is wrongly said of: a rule may pass or warn, or end as on the right bank. */
export function wronged(name: string, outcomes: readonly Outcome[], rightBank: readonly Outcome[]): string[] {
  const before = new Map(rightBank.map(({ rule, status }) => [rule, status]))
  const failed = outcomes
    .filter(
      ({ status, rule }) => !['pass', 'attested', 'warn', 'observed'].includes(status) && before.get(rule) !== status,
    )
    .map(({ rule, status, reason }) => `${name}: ${rule} is ${status}: ${reason}`)
  return [...failed, ...broken(outcomes, name)]
}

/** A bank that takes another listed reading is never failed, is seen to take it, and is warned where the list says so. */
export function judgeVariant(variant: Variant, outcomes: readonly Outcome[], rightBank: readonly Outcome[]): string[] {
  const { ambiguity, reading, options, lacks, skips = [] } = variant
  const name = nameOf(variant)
  const { level } = openEdition(options.edition).readingOf(ambiguity, reading)
  const lacking = outcomes.filter(
    ({ status, rule, needs }) => status === 'skip' && ((lacks && needs.includes(lacks)) || skips.includes(rule)),
  )
  const stale = skips.filter((rule) => !lacking.some((outcome) => outcome.rule === rule))
  const seen = outcomes.filter(({ readings }) =>
    readings.some((one) => one.ambiguity === ambiguity && one.reading === reading),
  )
  const warned = seen.some(({ status }) => status === 'warn')
  return [
    ...wronged(
      name,
      outcomes.filter((outcome) => !lacking.includes(outcome)),
      rightBank,
    ),
    ...stale.map((rule) => `${name}: declares that ${rule} is skipped, but it is not`),
    ...(seen.length + lacking.length === 0 ? [`${name}: no rule tells that the bank took this reading`] : []),
    ...(level === 'warn' && !warned ? [`${name}: has the level warn, but no rule warns`] : []),
  ]
}

export function nameOf({ ambiguity, reading, shape }: Variant): string {
  return `${ambiguity}=${reading}${shape ? ` ${shape}` : ''}`
}

/** Every rule was turned red by some fault; of rules about attestations, which no fault of a bank changes, tests show it. */
export function judgeRules(rules: readonly string[], matrix: Matrix): string[] {
  const proven = new Set(Object.values(matrix).flatMap(({ red }) => Object.keys(red)))
  return rules.filter((rule) => !proven.has(rule)).map((rule) => `${rule}: no fault turns it red`)
}
