import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fault } from '../../bank-idp/faults/fault.js'
import { faults } from '../../bank-idp/faults/index.js'
import type { Rule } from '../../conformance/harness/rule.js'
import { rules } from '../../conformance/rules/index.js'
import { openEdition, type Place, type Requirement } from '../../schemas/editions/index.js'
import { packageFile } from '../../schemas/package-file.js'
import { isAtPlace } from './at-place.js'

/** What shows a requirement at one of its places. */
export interface PlaceCoverage {
  place: string
  /** Ids of the rules, faults and tests that name the place; where it is the only one, of all that are about the requirement. */
  rules: string[]
  faults: string[]
  tests: string[]
  /** done: a rule and a fault are about it, or a test; part: a rule or a fault alone; unseen: nothing can be seen from outside. */
  state: 'done' | 'part' | 'open' | 'unseen'
  /** Why it is unseen. */
  reason?: string
}

export interface Coverage {
  id: string
  by: Requirement['by']
  /** Ids of the rules, faults and tests that are about it. */
  rules: string[]
  faults: string[]
  tests: string[]
  places: PlaceCoverage[]
  /** done: all that this kind of requirement asks for exists, at each of its places; part: some of it; open: nothing. */
  state: 'done' | 'part' | 'open'
}

const folders = ['bank-idp', 'conformance', 'schemas', 'fixtures', 'scripts']

/** Titles of the tests whose name carries a requirement's id, by that id. */
export function testsById(): Map<string, string[]> {
  const files = folders.flatMap((folder) =>
    readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => join(packageFile(folder), file)),
  )
  const titles = files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /\b(?:test|it|describe)(?:\.each\((?:\w+|[\s\S]*?\]))?\)?\(\s*(['"`])(.+?)\1/g,
      ),
    ].map((found) => found[2] ?? ''),
  )
  const byId = new Map<string, string[]>()
  for (const title of titles) {
    for (const id of new Set(title.match(/\b[A-Z]+-\d+\b/g) ?? [])) byId.set(id, [...(byId.get(id) ?? []), title])
  }
  return byId
}

/** What shows each requirement, in the order of the register. */
export function coverage(): Coverage[] {
  const { requirements, placesOf } = openEdition()
  const tests = testsById()
  const rows = new Map<string, Coverage>()
  for (const { id, by } of requirements) {
    const shown = {
      rules: rules.filter((rule) => rule.requirement === id),
      faults: faults.filter((fault) => fault.breaks.includes(id)),
      tests: tests.get(id) ?? [],
    }
    const places = placesOf(id).map((place) => ofPlace(id, place, shown))
    const row = { id, by, rules: idsOf(shown.rules), faults: idsOf(shown.faults), tests: shown.tests, places }
    rows.set(id, { ...row, state: stateOf(row) })
  }
  for (const { id, of } of requirements) {
    const row = rows.get(id)
    if (row && of) row.state = of.every((part) => rows.get(part)?.state === 'done') ? 'done' : 'open'
  }
  return [...rows.values()]
}

function idsOf(things: readonly { id: string }[]): string[] {
  return things.map(({ id }) => id)
}

interface Shown {
  rules: readonly Rule[]
  faults: readonly Fault[]
  tests: readonly string[]
}

function ofPlace(id: string, { name, unseen }: Place, shown: Shown): PlaceCoverage {
  const about = ({ places = [] }: { places?: readonly string[] }) => isAtPlace(places, id, name)
  const found = {
    rules: idsOf(shown.rules.filter(about)),
    faults: idsOf(shown.faults.filter(about)),
    tests: shown.tests.filter((title) => isAtPlace(placesInTitle(title, id), id, name)),
  }
  return { place: name, ...found, state: unseen ? 'unseen' : placeState(found), ...(unseen && { reason: unseen }) }
}

function placeState({ rules: own, faults: breaking, tests }: Pick<PlaceCoverage, 'rules' | 'faults' | 'tests'>) {
  if ((own.length > 0 && breaking.length > 0) || tests.length > 0) return 'done'
  return own.length > 0 || breaking.length > 0 ? 'part' : 'open'
}

/** The places of a requirement that a test names: `AUTH-6[endpoint=token]`. */
function placesInTitle(title: string, id: string): string[] {
  return [...title.matchAll(/\b([A-Z]+-\d+)\[([^\]]+)\]/g)].flatMap(([, of, place = '']) => (of === id ? [place] : []))
}

function stateOf({ by, rules: own, faults: breaking, tests, places }: Omit<Coverage, 'state'>): Coverage['state'] {
  const required = { harness: [own, breaking], mock: [tests], service: [tests], manual: [own], sum: [] }[by]
  const lacking = places.some(({ state }) => state === 'part' || state === 'open')
  if (required.every((list) => list.length > 0) && !lacking) return 'done'
  return required.some((list) => list.length > 0) ? 'part' : 'open'
}
