import { Latest } from '../latest.js'
import { notedRecords, recordsOfClients } from './client-memory.js'
import { fault } from './fault.js'
import {
  among,
  filledIn,
  type Leniency,
  leniencyFaults,
  meant,
  replaced,
  uncheckedParameters,
  where,
  withoutWord,
} from './leniency.js'

const has = (name: string) => (parameters: URLSearchParams) => parameters.has(name)
const isImplicit = (parameters: URLSearchParams) => parameters.get('response_type') === 'token'

/** What a bank takes for a reason not to look at the age of the session, or not to ask for a login. */
const besides = [
  ...['id_token_hint', 'acr_values'].map((parameter) => ({
    slug: `beside-${parameter.replaceAll('_', '-')}`,
    place: `parameter=${parameter}`,
    what: `where ${parameter} stands beside it`,
    isMeant: has(parameter),
  })),
  { slug: 'of-implicit', place: 'grant=implicit', what: 'by response_type token', isMeant: isImplicit },
]

const anyAge = meant('max_age', (given) => (/^\d{1,9}$/.test(given) ? '999999999' : given))

/** What a request asks of a session, as it is forgotten in some requests. */
const leniencies: readonly Leniency[] = [
  ...besides.map(({ slug, place, what, isMeant }) => ({
    id: `authorization/max-age-${slug}-ignored`,
    requirement: 'AUTH-34',
    places: [place],
    title: `Does not look at the age of the session ${what}`,
    repair: where(isMeant, anyAge),
  })),
  {
    id: 'authorization/max-age-beside-prompt-ignored',
    requirement: 'AUTH-34',
    places: ['parameter=prompt'],
    title: 'Does not look at the age of the session where prompt asks for consent',
    repair: where((parameters) => parameters.get('prompt') === 'consent', anyAge),
  },
  {
    id: 'authorization/max-age-beside-none-ignored',
    requirement: 'AUTH-34',
    places: ['member=none parameter=prompt'],
    title: 'Does not look at the age of the session where prompt=none leaves no page to show',
    repair: where((parameters) => parameters.get('prompt') === 'none', anyAge),
    collateral: { 'authorization/prompt-none-max-age': 'AUTH-25 is about a session that is too old' },
  },
  {
    id: 'authorization/max-age-zero-of-none-ignored',
    requirement: 'AUTH-25',
    places: ['use=session-login parameter=max_age value=lower-bound'],
    title: 'Takes a max_age of 0 beside prompt none for none',
    repair: where(
      (parameters) => parameters.get('prompt') === 'none',
      meant('max_age', (given) => (given === '0' ? '999999999' : given)),
    ),
  },
  {
    id: 'authorization/max-age-of-hinted-none-ignored',
    requirement: 'AUTH-25',
    places: ['use=session-login parameter=id_token_hint'],
    title: 'Does not look at the age of the session beside prompt none where id_token_hint names its person',
    repair: where((parameters) => parameters.get('prompt') === 'none' && parameters.has('id_token_hint'), anyAge),
  },
  ...besides.map(({ slug, place, what, isMeant }) => ({
    id: `authorization/prompt-login-${slug}-ignored`,
    requirement: 'AUTH-35',
    places: [place],
    title: `Ignores prompt=login ${what}`,
    repair: where(isMeant, withoutWord('prompt', 'login')),
  })),
  {
    id: 'authorization/prompt-login-beside-max-age-ignored',
    requirement: 'AUTH-35',
    places: ['parameter=max_age'],
    title: 'Ignores prompt=login where max_age says how old the session may be',
    repair: where(has('max_age'), withoutWord('prompt', 'login')),
    collateral: { 'authorization/auth-time-of-login': 'the second login that AUTH-50 is about does not take place' },
  },
  {
    id: 'authorization/prompt-login-after-consent-ignored',
    requirement: 'AUTH-35',
    places: ['value=reordered'],
    title: 'Does not look for prompt=login after consent',
    repair: meant('prompt', (given) => (given === 'consent login' ? 'consent' : given)),
  },
  {
    id: 'authorization/prompt-consent-beside-hint-ignored',
    requirement: 'AUTH-51',
    places: ['parameter=id_token_hint'],
    title: 'Ignores prompt=consent where id_token_hint names the person of the session',
    repair: where(has('id_token_hint'), withoutWord('prompt', 'consent')),
  },
]

