import type { JWTPayload } from 'jose'
import { type Parameters, parameterOf } from '../../bank/authorization.js'
import type { Bank } from '../../bank/bank.js'
import type { Metadata } from '../../bank/client-metadata.js'
import { parameterIn } from '../../end-user/end-user.js'
import type { Expect } from '../../harness/expect.js'
import { type Rule, rule } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { claimsFor, demandSupport, toAskByReference, withPlaces } from '../request-object/by-reference.js'
import { expectDirectError } from './direct-error.js'
import { registeredQuery, twoRedirectUris } from './identification-rows.js'
import { parameterRows } from './parameter-rows.js'
import { expectErrorForm, longState, oddState, redirectsError } from './redirected-error.js'

/** What is answered without a redirect, by what is wrong and where. */
async function directErrors(bank: Bank): Promise<Record<string, () => Promise<HttpResponse>>> {
  const asked = (changes: Parameters) => () =>
    bank.authorizationRequest.modified({}, ({ parameters }) => ({ parameters: { ...parameters, ...changes } }))
  const exchanged = (changes: Record<string, string | undefined>) => () =>
    bank.token.try({}, ({ form }) => ({ form: { ...form, ...changes } }))
  const registered = (changes: Record<string, unknown>) => async () => (await bank.registration(changes)).response
  return {
    'a request to /auth without client_id': asked({ client_id: undefined }),
    'a request to /auth of an unknown client': asked({ client_id: '00000000-0000-4000-8000-000000000000' }),
    'a request to /auth without redirect_uri': asked({ redirect_uri: undefined }),
    'a request to /auth with an unregistered redirect_uri': asked({
      redirect_uri: 'https://unregistered.example.com/',
    }),
    'a request to /auth without response_type': asked({ response_type: undefined }),
    'a request to /auth with an unknown response_type': asked({ response_type: 'conformance' }),
    'a request to /auth with two scopes': asked({ scope: ['openid', 'openid'] }),
    'PUT of /auth': () => bank.authorizationRequest.modified({}, () => ({ method: 'PUT' })),
    'a request to /token with an unknown grant_type': exchanged({ grant_type: 'conformance' }),
    'a request to /token with an unknown code': exchanged({ code: 'conformance' }),
    'a request to /token without a code': exchanged({ code: undefined }),
    'a request to /token of a client that does not authenticate': () =>
      bank.token.try({}, () => ({ authentication: 'none' })),
    'a registration with a redirect URI that is not https': registered({
      redirect_uris: ['http://service.example.com/callback'],
    }),
    'a registration with an unknown way to authenticate': registered({ token_endpoint_auth_method: 'conformance' }),
    'a registration with an unknown scope': registered({ scope: 'openid conformance.unsupported' }),
    'a registration with a required_scope outside scope': registered({
      scope: 'openid',
      required_scope: 'conformance',
    }),
    'a registration with text in place of a list': registered({
      redirect_uris: 'https://service.example.com/callback',
    }),
    'a registration with two values of the wrong type': registered({ client_name: 7, contacts: 'conformance' }),
    'a registration that is a list': () => bank.registration.modified({}, () => ({ body: '[]' })),
    'a registration that is not JSON': () => bank.registration.modified({}, () => ({ body: '{' })),
    'a request to /token without grant_type': exchanged({ grant_type: undefined }),
    'a request to /token with an unknown refresh token': exchanged({
      grant_type: 'refresh_token',
      refresh_token: 'conformance',
    }),
    'a request to /token for a grant that the client did not register': exchanged({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'conformance',
    }),
  }
}

