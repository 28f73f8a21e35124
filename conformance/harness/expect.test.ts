import { ErrorAnswer, Outline, redirectedError } from '../bank/authorization-answer.js'
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

  test('says in words what an answer is', () => {
    const answer = new ErrorAnswer('direct', 400, 'invalid_request')
    expect(findingOf(() => expectOf(answer, 'the answer').toEqual(redirectedError('login_required')))).toMatchObject({
      expected: 'a redirect (302) with the error login_required',
      actual: 'status 400 with the error invalid_request',
    })
    expect(expectOf(redirectedError('x'), 'the answer').toEqual(redirectedError('x'))).toMatchObject({ code: 'x' })
    const to = new HttpResponse({ method: 'GET', url: 'https://bank.example/' }, 302, { location: '/a' }, '', 'e8')
    expect([new Outline(response(200, 'text/html; charset=utf-8', '')), new Outline(to)].map(format)).toEqual([
      'status 200 with text/html',
      'a redirect (302) to https://bank.example/a',
    ])
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
    expect(expectOf('x', 'it').toDiffer('y', 'the other')).toBe('x')
    expect(expectOf<unknown>(2, 'it').toBeAtLeast(2)).toBe(2)
    expect(expectOf<unknown>(2, 'it').toBeAtMost(2)).toBe(2)
    expect(expectOf<unknown>(2, 'it').toBeNear(1, 1, 's')).toBe(2)
    expect(expectOf('2', 'it').toSatisfy((it) => Number(it) === 2, 'two')).toBe('2')
    expect(expectOf(['a'], 'it').toContain('a')).toEqual(['a'])
    expect(expectOf(['a'], 'it').toLack('b')).toEqual(['a'])
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
    [
      'a missing member',
      () => expectOf({ a: 1 }, 'it').toHaveMembers(['a', 'b', 'c']),
      'it should have b, c, but has only a',
    ],
    ['an empty object', () => expectOf({}, 'it').toHaveMembers(['a']), 'it should have a, but has no member'],
    [
      'the same',
      () => expectOf('x', 'sub').toDiffer('x', 'that of another'),
      'sub should be other than that of another, "x", but is "x"',
    ],
    ['less', () => expectOf<unknown>(59.5, 'it').toBeAtLeast(60, 's'), 'it should be 60 s or more, but is 59.5 s'],
    ['more', () => expectOf<unknown>(61, 'it').toBeAtMost(60), 'it should be 60 or less, but is 61'],
    ['a text of digits', () => expectOf<unknown>('61', 'it').toBeAtLeast(60), 'it should be 60 or more, but is "61"'],
    ['not a number', () => expectOf(Number.NaN, 'it').toBeAtLeast(60, 's'), 'it should be 60 s or more, but is NaN s'],
    ['too far', () => expectOf<unknown>(90, 'it').toBeNear(60, 20, 's'), 'it should be 60 ± 20 s, but is 90 s'],
    ['nothing at all', () => expectOf<unknown>(null, 'it').toBeNear(0, 9, 's'), 'it should be 0 ± 9 s, but is null'],
    [
      'what does not satisfy',
      () => expectOf('2026-02-31', 'time').toSatisfy(() => false, 'a date of the calendar'),
      'time should be a date of the calendar, but is "2026-02-31"',
    ],
    [
      'a list without it',
      () => expectOf(['sign-in'], 'the pages shown').toContain('consent'),
      'the pages shown should be a list with "consent", but is ["sign-in"]',
    ],
    [
      'a text with it',
      () => expectOf('consent', 'it').toContain('consent'),
      'it should be a list with "consent", but is "consent"',
    ],
    ['a list with it', () => expectOf(['a'], 'it').toLack('a'), 'it should be a list without "a", but is ["a"]'],
    ['no list', () => expectOf<unknown>('b', 'it').toLack('a'), 'it should be a list without "a", but is "b"'],
  ])('fails on %s', (_, work, sentence) => {
    expect(findingOf(work).sentence).toBe(sentence)
  })

  test('tells every violation of a schema with its path', () => {
    const { sentence, expected, actual } = findingOf(() => expectOf({ error: 1 }, 'the body').toFitSchema('error'))
    expect(actual).toBe('error_description is missing. error must be a string, but is a number.')
    expect(expected).toBe('of the form "Error" with error, error_description (schemas/error.schema.json)')
    expect(sentence).toBe(`the body should be ${expected}, but is not: ${actual}`)
  })

  test('shows long values cut, and of a secret that is cut no part', () => {
    expect(format('word '.repeat(500))).toBe(`"${'word '.repeat(99)}… [of 2502 characters]`)
    expect(format({ scope: 'openid', token: 'x'.repeat(2000) })).toBe(
      '{"scope":"openid","token":"… [of 2029 characters]',
    )
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

  test('tells beside the status of a refusal why it is one, where none was to be', () => {
    const error = { error: 'invalid_client_metadata', error_description: 'no logo' }
    const refused = response(400, 'application/json', error)
    expect(findingOf(() => expectOf(refused).toHaveStatus(200))).toMatchObject({
      sentence: 'the answer to POST /token should have status 200, but has 400: "invalid_client_metadata", "no logo"',
      actual: '400',
    })
    expect(findingOf(() => expectOf(refused).toHaveStatus(401)).sentence).toMatch(/ but has 400$/)
    expect(findingOf(() => expectOf(response(500, 'text/html', '<p>')).toHaveStatus(200)).sentence).toMatch(
      / but has 500$/,
    )
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
