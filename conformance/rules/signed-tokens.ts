import type { HttpResponse } from '../bank/http.js'
import type { Tools } from '../harness/rule.js'

/** A JWT that the bank made, taken out of its encryption. */
export interface SignedToken {
  what: string
  jwt: string
  response: HttpResponse
}

/** What the bank signs for a login, as far as it came: that something is missing is what other rules are about. */
export async function signedTokens({ bank, note }: Tools): Promise<SignedToken[]> {
  const login = await bank.login()
  const found = [{ what: 'the id_token', jwt: login.response.member('id_token'), response: login.response }]
  for (const endpoint of ['userinfo', 'profile'] as const) {
    const response = await bank.userData(endpoint, login)
    const { content } = await bank.open(endpoint, response, login.application)
    found.push({ what: endpoint, jwt: content, response })
  }
  return found.flatMap(({ what, jwt, response }) => {
    if (typeof jwt === 'string' && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(jwt)) return [{ what, jwt, response }]
    note(`${what} is no JWT`)
    return []
  })
}