export const errorsDirect = rule({
  id: 'errors/direct',
  requirement: 'GEN-3',
  places: [
    ...['client_id', 'unauthorized_client', 'redirect_uri', 'unregistered-redirect_uri', 'response_type'].map(
      (error) => `endpoint=auth error=${error}`,
    ),
    ...['unsupported_response_type', 'repeated', 'method'].map((error) => `endpoint=auth error=${error}`),
    ...['unsupported_grant_type', 'invalid_grant', 'invalid_client', 'invalid_request', 'unauthorized_client'].map(
      (error) => `endpoint=token error=${error}`,
    ),
    ...['invalid_redirect_uri', 'invalid_client_metadata'].map((error) => `endpoint=register error=${error}`),
    ...['scope', 'required_scope', 'type', 'body'].map((error) => `endpoint=register error=${error}`),
    'endpoint=register error=type value=both',
  ],
  title: 'Errors without a redirect are JSON objects with the strings error and error_description',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { bank, inVariation, skip } = tools
    const seen: string[] = []
    for (const [what, send] of Object.entries(await directErrors(bank))) {
      await inVariation(what, async () => {
        const response = await send()
        // Whether it is refused, and whether by a redirect, is the business of other rules.
        if (response.status !== 400) return
        await expectDirectError(tools, response)
        seen.push(what)
      })
    }
    if (seen.length === 0) skip('the bank answered nothing with 400')
  },
})

export const errorsRedirected = rule({
  id: 'errors/redirected',
  requirement: 'GEN-4',
  places: [
    ...['invalid_request', 'invalid_scope', 'registration_not_supported', 'login_required'].map(
      (error) => `when=before-person error=${error}`,
    ),
    'member=code',
  ],
  title: 'Redirected errors are query parameters error, error_description and the unchanged state',
  needs: toLogIn,
  async check({ bank, expect, inVariation, skip }) {
    const seen: string[] = []
    for (const { broken, clientMetadata } of parameterRows) {
      if (clientMetadata) continue
      for (const [how, change] of Object.entries(broken)) {
        await inVariation(`a request with ${how}`, async () => {
          const good = await bank.authorizationRequest.prepare()
          const changes = typeof change === 'function' ? await change(good, bank) : change
          const parameters = { ...good.parameters, ...changes }
          const response = await bank.authorizationRequest.modified({}, () => ({ parameters }))
          // That it is refused is the business of the rule about the parameter.
          if (!redirectsError(response)) return
          expectErrorForm(expect, response, parameters.state ? String(parameters.state) : undefined)
          seen.push(how)
        })
      }
    }
    if (seen.length === 0) skip('the bank redirected no error')
  },
})

export const statesOfErrors = rule({
  id: 'errors/state',
  requirement: 'GEN-4',
  places: ['when=before-person value=encoded', 'when=before-person value=long'],
  title: 'Redirected errors carry the state unchanged, whatever its characters and its length',
  needs: toLogIn,
  async check({ bank, expect, inVariation, skip }) {
    const seen: string[] = []
    for (const [which, state] of Object.entries({ odd: oddState, long: longState })) {
      for (const [how, changes] of Object.entries({
        'no nonce': { nonce: undefined },
        'an unknown scope': { scope: 'openid conformance.unsupported' },
        'prompt none': { prompt: 'none' },
      })) {
        await inVariation(`a request with ${how}, state: ${which}`, async () => {
          const response = await bank.authorizationRequest.modified({}, ({ parameters }) => ({
            parameters: { ...parameters, ...changes, state },
          }))
          if (!redirectsError(response)) return
          expectErrorForm(expect, response, state)
          seen.push(how)
        })
      }
    }
    if (seen.length === 0) skip('the bank redirected no error')
  },
})

/** That what a redirect URI was registered with in its query, {@link registeredQuery}, is in that of a redirected error. */
function expectQueryKept(expect: Expect, response: HttpResponse): void {
  const { searchParams } = new URL(String(response.location))
  const names = [...new URLSearchParams(registeredQuery).keys()]
  const kept = names.flatMap((name) => searchParams.getAll(name).map((value) => `${name}=${value}`))
  expect(kept, 'what the redirect URI was registered with in the query of the redirected error', response).toEqual(
    registeredQuery.split('&'),
  )
}

