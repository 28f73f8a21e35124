import { rule, type Tools } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'
import { readings, sampleOf } from '../support/access-token-sample.js'

/** What a reply is about beyond the person. */
const aboutTheReply = ['sub', 'txn', 'iss', 'aud', 'exp', 'iat', 'jti', 'locale', 'zoneinfo']

/** What tells who the person is: the values of the claims that the person's data holds, as far as they are words of some length. */
async function personalData({ bank, expect }: Tools): Promise<string[]> {
  const { dataScopes } = await bank.client()
  const login = await bank.token({ scope: ['openid', ...dataScopes].join(' ') })
  const reply = await bank.userData.userinfo.try(login)
  const { content } = await bank.open('userinfo', reply, login.client)
  const { payload } = bank.read(content, 'userinfo', reply)
  const claims = Object.entries(expect(payload, 'the payload of userinfo', reply).toBeObject())
  const values = claims.filter(([name]) => !aboutTheReply.includes(name)).map(([, value]) => value)
  // Four letters stand in one of a run's random tokens by chance about once in a hundred runs; six do not.
  return values.filter((value): value is string => typeof value === 'string' && value.length > 5)
}

export const opaque = rule({
  id: 'token/access-token-opaque',
  requirement: 'TOK-9',
  title: 'Access tokens tell nothing of the person, and vary in a part long enough for 160 random bits',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, note, reading } = tools
    const personal = await personalData(tools)
    const last = await bank.token()
    const tokens = bank.accessTokens()
    const { size, duplicates, varying, bits } = sampleOf(tokens)
    expect(duplicates, `how many of ${size} access tokens came before`, last.response).toBe(0)
    for (const token of tokens) {
      const texts = readings(token).map((text) => text.toLowerCase())
      const leaked = personal.filter((value) => texts.some((text) => text.includes(value.toLowerCase())))
      expect(leaked, 'the personal data in an access token', last.response).toEqual([])
    }
    const where = `what the varying part of the access tokens, of ${varying} characters, can hold`
    expect(Math.floor(bits), where, last.response).toBeAtLeast(128, 'bits')
    reading('AMB-37', bits >= 160 ? 'bits-160' : 'bits-128')
    const jwt = tokens.every((token) => readings(token).some((text) => text.startsWith('{"')))
    reading('AMB-14', jwt ? 'jwt' : 'opaque')
    note(`seen in ${size} access tokens; that the bits are random cannot be seen from outside (see TOK-30)`)
  },
})
