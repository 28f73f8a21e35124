import type { Fault } from '../../bank-idp/faults/fault.js'
import { faults } from '../../bank-idp/faults/index.js'
import { type Case, caseOfFault, caseOfVariant, seamsOf } from './case.js'
import { groupsOf } from './groups.js'
import { optionsOf } from './options-of.js'
import { variants } from './variants.js'

const cases: Case[] = [...faults.map((fault) => caseOfFault(fault)), ...variants.map(caseOfVariant)]

test('every case is in one group, with none that takes hold at the same place', () => {
  const groups = groupsOf(cases)
  expect(groups.flat().map(({ name }) => name)).toHaveLength(cases.length)
  expect(new Set(groups.flat())).toEqual(new Set(cases))
  for (const group of groups) {
    const seams = group.flatMap((one) => one.seams)
    expect(seams.filter((seam, i) => seams.indexOf(seam) < i)).toEqual([])
  }
})

test('every fault takes hold somewhere', () => {
  expect(faults.filter((fault) => seamsOf(fault).length === 0)).toEqual([])
})

test('a case that leaves nothing to be seen of others is alone: one that stops a common step, one with rules of its own', () => {
  const row = (rule: string) => ({ title: 'Known', red: { [rule]: 'fail' } })
  const [stops, other] = [row('token/code-exchange'), row('token/refresh')].map((known, i) => ({
    ...caseOfFault(faults[0] as Fault, known),
    seams: [`seam ${i}`],
  }))
  const outage = cases.find(({ name }) => name === 'AMB-18=outage')
  const plain = cases.find(({ name }) => name === 'AMB-1=redirect')
  const together = [stops, other, outage, plain].filter((one) => one !== undefined)
  expect(groupsOf(together)).toEqual([[other, plain], [stops], [outage]])
})

test('a bank has a whole group switched on', () => {
  const [one, two] = ['AMB-1=redirect', 'AMB-36=other-addresses'].map((name) =>
    cases.find((some) => some.name === name),
  )
  if (!one || !two) throw new Error('there are no such variants')
  expect(optionsOf([one, two])).toEqual({
    faults: ['general/userinfo-elsewhere'],
    readings: { 'AMB-1': 'redirect' },
  })
})
