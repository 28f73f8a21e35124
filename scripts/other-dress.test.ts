import { examine } from '../conformance/examine.js'
import { dressedRules } from '../conformance/harness/dressed-rules.js'
import { rules } from '../conformance/rules/index.js'
import { withBank } from './bundled-bank.js'

const rule = 'authorization/display-unsupported'

async function resultOf(faults: readonly string[], only: string) {
  const { results } = await withBank({ faults }, (target) => examine({ target, only: [only] }))
  return results[0]
}

test('what is done in another dress are rules that there are', () => {
  const known = new Set(rules.map(({ id }) => id))
  expect([...dressedRules].filter((id) => !known.has(id))).toEqual([])
})

describe('a bank that is wrong only where something else is so', () => {
  test.each([
    ['authorization/display-capitals-beside-challenge', rule, 'AUTH-13'],
    ['introspection/unknown-hint-invalid-request-once-replaced', 'introspection/hint', 'INTR-3'],
  ])('with the fault %s fails %s, in another dress alone', async (fault, only, requirement) => {
    expect(await resultOf([fault], only)).toMatchObject({
      status: 'fail',
      requirement,
      reason: expect.stringMatching(/^in another dress[:,] /),
    })
  })
})

test('the right bank passes in another dress', async () => {
  expect(await resultOf([], rule)).toMatchObject({ status: 'pass' })
})
