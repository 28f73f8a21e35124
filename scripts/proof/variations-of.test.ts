import type { Outcome } from './outcome.js'
import { variationsOf } from './variations-of.js'

function outcome(rule: string, status: Outcome['status'], variation?: string): Outcome {
  const nothing = { requirement: 'TOK-2', places: [], needs: [], readings: [], routes: [], expectations: [], tries: [] }
  return { ...nothing, rule, status, ...(variation !== undefined && { variation }) }
}

const red = [outcome('a/two', 'fail', 'the second'), outcome('a/one', 'warn', 'the first'), outcome('a/plain', 'fail')]
const others = [outcome('a/green', 'pass')]

test('the variation that notices a fault is tried once more, beside all that notice it', async () => {
  const asked: unknown[] = []
  const found = await variationsOf([...red, ...others], [], async (...of) => {
    asked.push(of)
    return red
  })
  expect(asked).toEqual([[['a/two', 'a/one', 'a/plain'], { 'a/one': 'the first', 'a/two': 'the second' }]])
  expect(JSON.stringify(found)).toBe('{"a/one":"the first","a/two":"the second"}')
})

test('a variation that does not notice it by itself is left out', async () => {
  const seen = [outcome('a/two', 'pass'), outcome('a/one', 'warn'), outcome('a/plain', 'fail')]
  expect(await variationsOf(red, [], async () => seen)).toEqual({ 'a/one': 'the first' })
})

test('none is named where another rule comes to something else beside them', async () => {
  const seen = [outcome('a/two', 'fail'), outcome('a/one', 'warn'), outcome('a/plain', 'skip')]
  expect(await variationsOf(red, [], async () => seen)).toBe(undefined)
})

test('nothing is tried once more where no variation noticed it', async () => {
  const again = () => {
    throw new Error('nothing was to be tried')
  }
  expect(await variationsOf([outcome('a/plain', 'fail')], [], again)).toBe(undefined)
})
