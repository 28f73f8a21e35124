import { LRUCache } from 'lru-cache'
import type { NestedJwt } from '../seams.js'
import { fault } from './fault.js'
import { errorRedirect } from './redirects.js'

const route = 'GET /auth'

/** Takes a word out of a space-separated parameter. */
function without(name: string, word: string) {
  return (parameters: URLSearchParams) => {
    const values = parameters.get(name)?.split(' ') ?? []
    if (!values.includes(word)) return
    const left = values.filter((one) => one !== word)
    if (left.length === 0) parameters.delete(name)
    else parameters.set(name, left.join(' '))
  }
}

function idToken(change: (claims: NestedJwt['claims']) => NestedJwt['claims']) {
  return { id_token: (nestedJwt: NestedJwt): NestedJwt => ({ ...nestedJwt, claims: change(nestedJwt.claims) }) }
}

/** Answers one error, told by its code and description, as another. */
function errorAs(from: { code: string; description?: string }, to: { code?: string; description?: string }) {
  return {
    [route]: errorRedirect((target, error) => {
      const { searchParams } = target
      if (error !== from.code) return
      if (from.description !== undefined && searchParams.get('error_description') !== from.description) return
      if (to.code !== undefined) searchParams.set('error', to.code)
      if (to.description !== undefined) searchParams.set('error_description', to.description)
    }),
  }
}

