import { BankFailure } from '../evidence/failure.js'
import { HttpResponse } from '../http/http.js'
import { expect as expectOf, format } from './expect.js'

const response = (status: number, contentType: string, body: unknown) =>
  new HttpResponse(
    { method: 'POST', url: 'https://bank.example/token?x=1' },
    status,
    { 'content-type': contentType },
    typeof body === 'string' ? body : JSON.stringify(body),
    'e7',
  )

function findingOf(work: () => unknown) {
  try {
    work()
  } catch (error) {
    if (error instanceof BankFailure) return error.finding
    throw error
  }
  throw new Error('nothing was thrown')
}

test('a fact is told as such, not as true and false', () => {
  const whether = (value: boolean, wanted: boolean) => () =>
    expectOf(value, 'whether the list holds ES512').toBe(wanted)
  const fact = 'the list holds ES512'
  const denied = 'it is not so that the list holds ES512'
  expect(findingOf(whether(false, true))).toEqual({
    sentence: 'it is not so that the list holds ES512, as it should be',
    expected: fact,
    actual: denied,
    where: fact,
  })
  expect(findingOf(whether(true, false))).toEqual({
    sentence: 'it is so that the list holds ES512, as it should not be',
    expected: denied,
    actual: fact,
    where: fact,
  })
  expect(whether(true, true)).not.toThrow()
})

describe('an expectation about a value', () => {
  test('tells expected, actual, a sentence and where', () => {
    expect(findingOf(() => expectOf('b', 'state of the callback', response(302, '', '')).toBe('a'))).toEqual({
      sentence: 'state of the callback should be "a", but is "b"',
      expected: '"a"',
      actual: '"b"',
      where: 'state of the callback',
      evidence: 'e7',
    })
  })

  test('answers with the value when it holds', () => {
    expect(expectOf('x', 'it').toBe('x')).toBe('x')
    expect(expectOf<unknown>('x', 'it').toBeText()).toBe('x')
    expect(expectOf({ a: [1] }, 'it').toEqual({ a: [1] })).toEqual({ a: [1] })
    expect(expectOf<unknown>({ a: 1 }, 'it').toBeObject()).toEqual({ a: 1 })
    expect(expectOf<unknown>([1], 'it').toBeFilledArray()).toEqual([1])
    expect(expectOf('a-1', 'it').toMatch(/-\d$/, 'numbered')).toBe('a-1')
    expect(expectOf(['b', 'a'], 'it').toBeSetOf(['a', 'b'])).toEqual(['b', 'a'])
    expect(expectOf({ a: 1, b: null }, 'it').toHaveMembers(['a', 'b'])).toEqual({ a: 1, b: null })
  })

  test.each([
    ['a number', () => expectOf<unknown>(1, 'it').toBeText(), 'it should be a non-empty string, but is 1'],
    ['an empty string', () => expectOf('', 'it').toBeText(), 'it should be a non-empty string, but is ""'],
    ['nothing', () => expectOf(undefined, 'it').toBeText(), 'it should be a non-empty string, but is nothing'],
    ['an array', () => expectOf<unknown>([], 'it').toBeObject(), 'it should be a JSON object, but is []'],
    [
      'an empty array',
      () => expectOf([], 'it').toBeFilledArray(),
      'it should be a JSON array that is not empty, but is []',
    ],
    [
      'an element twice',
      () => expectOf(['a', 'a'], 'it').toBeSetOf(['a']),
      'it should be ["a"] in any order, but is ["a","a"]',
    ],
    [
      'one too few',
      () => expectOf(['a'], 'it').toBeSetOf(['a', 'b']),
      'it should be ["a","b"] in any order, but is ["a"]',
    ],
    ['another pattern', () => expectOf('x', 'it').toMatch(/\d/, 'a digit'), 'it should be a digit, but is "x"'],
    ['a missing member', () => expectOf({ a: 1 }, 'it').toHaveMembers(['a', 'b']), 'it should have a, b, but lacks b'],
  ])('fails on %s', (_, work, sentence) => {
    expect(findingOf(work).sentence).toBe(sentence)
  })

  test('tells every violation of a schema with its path', () => {
    const { sentence, expected, actual } = findingOf(() => expectOf({ error: 1 }, 'the body').toFitSchema('error'))
    expect(actual).toBe('error_description is missing. error must be a string, but is a number.')
    expect(expected).toBe('of the form "Error" with error, error_description (schemas/error.schema.json)')
    expect(sentence).toBe(`the body should be ${expected}, but is not: ${actual}`)
  })

  test('shows long values cut', () => {
    expect(format('x'.repeat(2000))).toHaveLength(501)
  })
})

describe('an expectation about a response', () => {
  test('tells the status', () => {
    expect(findingOf(() => expectOf(response(202, '', '')).toHaveStatus(200, 201))).toEqual({
      sentence: 'the answer to POST /token should have status 200 or 201, but has 202',
      expected: '200 or 201',
      actual: '202',
      where: 'the answer to POST /token',
      evidence: 'e7',
    })
  })

  test('looks at the media type alone', () => {
    const answer = response(200, 'Application/JSON; charset=utf-8', {})
    expect(expectOf(answer).toHaveMediaType('application/json')).toBe(answer)
    expect(findingOf(() => expectOf(answer).toHaveMediaType('application/jwt')).sentence).toBe(
      'the content type of POST /token should be application/jwt, but is application/json',
    )
  })

  test('knows an error by status, form and code', () => {
    const error = { error: 'invalid_grant', error_description: 'used' }
    const refused = (status: number, body: unknown) => () =>
      expectOf(response(status, 'application/json', body)).toBeError(400, 'invalid_grant')
    expect(refused(400, error)).not.toThrow()
    expect(refused(401, error)).toThrow('should have status 400, but has 401')
    expect(refused(400, { ...error, error: 'invalid_request' })).toThrow(
      'should be "invalid_grant", but is "invalid_request"',
    )
    expect(refused(400, { error: 'invalid_grant' })).toThrow('error_description is missing.')
    expect(refused(400, 'no')).toThrow('should be of the form "Error" with error, error_description (schemas/error')
  })
})
