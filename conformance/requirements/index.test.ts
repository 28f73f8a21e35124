import { readFileSync } from 'node:fs'
import { packageFile } from '../../schemas/package-file.js'
import { ambiguities, readingOf, requirementOf, requirements } from './index.js'

const entriesIn = (file: string) =>
  readFileSync(packageFile(`conformance/requirements/${file}`), 'utf8').match(/^- \{\s*id: /gm)?.length

describe('the specification as data', () => {
  test('holds each entry of the files, and no id twice', () => {
    expect(requirements.length).toBe(entriesIn('requirements.yaml'))
    expect(ambiguities.length).toBe(entriesIn('ambiguities.yaml'))
    expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length)
    expect(new Set(ambiguities.map(({ id }) => id)).size).toBe(ambiguities.length)
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

  test('cites only what exists', () => {
    const known = new Set([...requirements, ...ambiguities].map(({ id }) => id))
    const cited = requirements.flatMap(({ accept, of }) => [...(accept?.match(/AMB-\d+/g) ?? []), ...(of ?? [])])
    const about = ambiguities.flatMap((ambiguity) => ambiguity.about)
    expect([...cited, ...about].filter((id) => !known.has(id))).toEqual([])
  })

  test('reads the mark (warn) from the data', () => {
    expect(readingOf('AMB-15', 1)).toEqual({ ambiguity: 'AMB-15', number: 1, text: '200', warns: false })
    expect(readingOf('AMB-15', 2)).toEqual({ ambiguity: 'AMB-15', number: 2, text: '201 (warn)', warns: true })
    expect(readingOf('AMB-2', 3).warns).toBe(true)
  })

  test('says what is missing', () => {
    expect(() => requirementOf('TOK-999')).toThrow('requirements.yaml has no TOK-999')
    expect(() => readingOf('AMB-15', 3)).toThrow('ambiguities.yaml has no reading 3 of AMB-15')
    expect(() => readingOf('AMB-99', 1)).toThrow('ambiguities.yaml has no reading 1 of AMB-99')
  })
})
