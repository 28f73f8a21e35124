import { Latest } from '../latest.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import { isLeast, notedRecords, recordsOfClients, type ToldRecord } from './client-memory.js'
import { add, approving, data, decided, noteRequired, scopes, whose } from './consent-decisions.js'
import { type Fault, fault } from './fault.js'

/** Requests in which a bank does not ask for consent, though the person has consented to something else, or to nothing. */
const unasked = [
  {
    id: 'consent/of-implicit-unasked',
    breaks: ['CONS-2'],
    places: ['grant=implicit'],
    title: 'Does not ask for consent to what response_type token is to give',
    isMeant: (parameters: URLSearchParams) => parameters.get('response_type') === 'token',
  },
  {
    id: 'consent/by-reference-unasked',
    breaks: ['CONS-2'],
    places: ['token=request-object'],
    title: 'Does not ask for consent to what a request object asks for',
    isMeant: (parameters: URLSearchParams) => parameters.has('request_uri'),
  },
  {
    id: 'consent/beside-hint-unasked',
    breaks: ['CONS-2'],
    places: ['parameter=id_token_hint'],
    title: 'Does not ask for consent where id_token_hint names the person',
    isMeant: (parameters: URLSearchParams) => parameters.has('id_token_hint'),
  },
  {
    id: 'consent/openid-alone-silently',
    breaks: ['AUTH-26'],
    places: ['use=session-login scope=openid'],
    title: 'Grants every registered scope to prompt none with only openid, consented or not',
    isMeant: (parameters: URLSearchParams) =>
      parameters.get('scope') === 'openid' && parameters.get('prompt') === 'none',
  },
]

/** Requests that have a person sign in anew. */
const anew = [
  { slug: 'prompt', words: 'prompt=login has', name: 'prompt', value: 'login' },
  { slug: 'max-age', words: 'a max_age of 0 has', name: 'max_age', value: '0' },
]

/** Rules that turn red because of one thing. */
function allBecause(reason: string, rules: readonly string[]): Record<string, string> {
  return Object.fromEntries(rules.map((rule) => [rule, reason]))
}

/** Clients that a bank does not ask people for, by what they registered, and the places of rules that see it. */
const unaskedFor = [
  {
    slug: 'secret',
    of: 'where the client authenticates by client_secret_post',
    places: ['client-auth=client_secret_post'],
    holds: (record?: ToldRecord) => record?.token_endpoint_auth_method === 'client_secret_post',
  },
  {
    slug: 'secret-jwt',
    of: 'where the client authenticates by client_secret_jwt',
    places: ['client-auth=client_secret_jwt'],
    holds: (record?: ToldRecord) => record?.token_endpoint_auth_method === 'client_secret_jwt',
  },
  {
    slug: 'public',
    of: 'for a client of public subjects',
    places: ['client-auth=client_secret_jwt'],
    holds: (record?: ToldRecord) => record?.subject_type === 'public',
    collateral: {
      'authorization/prompt-none-second-client': 'with prompt=none what nobody decided is granted as well',
    },
  },
  {
    slug: 'least',
    of: 'where the client registered no more than it needs',
    places: ['use=first'],
    holds: isLeast,
  },
]

const askedFurther = 'it is a further scope that this rule asks for'

/** What follows profile. in the scopes of user data, with the rules that ask for it beside others. */
const ofData: Readonly<Record<string, readonly string[]>> = {
  name: ['signing/new-scopes-consented'],
  titles: [],
  gender: [],
  birthdate: [],
  birthnumber: [],
  birthplaceNationality: [],
  maritalstatus: [],
  addresses: [],
  idcards: [],
  paymentAccounts: [],
  email: [
    'authorization/prompt-none-consent',
    'consent/openid-alone-after-put',
    'consent/withdrawn',
    'signing/new-scopes-consented',
  ],
  phonenumber: ['consent/boxes-asked'],
  zoneinfo: [],
  locale: [],
  updatedat: [],
  legalstatus: [],
  verification: ['consent/openid-alone'],
}

