import { createLocalJWKSet, exportJWK, generateKeyPair, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose'
import { HttpResponse } from '../../conformance/http/http.js'
import { madeWrong, type WrongAnswer, wrongAnswersTo } from './wrong-answers.js'
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
      'name' in wrong ? [`${wrong.what} ${wrong.name}`] : [wrong.what],
    )
    expect([...new Set(named)]).toEqual([
      'status',
      'failure',
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
      { active: true, exp: 5 - 2 * 365 * 86_400, scope: 'openid' },
    ],
    [
      { what: 'member', name: 'exp', how: 'a little more' },
      { active: true, exp: 7205, scope: 'openid' },
    ],
    [
      { what: 'member', name: 'scope', how: 'longer' },
      { active: true, exp: 5, scope: 'openid-and-more' },
    ],
    [
      { what: 'member', name: 'scope', how: 'empty' },
      { active: true, exp: 5, scope: '' },
    ],
  ])('in %o differs in that alone', async (wrong, body) => {
    const made = await madeWrong(json, wrong)
    expect([made.status, made.headers, made.evidence]).toEqual([json.status, json.headers, json.evidence])
    expect(made.json).toEqual(body)
  })

  test('in its body has nothing of it', async () => {
    expect((await madeWrong(json, { what: 'body', how: 'no JSON' })).json).toBeUndefined()
    expect(await madeWrong(json, { what: 'body', how: 'a list' })).toMatchObject({ status: 200, json: [] })
  })

  test('in its status is a refusal where it was a success, and a success where it was a refusal', async () => {
    expect(await madeWrong(redirect, { what: 'status' })).toMatchObject({
      status: 400,
      json: { error: 'server_error' },
    })
    expect((await madeWrong(redirect, { what: 'status' })).header('location')).toBe('')
    expect(await madeWrong(answer(401, {}, '{}'), { what: 'status' })).toMatchObject({ status: 200, text: '{}' })
    expect((await madeWrong(redirect, { what: 'failure' })).status).toBe(500)
  })

  test('in its address leads where the request asked to be sent, with what it carried', async () => {
    const asked = `https://bank.example/auth?redirect_uri=${encodeURIComponent('https://evil.example/cb')}`
    const sent = new HttpResponse({ method: 'GET', url: asked }, 302, redirect.headers, '', 'e1')
    expect((await madeWrong(sent, { what: 'address' })).location).toBe('https://evil.example/cb?code=c#state=s')
    expect((await madeWrong(redirect, { what: 'address' })).location).toBe('https://elsewhere.example/?code=c#state=s')
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
    const wrong: WrongAnswer = { what: 'claim', jwt: { what: 'member', name: 'id_token' }, name: 'sub', how: 'other' }
    expect(await wrongAnswersTo(token)).toContainEqual(wrong)
    const idToken = String((await madeWrong(token, wrong)).member('id_token'))
    const bankKeys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'bank' }] }
    const { json: keys } = await withOwnKeys(answer(200, {}, JSON.stringify(bankKeys)))
    const { payload } = await jwtVerify(idToken, createLocalJWKSet(keys as JSONWebKeySet))
    expect(payload).toEqual({ sub: 'unheard-of' })
  })
})
