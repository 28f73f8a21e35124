import type { PageActions } from '../../end-user/end-user.js'
import { rule } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
import { callbackParameter, codeIn, expectError } from './refusals.js'

export const authorize = rule({
  id: 'signing/authorize',
  requirement: 'SIGN-8',
  title: 'GET /authorize answers with a redirect for the end-user, who authorizes the object',
  needs: toSign,
  async check({ bank, expect }) {
    const first = await bank.signing.getAuthorize(await bank.signing.requestObject.fresh())
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
  needs: [...toSign, 'page-detection', 'action:sign/submit'],
  async check({ bank, expect }) {
    const { accessToken } = await bank.signing.login()
    const response = await bank.signing.requestObject.try({ bearer: accessToken })
    expect(response).toHaveStatus(200, 201)
    const known = await bank.signing.authorize(await bank.signing.requestObject.fresh({ bearer: accessToken }))
    expect(codeIn(known), 'the code for an object with an access token', known.response).toBeText()
    const anonymous = await bank.signing.requestObject.try()
    expect(anonymous).toHaveStatus(200, 201)
    const unknown = await bank.signing.authorize(await bank.signing.requestObject.fresh())
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
  needs: [...toSign, 'page-detection'],
  async check({ bank, expect }) {
    const claims = { id_token_hint: await bank.signing.hint(await bank.signing.login()) }
    const visit = await bank.signing.authorize(await bank.signing.requestObject.fresh({ claims }))
    expect(visit.pages, 'the pages shown', visit.response).toLack('sign-in')
    expect(codeIn(visit), 'the code of the callback', visit.response).toBeText()
  },
})

export const hintBinds = rule({
  id: 'signing/hint-binds',
  requirement: 'SIGN-4',
  title:
    'Where somebody else is signed in, an object with id_token_hint is authorized by the hinted user or by nobody (OpenID Connect Core 3.1.2.1)',
  needs: [...toSign, 'person:second'],
  async check({ bank, expect }) {
    const login = await bank.signing.login()
    const hinted = await bank.idToken(login.response, login.client)
    const browser = bank.signing.browser()
    await bank.signing.result.fresh({ person: 'second', browser })
    const claims = { id_token_hint: await bank.signing.hint(login) }
    const object = await bank.signing.requestObject.fresh({ claims })
    const visit = await bank.signing.tryAuthorize(object, { person: 'second', browser })
    const code = codeIn(visit)
    const response = code === null ? visit.response : await bank.signing.exchangeCode(object, code)
    const signer =
      code === null ? undefined : (await bank.signing.idToken({ response, client: login.client })).claims.sub
    expect(signer, 'sub of the result', response).toSatisfy(
      (sub) => sub === undefined || sub === hinted.claims.sub,
      `none, or ${hinted.claims.sub}, whom id_token_hint names`,
    )
  },
})

export const newScopes = rule({
  id: 'signing/new-scopes-consented',
  requirement: 'SIGN-6',
  title: 'A scope that is new is asked consent for, and granted with the rest',
  needs: [...toSign, 'page-detection'],
  async check({ bank, expect, skip }) {
    const clientMetadata = { client_name: 'Conformance signing with data' }
    const scope = (await bank.client(await bank.signing.metadata(clientMetadata))).dataScopes[1]
    if (scope === undefined || scope === 'authorization') return skip('the bank declares fewer than two data scopes')
    const claims = { scope: `openid authorization ${scope}` }
    const { pages, callback: back } = await bank.signing.result({ clientMetadata, claims })
    expect(pages, 'the pages shown', back.response).toContain('consent')
  },
})

export const newScopesRefused = rule({
  id: 'signing/new-scopes-refused',
  requirement: 'SIGN-27',
  title: 'A user who refuses the new scopes ends in an error',
  needs: [...toSign, 'action:consent/refuse'],
  async check({ bank, expect, skip }) {
    const clientMetadata = { client_name: 'Conformance signing without data' }
    const scope = (await bank.client(await bank.signing.metadata(clientMetadata))).dataScopes[1]
    if (scope === undefined || scope === 'authorization') return skip('the bank declares fewer than two data scopes')
    const object = await bank.signing.requestObject.fresh({
      clientMetadata,
      claims: { scope: `openid authorization ${scope}` },
    })
    expectError(expect, await bank.signing.authorize(object, { actions: { consent: 'refuse' } }))
  },
})

export const newScopesUnticked = rule({
  id: 'signing/new-scopes-unticked',
  requirement: 'SIGN-27',
  title: 'A user who unticks every new scope and goes on ends in an error',
  needs: [...toSign, 'deny-scopes'],
  async check({ bank, expect, skip }) {
    const clientMetadata = { client_name: 'Conformance signing with unticked data' }
    const scope = (await bank.client(await bank.signing.metadata(clientMetadata))).dataScopes[1]
    if (scope === undefined || scope === 'authorization') return skip('the bank declares fewer than two data scopes')
    const object = await bank.signing.requestObject.fresh({
      clientMetadata,
      claims: { scope: `openid authorization ${scope}` },
    })
    expectError(expect, await bank.signing.authorize(object, { denyScopes: [scope] }))
  },
})

export const refused = rule({
  id: 'signing/refused',
  requirement: 'SIGN-20',
  title: 'A user who refuses to authorize ends in access_denied at the redirect URL',
  needs: [...toSign, 'action:sign/refuse'],
  async check({ bank, expect }) {
    const visit = await bank.signing.authorize(await bank.signing.requestObject.fresh(), {
      actions: { sign: 'refuse' },
    })
    const end = {
      address: visit.response.location ?? visit.response.request.url,
      isAtService: visit.callback !== undefined,
    }
    expect(end, 'where the user gets to', visit.response).toSatisfy(
      ({ isAtService }) => isAtService,
      "the service's redirect URI",
    )
    expect(callbackParameter(visit, 'error'), 'error of the callback', visit.response).toBe('access_denied')
  },
})

export const once = rule({
  id: 'signing/once',
  requirement: 'SIGN-47',
  title: 'An object that was authorized, or refused, cannot be authorized again',
  needs: [...toSign, 'action:sign/refuse'],
  async check({ bank, expect, inVariation }) {
    const ways: Record<string, PageActions> = { 'once authorized': {}, 'once refused': { sign: 'refuse' } }
    for (const [what, actions] of Object.entries(ways)) {
      await inVariation(what, async () => {
        const object = await bank.signing.requestObject.fresh()
        await bank.signing.authorize(object, { actions })
        expectError(expect, await bank.signing.tryAuthorize(object))
      })
    }
  },
})

export const remote = rule({
  id: 'signing/remote',
  requirement: 'SIGN-23',
  title: 'An object without an access token is authorized in another browser than it was first opened in',
  needs: toSign,
  async check({ bank, expect }) {
    const object = await bank.signing.requestObject.fresh()
    await bank.signing.getAuthorize(object)
    const visit = await bank.signing.authorize(object)
    expect(codeIn(visit), 'the code of the callback', visit.response).toBeText()
  },
})

export const boundPerson = rule({
  id: 'signing/bound-person',
  requirement: 'SIGN-21',
  title:
    'An object that came with an access token is authorized by its user, and by nobody else, signed in before or not',
  needs: [...toSign, 'person:second'],
  async check({ bank, expect, inVariation }) {
    const { accessToken } = await bank.signing.login()
    const own = await bank.signing.authorize(await bank.signing.requestObject.fresh({ bearer: accessToken }))
    expect(codeIn(own), 'the code for the user of the access token', own.response).toBeText()
    const browser = bank.signing.browser()
    const signedIn = await bank.signing.authorize(await bank.signing.requestObject.fresh(), {
      person: 'second',
      browser,
    })
    expect(codeIn(signedIn), 'the code for another user and an object of no user', signedIn.response).toBeText()
    for (const [what, used] of Object.entries({ 'not signed in': {}, 'signed in before': { browser } })) {
      await inVariation(`another user, ${what}`, async () => {
        const object = await bank.signing.requestObject.fresh({ bearer: accessToken })
        const visit = await bank.signing.tryAuthorize(object, { person: 'second', ...used })
        expect(codeIn(visit), 'the code for another user', visit.response).toBe(null)
      })
    }
  },
})
