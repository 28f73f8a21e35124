import { BankError } from '../errors.js'
import { Latest } from '../latest.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import { body, type Fault, fault, omit } from './fault.js'
import { redirect, redirectTarget } from './redirects.js'
import { listen, TokenMemory } from './token-memory.js'

const route = 'POST /token'

type Tokens = Record<string, unknown>

/** For `response`: changes the tokens of one grant; those of the signing flow have scope authorization. */
function tokensOf(grant: 'code' | 'refresh' | 'signing', change: (tokens: Tokens, facts: ResponseFacts) => Tokens) {
  return {
    [route]: body((tokens, facts) => {
      const signing = String(tokens.scope).split(' ').includes('authorization')
      const asked = signing ? 'signing' : facts.form.get('grant_type') === 'refresh_token' ? 'refresh' : 'code'
      return asked === grant ? change(tokens, facts) : tokens
    }),
  }
}

/** For `response`: changes an answer that gave tokens of a grant. */
function answersOf(grant: 'refresh' | 'signing', change: (response: SeamResponse) => SeamResponse) {
  return {
    [route]: (response: SeamResponse, { form }: ResponseFacts): SeamResponse => {
      const { scope, access_token } = (response.body ?? {}) as Tokens
      const signing = String(scope).split(' ').includes('authorization')
      const asked = signing ? 'signing' : form.get('grant_type') === 'refresh_token' ? 'refresh' : 'code'
      return access_token === undefined || asked !== grant ? response : change(response)
    },
  }
}

/** For `response`: lets caches keep it. */
function cachedOf(grant: 'refresh' | 'signing') {
  return answersOf(grant, (response) => ({
    ...response,
    headers: { ...response.headers, 'cache-control': 'private, max-age=60' },
  }))
}

/** For `response`: changes what the callback carries in its fragment beside an access token. */
function inFragment(change: (fragment: URLSearchParams) => void) {
  return {
    'GET /auth': redirect((target) => {
      const fragment = new URLSearchParams(target.hash.slice(1))
      if (!fragment.has('access_token')) return
      change(fragment)
      target.hash = fragment.toString()
    }),
  }
}

/** A refresh that gives no new access token. @param isMeant by how many scopes the refresh asked for, and how many the login has */
function givenAgain({
  isMeant,
  collateral,
  ...named
}: Pick<Fault, 'id' | 'title' | 'places'> & {
  isMeant: (asked: number, all: number) => boolean
  collateral?: Readonly<Record<string, string>>
}) {
  const count = ({ scope }: Tokens) => String(scope).split(' ').length
  return fault({
    ...named,
    breaks: ['TOK-19'],
    collateral: {
      'token/access-token-opaque': 'a token that is given twice is none of a large number',
      'token/refreshed-access-token-opaque': 'a token that is given twice is none of a large number',
      'token/refreshed-access-token-hash': 'at_hash is that of the token which is not given',
      ...collateral,
    },
    memory: () => new Latest<Tokens>(10_000),
    response: {
      [route](response, { form }, logins) {
        const tokens = (response.body ?? {}) as Tokens
        if (response.status >= 300) return response
        const before = logins.get(form.get('refresh_token') ?? '')
        const login = before ?? tokens
        if (typeof tokens.refresh_token === 'string') logins.set(tokens.refresh_token, login)
        return before && isMeant(count(tokens), count(login))
          ? { ...response, body: { ...tokens, access_token: before.access_token } }
          : response
      },
    },
  })
}

