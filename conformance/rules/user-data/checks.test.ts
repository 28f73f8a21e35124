import { jest } from '@jest/globals'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { expectTransaction } from './checks.js'

const response = {} as HttpResponse

/** Looks at an answer for openid alone of a bank whose answer with everything has these claims. */
async function judged(claims: Record<string, unknown>, withEverything: Record<string, unknown>) {
  const note = jest.fn()
  const toBeText = jest.fn()
  const bank = {
    client: async () => ({ dataScopes: ['profile.name'] }),
    token: async () => ({}),
    userData: { userinfo: async () => ({ claims: withEverything, response }) },
  }
  const tools = { bank, note, expect: () => ({ toBeText }) } as unknown as Tools
  await expectTransaction(tools, 'userinfo', { claims, response })
  return { noted: note.mock.calls.length, looked: toBeText.mock.calls.length }
}

test('a bank that tells a txn elsewhere has to tell it for openid alone', async () => {
  expect(await judged({ sub: '1' }, { sub: '1', txn: 'x' })).toEqual({ noted: 0, looked: 1 })
  expect(await judged({ sub: '1', txn: 'x' }, { sub: '1' })).toEqual({ noted: 0, looked: 1 })
})

test('a bank that never tells one is noted', async () => {
  expect(await judged({ sub: '1' }, { sub: '1' })).toEqual({ noted: 1, looked: 0 })
})
