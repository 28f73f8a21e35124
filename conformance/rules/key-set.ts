import type { HttpResponse } from '../bank/http.js'
import type { Expect } from '../harness/expect.js'
import { rule } from '../harness/rule.js'

export const document = rule({
  id: 'key-set/document',
  requirement: 'JWKS-1',
  title: 'The key set is served as {keys: […]} without authentication, at its path and at jwks_uri',
  async check({ bank, expect, note }) {
    const path = '/.well-known/jwks.json'
    const atPath = await bank.get(path)
    const declared = await (await bank.discovery()).endpoint('jwks_uri')
    const elsewhere = declared !== `${bank.issuer}${path}`
    if (elsewhere && atPath.status === 404) note(`jwks_uri is ${declared}, and nothing is at ${path} (see GEN-7)`)
    else expectKeySet(expect, atPath)
    if (elsewhere) expectKeySet(expect, await bank.get(declared))
  },
})

function expectKeySet(expect: Expect, response: HttpResponse): void {
  expect(response).toHaveStatus(200)
  expect(response).toHaveMediaType('application/json', 'application/jwk-set+json')
  const { keys } = expect(response.json, 'the key set', response).toHaveMembers(['keys'])
  const found = expect(keys, 'keys of the key set', response).toBeFilledArray()
  for (const [i, key] of found.entries()) {
    const { kty } = expect(key, `keys[${i}] of the key set`, response).toBeObject()
    expect(kty, `kty of keys[${i}] of the key set`, response).toBeText()
  }
}