export const tokenResponseFaults: readonly Fault[] = [
  fault({
    id: 'token/expires-in-missing',
    breaks: ['TOK-1', 'TOK-4'],
    places: ['grant=code member=expires_in', 'token=access-of-code member=expires_in'],
    title: 'Leaves expires_in out of the answer to a code',
    response: tokensOf('code', (tokens) => omit(tokens, 'expires_in')),
  }),
  fault({
    id: 'token/expires-in-text',
    breaks: ['TOK-1', 'TOK-4'],
    places: ['grant=code member=expires_in value=other-type', 'token=access-of-code member=expires_in'],
    title: 'Gives expires_in as text in the answer to a code',
    response: tokensOf('code', (tokens) => ({ ...tokens, expires_in: String(tokens.expires_in) })),
  }),
  fault({
    id: 'token/expires-in-milliseconds',
    breaks: ['TOK-4'],
    places: ['token=access-of-code member=expires_in value=other-unit'],
    title: 'Gives expires_in in milliseconds in the answer to a code',
    collateral: {
      'token/id-token-lifetime': 'the id_token has to live as long as the answer says of the access token',
    },
    response: tokensOf('code', (tokens) => ({ ...tokens, expires_in: Number(tokens.expires_in) * 1000 })),
  }),
  fault({
    id: 'token/access-token-missing',
    breaks: ['TOK-1'],
    places: ['grant=code member=access_token'],
    title: 'Names the access token token in the answer to a code',
    response: tokensOf('code', ({ access_token, ...tokens }) => ({ ...tokens, token: access_token })),
  }),
  fault({
    id: 'token/signing-expires-in-missing',
    breaks: ['TOK-1', 'TOK-4'],
    places: ['grant=signing', 'token=access-of-signing member=expires_in'],
    title: 'Leaves expires_in out of the answer to a code of the signing flow',
    response: tokensOf('signing', (tokens) => omit(tokens, 'expires_in')),
  }),
  fault({
    id: 'token/signing-refresh-token',
    breaks: ['TOK-3'],
    places: ['grant=signing'],
    title: 'Gives a refresh token for an object that was authorized',
    response: tokensOf('signing', (tokens) => ({ ...tokens, refresh_token: String(tokens.access_token).slice(1) })),
  }),
  fault({
    id: 'token/front-channel-refresh-token',
    breaks: ['TOK-3'],
    places: ['grant=implicit'],
    title: 'Gives a refresh token in the callback',
    response: inFragment((fragment) => fragment.set('refresh_token', String(fragment.get('access_token')).slice(1))),
  }),
  fault({
    id: 'token/front-channel-expires-in-short',
    breaks: ['TOK-4'],
    places: ['token=access-of-front-channel member=expires_in'],
    title: 'Says in the callback that the access token lives ten minutes',
    response: inFragment((fragment) => fragment.set('expires_in', '600')),
  }),
  fault({
    id: 'token/refreshed-stored-by-caches',
    breaks: ['TOK-18'],
    places: ['grant=refresh'],
    title: 'Lets caches keep refresh responses',
    response: cachedOf('refresh'),
  }),
  fault({
    id: 'token/refreshed-as-text',
    breaks: ['TOK-18'],
    places: ['grant=refresh member=content-type'],
    title: 'Announces refresh responses as text/plain',
    response: answersOf('refresh', (response) => ({
      ...response,
      headers: { ...response.headers, 'content-type': 'text/plain' },
    })),
  }),
  fault({
    id: 'token/signing-stored-by-caches',
    breaks: ['TOK-18'],
    places: ['grant=signing'],
    title: 'Lets caches keep the token responses of the signing flow',
    response: cachedOf('signing'),
  }),
  fault({
    id: 'token/refreshed-expires-in-short',
    breaks: ['TOK-4'],
    places: ['token=access-of-refresh member=expires_in'],
    title: 'Says that the access token of a refresh lives ten minutes',
    response: tokensOf('refresh', (tokens) => ({ ...tokens, expires_in: 600 })),
  }),
  fault({
    id: 'token/refreshed-expires-in-missing',
    breaks: ['TOK-19', 'TOK-4'],
    places: ['member=expires_in', 'token=access-of-refresh member=expires_in'],
    title: 'Leaves expires_in out of refresh responses',
    response: tokensOf('refresh', (tokens) => omit(tokens, 'expires_in')),
  }),
  fault({
    id: 'token/refreshed-other-type',
    breaks: ['TOK-19'],
    places: ['member=token_type'],
    title: 'Says token_type MAC in refresh responses',
    response: tokensOf('refresh', (tokens) => ({ ...tokens, token_type: 'MAC' })),
  }),
  givenAgain({
    id: 'token/refreshed-same-again',
    places: ['value=right', 'value=reordered'],
    title: 'Gives the access token of the login once more to a refresh for all of its scopes',
    isMeant: (asked, all) => asked === all,
  }),
  givenAgain({
    id: 'token/narrowed-same-again',
    places: ['value=subset'],
    title: 'Gives the access token of the login once more to a refresh for fewer scopes',
    isMeant: (asked, all) => asked < all,
    collateral: Object.fromEntries(
      [
        'consent/required-scope',
        'introspection/types-refreshed',
        'profile/refreshed-nothing-else',
        'token/refresh-openid-data',
        'token/refresh-scope-listed',
        'token/refresh-subset-data',
        'user-data/refreshed-openid-only',
        'userinfo/refreshed-nothing-else',
      ].map((rule) => [rule, 'the token of the login has all of its scopes']),
    ),
  }),
  fault({
    id: 'token/refreshed-scope-of-login',
    breaks: ['TOK-2', 'TOK-19'],
    places: ['grant=refresh', 'member=scope'],
    title: 'Lists the scopes of the login in a refresh response, however few the refresh asked for',
    memory: () => new TokenMemory(),
    response: {
      [route](response, { form }, issued) {
        const before = issued.of(form.get('refresh_token'))
        const tokens = (response.body ?? {}) as Tokens
        const changed =
          before && response.status < 300
            ? { ...response, body: { ...tokens, scope: before.scopes.join(' ') } }
            : response
        issued.note(changed, String(form.get('grant_type')))
        return changed
      },
    },
  }),
  fault({
    id: 'token/scope-listed-twice',
    breaks: ['TOK-2'],
    places: ['grant=code value=repeated'],
    title: 'Lists a scope as often as it was asked for',
    memory: () => new Latest<string>(10_000),
    request: {
      'GET /auth'(parameters, _bank, repeated) {
        const asked = (parameters.get('scope') ?? '').split(' ')
        const twice = asked.find((scope, i) => asked.indexOf(scope) !== i)
        const client = String(parameters.get('client_id'))
        if (twice) repeated.set(client, twice)
        else repeated.delete(client)
      },
    },
    response: {
      [route](response, { form }, repeated) {
        const twice = repeated.get(String(form.get('client_id')))
        const tokens = (response.body ?? {}) as Tokens
        return twice && response.status < 300
          ? { ...response, body: { ...tokens, scope: `${tokens.scope} ${twice}` } }
          : response
      },
    },
  }),
  fault({
    id: 'token/scopes-of-exchange-listed',
    breaks: ['TOK-2'],
    places: ['grant=code parameter=scope'],
    title: 'Lists in the answer to a code the scopes that its exchange names, too',
    response: tokensOf('code', (tokens, { form }) => {
      const all = [...parseSpaceDelimited(String(tokens.scope)), ...parseSpaceDelimited(form.get('scope') ?? '')]
      return { ...tokens, scope: [...new Set(all)].join(' ') }
    }),
  }),
  fault({
    id: 'token/refreshed-scope-listed-twice',
    breaks: ['TOK-2'],
    places: ['grant=refresh value=repeated'],
    title: 'Lists a scope in the answer to a refresh as often as the refresh names it',
    response: {
      [route]: body((tokens, { form }) => {
        const named = parseSpaceDelimited(form.get('scope') ?? '')
        const isTwice = form.get('grant_type') === 'refresh_token' && new Set(named).size < named.length
        return isTwice && tokens.scope !== undefined ? { ...tokens, scope: named.join(' ') } : tokens
      }),
    },
  }),
  fault({
    id: 'token/scopes-before-openid-dropped',
    breaks: ['TOK-2', 'TOK-27'],
    places: ['grant=code value=reordered', 'use=session-login'],
    title: 'Does not look at scopes that stand before openid in a request',
    request: {
      'GET /auth'(parameters) {
        const scope = parameters.get('scope')
        const place = scope?.split(' ').indexOf('openid') ?? -1
        if (scope && place > 0) parameters.set('scope', scope.split(' ').slice(place).join(' '))
      },
    },
  }),
  fault({
    id: 'token/scope-of-earlier-login',
    breaks: ['TOK-2'],
    places: ['grant=code use=session-login'],
    title: 'Lists for a login by session what an earlier login asked for in an order of its own',
    memory: () => new Latest<string>(10_000),
    response: {
      [route](response, { form, scopes: declared }, earlier) {
        const tokens = (response.body ?? {}) as Tokens
        if (form.get('grant_type') !== 'authorization_code' || typeof tokens.scope !== 'string') return response
        const client = String(form.get('client_id'))
        const listed = earlier.get(client)
        const [first = '', second = ''] = tokens.scope.split(' ').filter((scope) => scope.startsWith('profile.'))
        if (declared.indexOf(first) > declared.indexOf(second) && second !== '') earlier.set(client, tokens.scope)
        return listed === undefined ? response : { ...response, body: { ...tokens, scope: listed } }
      },
    },
  }),
  fault({
    id: 'token/refresh-scopes-end-with-put',
    breaks: ['TOK-21'],
    places: ['use=after-put'],
    title: 'Leaves openid alone to the refresh tokens of a client that changed its record',
    memory: () => new Latest<true>(10_000),
    clients: {
      async replace(record, { store, clientId }, changed) {
        await store.replace(clientId, record)
        changed.set(clientId, true)
      },
    },
    records: [
      {
        model: 'RefreshToken',
        found: (token, _bank, changed) => (changed.has(String(token.clientId)) ? { ...token, scope: 'openid' } : token),
      },
    ],
  }),
  fault({
    id: 'token/refresh-token-since-first',
    breaks: ['TOK-3'],
    places: ['use=session-login'],
    title: 'Gives a refresh token to each login of a client that was given one before',
    memory: () => new Latest<true>(10_000),
    response: {
      [route](response, { form }, given) {
        const tokens = (response.body ?? {}) as Tokens
        const client = String(form.get('client_id'))
        if (response.status >= 300 || form.get('grant_type') !== 'authorization_code') return response
        if (tokens.refresh_token !== undefined) given.set(client, true)
        if (tokens.refresh_token !== undefined || !given.has(client)) return response
        return { ...response, body: { ...tokens, refresh_token: String(tokens.access_token).slice(1) } }
      },
    },
  }),
  fault({
    id: 'token/refresh-token-not-silently',
    breaks: ['TOK-3'],
    places: ['use=session-login parameter=prompt'],
    title: 'Gives no refresh token for a code that came by prompt=none',
    /** The codes that did. */
    memory: () => new Latest<true>(10_000),
    response: {
      'GET /auth'(response, { query }, silent) {
        const code = redirectTarget(response)?.searchParams.get('code')
        if (code && query.get('prompt') === 'none') silent.set(code, true)
        return response
      },
      [route]: (response, { form }, silent) =>
        silent.has(String(form.get('code')))
          ? { ...response, body: omit(Object(response.body), 'refresh_token') }
          : response,
    },
  }),
  fault({
    id: 'token/refresh-token-once',
    breaks: ['TOK-3'],
    places: ['use=second-login', 'use=session-login'],
    title:
      'Gives a refresh token to a client once for each set of scopes, and leaves it out where a part of them is asked for later',
    memory: () => new Latest<number>(10_000),
    response: {
      [route](response, { form }, most) {
        const tokens = (response.body ?? {}) as Tokens
        if (tokens.refresh_token === undefined || form.get('grant_type') !== 'authorization_code') return response
        const client = String(form.get('client_id'))
        const count = String(tokens.scope).split(' ').length
        const before = most.get(client) ?? 0
        most.set(client, Math.max(before, count))
        return count < before ? { ...response, body: omit(tokens, 'refresh_token') } : response
      },
    },
  }),
  fault({
    id: 'token/refresh-equal-scopes-refused',
    breaks: ['TOK-19'],
    places: ['value=right'],
    title: 'Refuses a refresh that asks for all that the refresh token has',
    memory: () => new TokenMemory(),
    response: { [route]: listen },
    request: {
      [route](form, _bank, issued) {
        const held = issued.of(form.get('refresh_token'))?.scopes
        if (held && form.get('scope')?.split(' ').length === held.length && held.length > 2) {
          throw new BankError('invalid_scope', 'a refresh asks for fewer scopes')
        }
      },
    },
  }),
  fault({
    id: 'token/refresh-openid-first',
    breaks: ['TOK-19', 'TOK-43'],
    places: ['value=reordered', 'value=right'],
    title: 'Refuses a refresh whose scope does not begin with openid',
    request: {
      [route](form) {
        const scope = form.get('scope')
        if (form.get('grant_type') === 'refresh_token' && scope?.includes(' openid')) {
          throw new BankError('invalid_scope', 'the scope of a refresh begins with openid')
        }
      },
    },
  }),
  fault({
    id: 'token/second-refresh-scope-ignored',
    breaks: ['TOK-19', 'TOK-23'],
    places: ['use=second-refresh', 'endpoint=userinfo'],
    title: 'Ignores the scope of a refresh by a refresh token that a refresh gave',
    memory: () => new Latest<true>(10_000),
    response: {
      [route](response, { form }, given) {
        const { refresh_token } = (response.body ?? {}) as Tokens
        if (form.get('grant_type') === 'refresh_token' && typeof refresh_token === 'string')
          given.set(refresh_token, true)
        return response
      },
    },
    request: {
      [route](form, _bank, given) {
        if (given.has(String(form.get('refresh_token')))) form.delete('scope')
      },
    },
  }),
  fault({
    id: 'token/refresh-empty-scope-narrows',
    breaks: ['TOK-21'],
    places: ['value=empty'],
    title: 'Gives openid alone to a refresh with an empty scope',
    request: {
      [route](form) {
        if (form.get('grant_type') === 'refresh_token' && form.get('scope') === '') form.set('scope', 'openid')
      },
    },
  }),
  fault({
    id: 'token/refreshed-scope-with-space',
    breaks: ['TOK-2', 'TOK-19'],
    places: ['grant=refresh member=space', 'value=subset'],
    title: 'Puts a space behind each scope in the answer to a refresh',
    collateral: { 'signing/refreshed-scopes': 'the answer to a refresh of the signing flow lists scopes too' },
    response: {
      [route]: (response, { form }) => {
        const { scope } = Object(response.body)
        return form.get('grant_type') === 'refresh_token' && typeof scope === 'string'
          ? { ...response, body: { ...Object(response.body), scope: `${scope} ` } }
          : response
      },
    },
  }),
  fault({
    id: 'token/refused-scope-listed',
    breaks: ['TOK-2'],
    places: ['grant=code value=subset'],
    title: 'Lists scopes in the answer to a code that the person refused',
    collateral: {
      'consent/openid-alone-part': 'what was granted is read from the token response',
      'consent/unticked': 'what was granted is read from the token response',
      'consent/withdrawn': 'what was granted is read from the token response',
    },
    memory: () => new Latest<string>(10_000),
    records: [
      {
        model: 'Grant',
        kept(record, _bank, refused) {
          const { openid } = (record.rejected ?? {}) as { openid?: { scope?: string } }
          if (openid?.scope) refused.set(String(record.jti), openid.scope)
          return {}
        },
      },
      {
        model: 'AccessToken',
        kept(record, _bank, refused) {
          const scope = refused.get(String(record.grantId))
          if (scope) refused.set(String(record.jti), scope)
          return {}
        },
      },
    ],
    response: {
      [route](response, { form }, refused) {
        const tokens = (response.body ?? {}) as Tokens
        const scope = refused.get(String(tokens.access_token))
        return scope && form.get('grant_type') === 'authorization_code'
          ? { ...response, body: { ...tokens, scope: `${tokens.scope} ${scope}` } }
          : response
      },
    },
  }),
]
