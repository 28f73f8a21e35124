import type { RequestObjectOptions } from '../../bank/ros.js'
import type { Browser, Visit } from '../../end-user/end-user.js'
import { format } from '../../harness/expect.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toSign } from '../../target/needs.js'
import { codeIn, expectObjectRefused } from './refusals.js'
import { fieldsInOrder, manyFields, note, oddText, unit, withFurtherMembers } from './structured-scope.js'

/** The texts that are to be shown, by the place that they are about. */
const texts: Record<string, RequestObjectOptions> = {
  'a text': { kind: 'text' },
  'a text of twelve fields': { claims: { structured_scope: { signObject: manyFields } } },
  'an odd text': { claims: { structured_scope: { signObject: oddText } } },
  'a text beside a document': { kind: 'text and document' },
  'a text beside documents': { kind: 'text and documents' },
}

export const fieldsShown = rule({
  id: 'signing/fields-shown',
  requirement: 'SIGN-10',
  places: [
    'value=first',
    'value=second',
    'value=last',
    'value=reordered',
    'value=long',
    'value=upper-bound',
    'value=encoded',
    'member=key',
    'member=text-and-document',
    'member=text-and-documents',
  ],
  title: 'All fields of a SignObject are shown to the user, in their order',
  needs: [...toSign, 'action:sign/refuse'],
  async check(tools) {
    const { bank, inVariation } = tools
    const browser = bank.signing.browser()
    for (const [what, options] of Object.entries(texts)) {
      await inVariation(what, async () => {
        const object = await bank.signing.requestObject.fresh(options)
        const visit = await bank.signing.authorize(object, { actions: { sign: 'leave' }, browser })
        expectShown(tools, object.request.claims, visit)
      })
    }
  },
})

/** That a page, or several in a row, show each field, the next one after the one before. */
function expectShown({ expect }: Tools, claims: Record<string, unknown>, { before = [], response }: Visit): void {
  const inOneLine = (text: string) => text.replace(/\s+/g, ' ').normalize('NFC')
  const page = inOneLine([...before, response].map(({ document }) => document('body').text()).join(' '))
  let from = 0
  for (const { key, value } of fieldsInOrder(claims)) {
    const at = page.indexOf(inOneLine(value).trim(), from)
    expect(page, 'the text of the page', response).toSatisfy(
      (text) => text.includes(inOneLine(key).trim()) && at >= 0,
      `a text with the field ${format(key)} and its value ${format(value)}, after those that come before it`,
    )
    from = at + 1
  }
}

export const furtherMembers = rule({
  id: 'signing/further-members',
  requirement: 'SIGN-36',
  places: ['member=further'],
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
    const { before = [], response: page } = await bank.signing.authorize(waiting, { actions: { sign: 'leave' } })
    const text = [...before, page].map(({ document }) => document('body').text()).join(' ')
    reading('AMB-70', [note, unit].every((said) => text.includes(said)) ? 'shown' : 'unshown')
  },
})

/** Holds that the page on which an object is authorized says that it is in a language, for each of these ui_locales, in one browser. */
async function expectLanguages({ bank, expect }: Tools, languages: Readonly<Record<string, string>>): Promise<Browser> {
  const browser = bank.signing.browser()
  for (const [ui_locales, expected] of Object.entries(languages)) {
    const { language, response } = await languageAt(bank, { ui_locales }, browser)
    expect(language, `the language of the page for ui_locales ${ui_locales}`, response).toBe(expected)
  }
  return browser
}

/** The language that the page says it is in, on which an object with these claims is authorized. */
async function languageAt(
  { signing }: Tools['bank'],
  claims: Record<string, unknown>,
  browser: Browser,
): Promise<{ language: string; response: HttpResponse }> {
  const { response } = await signing.authorize(await signing.requestObject.fresh({ claims }), {
    actions: { sign: 'leave' },
    browser,
  })
  const declaredLanguage = response.document('html').attr('lang') ?? response.header('content-language')
  return { language: (declaredLanguage.split('-')[0] ?? '').toLowerCase(), response }
}

/** By ui_locales, the language of the page. */
const languageOf = {
  cs: 'cs',
  sk: 'cs',
  en: 'en',
  de: 'en',
  pl: 'en',
  'cs-CZ': 'cs',
  'cs-cz': 'cs',
  'sk-SK': 'cs',
  'en-GB': 'en',
  CS: 'cs',
  csb: 'en',
  sl: 'en',
}

export const languages = rule({
  id: 'signing/languages',
  requirement: 'SIGN-14',
  places: Object.keys(languageOf).map((locale) => `member=${locale}`),
  title: 'Pages are in Czech for ui_locales cs and sk, in English for en and every other language',
  needs: [...toSign, 'action:sign/refuse'],
  async check(tools) {
    const browser = await expectLanguages(tools, languageOf)
    const other = await languageAt(tools.bank, { ui_locale: 'cs' }, browser)
    tools.reading('AMB-20', other.language === 'cs' ? 'both-spellings' : 'ui-locales-only')
  },
})

export const languageOrder = rule({
  id: 'signing/language-order',
  requirement: 'SIGN-31',
  places: ['value=first', 'value=second', 'value=unknown'],
  title: 'Of several ui_locales the first decides',
  needs: [...toSign, 'action:sign/refuse'],
  async check(tools) {
    await expectLanguages(tools, { 'cs en': 'cs', 'en cs': 'en', 'sk en': 'cs', 'de cs': 'en', 'en sk cs': 'en' })
  },
})
