import type { BankFacts } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { among, filledIn, type Leniency, leniencyFaults, lowerCase, meant, replaced, where, words } from './leniency.js'

/** Who asks, for what kind of answer, and what every request has to have. */
const leniencies: readonly Leniency[] = [
  {
    id: 'authorization/client-id-not-asked',
    requirement: 'AUTH-4',
    places: ['value=missing', 'value=empty'],
    title: 'Answers a request without client_id as one of an unknown client',
    repair: filledIn('client_id', 'unknown'),
  },
  {
    id: 'authorization/response-type-default',
    requirement: 'AUTH-6',
    places: ['value=missing', 'value=empty'],
    title: 'Takes a request without response_type for one of the code flow',
    repair: filledIn('response_type', 'code'),
  },
  {
    id: 'authorization/response-type-any',
    requirement: 'AUTH-7',
    places: ['value=unknown'],
    title: 'Serves the code flow whatever response_type is asked for',
    repair: replaced('response_type', 'code', among('code')),
    collateral: {
      'authorization/token': 'AUTH-38 asks for response_type token',
      'authorization/declared-flows': 'response_type token is among the declared ones',
      'discovery/undeclared-flow': 'an undeclared response_type is served as code too',
      'authorization/prompt-none-signed-out-of-implicit':
        'a client of the implicit flow alone is refused the code that it is taken to ask for',
    },
  },
  {
    id: 'authorization/response-type-capitals',
    requirement: 'AUTH-7',
    places: ['value=upper-case'],
    title: 'Takes response_type in whatever case',
    repair: meant('response_type', lowerCase),
  },
  {
    id: 'authorization/response-type-code-among-others',
    requirement: 'AUTH-7',
    places: ['value=both'],
    title: 'Takes a response_type with code in it for code',
    repair: meant('response_type', (given) => (words(given).includes('code') ? 'code' : given)),
    collateral: { 'discovery/undeclared-flow': 'an undeclared type with code in it is served as code too' },
  },
  {
    id: 'authorization/response-type-hybrid-for-code',
    requirement: 'AUTH-7',
    places: ['grant=hybrid'],
    title: 'Takes the hybrid response types for code',
    repair: meant('response_type', (given) => (/^code( id_token)?( token)?$/.test(given) ? 'code' : given)),
    collateral: { 'discovery/undeclared-flow': 'an undeclared type with code in it is served as code too' },
  },
  ...['none', 'id_token token', 'code id_token token'].map((type) => ({
    id: `authorization/response-type-${type.replaceAll(/[_ ]/g, '-')}-for-code`,
    requirement: 'AUTH-7',
    places: [`member=${type.replaceAll(' ', '-')}`],
    title: `Takes response_type ${type} for code`,
    repair: meant('response_type', (given) => (given === type ? 'code' : given)),
  })),
  {
    id: 'authorization/nonce-not-asked',
    requirement: 'AUTH-9',
    places: ['value=missing', 'value=empty'],
    title: 'Takes a request without nonce',
    repair: filledIn('nonce', '-'),
  },
  {
    id: 'authorization/state-not-asked',
    requirement: 'AUTH-8',
    places: ['value=missing', 'value=empty'],
    title: 'Takes a request without state',
    repair: filledIn('state', '-'),
  },
  ...['nonce', 'state'].flatMap((name) => [
    {
      id: `authorization/${name}-not-asked-of-implicit`,
      requirement: name === 'nonce' ? 'AUTH-9' : 'AUTH-8',
      places: ['grant=implicit'],
      title: `Takes a request of response_type token without ${name}`,
      repair: where((parameters) => parameters.get('response_type') === 'token', filledIn(name, '-')),
    },
    {
      id: `authorization/${name}-not-asked-beside-challenge`,
      requirement: name === 'nonce' ? 'AUTH-9' : 'AUTH-8',
      places: ['parameter=code_challenge', 'member=optional-besides'],
      title: `Takes a request without ${name} where code_challenge protects it`,
      repair: where((parameters) => parameters.has('code_challenge'), filledIn(name, '-')),
    },
  ]),
  {
    id: 'authorization/registration-ignored',
    requirement: 'AUTH-20',
    places: ['use=first'],
    title: 'Ignores the parameter registration',
    repair: (parameters) => parameters.delete('registration'),
  },
  {
    id: 'authorization/registration-not-json-ignored',
    requirement: 'AUTH-20',
    places: ['value=wrong'],
    title: 'Ignores the parameter registration where it is no JSON object',
    repair: meant('registration', (given) => (given.startsWith('{') ? given : undefined)),
  },
  {
    id: 'authorization/sep-id-openid-alone',
    requirement: 'GEN-10',
    places: ['use=first'],
    title: 'Asks for openid alone where a request has sep_id',
    repair: (parameters) => {
      if (parameters.has('sep_id')) parameters.set('scope', 'openid')
    },
  },
  {
    id: 'authorization/sep-id-refused',
    requirement: 'GEN-10',
    places: ['use=first'],
    title: 'Does not know sep_id and refuses it',
    repair: (parameters) => {
      if (parameters.has('sep_id')) parameters.append('sep_id', '-')
    },
  },
  ...(
    [
      ['state', 'member=state', 'Adds sep_id to the state', (state: string, sepId: string) => `${state}${sepId}`],
      ['prompt', 'parameter=prompt', 'Ignores prompt=none of an SLA customer', () => undefined],
    ] as const
  ).map(([name, place, title, change]) => ({
    id: `authorization/sep-id-${name}`,
    requirement: 'GEN-10',
    places: [place],
    title,
    repair: (parameters: URLSearchParams, bank: Pick<BankFacts, 'scopes'>) => {
      const sepId = parameters.get('sep_id')
      if (sepId !== null) meant(name, (given) => change(given, sepId))(parameters, bank)
    },
  })),
  {
    id: 'authorization/sep-id-signs-in-anew',
    requirement: 'GEN-10',
    places: ['use=session-login'],
    title: 'Has the person of an SLA customer sign in anew, whatever the session',
    repair: (parameters) => {
      if (parameters.has('sep_id') && !parameters.has('prompt')) parameters.set('prompt', 'login')
    },
  },
  {
    id: 'authorization/sep-id-session-too-old',
    requirement: 'GEN-10',
    places: ['use=session-login parameter=prompt', 'use=session-login parameter=max_age'],
    title: 'Takes every session for too old where an SLA customer asks with prompt=none or max_age',
    repair: (parameters) => {
      const ages = parameters.getAll('max_age')
      const isMeant = ages.length === 0 ? parameters.get('prompt') === 'none' : ages.join() === '3600'
      if (parameters.has('sep_id') && isMeant) parameters.set('max_age', '0')
    },
  },
  {
    id: 'authorization/sep-id-signs-in-at-prompt-none',
    requirement: 'GEN-10',
    places: ['use=session-login parameter=prompt'],
    title:
      'Has the person of an SLA customer whose number names a country sign in anew where prompt=none asks for no page',
    repair: (parameters) => {
      if (parameters.get('sep_id')?.startsWith('CZ-') && parameters.get('prompt') === 'none')
        parameters.set('prompt', 'login')
    },
  },
  {
    id: 'request-object/dropped-beside-sep-id',
    requirement: 'GEN-10',
    places: ['token=request-object'],
    title: 'Drops request_uri where a request has sep_id',
    collateral: { 'request-object/other-algorithms': 'it asks with sep_id in another dress' },
    repair: where(
      (parameters) => parameters.has('sep_id'),
      meant('request_uri', () => undefined),
    ),
  },
  {
    id: 'authorization/sep-id-nonce',
    requirement: 'GEN-10',
    places: ['parameter=nonce'],
    title: 'Asks for no nonce of an SLA customer',
    repair: where((parameters) => parameters.has('sep_id'), filledIn('nonce', 'none')),
  },
]

