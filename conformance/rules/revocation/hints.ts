import { rule } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'
import { givesRefreshTokens, refreshed } from '../support/known-tokens.js'
import { codesOfUnknownHints, hintInWords, hints, placeOfUnknownHint, placesOfHints } from '../support/token-hints.js'
import { expectDead, expectTaken, liveToken, type TokenOfClient } from '../support/token-state.js'

export const hint = rule({
  id: 'revocation/hint',
  requirement: 'REV-3',
  places: [...placesOfHints('access-of-code'), placeOfUnknownHint('access-of-code')],
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
    const odd = (name: string) => bank.revocation.try({ client, token, form: { [name]: 'divining_rod' } })
    const unknown = await odd('token_type_hint')
    if (unknown.status < 300) {
      await expectDead(tools, { client, token }, 'an access token revoked with a hint of unknown value')
      return reading('AMB-56', 'ignored')
    }
    expect(unknown).toHaveStatus(400)
    expect(unknown.told, 'the refusal', unknown).toFitSchema('error')
    expect(unknown.member('error'), 'error of the refusal', unknown).toBeOneOf(codesOfUnknownHints)
    reading('AMB-56', 'refused')
    const misspelled = await odd('token_type_hin')
    reading('AMB-5', misspelled.status === 400 ? 'both-spellings' : 'token-type-hint-only')
    if (misspelled.status < 300)
      await expectDead(tools, { client, token }, 'an access token revoked with token_type_hin')
  },
})

export const refreshTokenHint = rule({
  id: 'revocation/refresh-token-hint',
  requirement: 'REV-3',
  places: [...placesOfHints('refresh'), 'use=second-refresh token=refresh parameter=token_type_hint value=wrong'],
  title: 'A refresh token, and one that a refresh gave, is revoked with 200, whatever the hint, however it is spelled',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, note, skip } = tools
    if (!(await givesRefreshTokens(bank)))
      return skip('the bank does not declare grant refresh_token and scope offline_access')
    await bank.revocation.expectBaseline()
    // All before the first revocation, which may end the session.
    const revoked: (TokenOfClient & { form: Record<string, string>; what: string })[] = []
    let tried = 0
    for (const form of hints) {
      const { client, refreshToken: token } = await bank.offlineToken.fresh()
      revoked.push({ client, token, form, what: hintInWords(form) })
    }
    const { client: refresher, refreshToken } = await refreshed(bank, await bank.offlineToken.fresh())
    const form = { token_type_hint: 'access_token' }
    revoked.push({ client: refresher, token: refreshToken, form, what: `${hintInWords(form)}, after a refresh` })
    for (const { client, token, form, what } of revoked) {
      const before = await bank.introspection.try({ client, token })
      if (before.member('active') !== true) {
        note(`an earlier revocation ended the refresh token that was to be revoked with ${what}`)
        continue
      }
      tried += 1
      await inVariation(what, async () => {
        expectTaken(expect, await bank.revocation.try({ client, token, form }))
        await expectDead(tools, { client, token }, 'the revoked refresh token')
      })
    }
    if (tried === 0) skip('introspection calls no refresh token active (see INTR-9)')
  },
})
