import { UnsecuredJWT } from 'jose'
import { HttpResponse } from '../http/http.js'
import { clientKeys } from '../service/client-keys.js'
import { readJwt, SeenTokens } from './seen-tokens.js'

function answer(body: object): HttpResponse {
  const request = { method: 'POST', url: 'https://bank.example/token' }
  return new HttpResponse(request, 200, { 'content-type': 'application/json' }, JSON.stringify(body), '1')
}

async function client(clientId: string) {
  return { clientId, metadata: {}, keys: await clientKeys() }
}

describe('the tokens that were seen in a run', () => {
  test('are known with the answers that they came with, by the client that had them', async () => {
    const [owner, other] = [await client('owner'), await client('other')]
    const seen = new SeenTokens()
    const asked = { parameters: { scope: 'openid' }, everythingApproved: true }
    seen.noteGrant({
      of: 'code',
      client: owner,
      response: answer({ access_token: 'access', refresh_token: 'refresh' }),
      asked,
    })
    const told = answer({ active: true })
    for (const token of ['access', 'refresh', 'unknown'])
      seen.noteUse({ at: 'token-info', client: owner, token, response: told })
    seen.noteUse({ at: 'token-info', client: other, token: 'access', response: told })
    seen.noteUse({ at: 'userinfo', client: owner, token: 'access', response: told })
    expect(seen.uses('token-info').map(({ use, kind }) => [use.token, kind])).toEqual([
      ['access', 'access_token'],
      ['refresh', 'refresh_token'],
    ])
  })

  test('are none of a client whose record was changed, and none of an answer without an access token', async () => {
    const [changed, other] = [await client('changed'), await client('other')]
    const seen = new SeenTokens()
    seen.noteGrant({ of: 'refresh', client: changed, response: answer({ access_token: 'access' }) })
    seen.noteGrant({ of: 'refresh', client: other, response: answer({ error: 'invalid_grant' }) })
    expect(seen.grants()).toHaveLength(1)
    seen.noteChange('changed')
    expect(seen.grants()).toEqual([])
  })

  test('are read where they can be', async () => {
    const keys = await clientKeys()
    expect((await readJwt(new UnsecuredJWT({ sub: 'somebody' }).encode(), keys))?.claims).toEqual({ sub: 'somebody' })
    expect(await readJwt('a.b.c.d.e', keys)).toBeUndefined()
    expect(await readJwt('no JWT', keys)).toBeUndefined()
    expect(await readJwt(undefined, keys)).toBeUndefined()
  })
})