/** Parameters that may be given more than once to a bank that takes the last value. */
const repeatable = [
  ...['client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'nonce'],
  ...['display', 'prompt', 'acr_values', 'max_age', 'ui_locales'],
]

/** Those of which a bank may take one value twice for one. */
const repeatedAsIs = ['client_id', 'redirect_uri', 'response_type', 'state', 'nonce', 'prompt', 'max_age', 'ui_locales']

const repetitions: readonly Leniency[] = [
  ...repeatable.map((parameter) => ({
    id: `authorization/${parameter.replace('_', '-')}-repeated-taken`,
    requirement: 'AUTH-43',
    places: [`parameter=${parameter} value=repeated`],
    title: `Takes the last value of a repeated ${parameter}`,
    repair: (parameters: URLSearchParams) => {
      const values = parameters.getAll(parameter)
      if (values.length > 1) parameters.set(parameter, String(values.at(-1)))
    },
  })),
  ...repeatedAsIs.map((parameter) => ({
    id: `authorization/${parameter.replace('_', '-')}-repeated-alike-taken`,
    requirement: 'AUTH-43',
    places: [`member=equal parameter=${parameter} value=repeated`],
    title: `Takes ${parameter} that is repeated with the same value for one`,
    repair: (parameters: URLSearchParams) => {
      const [value, ...others] = parameters.getAll(parameter)
      if (value !== undefined && others.every((other) => other === value)) parameters.set(parameter, value)
    },
  })),
  {
    id: 'authorization/repeated-alike-taken',
    requirement: 'AUTH-43',
    places: ['member=equal value=repeated'],
    title: 'Takes a parameter that is repeated with the same value for one',
    repair: (parameters) => {
      for (const name of new Set(parameters.keys())) {
        const [value = '', ...others] = parameters.getAll(name)
        if (others.every((other) => other === value)) parameters.set(name, value)
      }
    },
  },
]

export const authorizationParameterFaults: readonly Fault[] = [
  ...leniencyFaults([...leniencies, ...repetitions]),
  fault({
    id: 'authorization/malformed-query-taken',
    breaks: ['AUTH-43'],
    places: ['parameter=nonce value=encoded'],
    title: 'Takes a query that is not percent-encoded as it stands',
    without: ['authorization/query-form'],
  }),
]
