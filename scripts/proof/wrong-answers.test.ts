import { createLocalJWKSet, exportJWK, generateKeyPair, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose'
import { HttpResponse } from '../../conformance/http/http.js'
import { asOthersSay, madeWrong, type WrongAnswer, wrongAnswersTo } from './wrong-answers.js'
import { withOwnKeys } from './wrong-jwts.js'

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
  test('are wrong in its status, its body, a member or a header, but none of the connection', async () => {
    const named = (await wrongAnswersTo(json)).flatMap((wrong) =>
      'path' in wrong
        ? [`${wrong.what} ${wrong.path.join('.')}`]
        : 'name' in wrong
          ? [`${wrong.what} ${wrong.name}`]
          : [wrong.what],
    )
    expect([...new Set(named)]).toEqual([
      'status',
      'redirect',
      'body',
      'member active',
      'member exp',
      'member scope',
      'header content-type',
    ])
  })

  test('are wrong in a parameter of the address to which it redirects', async () => {
    const names = (await wrongAnswersTo(redirect)).flatMap((wrong) => (wrong.what === 'parameter' ? [wrong.name] : []))
    expect([...new Set(names)]).toEqual(['code', 'state'])
  })
})

describe('an answer made wrong', () => {
  test.each<[WrongAnswer, unknown]>([
    [
      { what: 'member', path: ['active'], how: 'other' },
      { active: false, exp: 5, scope: 'openid' },
    ],
    [
      { what: 'member', path: ['active'], how: 'missing' },
      { exp: 5, scope: 'openid' },
    ],
    [
      { what: 'member', path: ['exp'], how: 'of another type' },
      { active: true, exp: '5', scope: 'openid' },
    ],
    [
      { what: 'member', path: ['exp'], how: 'less' },
      { active: true, exp: 5 - 2 * 365 * 86_400, scope: 'openid' },
    ],
    [
      { what: 'member', path: ['exp'], how: 'a little more' },
      { active: true, exp: 7205, scope: 'openid' },
    ],
    [
      { what: 'member', path: ['scope'], how: 'longer' },
      { active: true, exp: 5, scope: 'openid-and-more' },
    ],
    [
      { what: 'member', path: ['scope'], how: 'empty' },
      { active: true, exp: 5, scope: '' },
    ],
  ])('in %o differs in that alone', async (wrong, body) => {
    const made = await madeWrong(json, wrong)
    expect([made.status, made.headers, made.evidence]).toEqual([json.status, json.headers, json.evidence])
    expect(made.json).toEqual(body)
  })

  test('may have what the words of an expectation name and the answer has not', async () => {
    const wrong: WrongAnswer = { what: 'member', path: ['client_id'], how: { as: 'unheard-of' } }
    expect(await wrongAnswersTo(json, 'client_id of a token')).toContainEqual(wrong)
    expect(await wrongAnswersTo(json, 'exp of a token')).not.toContainEqual(wrong)
    expect((await madeWrong(json, wrong)).member('client_id')).toBe('unheard-of')
  })

  test('may say what another answer says', async () => {
    const other = answer(200, {}, '{"active":true,"exp":6}')
    const wrong = await asOthersSay(json, 'exp of a token', [other, json])
    expect(wrong).toEqual([{ what: 'member', path: ['exp'], how: { as: 6 } }])
  })

  test('is wrong at a place within its body, and nowhere else', async () => {
    const keys = answer(200, {}, '{"keys":[{"kid":"a","use":["sig"]},{"kid":"b"}]}')
    const made = async (path: (string | number)[], how: 'missing' | 'empty' | 'twice') =>
      (await madeWrong(keys, { what: 'member', path, how })).json
    expect(await made(['keys', 0, 'use'], 'empty')).toEqual({ keys: [{ kid: 'a', use: [] }, { kid: 'b' }] })
    expect(await made(['keys', 0], 'missing')).toEqual({ keys: [{ kid: 'b' }] })
    expect(await made(['keys'], 'twice')).toEqual({ keys: [{ kid: 'a', use: ['sig'] }, { kid: 'b' }, { kid: 'b' }] })
  })

  test('in its body has nothing of it', async () => {
    expect((await madeWrong(json, { what: 'body', how: 'no JSON' })).json).toBeUndefined()
    expect(await madeWrong(json, { what: 'body', how: 'a list' })).toMatchObject({ status: 200, json: [] })
  })

  test('in its status is a refusal where it was a success, and a success where it was a refusal', async () => {
    expect(await madeWrong(redirect, { what: 'status', status: 400 })).toMatchObject({
      status: 400,
      json: { error: 'server_error' },
    })
    expect((await madeWrong(redirect, { what: 'status', status: 400 })).header('location')).toBe('')
    expect(await madeWrong(answer(401, {}, '{}'), { what: 'status', status: 200 })).toMatchObject({
      status: 200,
      text: '{}',
    })
    expect((await madeWrong(redirect, { what: 'status', status: 500 })).status).toBe(500)
  })

  test('in its address leads where the request asked to be sent, with what it carried', async () => {
    const asked = `https://bank.example/auth?redirect_uri=${encodeURIComponent('https://evil.example/cb')}`
    const sent = new HttpResponse({ method: 'GET', url: asked }, 302, redirect.headers, '', 'e1')
    expect((await madeWrong(sent, { what: 'address' })).location).toBe('https://evil.example/cb?code=c#state=s')
    expect((await madeWrong(redirect, { what: 'address' })).location).toBe(
      'https://unregistered.example.com/callback?code=c#state=s',
    )
  })

  test('in a header or a parameter keeps the others', async () => {
    const elsewhere = await madeWrong(redirect, { what: 'parameter', name: 'state', how: 'missing' })
    expect(elsewhere.location).toBe('https://client.example/?code=c')
    const typed = await madeWrong(json, { what: 'header', name: 'content-type', how: 'missing' })
    expect(typed.headers).toEqual({ date: 'today' })
  })

  test('in a claim of a JWT is signed by a key that the altered key set has', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES512')
    const jwt = await new SignJWT({ sub: 'jana' }).setProtectedHeader({ alg: 'ES512', kid: 'bank' }).sign(privateKey)
    const token = answer(200, {}, JSON.stringify({ id_token: jwt }))
    const wrong: WrongAnswer = {
      what: 'JWT',
      at: { what: 'member', name: 'id_token' },
      path: ['claims', 'sub'],
      how: 'other',
    }
    expect(await wrongAnswersTo(token)).toContainEqual(wrong)
    const idToken = String((await madeWrong(token, wrong)).member('id_token'))
    const bankKeys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'bank' }] }
    const { json: keys } = await withOwnKeys(answer(200, {}, JSON.stringify(bankKeys)))
    const { payload } = await jwtVerify(idToken, createLocalJWKSet(keys as JSONWebKeySet))
    expect(payload).toEqual({ sub: 'unheard-of' })
  })
})
