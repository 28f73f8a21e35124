import { openEdition } from '../../schemas/editions/index.js'
import { plannedRules } from './planned-rule.js'
import { rule } from './rule.js'

const edition = openEdition('1.2')
const check = async () => {}
const about = (requirement: string) => rule({ id: 'a/b', requirement, title: 'x', check })

describe('a rule in the plan of a run', () => {
  test('has what the edition says of its requirement', () => {
    const [planned] = plannedRules(edition, [about('CONS-1')])
    expect(planned).toMatchObject({ id: 'a/b', title: 'x', check })
    expect(planned?.requirement).toBe(edition.requirementOf('CONS-1'))
    expect(planned?.requirement.level).toBe('MAY')
  })

  test('takes its level from the edition, so that one rule serves several', () => {
    const requirement = { ...edition.requirementOf('CONS-1'), level: 'MUST' } as const
    const [planned] = plannedRules({ ...edition, id: '2.0', requirements: [requirement] }, [about('CONS-1')])
    expect(planned?.requirement.level).toBe('MUST')
  })

  test('is refused when the edition does not have its requirement', () => {
    expect(() => plannedRules(edition, [about('TOK-999')])).toThrow(
      'a/b is about TOK-999, which edition 1.2 does not have',
    )
    const later = { ...edition, id: '2.0', requirements: [] }
    expect(() => plannedRules(later, [about('TOK-1')])).toThrow('a/b is about TOK-1, which edition 2.0 does not have')
  })

  test('is refused when others show its requirement, unless it moves the clock of the bank', () => {
    expect(() => plannedRules(edition, [about('JWKS-5')])).toThrow(
      'a/b is about JWKS-5, which in edition 1.2 is not shown by the harness but by mock',
    )
    const [planned] = plannedRules(edition, [{ ...about('JWKS-5'), needs: ['clock'] }])
    expect(planned?.requirement.by).toBe('mock')
  })
})