export const sessionFaults = [
  fault({
    id: 'authorization/prompt-none-shows-pages',
    breaks: ['AUTH-25', 'AUTH-26', 'AUTH-27', 'AUTH-47'],
    title: 'Ignores prompt=none: the pages are shown as without it',
    collateral: {
      'authorization/prompt-unsupported': 'with none forgotten, none beside login is login alone',
      'logout/session': 'LOGOUT-4 is about login_required after a logout',
    },
    request: { [route]: without('prompt', 'none') },
  }),
  fault({
    id: 'authorization/prompt-none-always-refused',
    breaks: ['AUTH-39'],
    places: ['use=session-login'],
    title: 'Refuses prompt=none whatever the session: the code is never given without a page',
    response: {
      [route]: (response, { query }) => {
        const { location } = response.headers
        if (query.get('prompt') !== 'none' || typeof location !== 'string' || !location.includes('code='))
          return response
        const target = new URL(location)
        target.searchParams.delete('code')
        target.searchParams.set('error', 'interaction_required')
        target.searchParams.set('error_description', 'the end-user has to be asked')
        return { ...response, headers: { ...response.headers, location: target.href } }
      },
    },
  }),
  fault({
    id: 'authorization/login-required-otherwise',
    breaks: ['AUTH-25'],
    places: ['use=first'],
    title: 'Answers prompt=none without a session as interaction_required',
    collateral: {
      'request-object/parameters-inside': 'prompt none inside of a request object is answered so too',
      'logout/session': 'LOGOUT-4 is about login_required after a logout',
      'revocation/session-ended': 'REV-7 is about login_required after a revocation',
    },
    response: errorAs(
      { code: 'login_required', description: 'End-User authentication is required' },
      { code: 'interaction_required' },
    ),
  }),
  fault({
    id: 'authorization/consent-required-otherwise',
    breaks: ['AUTH-26'],
    places: ['use=session-login'],
    title: 'Answers prompt=none without consent as access_denied',
    response: errorAs({ code: 'consent_required' }, { code: 'access_denied' }),
  }),
  fault({
    id: 'authorization/account-selection-otherwise',
    breaks: ['AUTH-27'],
    title: 'Answers prompt=none with several accounts as interaction_required',
    response: errorAs({ code: 'account_selection_required' }, { code: 'interaction_required' }),
  }),
  fault({
    id: 'authorization/interaction-required-otherwise',
    breaks: ['AUTH-47'],
    title: 'Answers prompt=none, when a second factor is needed, as access_denied',
    response: errorAs({ code: 'interaction_required' }, { code: 'access_denied' }),
  }),
  fault({
    id: 'authorization/id-token-hint-kind-unchecked',
    breaks: ['AUTH-28'],
    places: ['part=typ'],
    title: 'Takes whatever JWT it signed for a client as id_token_hint',
    without: ['id-token-hint/kind'],
  }),
  fault({
    id: 'authorization/id-token-hint-ignored',
    breaks: ['AUTH-28'],
    places: ['member=none parameter=prompt', 'member=consent parameter=prompt'],
    title: 'Ignores id_token_hint',
    request: { [route]: (parameters) => parameters.delete('id_token_hint') },
  }),
  fault({
    id: 'authorization/prompt-login-ignored',
    breaks: ['AUTH-35'],
    places: ['use=session-login'],
    title: 'Ignores prompt=login within a session',
    request: { [route]: without('prompt', 'login') },
    collateral: {
      'callback/authentication-declined-in-session': 'without a new login nobody can decline it',
      'authorization/auth-time-of-login': 'the second login that AUTH-50 is about does not take place',
      'authorization/prompt-unsupported': 'with login forgotten, none beside login is none alone',
    },
  }),
  fault({
    id: 'authorization/prompt-consent-ignored',
    breaks: ['AUTH-51'],
    places: ['use=session-login'],
    title: 'Ignores prompt=consent where consent was given',
    collateral: {
      'callback/consent-declined-in-session': 'without the page nobody can decline consent',
      'authorization/prompt-unsupported': 'with consent forgotten, none after it is none alone',
    },
    request: { [route]: without('prompt', 'consent') },
  }),
  fault({
    id: 'authorization/max-age-ignored',
    breaks: ['AUTH-34'],
    places: ['value=above'],
    title: 'Does not look at the age of the session',
    collateral: {
      'authorization/prompt-none-max-age': 'AUTH-25 is about a session that is too old',
    },
    request: {
      [route]: (parameters) => {
        if (/^\d{1,9}$/.test(parameters.get('max_age') ?? '')) parameters.set('max_age', '999999999')
      },
    },
  }),
  fault({
    id: 'registration/default-max-age-ignored',
    breaks: ['REG-19'],
    places: ['value=right'],
    title: 'Does not look at the age of the session when the request names no max_age',
    request: {
      [route]: (parameters) => {
        if (!parameters.has('max_age')) parameters.set('max_age', '999999999')
      },
    },
  }),
  fault({
    id: 'registration/default-acr-values-ignored',
    breaks: ['REG-34'],
    title: 'Logs in at loa2 when the request names no acr_values',
    request: {
      [route]: (parameters) => {
        if (!parameters.has('acr_values')) parameters.set('acr_values', 'loa2')
      },
    },
  }),
  fault({
    id: 'authorization/auth-time-left-out',
    breaks: ['AUTH-50', 'REG-19', 'REG-33'],
    places: ['use=first'],
    title: 'Leaves auth_time out of the id_token',
    nestedJwt: idToken(({ auth_time: _, ...claims }) => claims),
  }),
  fault({
    id: 'authorization/auth-time-milliseconds',
    breaks: ['AUTH-50', 'REG-33'],
    title: 'Gives auth_time of the id_token in milliseconds',
    nestedJwt: idToken((claims) => ({
      ...claims,
      ...(claims.auth_time !== undefined && { auth_time: Number(claims.auth_time) * 1000 }),
    })),
  }),
  fault({
    id: 'authorization/acr-one',
    breaks: ['AUTH-33', 'TOK-34'],
    places: ['use=first member=loa2'],
    title: 'Calls the level loa2 "1" in the id_token',
    nestedJwt: idToken((claims) => (claims.acr === 'loa2' ? { ...claims, acr: '1' } : claims)),
  }),
  fault({
    id: 'authorization/acr-not-reached',
    breaks: ['AUTH-33'],
    places: ['use=first member=loa3'],
    title: 'Logs in at loa2, whatever is asked for',
    collateral: {
      'request-object/parameters-inside': 'loa3 is asked for inside of a request object too',
      'signing/document-acr': 'the id_token of a document that was authorized says loa2 as well',
    },
    nestedJwt: idToken((claims) => ({ ...claims, acr: 'loa2' })),
  }),
  fault({
    id: 'authorization/auth-time-now',
    breaks: ['AUTH-50'],
    places: ['use=session-login'],
    title: 'Gives the time of the answer as auth_time of the id_token',
    nestedJwt: idToken((claims) => ({
      ...claims,
      ...(claims.auth_time !== undefined && claims.iat !== undefined && { auth_time: claims.iat }),
    })),
  }),
  fault({
    id: 'authorization/auth-time-of-first-login',
    breaks: ['AUTH-50'],
    places: ['use=second-login'],
    title: 'Gives the time of the first login as auth_time of the id_token, whatever logins came after it',
    memory: () => new LRUCache<string, number>({ max: 10_000 }),
    nestedJwt: {
      id_token(nestedJwt, { clientId }, first) {
        const { sub, auth_time } = nestedJwt.claims
        if (typeof auth_time !== 'number') return nestedJwt
        const known = first.get(`${clientId} ${sub}`) ?? auth_time
        first.set(`${clientId} ${sub}`, known)
        return { ...nestedJwt, claims: { ...nestedJwt.claims, auth_time: known } }
      },
    },
  }),
  fault({
    id: 'authorization/acr-of-first-login',
    breaks: ['AUTH-33'],
    places: ['use=session-login member=loa3'],
    title: 'Tells the level of the sign-in as acr of the id_token, after a step up too',
    memory: () => new LRUCache<string, true>({ max: 10_000 }),
    response: {
      [route]: (response, { query, requestHeader }, steppedUp) => {
        const isSignedIn = /_session=/.test(requestHeader('cookie') ?? '')
        if (query.get('acr_values') === 'loa3' && isSignedIn) steppedUp.set(String(query.get('nonce')), true)
        return response
      },
    },
    nestedJwt: {
      id_token: (nestedJwt, _facts, steppedUp) =>
        steppedUp.has(String(nestedJwt.claims.nonce))
          ? { ...nestedJwt, claims: { ...nestedJwt.claims, acr: 'loa2' } }
          : nestedJwt,
    },
  }),
  fault({
    id: 'authorization/acr-claimed',
    breaks: ['AUTH-33'],
    places: ['claim=acr'],
    title: 'Takes whoever can reach loa3 for one who has reached it: no second factor is asked for',
    collateral: {
      'authorization/prompt-none-interaction': 'no interaction is left to be needed',
    },
    records: [
      { model: 'Session', found: (session) => (session.acr === 'loa2' ? { ...session, acr: 'loa3' } : session) },
    ],
  }),
  fault({
    id: 'authorization/loa3-refused',
    breaks: ['DISC-20'],
    title: 'Declares loa3, and refuses a login for it as access_denied',
    collateral: {
      'authorization/optional-parameters': 'loa3 is a valid value of acr_values',
      'authorization/acr-stepped-up': 'AUTH-33 steps up to loa3',
      'authorization/acr-out-of-reach-in-session': 'a request for loa3 is refused before the level is judged',
      'authorization/acr-out-of-reach': 'a login for loa3 is refused before anybody has signed in',
      'authorization/prompt-none-interaction': 'AUTH-47 asks for loa3',
    },
    response: {
      [route]: (response, { query }) => {
        const uri = query.get('redirect_uri')
        if (query.get('acr_values') !== 'loa3' || uri === null) return response
        const target = new URL(uri)
        target.searchParams.set('error', 'access_denied')
        target.searchParams.set('error_description', 'loa3 is not available')
        target.searchParams.set('state', query.get('state') ?? '')
        return { ...response, status: 302, headers: { ...response.headers, location: target.href } }
      },
    },
  }),
  fault({
    id: 'authorization/acr-lowered',
    breaks: ['AUTH-42'],
    places: ['use=first'],
    title: 'Logs in who cannot reach the level asked for at a lower one',
    response: errorAs({ code: 'eid_doesnt_exist', description: 'User not eligible' }, { code: 'access_denied' }),
    collateral: { 'callback/not-eligible': 'both end in eid_doesnt_exist with one message' },
  }),
  fault({
    id: 'callback/declined-otherwise',
    breaks: ['AUTH-29'],
    places: ['use=first'],
    title: 'Words the message for a declined authentication itself',
    response: errorAs(
      { code: 'access_denied', description: 'User declined the authentication' },
      { description: 'The user has cancelled' },
    ),
  }),
  fault({
    id: 'callback/consent-declined-otherwise',
    breaks: ['AUTH-30'],
    places: ['use=first'],
    title: 'Answers declined consent as consent_required',
    response: errorAs({ code: 'access_denied', description: 'User declined consent' }, { code: 'consent_required' }),
  }),
  fault({
    id: 'callback/not-eligible-otherwise',
    breaks: ['AUTH-31'],
    title: 'Words the message for a user who is not eligible itself',
    response: errorAs(
      { code: 'eid_doesnt_exist', description: 'User not eligible' },
      { description: 'User is not eligible.' },
    ),
  }),
  fault({
    id: 'callback/switched-off-otherwise',
    breaks: ['AUTH-48'],
    title: 'Does not distinguish an end-user who is switched off from one who is not eligible',
    response: errorAs(
      { code: 'eid_doesnt_exist', description: 'User disabled authentication' },
      { description: 'User not eligible' },
    ),
  }),
  fault({
    id: 'callback/unfinished-otherwise',
    breaks: ['AUTH-41'],
    places: ['member=second-factor'],
    title: 'Answers an unfinished authentication as login_required',
    response: errorAs(
      { code: 'access_denied', description: 'User did not finish the authentication' },
      { code: 'login_required' },
    ),
  }),
]

