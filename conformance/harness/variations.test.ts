import { NoAnswer, step } from '../evidence/failure.js'
import { type ExamineOptions, examine } from '../examine.js'
import { bankForFile } from '../testing/banks.js'
import { type RuleDefinition, rule } from './rule.js'

const bank = await bankForFile()

type Check = RuleDefinition['check']

async function resultOf(check: Check, options: Partial<ExamineOptions> = {}) {
  const rules = [rule({ id: 'testing/it', requirement: 'TOK-2', title: 'it', check })]
  return (await examine({ target: bank.target, rules, ...options })).results[0]
}

describe('a rule that tries variations', () => {
  test('names the variation that failed, and those within it', async () => {
    const result = await resultOf(async ({ expect: expectOf, inVariation }) => {
      await inVariation('what holds', async () => expectOf(1, 'one').toBe(1))
      await inVariation('PUT', () => inVariation('without exp', async () => expectOf(1, 'one').toBe(2)))
    })
    expect(result).toMatchObject({
      status: 'fail',
      reason: 'PUT, without exp: one should be 2, but is 1',
      finding: {
        sentence: 'one should be 2, but is 1',
        expected: '2',
        actual: '1',
        variation: { name: 'PUT, without exp', since: expect.stringMatching(/^e\d+$/) },
      },
    })
  })

  test('tells the first variation that failed, and the others beside it, whatever came after them', async () => {
    const result = await resultOf(async ({ expect: expectOf, inVariation, skip }) => {
      for (const [name, value] of Object.entries({ first: 1, second: 2, third: 3 })) {
        await inVariation(name, async () => expectOf(value, 'it').toBe(2))
      }
      skip('nothing is left')
    })
    expect(result).toMatchObject({
      status: 'fail',
      reason: 'first: it should be 2, but is 1',
      finding: { variation: { name: 'first' }, further: ['third: it should be 2, but is 3'] },
    })
  })

  test('tries no further variation where the first failure suffices', async () => {
    const check: Check = async ({ expect: expectOf, inVariation }) => {
      for (const [name, value] of Object.entries({ first: 1, second: 3 })) {
        await inVariation(name, async () => expectOf(value, 'it').toBe(2))
      }
    }
    const result = await resultOf(check, { untilFailure: true })
    expect(result).toMatchObject({ status: 'fail', reason: 'first: it should be 2, but is 1' })
    expect(result?.finding).not.toHaveProperty('further')
  })

  test('tries the one variation that is asked for, and those within it', async () => {
    const tried: string[] = []
    const check: Check = async ({ expect: expectOf, inVariation }) => {
      for (const name of ['first', 'second', 'third']) {
        await inVariation(name, async () => {
          tried.push(name)
          expectOf(name, 'it').toBe('nothing')
        })
      }
    }
    const result = await resultOf(check, { variations: { 'testing/it': 'second' } })
    expect(result).toMatchObject({ status: 'fail', reason: 'second: it should be "nothing", but is "second"' })
    expect(tried).toEqual(['second'])
  })

  test('is asked no further variation once the bank gave no answer', async () => {
    const tried: string[] = []
    const result = await resultOf(async ({ inVariation }) => {
      for (const name of ['first', 'second']) {
        await inVariation(name, async () => {
          tried.push(name)
          throw new NoAnswer({ sentence: 'the bank did not answer' })
        })
      }
    })
    expect(result).toMatchObject({ status: 'fail', reason: 'first: the bank did not answer' })
    expect(tried).toEqual(['first'])
  })

  test('names the variation of a step that failed in it', async () => {
    const result = await resultOf(({ inVariation, expect: expectOf }) =>
      inVariation('cs', () => step('token/code-exchange', async () => void expectOf(1, 'one').toBe(2))),
    )
    expect(result).toMatchObject({
      status: 'blocked',
      blockedBy: 'token/code-exchange',
      reason: 'one should be 2, but is 1',
      finding: { variation: { name: 'cs' } },
    })
  })
})
