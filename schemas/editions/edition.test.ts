import { readdirSync, readFileSync } from 'node:fs'
import { packageFile } from '../package-file.js'
import { defaultEdition, editions, openEdition } from './index.js'

const kebabCase = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

test('there is a folder of data for each edition', () => {
  const folders = readdirSync(packageFile('schemas/editions'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  expect(folders.sort()).toEqual([...editions].sort())
})

test('the default edition is 1.2, an edition is read once, and an unknown one lists the known', () => {
  expect(defaultEdition).toBe('1.2')
  expect(openEdition().id).toBe('1.2')
  expect(openEdition('1.2')).toBe(openEdition())
  expect(() => openEdition('9.9')).toThrow("There is no edition '9.9'. The known ones are: 1.2.")
})

describe.each([...editions])('edition %s as data', (id) => {
  const { requirements, ambiguities, endpoints, messages, readingsOf, bearsOn } = openEdition(id)
  const entriesIn = (file: string) =>
    readFileSync(packageFile(`schemas/editions/${id}/${file}`), 'utf8').match(/^- (\{\s*)?(id|at): /gm)?.length

  test('holds each entry of the files, and no id twice', () => {
    expect(requirements.length).toBe(entriesIn('requirements.yaml'))
    expect(ambiguities.length).toBe(entriesIn('ambiguities.yaml'))
    expect(endpoints.length).toBe(entriesIn('endpoints.yaml'))
    expect(messages.length).toBe(entriesIn('messages.yaml'))
    expect(new Set(requirements.map((entry) => entry.id)).size).toBe(requirements.length)
    expect(new Set(ambiguities.map((entry) => entry.id)).size).toBe(ambiguities.length)
    expect(new Set(endpoints.map(({ at, path }) => `${at} ${path}`)).size).toBe(endpoints.length)
    expect(new Set(messages.map((entry) => entry.id)).size).toBe(messages.length)
  })

  test('gives every requirement a level, a section, a text and someone who shows it', () => {
    for (const requirement of requirements) {
      expect(requirement.id).toMatch(/^[A-Z0-9]+-\d+$/)
      expect(['MUST', 'SHOULD', 'MAY']).toContain(requirement.level)
      expect(['harness', 'mock', 'service', 'manual', 'sum']).toContain(requirement.by)
      expect(requirement.section).not.toBe('')
      expect(requirement.text).not.toBe('')
    }
  })

  test('gives every ambiguity a text, and readings with a name, a level and a text each', () => {
    for (const ambiguity of ambiguities) {
      expect(ambiguity.id).toMatch(/^AMB-\d+$/)
      expect(ambiguity.text).not.toBe('')
      expect(new Set(ambiguity.readings.map((reading) => reading.id)).size).toBe(ambiguity.readings.length)
      for (const reading of ambiguity.readings) {
        expect(reading.ambiguity).toBe(ambiguity.id)
        expect(reading.id).toMatch(kebabCase)
        expect(['pass', 'warn']).toContain(reading.level)
        expect(typeof reading.bank).toBe('boolean')
        expect(reading.text).toMatch(/./)
        expect(reading.text).not.toContain('(warn)')
      }
    }
  })

  test('has a first reading of each ambiguity that passes, and that our bank takes', () => {
    expect(ambiguities.map(({ readings: [first] }) => first).filter((first) => !first?.bank)).toEqual([])
    expect(ambiguities.map(({ readings: [first] }) => first).filter((first) => first?.level !== 'pass')).toEqual([])
  })

  test('cites only what exists', () => {
    const known = new Set([...requirements, ...ambiguities].map((entry) => entry.id))
    const cited = requirements.flatMap(({ accept, of }) => [...(accept?.match(/AMB-\d+/g) ?? []), ...(of ?? [])])
    const about = ambiguities.flatMap((ambiguity) => ambiguity.about)
    expect([...cited, ...about].filter((entry) => !known.has(entry))).toEqual([])
    const operations = endpoints.flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`))
    const spoken = messages.flatMap(({ request = [], response = [] }) => [...request, ...response])
    expect(spoken.filter((operation) => !operations.includes(operation))).toEqual([])
    const within = messages.flatMap((message) => message.within ?? [])
    expect(within.filter((whole) => !messages.some((message) => message.id === whole))).toEqual([])
  })

  test('says where each message stands', () => {
    for (const message of messages) {
      const { request, response, within, form, parameter } = message
      expect([request, response, within].filter((place) => place !== undefined && place.length > 0)).toHaveLength(1)
      if (within === undefined) expect(['json', 'jwt', 'parameter']).toContain(form)
      expect(parameter !== undefined).toBe(form === 'parameter')
    }
  })

  test('cannot be changed', () => {
    const edition = openEdition(id)
    expect(Object.isFrozen(edition)).toBe(true)
    for (const list of [requirements, ambiguities, endpoints, messages]) {
      expect(Object.isFrozen(list)).toBe(true)
      expect(list.every((entry) => Object.isFrozen(entry))).toBe(true)
    }
    expect(ambiguities.flatMap((ambiguity) => ambiguity.readings).every((reading) => Object.isFrozen(reading))).toBe(
      true,
    )
  })

  test('gives the readings of an ambiguity by its id, and tells which requirements it bears on', () => {
    for (const ambiguity of ambiguities) {
      expect(readingsOf(ambiguity.id)).toBe(ambiguity.readings)
      const bearing = requirements.filter((requirement) => bearsOn(ambiguity.id, requirement)).map((entry) => entry.id)
      expect(bearing).toEqual(expect.arrayContaining([...ambiguity.about]))
    }
  })
})
