import type { BankOptions } from '../../bank-idp/bank.js'
import type { Fault } from '../../bank-idp/faults/fault.js'
import { ruleAboutStep } from '../../conformance/bank/steps.js'
import { rules } from '../../conformance/rules/index.js'
import { openEdition } from '../../schemas/editions/index.js'
import { judgeFault, judgeVariant, nameOf } from './judge.js'
import type { Row } from './matrix.js'
import { optionsOf } from './options-of.js'
import type { Outcome } from './outcome.js'
import { judgeShaped, type Shaped, shapesOf } from './shaped.js'
import type { ShapeName } from './shapes.js'
import { touches } from './touches.js'
import type { Variant } from './variants.js'

/** One thing that the proof switches on in the bank: a fault, or another reading. */
export interface Case {
  name: string
  title: string
  options: BankOptions
  /** What the bank is like from the outside, where not as it is by itself. */
  shapes: readonly ShapeName[]
  /** Where it takes hold of the bank, and of what: two cases that have one of these in common are not switched on together. */
  seams: string[]
  /** Whether it is never switched on with others, since next to nothing could be seen of them. */
  alone: boolean
  /** The cases that it takes at once, by name. */
  members: readonly string[]
  /** Ids of the rules that judge it, whatever else is known. */
  own: string[]
  /** Whether one more rule could notice it, by what that rule asks of the right bank. */
  concerns(rule: Outcome): boolean
  judge(outcomes: readonly Outcome[], rightBank: readonly Outcome[]): string[]
}

/** The rules about the steps that nearly every rule takes. */
const aboutCommonSteps: readonly string[] = [
  ruleAboutStep.discovery,
  ruleAboutStep.keySet,
  ruleAboutStep.registration,
  ruleAboutStep.authorization,
  ruleAboutStep.codeExchange,
  ruleAboutStep.idToken,
]

/** @param known its row of the matrix that is checked in, if it has one */
export function caseOfFault(fault: Fault, known?: Row): Case {
  const routes = touches(fault)
  const declared = Object.keys(fault.collateral ?? {})
  return {
    name: fault.id,
    title: fault.title,
    options: { faults: [fault.id] },
    shapes: [],
    members: [],
    seams: holdsOf(fault),
    alone: aboutCommonSteps.some((rule) => known?.red[rule] !== undefined),
    own: rules
      .filter(({ id, requirement }) => fault.breaks.includes(requirement) || declared.includes(id))
      .map(({ id }) => id),
    concerns: (rule) => rule.routes.some((route) => routes.includes(route)),
    judge: (outcomes, rightBank) => judgeFault(fault, outcomes, rightBank),
  }
}

export function caseOfVariant(variant: Variant): Case {
  const { ambiguity, reading, options, shape, topic } = variant
  const { bearsOn, readingOf, requirementOf } = openEdition(options.edition)
  return {
    name: nameOf(variant),
    title: readingOf(ambiguity, reading).text,
    options,
    shapes: shape ? [shape] : [],
    members: [],
    seams: [...Object.keys(options.readings ?? {}), ...Object.keys(options).filter((name) => name !== 'readings')],
    alone: topic !== undefined || shape !== undefined,
    own: rules
      .filter(({ id, requirement }) =>
        topic ? id.startsWith(`${topic}/`) : bearsOn(ambiguity, requirementOf(requirement)),
      )
      .map(({ id }) => id),
    concerns: () => topic === undefined,
    judge: (outcomes, rightBank) => judgeVariant(variant, outcomes, rightBank),
  }
}

export function caseOfShaped(bank: Shaped): Case {
  const { name, title, topics, takes = [] } = bank
  return {
    name,
    title: takes.length > 1 ? `Takes ${takes.length} other readings at once. ${title}` : title,
    options: optionsOf(takes),
    shapes: shapesOf(bank),
    seams: [],
    alone: true,
    members: takes.map(nameOf),
    own: rules.map(({ id }) => id).filter((id) => !topics || topics.includes(id.replace(/\/.*/, ''))),
    concerns: () => topics === undefined,
    judge: (outcomes, rightBank) => judgeShaped(bank, outcomes, rightBank),
  }
}

/** Seams at which each of several faults changes what the one before it left. */
const handedOn = ['request', 'requestObject', 'response', 'nestedJwt', 'consented', 'records', 'without']

/**
 * What a fault takes hold of. Where faults change what others left, only those about one requirement might undo each other's work, or do
 * it twice; elsewhere the first of two keeps the other out.
 */
function holdsOf(fault: Fault): string[] {
  return seamsOf(fault).flatMap((seam) =>
    handedOn.includes(seam.split(' ')[0] ?? '') ? fault.breaks.map((requirement) => `${seam} ${requirement}`) : [seam],
  )
}

/** Where a fault takes hold of the bank: the seam, and the route, the table of checks, the kind of reply or of record. */
export function seamsOf(fault: Fault): string[] {
  const seams = fault.activate()((deviation) =>
    Object.entries(deviation).flatMap(([seam, places]) => namesOf(places).map((place) => `${seam} ${place}`)),
  )
  return [...new Set(seams)]
}

function namesOf(places: unknown): string[] {
  if (typeof places !== 'object' || places === null) return ['']
  if (!Array.isArray(places)) return Object.keys(places)
  return places.map((place) => (typeof place === 'string' ? tableOf(place) : String(place.model)))
}

/** The table of a step that is left out, and the method at which, where it is left out at one alone: `registration at PUT`. */
function tableOf(step: string): string {
  const [path = '', method] = step.split(' at ')
  const [table = ''] = path.split('/')
  return method === undefined ? table : `${table} at ${method}`
}
