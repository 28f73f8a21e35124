import { isUrl } from '../../../schemas/is-url.js'
import type { RegisteredObject, RequestObjectOptions } from '../../bank/ros.js'
import { parameterIn } from '../../end-user/end-user.js'
import { matchesRedirectUri } from '../../end-user/redirect.js'
import { rule } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
import { everythingBorne, everythingHinted, type Made, optionsOf } from './everything-borne.js'
import { callbackParameter, codeIn } from './refusals.js'
import { elsewhere } from './second-redirect-uri.js'

export const authorize = rule({
  id: 'signing/authorize',
  requirement: 'SIGN-8',
  places: [
    'caller=nobody',
    'caller=bearer',
    'member=documentObject',
    'member=documentObjects',
    'member=text-and-documents',
    'caller=bearer member=documentObjects',
  ],
  title: 'GET /authorize answers with a redirect for the end-user, who authorizes the object',
  needs: toSign,
  async check({ bank, expect, inVariation }) {
    const { callback } = await bank.signing.result()
    expect(parameterIn(callback, 'error'), 'error of the callback', callback.response).toBe(null)
    const { accessToken: bearer } = await bank.signing.login()
    const objects: Record<string, RequestObjectOptions> = {
      'a text': {},
      'a text with an access token': { bearer },
      'a document': { kind: 'document' },
      documents: { kind: 'documents' },
      'documents beside a text': { kind: 'text and documents' },
      'documents with an access token': { kind: 'documents', bearer },
    }
    for (const [what, options] of Object.entries(objects)) {
      await inVariation(what, async () => {
        const first = await bank.signing.getAuthorize(await bank.signing.requestObject.fresh(options))
        expect(first).toHaveStatus(302, 303, 307)
        const to = expect(first.location, 'where GET /authorize redirects to', first).toBeText()
        expect(new URL(to).searchParams.get('error'), 'error of the redirect', first).toBe(null)
      })
    }
  },
})

export const callback = rule({
  id: 'signing/callback',
  requirement: 'SIGN-32',
  places: [
    'parameter=state value=right',
    'member=documentObject',
    'member=documentObjects',
    'member=text-and-documents',
    'caller=bearer',
    'member=id_token_hint',
  ],
  title: "After authorization the user is redirected to the request's redirect URL, with code and the unchanged state",
  needs: [...toSign, 'redirect'],
  async check({ bank, expect, inVariation }) {
    const objects: Record<string, Made> = {
      'a text': {},
      'a document': { kind: 'document' },
      documents: { kind: 'documents', count: 10 },
      'documents beside a text': { kind: 'text and documents' },
      'a document with an access token': everythingBorne,
      'a document with id_token_hint': everythingHinted,
    }
    for (const [what, made] of Object.entries(objects)) {
      await inVariation(what, async () => {
        const { callback: back, object } = await bank.signing.result(await optionsOf({ bank }, made))
        const { claims } = object.request
        const isCode = claims.response_type === 'code'
        const state = isCode ? back.query.get('state') : parameterIn(back, 'state')
        // A redirect to another address ends the login before.
        expect<unknown>(state, 'state of the callback', back.response).toBe(claims.state)
      })
    }
  },
})

/** States that have to come back as they are, by what is odd about them. */
const oddStates = {
  encoded: 'a b&c=d%2B+e/é?#"',
  long: 'Stav-'.repeat(60),
}

