import { Latest } from '../latest.js'
import type { ResponseFacts } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { type FaultRow, faultsOf } from './fault-table.js'
import { isSignedIn, refusal } from './redirects.js'

const route = 'GET /auth'

/** A good value that the bank refuses. */
interface Refused extends FaultRow {
  parameter: string
  isRefused: (given: string, facts: ResponseFacts) => boolean
}

const is = (value: string) => (given: string) => given === value

const levelDeclared = { 'authorization/acr-declared': 'the level is among the declared ones' }

const refused: readonly Refused[] = [
  ...['page', 'popup', 'touch'].map((display) => ({
    id: `authorization/display-${display}-refused`,
    requirement: 'AUTH-44',
    places: [`member=${display} parameter=display`],
    title: `Does not support display ${display}`,
    parameter: 'display',
    isRefused: is(display),
  })),
  {
    id: 'authorization/prompt-login-refused',
    requirement: 'AUTH-44',
    places: ['member=login parameter=prompt'],
    title: 'Does not support prompt login by itself',
    parameter: 'prompt',
    isRefused: is('login'),
    collateral: {
      'authorization/prompt-login': 'AUTH-35 asks for prompt login',
      'authorization/prompt-login-second-client': 'AUTH-35 asks for prompt login',
      'consent/further-scope': 'CONS-2 asks for a further scope with prompt login',
      'callback/authentication-declined-in-session': 'whoever is signed in is asked again by prompt login',
    },
  },
  {
    id: 'authorization/prompt-consent-refused',
    requirement: 'AUTH-44',
    places: ['member=consent parameter=prompt'],
    title: 'Does not support prompt consent by itself',
    parameter: 'prompt',
    isRefused: is('consent'),
    collateral: {
      'authorization/prompt-consent': 'AUTH-51 asks for prompt consent',
      'callback/consent-declined-in-session': 'who has consented is asked again by prompt consent',
    },
  },
  {
    id: 'authorization/prompt-list-refused',
    requirement: 'AUTH-44',
    places: ['member=login-consent parameter=prompt'],
    title: 'Takes one value of prompt, and refuses a list',
    parameter: 'prompt',
    isRefused: is('login consent'),
    collateral: {
      'authorization/prompt-login-of-two': 'AUTH-35 is about such a list too',
      'authorization/prompt-consent-of-two': 'AUTH-51 is about such a list too',
    },
  },
  ...[
    { level: 'loa2', collateral: levelDeclared },
    {
      level: 'loa3',
      collateral: {
        ...levelDeclared,
        'callback/unfinished': 'the second factor that is left is asked for by loa3',
        'authorization/acr-out-of-reach': 'a request for loa3 is refused before anybody has signed in',
        'authorization/acr-stepped-up': 'AUTH-33 steps up to loa3',
      },
    },
  ].map(({ level, collateral }) => ({
    id: `authorization/acr-values-${level}-refused`,
    requirement: 'AUTH-44',
    places: [`member=${level} parameter=acr_values value=right`],
    title: `Declares ${level}, and refuses acr_values ${level}`,
    parameter: 'acr_values',
    isRefused: is(level),
    collateral,
  })),
  {
    id: 'authorization/acr-values-list-refused',
    requirement: 'AUTH-44',
    places: ['parameter=acr_values value=both'],
    title: 'Takes one value of acr_values, and refuses a list',
    parameter: 'acr_values',
    isRefused: (given) => given.includes(' '),
  },
  {
    id: 'authorization/acr-values-reordered-refused',
    requirement: 'AUTH-44',
    places: ['parameter=acr_values value=reordered'],
    title: 'Takes several acr_values from the highest down alone',
    parameter: 'acr_values',
    isRefused: is('loa2 loa3'),
  },
  {
    id: 'authorization/max-age-refused',
    requirement: 'AUTH-44',
    places: ['parameter=max_age value=right'],
    title: 'Takes a max_age up to half an hour',
    parameter: 'max_age',
    isRefused: (given) => Number(given) > 1800 && Number(given) <= 3600,
  },
  {
    id: 'authorization/max-age-zero-refused',
    requirement: 'AUTH-44',
    places: ['parameter=max_age value=lower-bound'],
    title: 'Takes a max_age of 0 for out of range',
    parameter: 'max_age',
    isRefused: is('0'),
    collateral: {
      'authorization/max-age': 'AUTH-34 asks for a max_age of 0',
      'consent/further-scope': 'CONS-2 asks for a further scope with a max_age of 0',
    },
  },
  {
    id: 'authorization/max-age-of-a-day-refused',
    requirement: 'AUTH-44',
    places: ['parameter=max_age value=long'],
    title: 'Takes a max_age of more than half a day for out of range',
    parameter: 'max_age',
    isRefused: (given) => /^\d{5,9}$/.test(given) && Number(given) > 43_200,
  },
  {
    id: 'authorization/response-mode-query-refused',
    requirement: 'AUTH-44',
    places: ['parameter=response_mode'],
    title: 'Answers in the query, and refuses response_mode query',
    parameter: 'response_mode',
    isRefused: is('query'),
    collateral: { 'authorization/declared-flows': 'response_mode query is among the declared ones' },
  },
  {
    id: 'authorization/ui-locales-one-refused',
    requirement: 'AUTH-44',
    places: ['member=one parameter=ui_locales'],
    title: 'Refuses ui_locales of one language alone where nobody is signed in',
    parameter: 'ui_locales',
    isRefused: (given, facts) => /^[a-z]{2}$/.test(given) && !isSignedIn(facts),
  },
  {
    id: 'authorization/ui-locales-one-only',
    requirement: 'AUTH-44',
    places: ['member=several parameter=ui_locales'],
    title: 'Takes one language in ui_locales, and refuses a list, where nobody is signed in and display is left out',
    parameter: 'ui_locales',
    isRefused: (given, facts) => given.includes(' ') && !isSignedIn(facts) && !facts.query.has('display'),
  },
  {
    id: 'authorization/ui-locales-region-refused',
    requirement: 'AUTH-44',
    places: ['member=with-region parameter=ui_locales'],
    title: 'Takes languages of two letters alone in ui_locales',
    parameter: 'ui_locales',
    isRefused: (given) => given.includes('-'),
  },
  {
    id: 'authorization/ui-locales-script-refused',
    requirement: 'AUTH-44',
    places: ['member=with-script parameter=ui_locales'],
    title: 'Does not know the script in a language tag',
    parameter: 'ui_locales',
    isRefused: (given) => /-[A-Z][a-z]{3}\b/.test(given),
  },
  {
    id: 'authorization/ui-locales-variant-refused',
    requirement: 'AUTH-44',
    places: ['member=variant parameter=ui_locales'],
    title: 'Does not know the variant in a language tag',
    parameter: 'ui_locales',
    isRefused: (given) => /-\d{4}\b/.test(given),
  },
  {
    id: 'authorization/ui-locales-extension-refused',
    requirement: 'AUTH-44',
    places: ['member=extension parameter=ui_locales'],
    title: 'Does not know the extension in a language tag',
    parameter: 'ui_locales',
    isRefused: (given) => /-[a-z]-/.test(given),
  },
  {
    id: 'authorization/ui-locales-british-refused',
    requirement: 'AUTH-44',
    places: ['member=with-region parameter=ui_locales'],
    title: 'Knows no region but CZ, SK and US in a language tag',
    parameter: 'ui_locales',
    isRefused: (given) => given.split(' ').some((tag) => /-(?!CZ|SK|US|TW)[A-Z]{2}\b/.test(tag)),
  },
  {
    id: 'authorization/ui-locales-many-refused',
    requirement: 'AUTH-44',
    places: ['member=many parameter=ui_locales'],
    title: 'Refuses more than five ui_locales',
    parameter: 'ui_locales',
    isRefused: (given) => given.split(' ').length > 5,
  },
  {
    id: 'authorization/ui-locales-unspoken-refused',
    requirement: 'AUTH-44',
    places: ['member=unsupported parameter=ui_locales'],
    title: 'Refuses ui_locales without a language that it speaks',
    parameter: 'ui_locales',
    isRefused: (given) => !/\b(?:cs|sk|en)\b/.test(given),
  },
  {
    id: 'authorization/id-token-hint-refused',
    requirement: 'AUTH-44',
    places: ['parameter=id_token_hint'],
    title: 'Refuses id_token_hint, whatever it is',
    parameter: 'id_token_hint',
    isRefused: () => true,
  },
  {
    id: 'authorization/claims-refused',
    requirement: 'AUTH-45',
    places: ['value=right'],
    title: 'Refuses claims, valid or not',
    parameter: 'claims',
    isRefused: () => true,
  },
  {
    id: 'authorization/claims-of-values-refused',
    requirement: 'AUTH-45',
    places: ['member=values'],
    title: 'Refuses claims that ask for one of several values',
    parameter: 'claims',
    isRefused: (given) => given.includes('"values"'),
  },
  {
    id: 'authorization/unknown-essential-claim-refused',
    requirement: 'AUTH-45',
    places: ['member=essential value=unknown'],
    title: 'Refuses claims that call something essential which it does not have',
    parameter: 'claims',
    isRefused: (given) => /"conformance":\{"essential":true/.test(given),
  },
]

/** What the endpoint's description names, and what extensions add that are declared. */
const known = [
  ...['redirect_uri', 'client_id', 'response_type', 'scope', 'state', 'nonce', 'prompt', 'display', 'acr_values'],
  ...['max_age', 'response_mode', 'ui_locales', 'claims', 'id_token_hint', 'request_uri', 'registration', 'sep_id'],
  ...['code_challenge', 'code_challenge_method'],
]

/** A scope of which one endpoint alone tells claims, which the parameter claims is taken for. */
const granting = [
  { endpoint: 'userinfo', scope: 'profile.zoneinfo' },
  { endpoint: 'profile', scope: 'profile.birthnumber' },
]

/** Unknown parameters that a bank stumbles over: by their names, or by what they say. */
const oddParameters = [
  ...(
    [
      ['brackets', 'brackets in its name', /[[\]]/],
      ['dots', 'a dot in its name', /\./],
      ['colon', 'a colon in its name', /:/],
    ] as const
  ).map(([member, what, pattern]) => ({
    member,
    what,
    isRefused: (name: string, _value: string) => pattern.test(name),
  })),
  { member: 'no-value', what: 'no value', isRefused: (_name: string, value: string) => value === '' },
  { member: 'json', what: 'JSON for a value', isRefused: (_name: string, value: string) => value.startsWith('{') },
].map(({ member, what, isRefused }) => ({
  id: `authorization/unknown-parameter-${member}-refused`,
  requirement: 'AUTH-43',
  places: [`member=${member} value=unknown`],
  title: `Refuses a request with an unknown parameter that has ${what}`,
  isRefused,
}))

/** Parameters without a value, which a bank does not take for left out. */
const emptyParameters = [
  'display',
  'prompt',
  'acr_values',
  'max_age',
  'ui_locales',
  'id_token_hint',
  'response_mode',
].map((parameter) => ({
  id: `authorization/empty-${parameter.replaceAll('_', '-')}-refused`,
  requirement: 'AUTH-43',
  places: [`parameter=${parameter} value=empty`],
  title: `Refuses a request with ${parameter} and no value`,
  parameter,
}))

export const authorizationRefusalFaults: readonly Fault[] = [
  fault({
    id: 'authorization/claims-by-reference-grant',
    breaks: ['AUTH-45'],
    places: ['token=request-object'],
    title: 'Takes claims in a request object for scopes: what they ask of userinfo is granted',
    judgedObject(object) {
      const { claims, scope } = object.claims
      return claims === undefined
        ? object
        : { ...object, claims: { ...object.claims, scope: `${scope} profile.zoneinfo` } }
    },
  }),
  ...granting.map(({ endpoint, scope }) =>
    fault({
      id: `authorization/claims-grant-${endpoint}`,
      breaks: ['AUTH-45'],
      places: [`endpoint=${endpoint}`],
      title: `Takes claims for scopes: what they ask of ${endpoint} is granted`,
      request: {
        [route](parameters) {
          const asked = parameters.get('scope')?.split(' ') ?? []
          if (parameters.get('claims')?.startsWith('{"') && asked.length > 1 && !asked.includes(scope))
            parameters.set('scope', [...asked, scope].join(' '))
        },
      },
    }),
  ),
  fault({
    id: 'authorization/claims-grant-essential',
    breaks: ['AUTH-45'],
    places: ['member=essential'],
    title: 'Grants the time zone where claims call something essential of userinfo',
    request: {
      [route](parameters) {
        const scope = parameters.get('scope') ?? ''
        if (/^\{"userinfo":[^}]*\{"essential":true/.test(parameters.get('claims') ?? '') && / /.test(scope))
          parameters.set('scope', `${scope} profile.zoneinfo`)
      },
    },
  }),
  fault({
    id: 'authorization/claims-in-id-token',
    breaks: ['AUTH-45'],
    places: ['token=id-of-code'],
    title: 'Gives the e-mail address in the id_token where claims ask for it',
    memory: () => new Latest<true>(10_000),
    request: {
      [route](parameters, _bank, asked) {
        if (parameters.get('claims')?.includes('"email"')) asked.set(parameters.get('nonce') ?? '', true)
      },
    },
    nestedJwt: {
      id_token: (nestedJwt, _facts, asked) =>
        asked.has(String(nestedJwt.claims.nonce))
          ? { ...nestedJwt, claims: { ...nestedJwt.claims, email: 'somebody@example.com' } }
          : nestedJwt,
    },
  }),
  ...faultsOf(refused, ({ parameter, isRefused }) => ({
    response: {
      [route]: (response, facts) => {
        const { query } = facts
        const given = query.get(parameter)
        const isServed = String(response.headers.location).includes('/interaction/')
        return given !== null && query.has('redirect_uri') && isServed && isRefused(given, facts)
          ? refusal(response, query, 'invalid_request')
          : response
      },
    },
  })),
  ...faultsOf(oddParameters, ({ isRefused }) => ({
    response: {
      [route]: (response, { query }) => {
        const isServed = String(response.headers.location).includes('/interaction/')
        const odd = [...query].some(([name, value]) => !known.includes(name) && isRefused(name, value))
        return isServed && query.has('redirect_uri') && odd ? refusal(response, query, 'invalid_request') : response
      },
    },
  })),
  ...faultsOf(emptyParameters, ({ parameter }) => ({
    response: {
      [route]: (response, { query }) => {
        const isServed = String(response.headers.location).includes('/interaction/')
        const isEmpty = query.has('redirect_uri') && query.get(parameter) === ''
        return isServed && isEmpty ? refusal(response, query, 'invalid_request') : response
      },
    },
  })),
  fault({
    id: 'authorization/unknown-parameter-refused',
    breaks: ['AUTH-43'],
    places: ['value=unknown'],
    title: 'Refuses a request with a parameter that it does not know',
    request: {
      [route](parameters) {
        const [name] = [...parameters.keys()].filter((one) => !known.includes(one))
        if (name !== undefined) parameters.append(name, '-')
      },
    },
  }),
  fault({
    id: 'authorization/malformed-query-otherwise',
    breaks: ['AUTH-43'],
    places: ['value=encoded'],
    title: 'Answers a query that is not percent-encoded as a request of an unknown client',
    response: {
      [route]: (response) => {
        const { body } = response
        return JSON.stringify(body).includes('percent-encoded') && typeof body === 'object'
          ? { ...response, body: { ...body, error: 'unauthorized_client' } }
          : response
      },
    },
  }),
]
