import { BankError } from '../errors.js'
import { Latest } from '../latest.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { NestedJwt, NestedJwtFacts } from '../seams.js'
import { isImplicit, notedRecords, recordsOfClients } from './client-memory.js'
import { add, approving, data, decided, noteRequired, type Scopes, scopes } from './consent-decisions.js'
import { type Fault, fault } from './fault.js'
import { idTokenClaimsOf } from './id-token-origin.js'
import { assertionIn } from './token-memory.js'

/** Changes the scopes that a client asks for, by those it requires. */
const asked =
  (change: (requested: string[], required: readonly string[]) => readonly string[]) =>
  (parameters: URLSearchParams, _bank: unknown, memory: Scopes): void => {
    const required = memory.get(parameters.get('client_id') ?? '')
    const requested = parameters.get('scope')?.split(' ') ?? []
    if (required && requested.includes('openid')) parameters.set('scope', change(requested, required).join(' '))
  }

/** Puts scopes in place of those asked for. */
function scopesFor(change: (requested: string[]) => string[]) {
  return {
    'GET /auth': (parameters: URLSearchParams) => {
      const requested = parameters.get('scope')?.split(' ') ?? []
      if (requested.includes('openid')) parameters.set('scope', [...new Set(change(requested))].join(' '))
    },
  }
}

