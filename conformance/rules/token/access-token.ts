import { rule } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'
import { readings, sampleOf } from '../support/access-token-sample.js'
import { beyondChance, expectTellsNothing, personalData } from '../support/personal-data.js'

export const opaque = rule({
  id: 'token/access-token-opaque',
  requirement: 'TOK-9',
  places: [
    'token=access-of-code',
    'token=access-of-code claim=email',
    'token=access-of-code claim=birthnumber',
    'token=access-of-code value=encoded',
    'token=access-of-code member=login',
  ],
  title: 'Access tokens tell nothing of the person, and vary in a part long enough for 160 random bits',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, note, reading } = tools
    const words = await personalData(tools)
    const last = await bank.token()
    const tokens = bank.accessTokens()
    const personal = beyondChance(words, tokens)
    const { size, duplicates, varying, bits } = sampleOf(tokens)
    expect(duplicates, `how many of ${size} access tokens came before`, last.response).toBe(0)
    for (const token of tokens) expectTellsNothing(tools, token, personal, last.response)
    const where = `what the varying part of the access tokens, of ${varying} characters, can hold`
    expect(Math.floor(bits), where, last.response).toBeAtLeast(128, 'bits')
    reading('AMB-37', bits >= 160 ? 'bits-160' : 'bits-128')
    const jwt = tokens.every((token) => readings(token).some((text) => text.startsWith('{"')))
    reading('AMB-14', jwt ? 'jwt' : 'opaque')
    note(`seen in ${size} access tokens; that the bits are random cannot be seen from outside (see TOK-30)`)
  },
})