/** Where a request without a page would be answered: what it asks for, and where. */
const uncheckedSilently = [
  {
    slug: 'response-type-of-none-default',
    requirement: 'AUTH-6',
    title: 'Takes a request with prompt=none without response_type for one of the code flow',
    repair: filledIn('response_type', 'code'),
  },
  {
    slug: 'response-type-of-none-unchecked',
    requirement: 'AUTH-7',
    title: 'Takes a request with prompt=none for one of the code flow, whatever its response_type',
    repair: replaced('response_type', 'code', among('code', 'token')),
  },
]

const isSilent = (parameters: URLSearchParams) => parameters.get('prompt') === 'none'

export const sessionRequestFaults = [
  ...leniencyFaults(leniencies),
  ...leniencyFaults(
    uncheckedParameters.map(({ slug, requirement, repair }) => ({
      id: `authorization/${slug}-of-none-unchecked`,
      requirement,
      places: ['use=session-login parameter=prompt'],
      title: `Does not check ${slug.replaceAll('-', ' ')} where prompt=none leaves no page to show`,
      repair: where(isSilent, repair),
    })),
  ),
  ...leniencyFaults(
    uncheckedSilently.map(({ slug, repair, ...row }) => ({
      ...row,
      id: `authorization/${slug}`,
      places: ['use=session-login parameter=prompt'],
      repair: where(isSilent, repair),
    })),
  ),
  fault({
    id: 'authorization/redirect-uri-of-none-filled-in',
    breaks: ['AUTH-2'],
    places: ['use=session-login parameter=prompt'],
    title: 'Takes a request with prompt=none without redirect_uri for one with the address that is registered',
    memory: recordsOfClients,
    response: notedRecords,
    request: {
      'GET /auth'(parameters, _bank, records) {
        const [registered] = records.get(parameters.get('client_id') ?? '')?.redirect_uris ?? []
        if (isSilent(parameters) && registered && !parameters.has('redirect_uri'))
          parameters.set('redirect_uri', registered)
      },
    },
  }),
  ...(
    [
      ['state', 'AUTH-8'],
      ['nonce', 'AUTH-9'],
    ] as const
  ).map(([name, requirement]) =>
    fault({
      id: `request-object/${name}-not-needed`,
      breaks: [requirement],
      places: ['token=request-object'],
      title: `Asks for no ${name} where a request comes by request_uri`,
      request: {
        'GET /auth'(parameters) {
          if (parameters.has('request_uri') && !parameters.has(name)) parameters.set(name, 'none')
        },
      },
    }),
  ),
  fault({
    id: 'authorization/unregistered-scope-of-none-left-out',
    breaks: ['AUTH-12'],
    places: ['use=session-login scope=data parameter=prompt'],
    title: 'Leaves scopes that the client did not register out of a request with prompt=none',
    memory: recordsOfClients,
    response: notedRecords,
    request: {
      'GET /auth'(parameters, _bank, records) {
        const registered = String(records.get(parameters.get('client_id') ?? '')?.scope ?? '').split(' ')
        const asked = (parameters.get('scope') ?? '').split(' ')
        if (isSilent(parameters)) parameters.set('scope', asked.filter((one) => registered.includes(one)).join(' '))
      },
    },
  }),
  fault({
    id: 'authorization/challenge-of-none-forgotten',
    breaks: ['AUTH-36', 'AUTH-52'],
    places: ['use=session-login parameter=prompt'],
    title: 'Forgets the code_challenge of a request with prompt=none',
    request: {
      'GET /auth'(parameters) {
        if (isSilent(parameters)) parameters.delete('code_challenge')
      },
    },
  }),
  fault({
    id: 'authorization/claims-acr-asked',
    breaks: ['AUTH-45'],
    places: ['member=acr'],
    title: 'Takes an essential acr of the parameter claims for acr_values',
    request: {
      'GET /auth'(parameters) {
        const wanted = /"acr":\{"essential":true,"value":"(loa\d)"/.exec(parameters.get('claims') ?? '')?.[1]
        if (wanted) parameters.set('acr_values', wanted)
      },
    },
  }),
  fault({
    id: 'authorization/prompt-login-once',
    breaks: ['AUTH-35'],
    places: ['use=second-call'],
    title: 'Ignores prompt=login of a client that it has asked for a login before',
    memory: () => new Latest<true>(10_000),
    request: {
      'GET /auth'(parameters, bank, asked) {
        const client = parameters.get('client_id') ?? ''
        if (parameters.get('prompt') !== 'login') return
        if (asked.has(client)) withoutWord('prompt', 'login')(parameters, bank)
        asked.set(client, true)
      },
    },
  }),
]
