import { editions, openEdition } from '../../schemas/editions/index.js'
import { ruleAboutStep } from '../bank/steps.js'
import { plannedRules } from '../harness/planned-rule.js'
import { rules } from './index.js'

describe('the rules', () => {
  test('have ids that no two share', () => {
    const ids = rules.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each(editions)('cite requirements that edition %s has and that the harness, or an attestation, shows', (id) => {
    const edition = openEdition(id)
    for (const { requirement, needs } of plannedRules(edition, rules)) {
      expect(edition.requirements).toContain(requirement)
      expect(['harness', 'manual', ...(needs.includes('clock') ? ['mock'] : [])]).toContain(requirement.by)
    }
  })

  test('have titles that are sentences without a full stop, no two the same', () => {
    const titles = rules.map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
    expect(titles.filter((title) => !/^[A-Za-z].*[^.]$/.test(title))).toEqual([])
  })

  test('hold one for each step that rules share', () => {
    const ids = rules.map(({ id }) => id)
    expect(Object.values(ruleAboutStep).filter((id) => !ids.includes(id))).toEqual([])
  })
})
