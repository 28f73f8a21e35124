import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { faults } from '../../bank-idp/faults/index.js'
import { rules } from '../../conformance/rules/index.js'
import { openEdition, type Requirement } from '../../schemas/editions/index.js'
import { packageFile } from '../../schemas/package-file.js'

export interface Coverage {
  id: string
  by: Requirement['by']
  /** Ids of the rules, faults and tests that are about it. */
  rules: string[]
  faults: string[]
  tests: string[]
  /** done: all that this kind of requirement asks for exists; part: some of it; open: nothing. */
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
      ...readFileSync(file, 'utf8').matchAll(/\b(?:test|it|describe)(?:\.each\([\s\S]*?\])?\)?\(\s*(['"`])(.+?)\1/g),
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
  const { requirements } = openEdition()
  const tests = testsById()
  const rows = new Map<string, Coverage>()
  for (const { id, by } of requirements) {
    const row = {
      id,
      by,
      rules: rules.filter((rule) => rule.requirement === id).map((rule) => rule.id),
      faults: faults.filter((fault) => fault.breaks.includes(id)).map((fault) => fault.id),
      tests: tests.get(id) ?? [],
    }
    rows.set(id, { ...row, state: stateOf(row) })
  }
  for (const { id, of } of requirements) {
    const row = rows.get(id)
    if (row && of) row.state = of.every((part) => rows.get(part)?.state === 'done') ? 'done' : 'open'
  }
  return [...rows.values()]
}

function stateOf({ by, rules: own, faults: breaking, tests }: Omit<Coverage, 'state'>): Coverage['state'] {
  const required = { harness: [own, breaking], mock: [tests], service: [tests], manual: [own], sum: [] }[by]
  if (required.every((list) => list.length > 0)) return 'done'
  return required.some((list) => list.length > 0) ? 'part' : 'open'
}
