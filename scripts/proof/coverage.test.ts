import { faults } from '../../bank-idp/faults/index.js'
import { rules } from '../../conformance/rules/index.js'
import { openEdition } from '../../schemas/editions/index.js'
import { readPlaces } from '../../schemas/editions/places.js'
import { coverage, testsById } from './coverage.js'
import { nameOf } from './judge.js'
import { touches } from './touches.js'
import { variants } from './variants.js'

const { ambiguities, placesOf, requirements } = openEdition()
const requirementIds = requirements.map(({ id }) => id)
const ambiguityIds = ambiguities.map(({ id }) => id)
const ruleIds = rules.map(({ id }) => id)

test('faults break requirements that exist, declare rules that exist, and stand at routes that are known', () => {
  expect(faults.flatMap(({ breaks }) => breaks).filter((id) => !requirementIds.includes(id))).toEqual([])
  expect(
    faults.flatMap(({ collateral = {} }) => Object.keys(collateral)).filter((id) => !ruleIds.includes(id)),
  ).toEqual([])
  expect(() => faults.map(touches)).not.toThrow()
})

test('rules and faults name places of their requirements, and places belong to requirements that exist', () => {
  const named = [
    ...rules.map(({ id, requirement, places }) => ({ id, requirements: [requirement], places })),
    ...faults.map(({ id, breaks, places = [] }) => ({ id, requirements: breaks, places })),
  ]
  const unknown = named.flatMap(({ id, requirements: about, places }) => {
    const known = about.flatMap((requirement) => placesOf(requirement).map(({ name }) => name))
    return places.filter((place) => !known.includes(place)).map((place) => `${id}: ${place}`)
  })
  expect(unknown).toEqual([])
  expect([...readPlaces('1.2').keys()].filter((id) => !requirementIds.includes(id))).toEqual([])
})

test('a test names a place that exists', () => {
  const titles = [...testsById().values()].flat()
  const cited = titles.flatMap((title) => [...title.matchAll(/\b([A-Z]+-\d+)\[([^\]]+)\]/g)])
  expect(
    cited.filter(([, id = '', place]) => !placesOf(id).some(({ name }) => name === place)).map(([all]) => all),
  ).toEqual([])
})

test('ids of faults and rules are unique', () => {
  expect(faults.map(({ id }) => id).filter((id, i, ids) => ids.indexOf(id) < i)).toEqual([])
  expect(ruleIds.filter((id, i) => ruleIds.indexOf(id) < i)).toEqual([])
})

test('every fault states in a sentence what it does, and why another rule turns red', () => {
  for (const { id, title, collateral = {} } of faults) {
    expect(id).toMatch(/^[a-z-]+\/[a-z0-9-]+$/)
    expect([id, title.length > 10, title.endsWith('.')]).toEqual([id, true, false])
    for (const reason of Object.values(collateral)) expect(reason.length).toBeGreaterThan(10)
  }
})

test('variants take readings that are listed, none twice, and the first only in a shape of its own', () => {
  for (const { ambiguity, reading, shape } of variants) {
    const listed = openEdition()
      .readingsOf(ambiguity)
      .map(({ id }) => id)
    expect(shape ? listed : listed.slice(1)).toContain(reading)
  }
  const names = variants.map(nameOf)
  expect(names.filter((name, i) => names.indexOf(name) < i)).toEqual([])
})

test('every reading that the bundled bank offers has a variant, and variants set no other', () => {
  const offered = ambiguities.flatMap(({ readings: [, ...others] }) =>
    others.filter(({ bank }) => bank).map(({ ambiguity, id }) => `${ambiguity}=${id}`),
  )
  const set = variants.flatMap(({ options }) => Object.entries(options.readings ?? {}).map((one) => one.join('=')))
  expect([...new Set(set)].sort()).toEqual(offered.sort())
})

test('test names cite requirements and ambiguities that exist', () => {
  const known = (id: string) =>
    requirementIds.includes(id) || ambiguityIds.includes(id) || /^(RFC|SHA|PS|ES|HS|RS|UTF|ISO)-/.test(id)
  expect([...testsById().keys()].filter((id) => !known(id))).toEqual([])
})

test('coverage lists every requirement once, with what shows it', () => {
  const rows = coverage()
  expect(rows.map(({ id }) => id)).toEqual(requirementIds)
  const displayed = rows.find(({ id }) => id === 'REG-4')
  expect(displayed).toMatchObject({
    by: 'harness',
    rules: [
      'registration/redirect-uri-host',
      'registration/redirect-uri-not-https',
      'registration/redirect-uri-of-full-record',
    ],
    state: 'done',
  })
  expect(displayed?.faults).toContain('registration/http-redirect-taken')
})

test('a place is done by a rule and a fault, in part by one of them, and else open or unseen', () => {
  for (const { places } of coverage()) {
    for (const { place, rules: own, faults: breaking, tests, state, reason } of places) {
      const [shown, begun] = [own.length > 0 && breaking.length > 0, own.length > 0 || breaking.length > 0]
      const expected = reason ? 'unseen' : shown || tests.length > 0 ? 'done' : begun ? 'part' : 'open'
      expect([place, state]).toEqual([place, expected])
    }
  }
})
