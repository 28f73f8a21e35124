import type { Outcome } from './outcome.js'
import { inKnownVariations, variationsOf } from './variations-of.js'

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

const row = {
  title: 'A fault',
  red: { 'a/one': 'warn', 'a/two': 'fail' },
  in: { 'a/one': 'the first', 'a/two': 'the second' },
}

test('a rule that shows nothing in the variation that is known has all of them tried, and is told', async () => {
  const asked: unknown[] = []
  const told: string[] = []
  const outcomes = await inKnownVariations(
    ['a/one', 'a/two', 'a/plain'],
    row,
    async (...of) => {
      asked.push(of)
      return asked.length === 1
        ? [outcome('a/one', 'warn'), outcome('a/two', 'skip'), outcome('a/plain', 'fail')]
        : [outcome('a/two', 'fail', 'the third')]
    },
    (rules) => told.push(...rules),
  )
  expect(asked).toEqual([
    [['a/one', 'a/two', 'a/plain'], row.in],
    [['a/two'], {}],
  ])
  expect(told).toEqual(['a/two'])
  expect(outcomes.map(({ rule, status }) => `${rule} ${status}`)).toEqual(['a/one warn', 'a/plain fail', 'a/two fail'])
})

test('nothing is asked again where each variation shows what is known', async () => {
  const all = [outcome('a/one', 'warn'), outcome('a/two', 'fail')]
  const tell = () => {
    throw new Error('nothing was to be told')
  }
  let asked = 0
  const ask = async () => {
    asked += 1
    return all
  }
  expect(await inKnownVariations(['a/one', 'a/two'], row, ask, tell)).toEqual(all)
  expect(asked).toBe(1)
})