export const oddCallback = rule({
  id: 'signing/odd-callback',
  requirement: 'SIGN-32',
  places: [
    'parameter=redirect_uri value=second',
    'parameter=redirect_uri value=encoded',
    'parameter=state value=encoded',
    'parameter=state value=long',
    'use=second-call parameter=state',
  ],
  title:
    'The user is redirected to the second registered redirect URI, query and all, with a state of any signs and of 300 characters',
  needs: [...toSign, 'redirect'],
  async check({ bank, expect, inVariation }) {
    const { clientMetadata, second } = await elsewhere(bank)
    const browser = bank.signing.browser()
    await bank.signing.result()
    // All before the first is authorized: a bank may take what it was sent last for what it is asked about.
    const objects: (readonly [what: string, state: string, object: RegisteredObject])[] = []
    for (const [what, state] of Object.entries(oddStates)) {
      const claims = { redirect_uri: second, state }
      objects.push([what, state, await bank.signing.requestObject.fresh({ clientMetadata, claims })])
    }
    for (const [what, state, object] of objects) {
      await inVariation(`state that is ${what}`, async () => {
        const visit = await bank.signing.authorize(object, { browser, query: { redirect_uri: second } })
        const { response } = visit
        const to = String(response.location)
        expect(to, 'where the user is redirected to', response).toSatisfy(
          (address) => isUrl(address) && matchesRedirectUri(address, second),
          `${second} with more in its query or its fragment`,
        )
        expect(codeIn(visit), 'the code of the callback', response).toBeText()
        expect(callbackParameter(visit, 'state'), 'state of the callback', response).toBe(state)
      })
    }
  },
})

export const anonymous = rule({
  id: 'signing/anonymous',
  requirement: 'SIGN-2',
  places: [
    'caller=nobody member=signObject',
    'caller=nobody member=documentObject',
    'caller=bearer member=signObject',
    'caller=bearer member=documentObject',
  ],
  title: 'An object is authorized with an access token at /ros, and without one after signing in',
  needs: [...toSign, 'page-detection', 'action:sign/submit'],
  async check({ bank, expect, inVariation }) {
    const { accessToken: bearer } = await bank.signing.login()
    for (const kind of ['text', 'document'] as const) {
      await inVariation(`a ${kind} with an access token`, async () => {
        expect(await bank.signing.requestObject.try({ kind, bearer })).toHaveStatus(200, 201)
        const known = await bank.signing.authorize(await bank.signing.requestObject.fresh({ kind, bearer }))
        expect(codeIn(known), 'the code for an object with an access token', known.response).toBeText()
      })
      await inVariation(`a ${kind} without an access token`, async () => {
        expect(await bank.signing.requestObject.try({ kind })).toHaveStatus(200, 201)
        const unknown = await bank.signing.authorize(await bank.signing.requestObject.fresh({ kind }))
        const pages = unknown.pages.filter((page) => ['sign-in', 'sign'].includes(page))
        // An object may take several pages.
        const different = [...new Set(pages)]
        expect(different, 'the pages on which an unknown person signs in and authorizes', unknown.response).toEqual([
          'sign-in',
          'sign',
        ])
        expect(codeIn(unknown), 'the code for an object without an access token', unknown.response).toBeText()
      })
    }
  },
})

export const remote = rule({
  id: 'signing/remote',
  requirement: 'SIGN-23',
  places: ['signObject', 'documentObject', 'documentObjects', 'text-and-documents'].map((kind) => `member=${kind}`),
  title: 'An object without an access token is authorized in another browser than it was first opened in',
  needs: [...toSign, 'redirect'],
  async check({ bank, expect, inVariation }) {
    const browser = bank.signing.browser()
    for (const kind of ['text', 'document', 'documents', 'text and documents'] as const) {
      await inVariation(kind, async () => {
        const object = await bank.signing.requestObject.fresh({ kind })
        await bank.signing.getAuthorize(object)
        const visit = await bank.signing.authorize(object, { browser })
        expect(codeIn(visit), 'the code of the callback', visit.response).toBeText()
      })
    }
  },
})

export const remoteAfterSignIn = rule({
  id: 'signing/remote-after-sign-in',
  requirement: 'SIGN-23',
  places: ['use=session-login'],
  title: 'An object without an access token is authorized in another browser than the one in which it was looked at',
  needs: [...toSign, 'action:sign/refuse'],
  async check({ bank, expect }) {
    const object = await bank.signing.requestObject.fresh()
    await bank.signing.authorize(object, { actions: { sign: 'leave' } })
    const visit = await bank.signing.authorize(object)
    expect(codeIn(visit), 'the code of the callback', visit.response).toBeText()
  },
})

