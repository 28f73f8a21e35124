import { rule, type Tools } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'
import { givesRefreshTokens, refreshed } from '../support/known-tokens.js'
import {
  codesOfUnknownHints,
  hintInWords,
  hints,
  placeOfUnknownHint,
  placesOfHints,
  spellings,
} from '../support/token-hints.js'
import { expectDead, expectTaken, liveToken, type TokenOfClient } from '../support/token-state.js'

const unknownHint = 'divining_rod'

export const hint = rule({
  id: 'revocation/hint',
  requirement: 'REV-3',
  places: [
    ...placesOfHints('access-of-code'),
    placeOfUnknownHint('access-of-code'),
    'token=access-of-code parameter=token_type_hin value=unknown',
    'token=access-of-code parameter=token_type_hint value=empty',
  ],
  title: 'A token is revoked with 200, whatever the hint, however it is spelled',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, reading } = tools
    await bank.revocation.expectBaseline()
    for (const form of hints) {
      await inVariation(hintInWords(form), async () => {
        const { client, token } = await liveToken(bank)
        const response = await bank.revocation.try({ client, token, form })
        expectTaken(expect, response)
        await expectDead(tools, { client, token }, 'the revoked access token')
        reading('AMB-69', response.status === 204 ? 'no-content' : response.text === '' ? 'ok-empty' : 'ok-json')
      })
    }
    const { client, token } = await liveToken(bank)
    const unknown = await expectUnknownHint(tools, { client, token }, { token_type_hint: unknownHint })
    reading('AMB-56', unknown)
    await inVariation('token_type_hin of unknown value', async () => {
      const about = unknown === 'refused' ? { client, token } : await liveToken(bank)
      const misspelled = await expectUnknownHint(tools, about, { token_type_hin: unknownHint })
      if (unknown === 'refused') reading('AMB-5', misspelled === 'refused' ? 'both-spellings' : 'token-type-hint-only')
    })
    await inVariation('an empty token_type_hint', async () => {
      const about = await liveToken(bank)
      const response = await bank.revocation.try({ ...about, form: { token_type_hint: '' } })
      // None, or one of unknown value: no bank that refuses it calls the token revoked.
      if (response.status < 300) await expectDead(tools, about, 'a token revoked with an empty hint')
      else expect(response).toHaveStatus(400)
    })
  },
})

/** That a token is revoked whatever an unknown hint says, or that the hint is refused. @returns how AMB-56 is read */
async function expectUnknownHint(
  tools: Tools,
  about: TokenOfClient,
  form: Record<string, string>,
): Promise<'ignored' | 'refused'> {
  const { bank, expect } = tools
  const response = await bank.revocation.try({ ...about, form })
  if (response.status < 300) {
    await expectDead(tools, about, `a token revoked with ${hintInWords(form)}`)
    return 'ignored'
  }
  expect(response).toHaveStatus(400)
  expect(response.told, 'the refusal', response).toFitSchema('error')
  expect(response.member('error'), 'error of the refusal', response).toBeOneOf(codesOfUnknownHints)
  return 'refused'
}

/** A token, and the hint with which it is to be revoked. */
interface Hinted extends TokenOfClient {
  form: Record<string, string>
  what: string
}

async function expectRevoked(tools: Tools, { form, client, token }: Hinted, what: string): Promise<void> {
  expectTaken(tools.expect, await tools.bank.revocation.try({ client, token, form }))
  await expectDead(tools, { client, token }, what)
}

/** Revokes each token that lives still: with one token of a grant a bank may take back the others (RFC 7009 section 2.1). */
async function revokeEach(
  { bank, inVariation, note, skip }: Tools,
  tokens: readonly Hinted[],
  revoke: (hinted: Hinted) => Promise<void>,
): Promise<void> {
  let tried = 0
  for (const hinted of tokens) {
    const { client, token, what } = hinted
    const before = await bank.introspection.try({ client, token })
    if (before.member('active') !== true) {
      note(`the token that was to be revoked with ${what} had ended before`)
      continue
    }
    tried += 1
    await inVariation(what, () => revoke(hinted))
  }
  if (tried === 0) skip('introspection calls none of these tokens active (see INTR-1, INTR-9)')
}

export const refreshedTokenHint = rule({
  id: 'revocation/refreshed-hint',
  requirement: 'REV-3',
  places: spellings.flatMap((parameter) =>
    ['wrong', 'unknown'].map(
      (value) => `use=second-refresh token=access-of-refresh parameter=${parameter} value=${value}`,
    ),
  ),
  title: 'An access token of a refresh is revoked, whatever the hint, however it is spelled',
  needs: toLogIn,
  async check(tools) {
    const { bank, skip } = tools
    if (!(await givesRefreshTokens(bank)))
      return skip('the bank does not declare grant refresh_token and scope offline_access')
    await bank.revocation.expectBaseline()
    let login = await bank.offlineToken.fresh()
    const tokens: Hinted[] = []
    for (const form of spellings.flatMap((name) => [{ [name]: 'refresh_token' }, { [name]: unknownHint }])) {
      const { client, second: token, refreshToken } = await refreshed(bank, login)
      tokens.push({ client, token, form, what: `${hintInWords(form)}, of a refresh` })
      login = { ...login, refreshToken }
    }
    await revokeEach(tools, tokens, async (hinted) => {
      const { form, client, token } = hinted
      if (!Object.values(form).includes(unknownHint))
        return expectRevoked(tools, hinted, 'the revoked access token of a refresh')
      await expectUnknownHint(tools, { client, token }, form)
    })
  },
})

export const refreshTokenHint = rule({
  id: 'revocation/refresh-token-hint',
  requirement: 'REV-3',
  places: [...placesOfHints('refresh'), 'use=second-refresh token=refresh parameter=token_type_hint value=wrong'],
  title: 'A refresh token, and one that a refresh gave, is revoked with 200, whatever the hint, however it is spelled',
  needs: toLogIn,
  async check(tools) {
    const { bank, skip } = tools
    if (!(await givesRefreshTokens(bank)))
      return skip('the bank does not declare grant refresh_token and scope offline_access')
    await bank.revocation.expectBaseline()
    // All before the first revocation, which may end the session.
    const revoked: Hinted[] = []
    for (const form of hints) {
      const { client, refreshToken: token } = await bank.offlineToken.fresh()
      revoked.push({ client, token, form, what: hintInWords(form) })
    }
    const { client: refresher, refreshToken } = await refreshed(bank, await bank.offlineToken.fresh())
    const form = { token_type_hint: 'access_token' }
    revoked.push({ client: refresher, token: refreshToken, form, what: `${hintInWords(form)}, after a refresh` })
    await revokeEach(tools, revoked, (about) => expectRevoked(tools, about, 'the revoked refresh token'))
  },
})
