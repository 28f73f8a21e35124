import { HttpResponse } from '../../conformance/http/http.js'
import { madeWrong, type WrongAnswer, wrongAnswersTo } from './wrong-answers.js'

const url = 'https://bank.example/token-info'

function answer(status: number, headers: Record<string, string>, body: string): HttpResponse {
  return new HttpResponse({ method: 'POST', url }, status, headers, body, 'e1')
}

const json = answer(
  200,
  { 'content-type': 'application/json', date: 'today' },
  '{"active":true,"exp":5,"scope":"openid"}',
)
const redirect = answer(302, { location: 'https://client.example/?code=c#state=s' }, '')

describe('the wrong answers to an answer', () => {
  test('are wrong in its status, its body, a member or a header, but none of the connection', () => {
    const named = wrongAnswersTo(json).flatMap((wrong) =>
      'name' in wrong ? [`${wrong.what} ${wrong.name}`] : [wrong.what],
    )
    expect([...new Set(named)]).toEqual([
      'status',
      'body',
      'member active',
      'member exp',
      'member scope',
      'header content-type',
    ])
  })

  test('are wrong in a parameter of the address to which it redirects', () => {
    const names = wrongAnswersTo(redirect).flatMap((wrong) => (wrong.what === 'parameter' ? [wrong.name] : []))
    expect([...new Set(names)]).toEqual(['code', 'state'])
  })
})

describe('an answer made wrong', () => {
  test.each<[WrongAnswer, unknown]>([
    [
      { what: 'member', name: 'active', how: 'other' },
      { active: false, exp: 5, scope: 'openid' },
    ],
    [
      { what: 'member', name: 'active', how: 'missing' },
      { exp: 5, scope: 'openid' },
    ],
    [
      { what: 'member', name: 'exp', how: 'of another type' },
      { active: true, exp: '5', scope: 'openid' },
    ],
    [
      { what: 'member', name: 'exp', how: 'less' },
      { active: true, exp: 5 - 1_000_000_000, scope: 'openid' },
    ],
    [
      { what: 'member', name: 'exp', how: 'a little more' },
      { active: true, exp: 7205, scope: 'openid' },
    ],
    [
      { what: 'member', name: 'scope', how: 'empty' },
      { active: true, exp: 5, scope: '' },
    ],
  ])('in %o differs in that alone', (wrong, body) => {
    const made = madeWrong(json, wrong)
    expect([made.status, made.headers, made.evidence]).toEqual([json.status, json.headers, json.evidence])
    expect(made.json).toEqual(body)
  })

  test('in its body has nothing of it', () => {
    expect(madeWrong(json, { what: 'body', how: 'no JSON' }).json).toBeUndefined()
    expect(madeWrong(json, { what: 'body', how: 'a list' })).toMatchObject({ status: 200, json: [] })
  })

  test('in its status is a refusal where it was a success, and a success where it was a refusal', () => {
    expect(madeWrong(redirect, { what: 'status' })).toMatchObject({ status: 400, json: { error: 'server_error' } })
    expect(madeWrong(redirect, { what: 'status' }).header('location')).toBe('')
    expect(madeWrong(answer(401, {}, '{}'), { what: 'status' })).toMatchObject({ status: 200, text: '{}' })
  })

  test('in its address leads where the request asked to be sent, with what it carried', () => {
    const asked = `https://bank.example/auth?redirect_uri=${encodeURIComponent('https://evil.example/cb')}`
    const sent = new HttpResponse({ method: 'GET', url: asked }, 302, redirect.headers, '', 'e1')
    expect(madeWrong(sent, { what: 'address' }).location).toBe('https://evil.example/cb?code=c#state=s')
    expect(madeWrong(redirect, { what: 'address' }).location).toBe('https://elsewhere.example/?code=c#state=s')
  })

  test('in a header or a parameter keeps the others', () => {
    const elsewhere = madeWrong(redirect, { what: 'parameter', name: 'state', how: 'missing' })
    expect(elsewhere.location).toBe('https://client.example/?code=c')
    const typed = madeWrong(json, { what: 'header', name: 'content-type', how: 'missing' })
    expect(typed.headers).toEqual({ date: 'today' })
  })
})