/** Puts scopes in place of those asked for. */
function scopes(change: (requested: string[]) => string[]) {
  return {
    [route]: (parameters: URLSearchParams) => {
      const requested = parameters.get('scope')?.split(' ') ?? []
      if (requested.includes('openid')) parameters.set('scope', [...new Set(change(requested))].join(' '))
    },
  }
}

export const consentFaults = [
  fault({
    id: 'consent/openid-alone-as-asked',
    breaks: ['CONS-9', 'CONS-3'],
    places: ['use=first', 'use=session-login'],
    title: 'Takes a request for only openid for one of openid and the name',
    request: scopes((requested) => (requested.length === 1 ? ['openid', 'profile.name'] : requested)),
  }),
  fault({
    id: 'consent/scope-added',
    breaks: ['CONS-4', 'CONS-7'],
    places: ['use=session-login', 'member=scope'],
    title: 'Adds the e-mail address to a request for the name',
    collateral: {
      'token/scope-listed': 'a scope that was not asked for is listed as granted',
      'userinfo/nothing-else': 'the e-mail address comes with the scope that was added',
      'profile/nothing-else': 'the e-mail address comes with the scope that was added',
      'authorization/prompt-none-consent': 'the further scope that AUTH-26 asks for was added, and consented, before',
      'consent/further-scope': 'the further scope that CONS-2 asks for was added, and consented, before',
      'token/refresh-subset-data': 'the narrowed token is compared with that of a login for the name, which has more',
    },
    request: scopes((requested) => (requested.includes('profile.name') ? [...requested, 'profile.email'] : requested)),
  }),
  fault({
    id: 'consent/further-scope-unasked',
    breaks: ['CONS-2'],
    places: ['use=session-login'],
    title: 'Takes the consent to some scopes for one to all: a further scope is granted without a page',
    consented: (scopes, bank) => (scopes.length > 0 ? bank.scopes : scopes),
    collateral: {
      'authorization/prompt-none-consent': 'with prompt=none the same further scope is granted',
      'consent/openid-alone': 'a request for only openid asks for further scopes too',
    },
  }),
  fault({
    id: 'consent/never-remembered',
    breaks: ['CONS-1'],
    title: 'Asks for consent each time anew',
    consented: () => [],
  }),
  fault({
    id: 'consent/unapproved-claims',
    breaks: ['CONS-6', 'DATA-3'],
    places: ['endpoint=userinfo', 'scope=profile.name'],
    title: 'Gives the e-mail address with the name, whether the person approved it or not',
    nestedJwt: {
      userinfo: ({ claims, ...nestedJwt }) => {
        const named = String(claims.txn).includes(':profile.name')
        return { ...nestedJwt, claims: named ? { email: 'somebody@example.com', ...claims } : claims }
      },
    },
  }),
]