/** Mistakes about whose consent a bank remembers, for whom, and to what. */
export const consentMemoryFaults: readonly Fault[] = [
  fault({
    id: 'consent/birthnumber-by-birthdate',
    breaks: ['CONS-2'],
    places: ['scope=other value=prefix'],
    title: 'Takes the consent to profile.birthdate for one to profile.birthnumber',
    consented: (approved) => (approved.includes('profile.birthdate') ? [...approved, 'profile.birthnumber'] : approved),
  }),
  fault({
    id: 'consent/gender-by-name',
    breaks: ['CONS-2'],
    places: ['scope=other value=second'],
    title: 'Takes the consent to the name for one to the gender',
    consented: (approved) => (approved.includes('profile.name') ? [...approved, 'profile.gender'] : approved),
  }),
  fault({
    id: 'consent/phonenumber-by-email',
    breaks: ['CONS-2'],
    places: ['scope=other value=equivalent'],
    title: 'Takes the consent to the e-mail address for one to the telephone number',
    consented: (approved) => (approved.includes('profile.email') ? [...approved, 'profile.phonenumber'] : approved),
  }),
  fault({
    id: 'consent/never-remembered',
    breaks: ['CONS-1'],
    title: 'Asks for consent each time anew',
    consented: () => [],
  }),
  fault({
    id: 'consent/never-asked',
    breaks: ['CONS-2'],
    places: ['use=first'],
    title: 'Takes a person who never decided anything for a client as having consented to everything',
    consented: (own, { scopes: declared }) => (own.length > 0 ? own : declared),
    collateral: {
      ...allBecause('who is not asked declines nothing, unticks nothing and sees no box', [
        'callback/consent-declined',
        'consent/approved-data',
        'consent/boxes-asked',
        'consent/openid-alone',
        'consent/openid-alone-after-put',
        'consent/openid-alone-other-person',
        'consent/openid-alone-part',
        'consent/required-box',
        'consent/unticked',
        'consent/unticked-refreshed',
      ]),
      ...allBecause('in the signing flow nobody is asked either', [
        'signing/new-scopes-consented',
        'signing/new-scopes-of-second',
        'signing/new-scopes-refused',
        'signing/new-scopes-unticked',
      ]),
      ...allBecause('with prompt=none what nobody decided is granted as well', [
        'authorization/prompt-none-consent',
        'authorization/prompt-none-second-client',
      ]),
      'notifications/sent': 'of what nobody approved nobody is told',
    },
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
      'consent/openid-alone-after-put': 'a request for only openid asks for further scopes too',
      'consent/boxes-asked': 'who is not asked for a further scope sees no box',
      'consent/withdrawn': 'the scopes of what was withdrawn in part come back without a page',
      'signing/new-scopes-consented': 'in the signing flow nobody is asked for a further scope either',
    },
  }),
  fault({
    id: 'consent/as-many-unasked',
    breaks: ['CONS-2'],
    places: ['scope=other'],
    title: 'Counts the scopes that a person consented to: as many others are granted without a page',
    memory: scopes,
    request: {
      'GET /auth'(parameters, _bank, memory) {
        memory.set(parameters.get('client_id') ?? '', parseSpaceDelimited(parameters.get('scope') ?? ''))
      },
    },
    consented: (own, { clientId }, memory) => {
      const asked = memory.get(clientId) ?? []
      return asked.length <= own.length ? [...own, ...asked] : own
    },
    collateral: { 'consent/boxes-asked': 'who is not asked for another scope sees no box' },
  }),
  fault({
    id: 'consent/of-another-person',
    breaks: ['CONS-2', 'CONS-3'],
    places: ['use=second-person'],
    title: 'Takes what one person consented to for a client as consented by everybody',
    memory: scopes,
    consented: (own, { clientId }, memory) => add(memory, clientId, own),
    records: [
      {
        model: 'Grant',
        kept: (record, _bank, memory) => {
          add(memory, String(record.clientId), decided(record).approved)
          return {}
        },
      },
    ],
  }),
  fault({
    id: 'consent/for-another-client',
    breaks: ['CONS-2'],
    places: ['use=second-client'],
    title: 'Takes what a person consented to for one client as consented for another that registers the same keys',
    memory: scopes,
    consented: (own, { personId }, memory) => (own.length > 0 ? own : (memory.get(personId) ?? own)),
    records: [
      {
        model: 'Grant',
        kept: (record, _bank, memory) => {
          memory.set(String(record.accountId), decided(record).approved)
          return {}
        },
      },
    ],
  }),
  fault({
    id: 'consent/for-another-client-of-the-sector',
    breaks: ['CONS-2'],
    places: ['use=second-client'],
    title: 'Takes what a person consented to for one client as consented for another that names the same sector',
    memory: () => ({ records: recordsOfClients(), approved: scopes() }),
    response: {
      'POST /register': (response, bank, { records }) => notedRecords['POST /register'](response, bank, records),
    },
    consented(own, { clientId, personId }, { records, approved }) {
      const named = records.get(clientId)?.sector_identifier_uri
      return named === undefined || own.length > 0 ? own : (approved.get(`${named} ${personId}`) ?? own)
    },
    records: [
      {
        model: 'Grant',
        kept(record, _bank, { records, approved }) {
          const named = records.get(String(record.clientId))?.sector_identifier_uri
          if (named !== undefined) add(approved, `${named} ${record.accountId}`, decided(record).approved)
          return {}
        },
      },
    ],
  }),
  ...Object.entries(ofData).map(([name, asking]) =>
    fault({
      id: `consent/further-${name.toLowerCase()}-unasked`,
      breaks: ['CONS-2'],
      places: ['scope=other value=second'],
      title: `Does not ask for consent to profile.${name} who consented to any other scope`,
      ...(asking.length > 0 && { collateral: allBecause(askedFurther, asking) }),
      consented: (approved) => (approved.length > 0 ? [...approved, `profile.${name}`] : approved),
    }),
  ),
  ...unaskedFor.map(({ slug, of, places, holds, collateral }) =>
    fault({
      id: `consent/of-${slug}-clients-unasked`,
      breaks: ['CONS-2'],
      places,
      title: `Does not ask for consent ${of}`,
      ...(collateral && { collateral }),
      memory: recordsOfClients,
      response: notedRecords,
      consented: (own, { clientId, scopes: declared }, records) => (holds(records.get(clientId)) ? declared : own),
    }),
  ),
  fault({
    id: 'consent/refusal-remembered',
    breaks: ['CONS-2'],
    places: ['use=after-refusal'],
    title: 'Remembers a refused scope as a consented one',
    memory: scopes,
    consented: (own, facts, memory) => [...own, ...(memory.get(whose(facts)) ?? [])],
    records: [
      {
        model: 'Grant',
        kept: (record, _bank, memory) => {
          const { refused, name } = decided(record)
          add(memory, name, refused)
          return {}
        },
      },
    ],
  }),
  fault({
    id: 'consent/decline-remembered',
    breaks: ['CONS-2'],
    places: ['use=after-refusal scope=everything', 'use=after-refusal parameter=prompt'],
    title: 'Takes consent that was declined for one that was given',
    collateral: {
      'authorization/prompt-none-refused': 'AUTH-26 asks for the error of a request whose consent was declined',
    },
    /** Clients by the state of their requests, and those at which somebody declined. */
    memory: () => new Latest<string>(10_000),
    request: {
      'GET /auth'(parameters, _bank, memory) {
        const [state, clientId] = ['state', 'client_id'].map((name) => parameters.get(name))
        if (state && clientId) memory.set(`asked ${state}`, clientId)
      },
    },
    response: {
      'GET /auth'(response, _bank, memory) {
        const parameters = new URLSearchParams(String(response.headers.location ?? '').split('?')[1])
        const clientId = memory.get(`asked ${parameters.get('state')}`)
        if (clientId !== undefined && parameters.get('error_description') === 'User declined consent')
          memory.set(`declined ${clientId}`, clientId)
        return response
      },
    },
    consented: (own, { clientId, scopes: declared }, memory) => (memory.has(`declined ${clientId}`) ? declared : own),
  }),
  fault({
    id: 'consent/asked-once-for-openid-alone',
    breaks: ['CONS-2', 'CONS-3'],
    places: ['use=after-put'],
    title: 'Takes the consent to all that a client registered for one to what it registers later',
    memory: scopes,
    consented: (own, { clientId, scopes: declared }, memory) =>
      memory.get(clientId)?.every((scope) => own.includes(scope)) ? declared : own,
    response: {
      'POST /register': (response, _bank, memory) => {
        const { client_id, scope } = (response.body ?? {}) as Record<string, unknown>
        const registered = data(parseSpaceDelimited(String(scope)))
        if (typeof client_id === 'string' && registered.length === 1) memory.set(client_id, registered)
        return response
      },
    },
  }),
  fault({
    id: 'consent/of-replaced-clients-silently',
    breaks: ['CONS-2', 'CONS-3'],
    places: ['use=after-put parameter=prompt'],
    title: 'Grants to prompt none what was never consented to, at a client whose record a PUT replaced',
    /** Those clients, and those whose last request had prompt=none. */
    memory: () => ({ replaced: new Latest<true>(10_000), silent: new Latest<boolean>(10_000) }),
    response: {
      'PUT /register/{client_id}'(response, _bank, { replaced }) {
        const { client_id: clientId } = Object(response.body)
        if (response.status < 300) replaced.set(String(clientId), true)
        return response
      },
    },
    request: {
      'GET /auth'(parameters, _bank, { silent }) {
        silent.set(parameters.get('client_id') ?? '', parameters.get('prompt') === 'none')
      },
    },
    consented: (own, { clientId, scopes: declared }, { replaced, silent }) =>
      own.length > 0 && replaced.has(clientId) && silent.get(clientId) ? declared : own,
  }),
  fault({
    id: 'consent/withdrawal-ignored',
    breaks: ['CONS-6'],
    places: ['use=after-refusal'],
    title: 'Grants a scope that was approved once, though it is unticked now',
    memory: scopes,
    records: [
      {
        model: 'Grant',
        kept: (record, _bank, memory) => {
          const { approved, refused, name } = decided(record)
          const earlier = memory.get(name) ?? []
          add(memory, name, approved)
          return {
            record: approving(
              record,
              refused.filter((scope) => earlier.includes(scope)),
            ),
          }
        },
      },
    ],
  }),
  fault({
    id: 'consent/withdrawal-forgotten',
    breaks: ['CONS-6'],
    places: ['use=second-login'],
    title: 'Grants a scope that was approved once in a later login, though it was unticked since',
    memory: scopes,
    consented: (own, facts, memory) => add(memory, whose(facts), own),
    records: [
      {
        model: 'Grant',
        kept: (record, _bank, memory) => {
          const { approved, name } = decided(record)
          add(memory, name, approved)
          return {}
        },
      },
    ],
  }),
  ...anew.map(({ slug, name, value, words }) =>
    fault({
      id: `consent/anew-by-${slug}-unasked`,
      breaks: ['CONS-2'],
      places: [`parameter=${name}`],
      title: `Asks for no further consent where ${words} somebody who consented to something sign in anew`,
      ...(name === 'prompt' && {
        collateral: allBecause('every request has prompt=login in another dress', [
          'consent/boxes-asked',
          'consent/openid-alone',
        ]),
      }),
      memory: () => new Latest<boolean>(10_000),
      request: {
        'GET /auth'(parameters, _bank, latest) {
          latest.set(parameters.get('client_id') ?? '', parameters.get(name) === value)
        },
      },
      consented: (own, { clientId, scopes: declared }, latest) =>
        own.length > 0 && latest.get(clientId) ? declared : own,
    }),
  ),
  ...unasked.map(({ isMeant, ...description }) =>
    fault({
      ...description,
      memory: () => new Latest<boolean>(10_000),
      request: {
        'GET /auth'(parameters, _bank, latest) {
          latest.set(parameters.get('client_id') ?? '', isMeant(parameters))
        },
      },
      consented: (own, { clientId, scopes: declared }, latest) => (latest.get(clientId) ? declared : own),
    }),
  ),
  fault({
    id: 'consent/offline-access-unasked',
    breaks: ['CONS-2'],
    places: ['scope=offline_access'],
    title: 'Takes the consent to any scope for one to offline_access',
    consented: (own) => (own.length > 0 ? [...own, 'offline_access'] : own),
  }),
  ...[
    ['authorization', 'authorization'],
    ['notifications', 'notification.claims_updated'],
  ].map(([slug, scope = '']) =>
    fault({
      id: `consent/${slug}-unasked`,
      breaks: ['CONS-2'],
      places: [`scope=${scope}`],
      title: `Takes the consent to any scope for one to ${scope}`,
      consented: (own) => (own.length > 0 ? [...own, scope] : own),
    }),
  ),
  fault({
    id: 'consent/required-scope-unasked',
    breaks: ['CONS-2'],
    places: ['scope=required'],
    title: 'Does not ask for consent to the scopes of required_scope once a person has consented to another',
    memory: scopes,
    response: { 'POST /register': noteRequired },
    consented: (own, { clientId }, memory) => (own.length > 0 ? [...own, ...(memory.get(clientId) ?? [])] : own),
  }),
  fault({
    id: 'consent/required-by-client-unasked',
    breaks: ['CONS-2'],
    places: ['scope=required'],
    title: 'Asks for no consent at all where the client has registered a scope that it requires',
    collateral: {
      'authorization/prompt-none-consent': 'prompt=none needs a consent that is there',
      'authorization/prompt-none-second-client': 'prompt=none needs a consent that is there',
      'callback/consent-declined': 'there is no page to decline on',
      'consent/boxes-asked': 'there is no page with boxes',
      'consent/openid-alone': 'there is no page on which all scopes are shown',
      'consent/required-box': 'there is no page with boxes',
      'consent/unticked-refreshed': 'nothing can be unticked',
      'notifications/sent': 'the client that is to hear of one claim has all of them',
      'signing/new-scopes-refused': 'scopes that were not approved are there',
      'token/scope-listed-in-part': 'nothing can be unticked',
    },
    memory: scopes,
    response: { 'POST /register': noteRequired },
    consented: (own, { clientId, scopes: declared }, memory) => (memory.get(clientId)?.length ? declared : own),
  }),
  fault({
    id: 'consent/most-scopes-enough',
    breaks: ['CONS-3'],
    places: ['value=subset'],
    title: 'Takes the consent to more than five scopes for one to all',
    collateral: { 'consent/each-scope': 'half of the scopes are more than five' },
    consented: (own, { scopes: declared }) => (own.length > 5 ? declared : own),
  }),
]