export const queryOfErrors = rule({
  id: 'errors/redirect-uri-query',
  requirement: 'GEN-4',
  places: ['member=query parameter=redirect_uri', 'member=query parameter=redirect_uri error=login_required'],
  title: 'A redirected error is added to the query that the redirect URI was registered with',
  needs: [...toLogIn, ...toRegister],
  async check({ bank, expect, inVariation, skip }) {
    const { redirectUri } = await bank.client()
    const clientMetadata = { redirect_uris: [`${redirectUri}?${registeredQuery}`] }
    const seen: string[] = []
    for (const [how, changes] of Object.entries({
      'no nonce': { nonce: undefined },
      'prompt none': { prompt: 'none' },
    })) {
      await inVariation(`a request with ${how}`, async () => {
        let state: string | undefined
        const response = await bank.authorizationRequest.modified({ clientMetadata }, ({ parameters }) => {
          state = String(parameters.state)
          return { parameters: { ...parameters, ...changes } }
        })
        if (!redirectsError(response)) return
        expectErrorForm(expect, response, state)
        expectQueryKept(expect, response)
        seen.push(how)
      })
    }
    if (seen.length === 0) skip('the bank redirected no error')
  },
})

/** An address without what a redirect adds to it. */
const placeOf = (address: string) => address.replace(/[?#].*$/s, '')

/** The client of a second redirect URI that has a query. */
async function secondWithQuery(bank: Bank): Promise<Metadata> {
  const { redirectUri } = await bank.client()
  const redirect_uris = [redirectUri, `${redirectUri}/second?${registeredQuery}`]
  return { client_name: 'Conformance second redirect URI with a query', redirect_uris }
}

export const errorsAtSecond = rule({
  id: 'errors/second-redirect-uri',
  requirement: 'GEN-4',
  places: ['first', 'second'].map((value) => `parameter=redirect_uri value=${value}`),
  title: 'A redirected error goes to the one of two registered redirect URIs that the request names',
  needs: [...toLogIn, ...toRegister],
  async check({ bank, expect, inVariation, skip }) {
    const clientMetadata = await twoRedirectUris(bank)
    const registered = [(await bank.client(clientMetadata)).metadata.redirect_uris].flat().map(String)
    const seen: string[] = []
    for (const [i, redirect_uri] of registered.entries()) {
      await inVariation(`the ${['first', 'second'][i]} redirect URI`, async () => {
        const response = await bank.authorizationRequest.modified({ clientMetadata }, ({ parameters }) => ({
          parameters: { ...parameters, redirect_uri, nonce: undefined },
        }))
        if (!redirectsError(response)) return
        expect(placeOf(String(response.location)), 'where the error is redirected to', response).toBe(
          placeOf(redirect_uri),
        )
        seen.push(redirect_uri)
      })
    }
    if (seen.length === 0) skip('the bank redirected no error')
  },
})

export const personAtSecond: readonly Rule[] = (
  [
    {
      id: 'errors/person-at-second-redirect-uri',
      places: [
        'when=by-person parameter=redirect_uri value=second',
        'when=by-person member=query parameter=redirect_uri error=sign-in',
      ],
      what: 'What a user declines',
      needs: 'action:sign-in/decline',
      actions: { 'sign-in': 'decline' },
    },
    {
      id: 'errors/consent-at-second-redirect-uri',
      places: [
        'when=by-person parameter=redirect_uri error=consent value=second',
        'when=by-person member=query parameter=redirect_uri error=consent',
      ],
      what: 'Consent that is declined',
      needs: 'action:consent/refuse',
      actions: { consent: 'refuse' },
    },
  ] as const
).map(({ id, places, what, needs, actions }) =>
  rule({
    id,
    requirement: 'GEN-4',
    places,
    title: `${what} is told at the second of two registered redirect URIs, where the request names that, in the query that it has`,
    needs: [...toLogIn, ...toRegister, 'redirect', needs],
    async check({ bank, expect }) {
      const clientMetadata = await secondWithQuery(bank)
      const { metadata } = await bank.client(clientMetadata)
      const redirect_uri = String([metadata.redirect_uris].flat()[1])
      const asked = await bank.authorization.try({ clientMetadata, parameters: { redirect_uri }, actions })
      const { response } = asked.callback
      expect(placeOf(String(response.location)), 'where the error is redirected to', response).toBe(
        placeOf(redirect_uri),
      )
      // That it is an error, and comes in the query, is for other rules to say.
      if (parameterOf(asked, 'error') !== null) expectQueryKept(expect, response)
    },
  }),
)

/** For longer than this nobody has to keep a code (RFC 6749 section 4.1.2), and a bank may take pages for the same, in seconds. */
const longLeftSeconds = 660

/** Where a page is left for that long, and declined. */
const longLeftPages = [
  { page: 'sign-in', action: 'decline', what: 'The error by which a user declines the authentication' },
  { page: 'consent', action: 'refuse', what: 'The error by which a user declines consent' },
] as const

export const longLeft: readonly Rule[] = longLeftPages.map(({ page, action, what }) =>
  rule({
    id: `errors/${page}-long-left`,
    requirement: 'GEN-4',
    places: [`use=near-expiry when=by-person error=${page}`],
    title: `${what} eleven minutes after it was asked for carries the state, if it is redirected`,
    needs: [...toLogIn, 'redirect', 'browsers', `action:${page}/${action}`, 'clock'],
    alone: ['clock'],
    async check({ bank, service, expect, skip }) {
      // What passes there passes for all; this comes after it.
      await bank.expired()
      const parameters = { state: oddState }
      const session = bank.session({ clientMetadata: { client_name: `Conformance ${page} long left` } })
      const left = await session.look({ parameters }, page)
      if (left.callback) return skip('the bank asked for nothing that could be declined')
      await service.pass?.(longLeftSeconds)
      const { callback } = await session.goOn(left, { parameters, actions: { [page]: action } })
      // A bank may show that it is too late, or begin anew.
      if (!callback || parameterIn(callback, 'error') === null)
        return skip('the bank redirected no error from a page that was left for eleven minutes')
      expectErrorForm(expect, callback.response, oddState)
    },
  }),
)

export const errorsOfReferences = rule({
  id: 'errors/request-uri',
  requirement: 'GEN-4',
  places: [
    ...['invalid_request_uri', 'invalid_request_object'].map((error) => `when=before-person error=${error}`),
    'token=request-object parameter=state',
  ],
  title:
    'Errors of request_uri and of request objects are query parameters error, error_description and the state, that of the object where it has one',
  needs: toAskByReference,
  async check({ bank, expect, inVariation, skip }) {
    demandSupport(await bank.discovery(), skip)
    const { places, clientMetadata, client } = await withPlaces(bank, 'errors of request_uri', { count: 2 })
    const [first, second] = places.map((request_uri) => ({ request_uri, state: oddState }))
    const place = async (request_uri: string | undefined, changes: JWTPayload) => {
      const claims = { ...claimsFor(bank, client), ...changes }
      bank.placeRequestObject(String(request_uri), await bank.makeRequestObject(claims, { key: client.keys.signing }))
    }
    let redirected = 0
    const ask = async (how: string, parameters: Parameters = {}, state = oddState) =>
      inVariation(how, async () => {
        const response = await bank.authorizationRequest.try({ clientMetadata, parameters })
        if (response.location === undefined) return
        redirected += 1
        expectErrorForm(expect, response, state)
      })
    await ask('a request_uri where nothing lies', first)
    await place(first?.request_uri, { prompt: 'dance' })
    await ask('a request object with an unknown prompt', first)
    // Of a good object, so that what it says holds in place of the query (OpenID Connect Core section 6.2).
    await place(second?.request_uri, { prompt: 'none', state: longState })
    await ask('a request object with a state of its own and prompt none', second, longState)
    if (redirected === 0) skip('the bank redirected no error of request_uri')
  },
})