export const boundPerson = rule({
  id: 'signing/bound-person',
  requirement: 'SIGN-21',
  places: [
    'use=first',
    'use=session-login',
    'member=documentObject',
    'member=documentObjects',
    'member=text-and-document',
    'member=id_token_hint',
    'token=access-of-signing',
    'token=access-of-refresh',
  ],
  title:
    'An object that came with an access token is authorized by its user, and by nobody else, signed in before or not',
  needs: [...toSign, 'person:second'],
  async check({ bank, expect, inVariation }) {
    const login = await bank.signing.login()
    const { accessToken } = login
    const usual = bank.signing.browser()
    const ofFirst = await bank.signing.requestObject.fresh({ bearer: accessToken })
    const own = await bank.signing.authorize(ofFirst, { browser: usual })
    expect(codeIn(own), 'the code for the user of the access token', own.response).toBeText()
    const browser = bank.signing.browser()
    const signedIn = await bank.signing.authorize(await bank.signing.requestObject.fresh(), {
      person: 'second',
      browser,
    })
    expect(codeIn(signedIn), 'the code for another user and an object of no user', signedIn.response).toBeText()
    const signed = await bank.signing.result()
    const ways = {
      'not signed in': { options: { bearer: accessToken } },
      'signed in before': { options: { bearer: accessToken }, browser },
      'signed in before, and an access token of the signing flow': { options: { bearer: signed.accessToken }, browser },
    }
    for (const [what, { options, ...used }] of Object.entries(ways)) {
      await inVariation(`another user, ${what}`, async () => {
        const object = await bank.signing.requestObject.fresh(options)
        const visit = await bank.signing.tryAuthorize(object, { person: 'second', ...used })
        expect(codeIn(visit), 'the code for another user', visit.response).toBe(null)
      })
    }
    await inVariation('another user, and the access token of a refresh', async () => {
      const clientMetadata = await bank.signing.metadata()
      const { metadata } = await bank.client(clientMetadata)
      if (!String(metadata.scope).split(' ').includes('offline_access')) return
      const scope = 'openid authorization offline_access'
      const refreshed = await bank.refresh.try({
        login: await bank.offlineToken({ clientMetadata, scope, person: 'full' }),
      })
      const bearer = refreshed.member('access_token')
      if (typeof bearer !== 'string') return
      const object = await bank.signing.requestObject.fresh({ bearer })
      const visit = await bank.signing.tryAuthorize(object, { person: 'second', browser })
      expect(codeIn(visit), 'the code for another user', visit.response).toBe(null)
    })
    // Whether the second user could sign a document is not known; the first one can.
    const clientMetadata = await bank.signing.metadata()
    const { accessToken: bearer } = await bank.token({
      clientMetadata,
      scope: 'openid authorization',
      person: 'second',
    })
    for (const kind of ['document', 'documents', 'text and document'] as const) {
      await inVariation(`the first user, and a ${kind} that came with the second one's access token`, async () => {
        const object = await bank.signing.requestObject.fresh({ kind, bearer })
        const visit = await bank.signing.tryAuthorize(object, { browser: usual })
        expect(codeIn(visit), 'the code for another user', visit.response).toBe(null)
      })
    }
    const claims = { id_token_hint: await bank.hint(login) }
    await inVariation("the first user, whom id_token_hint names beside the second one's access token", async () => {
      const request = await bank.signing.requestObject.prepare({ bearer, claims })
      const response = await bank.signing.requestObject.send(request)
      const requestUri = response.member('request_uri')
      // Whoever is told of two may refuse at once.
      if (typeof requestUri !== 'string') return void expect(response).toHaveStatus(400, 401, 403, 422)
      const visit = await bank.signing.tryAuthorize({ request, response, requestUri }, { browser: usual })
      expect(codeIn(visit), 'the code for another user', visit.response).toBe(null)
    })
  },
})
