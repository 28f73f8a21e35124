import { load } from 'cheerio'
import { format } from '../../harness/expect.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toSign } from '../../target/needs.js'
import { codeIn, expectObjectRefused } from './refusals.js'
import { fieldsInOrder, note, unit, withFurtherMembers } from './structured-scope.js'

export const fieldsShown = rule({
  id: 'signing/fields-shown',
  requirement: 'SIGN-10',
  title: 'All fields of a SignObject are shown to the user, in their order',
  needs: [...toSign, 'action:sign/refuse'],
  async check({ bank, expect }) {
    const object = await bank.signing.requestObject.fresh()
    const { response } = await bank.signing.authorize(object, { actions: { sign: 'leave' } })
    const page = load(response.text)('body').text().replace(/\s+/g, ' ')
    const places = fieldsInOrder(object.request.claims).flatMap(({ key, value }) => {
      const at = page.indexOf(value)
      expect(page, 'the text of the page', response).toSatisfy(
        (text) => text.includes(key) && at >= 0,
        `a text with the field ${format(key)} and its value ${format(value)}`,
      )
      return [at]
    })
    expect(
      [...places].sort((a, b) => a - b),
      'the places of the values on the page',
      response,
    ).toEqual(places)
  },
})

export const furtherMembers = rule({
  id: 'signing/further-members',
  requirement: 'SIGN-36',
  title: 'A SignObject with members beyond the published ones comes back unchanged, or is refused',
  needs: [...toSign, 'action:sign/refuse'],
  async check({ bank, expect, reading }) {
    const good = await bank.signing.requestObject.prepare({})
    const signObject = withFurtherMembers(good.claims)
    const claims = { structured_scope: { signObject } }
    const outcome = await bank.signing.submission.modified({}, (one) => ({ claims: { ...one.claims, ...claims } }))
    const code = outcome.accepted && codeIn(outcome.accepted.visit)
    if (!outcome.accepted || !code) {
      expectObjectRefused(expect, outcome)
      return reading('AMB-70', 'refused')
    }
    const { object } = outcome.accepted
    const response = await bank.signing.exchangeCode(object, code)
    const result = (await bank.signing.idToken({ response, client: object.request.client })).claims.structured_scope
    const came = (result as { signObject?: unknown } | undefined)?.signObject
    expect<unknown>(came, 'signObject of the id_token', response).toEqual(signObject)
    const waiting = await bank.signing.requestObject.fresh({ claims })
    const { response: page } = await bank.signing.authorize(waiting, { actions: { sign: 'leave' } })
    const text = load(page.text)('body').text()
    reading('AMB-70', [note, unit].every((said) => text.includes(said)) ? 'shown' : 'unshown')
  },
})

/** The language that the page says it is in, on which an object with these claims is authorized. */
async function languageAt(
  { signing }: Tools['bank'],
  claims: Record<string, unknown>,
): Promise<{ language: string; response: HttpResponse }> {
  const { response } = await signing.authorize(await signing.requestObject.fresh({ claims }), {
    actions: { sign: 'leave' },
  })
  const declaredLanguage = load(response.text)('html').attr('lang') ?? response.header('content-language')
  return { language: declaredLanguage.split('-')[0] ?? '', response }
}

export const languages = rule({
  id: 'signing/languages',
  requirement: 'SIGN-14',
  title: 'Pages are in Czech for ui_locales cs and sk, in English for en and every other language',
  needs: [...toSign, 'action:sign/refuse'],
  async check({ bank, expect, reading }) {
    for (const [ui_locales, expected] of Object.entries({ cs: 'cs', sk: 'cs', en: 'en', de: 'en' })) {
      const { language, response } = await languageAt(bank, { ui_locales })
      expect(language, `the language of the page for ui_locales ${ui_locales}`, response).toBe(expected)
    }
    const other = await languageAt(bank, { ui_locale: 'cs' })
    reading('AMB-20', other.language === 'cs' ? 'both-spellings' : 'ui-locales-only')
  },
})

export const languageOrder = rule({
  id: 'signing/language-order',
  requirement: 'SIGN-31',
  title: 'Of several ui_locales the first decides',
  needs: [...toSign, 'action:sign/refuse'],
  async check({ bank, expect }) {
    for (const [ui_locales, expected] of Object.entries({ 'cs en': 'cs', 'en cs': 'en', 'sk en': 'cs' })) {
      const { language, response } = await languageAt(bank, { ui_locales })
      expect(language, `the language of the page for ui_locales ${ui_locales}`, response).toBe(expected)
    }
  },
})
