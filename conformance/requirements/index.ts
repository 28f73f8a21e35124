import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { packageFile } from '../../schemas/package-file.js'

/** RFC 2119 level: a broken MUST fails, a broken SHOULD warns, a MAY is only observed. */
export type Level = 'MUST' | 'SHOULD' | 'MAY'

/** One testable attestation of the specification; the members are explained at the top of requirements.yaml. */
export interface Requirement {
  id: string
  level: Level
  by: 'harness' | 'mock' | 'service' | 'manual' | 'sum'
  section: string
  text: string
  accept?: string
  source?: string
  /** Of a `sum`: the requirements that show it together. */
  of?: string[]
}

/** A place where the specification allows several readings; each listed one is conformant. */
export interface Ambiguity {
  id: string
  /** Ids of the requirements it bears on. */
  about: string[]
  text: string
  /** In the order of their numbers, which start at 1. */
  readings: string[]
}

function load<Entry>(file: string): readonly Entry[] {
  return parse(readFileSync(packageFile(`conformance/requirements/${file}`), 'utf8'))
}

/** In the order of requirements.yaml. */
export const requirements = load<Requirement>('requirements.yaml')

/** In the order of ambiguities.yaml. */
export const ambiguities = load<Ambiguity>('ambiguities.yaml')

const requirementsById = new Map(requirements.map((requirement) => [requirement.id, requirement]))
const ambiguitiesById = new Map(ambiguities.map((ambiguity) => [ambiguity.id, ambiguity]))

/** @throws Error when there is no requirement of this id. */
export function requirementOf(id: string): Requirement {
  const found = requirementsById.get(id)
  if (!found) throw new Error(`requirements.yaml has no ${id}`)
  return found
}

/** One listed reading of an ambiguity. */
export interface Reading {
  ambiguity: string
  /** From 1, in the order listed. */
  number: number
  text: string
  /** Whether the list marks it "(warn)": taken, but with a warning. */
  warns: boolean
}

/** @throws Error when there is no such ambiguity, or it lists no reading of this number. */
export function readingOf(ambiguity: string, number: number): Reading {
  const text = ambiguitiesById.get(ambiguity)?.readings[number - 1]
  if (text === undefined) throw new Error(`ambiguities.yaml has no reading ${number} of ${ambiguity}`)
  return { ambiguity, number, text, warns: text.includes('(warn)') }
}

/** Every listed reading of an ambiguity. @throws Error when there is no such ambiguity */
export function readingsOf(ambiguity: string): Reading[] {
  const found = ambiguitiesById.get(ambiguity)
  if (!found) throw new Error(`ambiguities.yaml has no ${ambiguity}`)
  return found.readings.map((_, i) => readingOf(ambiguity, i + 1))
}

/** Whether the ambiguity bears on the requirement: either of the two names the other. */
export function bearsOn(ambiguity: string, requirement: Requirement): boolean {
  const accepted: string[] = requirement.accept?.match(/AMB-\d+/g) ?? []
  return accepted.includes(ambiguity) || (ambiguitiesById.get(ambiguity)?.about.includes(requirement.id) ?? false)
}
