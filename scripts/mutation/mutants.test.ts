import { type Mutant, sitesOf } from './mutants.js'

/** The mutants of some code, without those of what is not asked about. */
function mutantsOf(code: string): Mutant[] {
  const lines = code.split('\n')
  return sitesOf(code, 'bank-idp/some.ts', ({ loc }) => {
    const line = loc?.start.line ?? 1
    return { line, text: lines[line - 1]?.trim() ?? '' }
  }).flatMap(({ mutants }) => mutants)
}

/** What each operator makes of code, as OPERATOR: FROM → TO. */
function changes(code: string): string[] {
  return mutantsOf(code).map(({ operator, from, to }) => `${operator}: ${from} → ${to}`)
}

test.each([
  ['a === b', ['comparison: a === b → a !== b', 'loose-equality: a === b → $m.prefixed(a, b)']],
  ['a !== b', ['loose-equality: a !== b → !$m.caseless(a, b)']],
  ['a.length <= 300', ['comparison: a.length <= 300 → a.length < 300', 'constant: 300 → 301']],
  ['lifetime * 1000', ['arithmetic: lifetime * 1000 → (lifetime) / (1000)', 'constant: 1000 → 500']],
  ['list.includes(value)', ['loose-equality: list.includes(value) → $m.prefixedIn(list, value)']],
  ['list.every(holds)', ['method: list.every(holds) → list.some(holds)']],
  ['list.filter(holds)', ['method: list.filter(holds) → list']],
  ['list.at(-1)', ['method: list.at(-1) → list.at(0)']],
  ['list[0]', ['index: list[0] → list.at(-1)']],
  ['a && b', ['logical: a && b → (a) || (b)', 'logical: a && b → a', 'logical: a && b → b']],
  ['a ?? b', ['logical: a ?? b → b']],
  ['!a', ['boolean: !a → a']],
  ['/^[0-9a-f]+$/', ['regex: /^[0-9a-f]+$/ → /[0-9a-f]+$/', 'regex: /^[0-9a-f]+$/ → /^[0-9a-f]+$/i']],
  ['{ sub, aud: client }', ['left-out: sub → ', 'left-out: aud: client → ']],
  ["['code', ...more]", ["left-out: 'code' → ", 'left-out: ...more → ', "string: 'code' → ''"]],
])('%s is changed', (code, expected) => {
  expect(changes(`export const value = (${code});`)).toEqual(expect.arrayContaining(expected))
})

test('a check is left out: its condition never holds, it is taken out of its table, the statement is gone', () => {
  const code =
    'const checks = [first, second];\nif (wrong) throw new BankError("invalid_grant", "no");\nawait used(code);'
  expect(changes(code)).toEqual([
    'left-out: first → ',
    'left-out: second → ',
    'condition: wrong → true',
    'condition: wrong → false',
    `error-code: "invalid_grant" → 'invalid_request'`,
    'left-out: await used(code); → ',
  ])
})

test('a name stands for another of its pattern, a member for another that is read of the same object', () => {
  const code = 'function f({ sector, person }) { return hash(sector, record.sub) + hash(person, record.client) }'
  expect(changes(code)).toEqual(
    expect.arrayContaining(['wrong-name: sector → person', 'wrong-name: record.sub → record.client']),
  )
})

test('no pattern, callee, key, import or link of a chain is replaced', () => {
  const code = 'import { a } from "b";\nconst { c: d } = e;\nf.g?.h(i)?.j();\nfor (const k of l) m.n.o(p);'
  expect(changes(code)).toEqual(['left-out: f.g?.h(i)?.j(); → ', 'left-out: m.n.o(p); → '])
})

test('what no client sees, and which reading the bank takes, is left alone', () => {
  const code =
    'log("it is " + (a === b));\nconst x = policy.hint === "refused";\nconst y = () => { throw new Error(a ?? b) };'
  expect(changes(code)).toEqual([])
})

test('a mutant is known by the same id when its line moves, and by another where the line differs', () => {
  const idsOf = (code: string) => mutantsOf(code).map(({ id }) => id)
  expect(idsOf('\n\nexport const x = a + b')).toEqual(idsOf('export const x = a + b'))
  expect(idsOf('export const y = a + b')).not.toEqual(idsOf('export const x = a + b'))
  const twice = idsOf('export const x = [a + b, a + b]')
  expect(new Set(twice).size).toBe(twice.length)
})
