import { load } from 'cheerio'
import type { HttpResponse } from '../bank/http.js'
import type { Deeds } from '../end-user/end-user.js'
import { toSign } from '../harness/needs.js'
import { rule } from '../harness/rule.js'
import { codeIn, expectError, expectObjectRefused, toldBack } from './signing-refusals.js'
import { fieldsInOrder } from './structured-scope.js'

export const authorize = rule({
  id: 'signing/authorize',
  requirement: 'SIGN-8',
  title: 'GET /authorize answers with a redirect for the end-user, who authorizes the object',
  needs: toSign,
  async check({ bank, expect }) {
    const first = await bank.signing.authorize(await bank.signing.register())
    expect(first).toHaveStatus(302, 303, 307)
    expect(first.location, 'where GET /authorize redirects to', first).toBeText()
    const { callback } = await bank.signing.result()
    expect(callback.query.get('error'), 'error of the callback', callback.response).toBe(null)
  },
})

export const callback = rule({
  id: 'signing/callback',
  requirement: 'SIGN-32',
  title: "After authorization the user is redirected to the request's redirect URL, with code and the unchanged state",
  needs: [...toSign, 'redirect'],
  async check({ bank, expect }) {
    const { callback: back, object } = await bank.signing.result()
    const { claims } = object.request
    expect(back.response.location?.replace(/[?#].*$/s, ''), 'where the user is redirected to', back.response).toBe(
      String(claims.redirect_uri),
    )
    expect<unknown>(back.query.get('state'), 'state of the callback', back.response).toBe(claims.state)
  },
})

export const anonymous = rule({
  id: 'signing/anonymous',
  requirement: 'SIGN-2',
  title: 'An object is authorized with an access token at /ros, and without one after signing in',
  needs: [...toSign, 'sees', 'deed:sign/submit'],
  async check({ bank, expect }) {
    const { accessToken } = await bank.login({ client: await bank.signing.metadata() })
    const response = await bank.signing.send(await bank.signing.request({ bearer: accessToken }))
    expect(response).toHaveStatus(200, 201)
    const known = await bank.signing.come(await bank.signing.register({ bearer: accessToken }))
    expect(codeIn(known), 'the code for an object with an access token', known.response).toBeText()
    const anonymous = await bank.signing.send(await bank.signing.request())
    expect(anonymous).toHaveStatus(200, 201)
    const unknown = await bank.signing.come(await bank.signing.register())
    const pages = unknown.pages.filter((page) => ['sign-in', 'sign'].includes(page))
    expect(pages, 'the pages on which an unknown person signs in and authorizes', unknown.response).toEqual([
      'sign-in',
      'sign',
    ])
    expect(codeIn(unknown), 'the code for an object without an access token', unknown.response).toBeText()
  },
})

export const hint = rule({
  id: 'signing/hint-skips-identification',
  requirement: 'SIGN-4',
  title: 'An id_token_hint lets the bank skip the initial identification',
  needs: [...toSign, 'sees'],
  async check({ bank, expect }) {
    const login = await bank.login({ client: await bank.signing.metadata() })
    const claims = { id_token_hint: await bank.signing.hint(login) }
    const visit = await bank.signing.come(await bank.signing.register({ claims }))
    expect(visit.pages.includes('sign-in'), 'whether the sign-in page is shown', visit.response).toBe(false)
    expect(codeIn(visit), 'the code of the callback', visit.response).toBeText()
  },
})

export const newScopes = rule({
  id: 'signing/new-scopes-consented',
  requirement: 'SIGN-6',
  title: 'A scope that is new is asked consent for, and granted with the rest',
  needs: [...toSign, 'sees'],
  async check({ bank, expect, skip }) {
    const client = { client_name: 'Conformance signing with data' }
    const scope = (await bank.application(await bank.signing.metadata(client))).dataScopes[1]
    if (scope === undefined || scope === 'authorization') return skip('the bank declares fewer than two data scopes')
    const claims = { scope: `openid authorization ${scope}` }
    const { pages, callback: back } = await bank.signing.result({ client, claims })
    expect(pages.includes('consent'), 'whether the consent page is shown', back.response).toBe(true)
  },
})

export const newScopesRefused = rule({
  id: 'signing/new-scopes-refused',
  requirement: 'SIGN-27',
  title: 'A user who refuses the new scopes ends in an error',
  needs: [...toSign, 'deed:consent/refuse'],
  async check({ bank, expect, skip }) {
    const client = { client_name: 'Conformance signing without data' }
    const scope = (await bank.application(await bank.signing.metadata(client))).dataScopes[1]
    if (scope === undefined || scope === 'authorization') return skip('the bank declares fewer than two data scopes')
    const object = await bank.signing.register({ client, claims: { scope: `openid authorization ${scope}` } })
    expectError(expect, await bank.signing.come(object, { deeds: { consent: 'refuse' } }))
  },
})

export const refused = rule({
  id: 'signing/refused',
  requirement: 'SIGN-20',
  title: 'A user who refuses to authorize ends in access_denied at the redirect URL',
  needs: [...toSign, 'deed:sign/refuse'],
  async check({ bank, expect }) {
    const visit = await bank.signing.come(await bank.signing.register(), { deeds: { sign: 'refuse' } })
    expect(visit.callback !== undefined, 'whether the user is sent back', visit.response).toBe(true)
    expect(toldBack(visit, 'error'), 'error of the callback', visit.response).toBe('access_denied')
  },
})

export const once = rule({
  id: 'signing/once',
  requirement: 'SIGN-47',
  title: 'An object that was authorized, or refused, cannot be authorized again',
  needs: [...toSign, 'deed:sign/refuse'],
  async check({ bank, expect }) {
    const ways: Deeds[] = [{}, { sign: 'refuse' }]
    for (const deeds of ways) {
      const object = await bank.signing.register()
      await bank.signing.come(object, { deeds })
      expectError(expect, await bank.signing.come(object))
    }
  },
})

export const remote = rule({
  id: 'signing/remote',
  requirement: 'SIGN-23',
  title: 'An object without an access token is authorized in another browser than it was first opened in',
  needs: toSign,
  async check({ bank, expect }) {
    const object = await bank.signing.register()
    await bank.signing.authorize(object)
    const visit = await bank.signing.come(object)
    expect(codeIn(visit), 'the code of the callback', visit.response).toBeText()
  },
})

export const boundPerson = rule({
  id: 'signing/bound-person',
  requirement: 'SIGN-21',
  title:
    'An object that came with an access token is authorized by its user, and by nobody else, signed in before or not',
  needs: [...toSign, 'person:second'],
  async check({ bank, expect }) {
    const client = await bank.signing.metadata()
    const { accessToken } = await bank.login({ client })
    const own = await bank.signing.come(await bank.signing.register({ bearer: accessToken }))
    expect(codeIn(own), 'the code for the user of the access token', own.response).toBeText()
    const browser = bank.signing.browser()
    const signedIn = await bank.signing.come(await bank.signing.register(), { person: 'second', browser })
    expect(codeIn(signedIn), 'the code for another user and an object of no user', signedIn.response).toBeText()
    for (const used of [undefined, browser]) {
      const object = await bank.signing.register({ bearer: accessToken })
      const visit = await bank.signing.come(object, { person: 'second', ...(used && { browser: used }) })
      expect(codeIn(visit), 'the code for another user', visit.response).toBe(null)
    }
  },
})

export const withoutRequestUri = rule({
  id: 'signing/without-request-uri',
  requirement: 'SIGN-33',
  title: 'GET /authorize without request_uri is refused with invalid_request',
  needs: toSign,
  async check({ bank, expect, reading }) {
    const response = await bank.signing.authorize(await bank.signing.registered(), { request_uri: undefined })
    const { location } = response
    if (location === undefined) expect(response).toBeError(400, 'invalid_request')
    else {
      const error = new URL(location).searchParams.get('error')
      expect(error, 'error of the redirect', response).toBe('invalid_request')
    }
    reading('AMB-54', location === undefined ? 1 : 2)
  },
})

export const unknownRequestUri = rule({
  id: 'signing/unknown-request-uri',
  requirement: 'SIGN-34',
  title: 'GET /authorize with a request_uri that /ros did not return, or past its exp, is an error',
  needs: toSign,
  waits: true,
  async check({ bank, expect, note, service }) {
    const { object } = await bank.signing.result()
    const strange = object.requestUri.replace(/.{6}$/, (end) => [...end].reverse().join('').replace(/^./, '-'))
    expectError(expect, await bank.signing.come(object, { query: { request_uri: strange } }))
    const { accessToken } = await bank.login({ client: await bank.signing.metadata() })
    const short = await bank.signing.register({ bearer: accessToken, claims: { max_age: 1 } })
    const left = Number(short.response.member('exp')) + 1 - service.clock()
    if (!(left <= 5)) return note(`an object with a max_age of one second lives ${left} s: its end was not waited for`)
    await new Promise((resolve) => setTimeout(resolve, left * 1000))
    expectError(expect, await bank.signing.come(short))
  },
})

export const redirectUri = rule({
  id: 'signing/redirect-uri',
  requirement: 'SIGN-45',
  title: 'A redirect URI that is missing, or is not exactly a registered one, is refused',
  needs: toSign,
  async check({ bank, expect }) {
    const { redirectUri: registered } = (await bank.signing.registered()).request.application
    for (const redirect_uri of [undefined, `${registered}/`, `${registered}?more=1`, 'https://evil.example/callback']) {
      const replace = ({ claims }: { claims: Record<string, unknown> }) => ({ claims: { ...claims, redirect_uri } })
      expectObjectRefused(expect, await bank.signing.instead({}, replace, { query: { redirect_uri } }))
    }
  },
})

export const fieldsShown = rule({
  id: 'signing/fields-shown',
  requirement: 'SIGN-10',
  title: 'All fields of a SignObject are shown to the user, in their order',
  needs: [...toSign, 'deed:sign/refuse'],
  async check({ bank, expect }) {
    const object = await bank.signing.register()
    const { response } = await bank.signing.come(object, { deeds: { sign: 'leave' } })
    const page = load(response.text)('body').text().replace(/\s+/g, ' ')
    const places = fieldsInOrder(object.request.claims).flatMap(({ key, value }) => {
      const at = page.indexOf(value)
      expect(page.includes(key) && at >= 0, `whether the field ${key} is shown with its value`, response).toBe(true)
      return [at]
    })
    expect(
      [...places].sort((a, b) => a - b),
      'the places of the values on the page',
      response,
    ).toEqual(places)
  },
})

async function languageAt(
  bank: Parameters<Parameters<typeof rule>[0]['check']>[0]['bank'],
  claims: Record<string, unknown>,
): Promise<{ language: string; response: HttpResponse }> {
  const object = await bank.signing.register({ claims })
  const { response } = await bank.signing.come(object, { deeds: { sign: 'leave' } })
  const told = load(response.text)('html').attr('lang') ?? response.header('content-language')
  return { language: told.split('-')[0] ?? '', response }
}

export const languages = rule({
  id: 'signing/languages',
  requirement: 'SIGN-14',
  title: 'Pages are in Czech for ui_locales cs and sk, in English for en and every other language',
  needs: [...toSign, 'deed:sign/refuse'],
  async check({ bank, expect, reading }) {
    for (const [ui_locales, expected] of Object.entries({ cs: 'cs', sk: 'cs', en: 'en', de: 'en' })) {
      const { language, response } = await languageAt(bank, { ui_locales })
      expect(language, `the language of the page for ui_locales ${ui_locales}`, response).toBe(expected)
    }
    const other = await languageAt(bank, { ui_locale: 'cs' })
    reading('AMB-20', other.language === 'cs' ? 1 : 2)
  },
})

export const languageOrder = rule({
  id: 'signing/language-order',
  requirement: 'SIGN-31',
  title: 'Of several ui_locales the first decides',
  needs: [...toSign, 'deed:sign/refuse'],
  async check({ bank, expect }) {
    for (const [ui_locales, expected] of Object.entries({ 'cs en': 'cs', 'en cs': 'en', 'sk en': 'cs' })) {
      const { language, response } = await languageAt(bank, { ui_locales })
      expect(language, `the language of the page for ui_locales ${ui_locales}`, response).toBe(expected)
    }
  },
})

/** The callback messages about those who cannot sign documents. */
function ineligible(definition: { id: string; requirement: string; title: string; kinds: string[]; message: string }) {
  const { id, requirement, title, kinds, message } = definition
  return rule({
    id,
    requirement,
    title,
    needs: [...toSign, ...kinds.map((kind) => `person:${kind}` as const)],
    async check({ bank, expect, reading }) {
      for (const person of kinds) {
        const object = await bank.signing.register({ kind: 'document' })
        const visit = await bank.signing.come(object, { person })
        const { response } = visit
        expect(toldBack(visit, 'error'), `error for a person of kind ${person}`, response).toBe('user_not_eligible')
        expect(toldBack(visit, 'error_description'), 'error_description', response).toBe(message)
      }
      if (requirement === 'AUTH-32') reading('AMB-28', 1)
    },
  })
}

export const weakMethod = ineligible({
  id: 'signing/weak-method',
  requirement: 'AUTH-32',
  title: 'A user whose method is too weak for qualified signing ends in user_not_eligible with the message for it',
  kinds: ['weak-method'],
  message: 'User authentication method insufficient',
})

export const insufficientData = ineligible({
  id: 'signing/insufficient-data',
  requirement: 'AUTH-49',
  title: 'A user who is too young, or lacks e-mail and phone, ends in user_not_eligible with the message for it',
  kinds: ['under-age', 'no-contact'],
  message: 'Insufficient user data or age restriction',
})
