import type { Readings } from '../../../schemas/editions/index.js'
import { rule } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn } from '../../target/needs.js'
import { firstRefreshToken, givesNone, givesRefreshTokens, tokenOfCode } from '../support/known-tokens.js'
import { codesOfUnknownHints, hintInWords, hints, placeOfUnknownHint, placesOfHints } from '../support/token-hints.js'

export const hint = rule({
  id: 'introspection/hint',
  requirement: 'INTR-3',
  places: ['access-of-code', 'refresh'].flatMap((token) => [
    ...placesOfHints(token),
    placeOfUnknownHint(token),
    ...['upper-case', 'empty'].map((value) => `token=${token} parameter=token_type_hint value=${value}`),
  ]),
  title: 'A live token is found whatever the hint, however it is spelled, a refresh token too',
  needs: toLogIn,
  async check({ bank, expect, inVariation, note, reading }) {
    const offline = await givesRefreshTokens(bank)
    if (!offline) note(givesNone)
    const tokens = [await tokenOfCode(bank), ...(offline ? [await firstRefreshToken(bank)] : [])]
    for (const { what, client, token } of tokens) {
      for (const form of hints) {
        await inVariation(`${what}, ${hintInWords(form)}`, async () => {
          const response = await bank.introspection.try({ client, token, form })
          expect(response).toHaveStatus(200)
          expect(response.member('active'), 'active of a live token', response).toBe(true)
        })
      }
      const odd = (name: string) => bank.introspection.try({ client, token, form: { [name]: 'divining_rod' } })
      const unknown = readHint(await odd('token_type_hint'))
      reading('AMB-56', unknown)
      await inVariation(`${what}, its hint in capitals`, async () => {
        const token_type_hint = what === tokens[0]?.what ? 'ACCESS_TOKEN' : 'REFRESH_TOKEN'
        readHint(await bank.introspection.try({ client, token, form: { token_type_hint } }))
      })
      // It counts as left out (RFC 6749 section 3.1), or as one of unknown value.
      await inVariation(`${what}, its hint without a value`, async () => {
        readHint(await bank.introspection.try({ client, token, form: { token_type_hint: '' } }))
      })
      // Whether the other spelling is read at all shows only where a value can be wrong.
      if (unknown === 'refused')
        reading(
          'AMB-5',
          readHint(await odd('token_type_hin')) === 'refused' ? 'both-spellings' : 'token-type-hint-only',
        )
    }

    function readHint(response: HttpResponse): Readings['AMB-56'] {
      if (response.status !== 400) {
        expect(response.member('active'), 'active of a live token with a hint of unknown value', response).toBe(true)
        return 'ignored'
      }
      const { error } = expect(response.json, 'the refusal', response).toHaveMembers(['error'])
      expect(error, 'error of the refusal', response).toBeOneOf(codesOfUnknownHints)
      return 'refused'
    }
  },
})