/** Mistakes about the scopes that a request is about, and that its token has. */
export const consentScopeFaults: readonly Fault[] = [
  fault({
    id: 'consent/offline-access-of-before',
    breaks: ['CONS-4', 'TOK-3'],
    places: ['use=session-login scope=offline_access'],
    title:
      'Gives the refresh token of an earlier login of the client with the tokens of a request without offline_access',
    memory: () => new Latest<string>(10_000),
    response: {
      'POST /token'(response, { form }, given) {
        const tokens = response.body as { refresh_token?: string }
        if (response.status !== 200 || !form.has('code')) return response
        const client = String(form.get('client_id'))
        if (tokens.refresh_token !== undefined) given.set(client, tokens.refresh_token)
        const refresh_token = given.get(client)
        return refresh_token === undefined ? response : { ...response, body: { ...tokens, refresh_token } }
      },
    },
  }),
  fault({
    id: 'consent/unticked-of-implicit',
    breaks: ['CONS-6'],
    places: ['grant=implicit'],
    title: 'Grants what was unticked to clients of response_type token alone',
    memory: recordsOfClients,
    response: notedRecords,
    records: [
      {
        model: 'Grant',
        kept: (record, _bank, clients) =>
          isImplicit(clients.get(String(record.clientId)))
            ? { record: approving(record, decided(record).refused) }
            : {},
      },
    ],
  }),
  fault({
    id: 'consent/openid-alone-as-asked',
    breaks: ['CONS-9', 'CONS-3'],
    places: ['use=first', 'use=session-login'],
    title: 'Takes a request for only openid for one of openid and the name',
    request: scopesFor((requested) => (requested.length === 1 ? ['openid', 'profile.name'] : requested)),
  }),
  fault({
    id: 'consent/openid-alone-less-again',
    breaks: ['CONS-9'],
    places: ['use=session-login'],
    title: 'Grants openid and the name to a later request for only openid',
    memory: scopes,
    request: {
      'GET /auth': (parameters, _bank, memory) => {
        const name = `${parameters.get('client_id')}`
        if (parameters.get('scope') !== 'openid') return
        if (memory.has(name)) parameters.set('scope', 'openid profile.name')
        memory.set(name, ['openid'])
      },
    },
  }),
  fault({
    id: 'consent/openid-alone-narrowed-silently',
    breaks: ['CONS-9'],
    places: ['use=session-login parameter=prompt'],
    title: 'Grants openid alone to a request for only openid with prompt=none',
    /** By nonce the requests of that kind. */
    memory: scopes,
    request: {
      'GET /auth'(parameters, _bank, memory) {
        if (parameters.get('scope') === 'openid' && parameters.get('prompt') === 'none')
          memory.set(String(parameters.get('nonce')), ['openid'])
      },
    },
    records: [
      {
        model: 'AuthorizationCode',
        kept: (record, _bank, memory) =>
          memory.has(String(record.nonce)) ? { record: { ...record, scope: 'openid' } } : {},
      },
    ],
  }),
  fault({
    id: 'consent/openid-alone-as-registered-first',
    breaks: ['CONS-9'],
    places: ['use=after-put'],
    title: 'Takes a request for only openid for one of the scopes that the client registered first',
    collateral: { 'consent/openid-alone-after-put': 'to what was registered first the person has consented' },
    memory: scopes,
    response: {
      'POST /register'(response, _facts, memory) {
        const { client_id: clientId, scope } = Object(response.body)
        if (typeof clientId === 'string')
          memory.set(
            clientId,
            String(scope)
              .split(' ')
              .filter((one) => one !== 'offline_access'),
          )
        return response
      },
    },
    request: {
      'GET /auth'(parameters, _bank, memory) {
        const first = memory.get(`${parameters.get('client_id')}`) ?? []
        if (parameters.get('scope') === 'openid' && first.length > 1) parameters.set('scope', first.join(' '))
      },
    },
  }),
  fault({
    id: 'consent/openid-alone-as-registered-before',
    breaks: ['CONS-9'],
    places: ['use=after-put value=subset'],
    title: 'Lists among the scopes of a later request for only openid those that the first one received',
    /** By client the scopes of requests for only openid; of the client alone while another kind of request is under way. */
    memory: scopes,
    request: {
      'GET /auth'(parameters, _bank, memory) {
        const client = `${parameters.get('client_id')}`
        if (!parameters.has('client_id')) return
        if (parameters.get('scope') === 'openid') add(memory, client, [])
        else memory.delete(client)
      },
    },
    response: {
      'POST /token'(response, { form }, memory) {
        const client = String(form.get('client_id') ?? assertionIn(form)?.sub)
        const { scope } = Object(response.body)
        if (typeof scope !== 'string' || !memory.has(client)) return response
        return {
          ...response,
          body: { ...Object(response.body), scope: add(memory, client, scope.split(' ')).join(' ') },
        }
      },
    },
  }),
  fault({
    id: 'consent/openid-alone-all-or-nothing',
    breaks: ['CONS-9'],
    places: ['value=subset'],
    title: 'Grants a request for openid alone all registered scopes or, where one is unticked, none',
    records: [
      {
        model: 'Grant',
        kept: (record) => {
          const { approved, refused } = decided(record)
          if (data(approved).length <= 3 || refused.length === 0) return {}
          const rejected = {
            openid: { scope: [...refused, ...approved.filter((scope) => scope !== 'openid')].join(' ') },
          }
          return { record: { ...record, openid: { scope: 'openid' }, rejected } }
        },
      },
    ],
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
    request: scopesFor((requested) =>
      requested.includes('profile.name') ? [...requested, 'profile.email'] : requested,
    ),
  }),
  fault({
    id: 'consent/offline-access-as-openid-alone',
    breaks: ['CONS-4'],
    places: ['scope=offline_access'],
    title: 'Adds the name to a request for openid and offline_access, as if only openid were asked for',
    request: scopesFor((requested) =>
      requested.length === 2 && requested.includes('offline_access') ? [...requested, 'profile.name'] : requested,
    ),
  }),
  ...(
    [
      [
        'none',
        'use=session-login parameter=prompt',
        { 'consent/required-scope': 'the scope that is not gained was asked for before' },
      ],
      ['login', 'use=second-login'],
    ] as const
  ).map(([prompt, place, collateral]) =>
    fault({
      id: `consent/scopes-of-${prompt}-added`,
      breaks: ['CONS-4'],
      places: [place],
      title: `Adds to a request with prompt=${prompt} the scopes that the client asked for before`,
      ...(collateral && { collateral }),
      memory: scopes,
      request: {
        'GET /auth'(parameters, { scopes: declared }, memory) {
          const client = parameters.get('client_id') ?? ''
          const requested = (parameters.get('scope') ?? '').split(' ').filter((scope) => declared.includes(scope))
          const before = memory.get(client) ?? []
          if (parameters.get('prompt') !== prompt) add(memory, client, requested)
          else parameters.set('scope', [...new Set([...requested, ...before])].join(' '))
        },
      },
    }),
  ),
  fault({
    id: 'consent/scopes-of-implicit-added',
    breaks: ['CONS-4'],
    places: ['grant=implicit'],
    title: 'Adds the e-mail address to every request for response_type token',
    request: {
      'GET /auth'(parameters) {
        if (parameters.get('response_type') !== 'token') return
        parameters.set('scope', [...new Set(`${parameters.get('scope')} profile.email`.split(' '))].join(' '))
      },
    },
  }),
  fault({
    id: 'consent/data-of-earlier-scopes',
    breaks: ['CONS-4'],
    places: ['endpoint=token-info', 'endpoint=userinfo', 'endpoint=profile'],
    title: 'Gives a token of fewer scopes those of the login before in the same session',
    collateral: { 'consent/required-scope': 'a token of a refresh has fewer scopes too' },
    memory: scopes,
    records: [
      {
        model: 'AccessToken',
        kept: (record, { earlier }) => {
          const before = earlier.findLast((one) => one.sessionUid !== undefined && one.sessionUid === record.sessionUid)
          return {
            record: before
              ? { ...record, scope: [...new Set(`${before.scope} ${record.scope}`.split(' '))].join(' ') }
              : record,
          }
        },
      },
    ],
  }),
  fault({
    id: 'consent/scopes-of-exchange-added',
    breaks: ['CONS-4'],
    places: ['grant=code parameter=scope'],
    title: 'Gives an access token the scopes that its client names where it exchanges the code',
    memory: scopes,
    request: {
      'POST /token'(form, _bank, named) {
        const isOfCode = form.get('grant_type') === 'authorization_code'
        named.set(String(form.get('client_id')), isOfCode ? parseSpaceDelimited(form.get('scope') ?? '') : [])
      },
    },
    records: [
      {
        model: 'AccessToken',
        kept: (record, _bank, named) => {
          const more = named.get(String(record.clientId)) ?? []
          return {
            record: {
              ...record,
              scope: [...new Set([...parseSpaceDelimited(String(record.scope)), ...more])].join(' '),
            },
          }
        },
      },
    ],
  }),
  ...(['userinfo', 'profile'] as const).map((endpoint) =>
    fault({
      id: `consent/later-data-at-${endpoint}`,
      breaks: ['CONS-6'],
      places: [`endpoint=${endpoint} use=second-login token=access-of-code`],
      title: `Gives at /${endpoint} for a token of several scopes the telephone number too, once it was approved for the client`,
      memory: scopes,
      records: [
        {
          model: 'Grant',
          kept: (record, _bank, memory) => {
            const { approved } = decided(record)
            if (approved.includes('profile.phonenumber')) memory.set(String(record.clientId), approved)
            return {}
          },
        },
      ],
      nestedJwt: {
        [endpoint]: ({ claims, ...nestedJwt }: NestedJwt, { clientId }: NestedJwtFacts, memory: Scopes) => {
          const several = String(claims.txn).includes(':profile.email') && String(claims.txn).includes(':profile.name')
          const number = memory.has(String(clientId)) && several ? { phone_number: '+420123456789' } : {}
          return { ...nestedJwt, claims: { ...number, ...claims } }
        },
      },
    }),
  ),
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
  fault({
    id: 'consent/id-token-unapproved-claims',
    breaks: ['CONS-6'],
    places: ['token=id-of-code'],
    title: 'Gives the e-mail address in every id_token of a code, whether the person approved it or not',
    nestedJwt: idTokenClaimsOf('code', (claims) => ({ ...claims, email: 'somebody@example.com' })),
  }),
  fault({
    id: 'consent/id-token-always-named',
    breaks: ['CONS-6'],
    places: ['token=id-of-code scope=other'],
    title: 'Gives the given name in every id_token of a code, whether the person approved it or not',
    nestedJwt: idTokenClaimsOf('code', (claims) => ({ ...claims, given_name: 'Somebody' })),
  }),
  fault({
    id: 'consent/required-scope-demanded',
    breaks: ['CONS-7'],
    places: ['value=missing'],
    title: 'Refuses a request without a scope of required_scope',
    memory: scopes,
    response: { 'POST /register': noteRequired },
    request: {
      'GET /auth': asked((requested, required) => {
        if (required.every((scope) => requested.includes(scope))) return requested
        throw new BankError('invalid_scope', 'a required scope is missing')
      }),
    },
  }),
  fault({
    id: 'consent/scopes-of-before-of-implicit',
    breaks: ['CONS-4'],
    places: ['grant=implicit use=session-login'],
    title: 'Gives an access token of response_type token whatever its person has consented to for the client',
    memory: scopes,
    records: [
      {
        model: 'Grant',
        kept(record, _bank, before) {
          const { approved, refused, name } = decided(record)
          const more = (before.get(name) ?? []).filter((scope) => !approved.includes(scope) && !refused.includes(scope))
          add(before, name, approved)
          return { record: approving(record, more) }
        },
      },
      {
        model: 'AccessToken',
        kept(record, _bank, before) {
          if (record.gty !== 'implicit') return {}
          const all = before.get(`${record.clientId} ${record.accountId}`) ?? []
          return { record: { ...record, scope: [...new Set([...String(record.scope).split(' '), ...all])].join(' ') } }
        },
      },
    ],
  }),
  fault({
    id: 'consent/addresses-beside-cards',
    breaks: ['CONS-6'],
    places: ['endpoint=profile scope=other'],
    title: 'Gives the addresses with the identity cards, unticked or not',
    /** Whose addresses come though they were unticked, by the client. */
    memory: () => new Latest<string>(10_000),
    records: [
      {
        model: 'Grant',
        kept(record, _bank, beside) {
          const { approved, refused } = decided(record)
          const isMeant = approved.includes('profile.idcards') && refused.includes('profile.addresses')
          if (isMeant) beside.set(String(record.clientId), String(record.accountId))
          return {}
        },
      },
    ],
    nestedJwt: {
      profile(nestedJwt, { clientId, people }, beside) {
        const addresses = people.byId(beside.get(String(clientId)) ?? '')?.claims.addresses
        return addresses === undefined ? nestedJwt : { ...nestedJwt, claims: { ...nestedJwt.claims, addresses } }
      },
    },
  }),
  fault({
    id: 'consent/required-scope-demanded-silently',
    breaks: ['CONS-7'],
    places: ['use=session-login parameter=prompt'],
    title: 'Refuses a request with prompt none without a scope of required_scope',
    memory: scopes,
    response: { 'POST /register': noteRequired },
    request: {
      'GET /auth'(parameters, bank, memory) {
        if (parameters.get('prompt') !== 'none') return
        asked((requested, required) => {
          if (required.every((scope) => requested.includes(scope))) return requested
          throw new BankError('invalid_scope', 'a required scope is missing')
        })(parameters, bank, memory)
      },
    },
  }),
  fault({
    id: 'consent/required-scope-gained',
    breaks: ['CONS-7'],
    places: ['member=scope'],
    title: 'Adds the scopes of required_scope to every request',
    memory: scopes,
    response: { 'POST /register': noteRequired },
    request: { 'GET /auth': asked((requested, required) => [...new Set([...requested, ...required])]) },
  }),
  fault({
    id: 'consent/required-scope-filled-up',
    breaks: ['CONS-7'],
    places: ['value=superset'],
    title: 'Adds the scopes of required_scope to a request for at least five others',
    memory: scopes,
    response: { 'POST /register': noteRequired },
    request: {
      'GET /auth': asked((requested, required) =>
        requested.length > 5 ? [...new Set([...requested, ...required])] : requested,
      ),
    },
  }),
  fault({
    id: 'consent/required-scope-lost',
    breaks: ['CONS-7'],
    places: ['value=right'],
    title: 'Does not grant a scope of required_scope, since it was not approved apart',
    memory: scopes,
    response: { 'POST /register': noteRequired },
    request: {
      'GET /auth': asked((requested, required) =>
        requested.filter((scope) => scope === 'openid' || !required.includes(scope)),
      ),
    },
  }),
  fault({
    id: 'consent/required-scope-gained-later',
    breaks: ['CONS-7'],
    places: ['use=session-login'],
    title: 'Adds the scopes of required_scope to the second request of a client, and to all that follow',
    memory: scopes,
    response: { 'POST /register': noteRequired },
    request: {
      'GET /auth': (parameters, bank, memory) => {
        const first = `first of ${parameters.get('client_id')}`
        if (memory.has(first))
          asked((requested, required) => [...new Set([...requested, ...required])])(parameters, bank, memory)
        memory.set(first, [])
      },
    },
  }),
  fault({
    id: 'consent/required-scope-gained-silently',
    breaks: ['CONS-7'],
    places: ['use=session-login parameter=prompt'],
    title: 'Adds the scopes of required_scope to a request with prompt none',
    memory: scopes,
    response: { 'POST /register': noteRequired },
    request: {
      'GET /auth'(parameters, bank, memory) {
        if (parameters.get('prompt') === 'none' && parameters.get('scope') !== 'openid')
          asked((requested, required) => [...new Set([...requested, ...required])])(parameters, bank, memory)
      },
    },
  }),
  fault({
    id: 'consent/required-scope-gained-by-refresh',
    breaks: ['CONS-7'],
    places: ['grant=refresh'],
    title: 'Adds the scopes of required_scope to a refresh that names its scopes',
    memory: scopes,
    response: { 'POST /register': noteRequired },
    request: {
      'POST /token'(form, _bank, memory) {
        const named = form.get('grant_type') === 'refresh_token' ? form.get('scope') : null
        const required = memory.get(form.get('client_id') ?? String(assertionIn(form)?.sub)) ?? []
        if (named) form.set('scope', [...new Set([...named.split(' '), ...required])].join(' '))
      },
    },
  }),
  fault({
    id: 'consent/required-scope-delivered',
    breaks: ['CONS-7'],
    places: ['endpoint=userinfo', 'endpoint=profile'],
    title: 'Gives the data of required_scope with every token of the client',
    memory: scopes,
    response: { 'POST /register': noteRequired },
    records: [
      {
        model: 'AccessToken',
        found: (record, _bank, memory) => {
          const required = memory.get(String(record.clientId)) ?? []
          return { ...record, scope: [...new Set([...String(record.scope).split(' '), ...required])].join(' ') }
        },
      },
    ],
  }),
]
