import type { BankFacts } from '../seams.js'
import { type Fault, fault } from './fault.js'

/** A parameter of /auth that the bank reads more leniently than it may. */
interface Leniency {
  slug: string
  requirement: string
  place: string
  title: string
  parameter: string
  /** What the bank takes the parameter for, when it is not refused; undefined: for none. */
  takenFor: (given: string, bank: Pick<BankFacts, 'scopes'>) => string | undefined
  collateral?: Fault['collateral']
}

const words = (text: string) => text.split(' ')
const lowerCase = (given: string) => given.toLowerCase()

/** The words of a list, each replaced; an empty one left out. */
const each = (change: (word: string) => string) => (given: string) =>
  words(given)
    .map(change)
    .filter((word) => word !== '')
    .join(' ')

/** A scope that the bank has is taken as it is, any other for what `meant` finds. */
const scopesMeant =
  (meant: (scope: string, scopes: readonly string[]) => string | undefined) =>
  (given: string, { scopes }: Pick<BankFacts, 'scopes'>) =>
    each((scope) =>
      scopes.includes(scope)
        ? scope
        : (meant(
            scope,
            scopes.filter((one) => one !== 'openid'),
          ) ?? scope),
    )(given)

/** What some value is refused for is let pass where it resembles one of these. */
const completed = (known: readonly string[]) => (given: string) => known.find((one) => one.startsWith(given)) ?? given
const shortened = (known: readonly string[]) => (given: string) => known.find((one) => given.startsWith(one)) ?? given

const levels = ['loa2', 'loa3']
const prompts = ['none', 'login', 'consent', 'select_account']

const leniencies: readonly Leniency[] = [
  {
    slug: 'response-type-capitals',
    requirement: 'AUTH-7',
    place: 'value=upper-case',
    title: 'Takes response_type in whatever case',
    parameter: 'response_type',
    takenFor: lowerCase,
  },
  {
    slug: 'response-type-code-among-others',
    requirement: 'AUTH-7',
    place: 'value=both',
    title: 'Takes a response_type with code in it for code',
    parameter: 'response_type',
    takenFor: (given) => (words(given).includes('code') ? 'code' : given),
    collateral: { 'discovery/undeclared-flow': 'an undeclared type with code in it is served as code too' },
  },
  {
    slug: 'response-type-hybrid-for-code',
    requirement: 'AUTH-7',
    place: 'grant=hybrid',
    title: 'Takes the hybrid response types for code',
    parameter: 'response_type',
    takenFor: (given) => (/^code( id_token)?( token)?$/.test(given) ? 'code' : given),
    collateral: { 'discovery/undeclared-flow': 'an undeclared type with code in it is served as code too' },
  },
  {
    slug: 'openid-capitals',
    requirement: 'AUTH-11',
    place: 'value=upper-case',
    title: 'Takes openid in whatever case',
    parameter: 'scope',
    takenFor: each((scope) => (lowerCase(scope) === 'openid' ? 'openid' : scope)),
  },
  {
    slug: 'openid-by-prefix',
    requirement: 'AUTH-11',
    place: 'value=superset',
    title: 'Takes a scope that begins with openid for openid',
    parameter: 'scope',
    takenFor: each((scope) => (scope.startsWith('openid') ? 'openid' : scope)),
  },
  {
    slug: 'scope-first-ignored',
    requirement: 'AUTH-12',
    place: 'scope=unsupported value=first',
    title: 'Looks at the scopes from openid on',
    parameter: 'scope',
    takenFor: (given) =>
      words(given).includes('openid') ? words(given).slice(words(given).indexOf('openid')).join(' ') : given,
  },
  {
    slug: 'scope-last-ignored',
    requirement: 'AUTH-12',
    place: 'scope=unsupported value=last',
    title: 'Ignores scopes that it does not know after openid',
    parameter: 'scope',
    takenFor: (given, bank) =>
      given.startsWith('openid ')
        ? scopesMeant((scope) => (scope.startsWith('profile.') ? scope : ''))(given, bank)
        : given,
  },
  {
    slug: 'scope-of-data-unknown',
    requirement: 'AUTH-12',
    place: 'scope=data value=unknown',
    title: 'Ignores what it does not know of the data scopes',
    parameter: 'scope',
    takenFor: scopesMeant((scope) => (scope.startsWith('profile.') ? '' : scope)),
  },
  {
    slug: 'scope-completed',
    requirement: 'AUTH-12',
    place: 'scope=unsupported value=prefix',
    title: 'Takes a scope for the first one that begins so',
    parameter: 'scope',
    takenFor: scopesMeant((scope, scopes) => completed(scopes)(scope)),
  },
  {
    slug: 'scope-shortened',
    requirement: 'AUTH-12',
    place: 'scope=unsupported value=superset',
    title: 'Takes a scope for the one with which it begins',
    parameter: 'scope',
    takenFor: scopesMeant((scope, scopes) => shortened(scopes)(scope)),
  },
  {
    slug: 'scope-capitals',
    requirement: 'AUTH-12',
    place: 'scope=unsupported value=upper-case',
    title: 'Takes scopes in whatever case',
    parameter: 'scope',
    takenFor: scopesMeant((scope, scopes) => scopes.find((one) => lowerCase(one) === lowerCase(scope))),
  },
  {
    slug: 'display-capitals',
    requirement: 'AUTH-13',
    place: 'value=upper-case',
    title: 'Takes display in whatever case',
    parameter: 'display',
    takenFor: lowerCase,
  },
  {
    slug: 'display-first-of-several',
    requirement: 'AUTH-13',
    place: 'value=both',
    title: 'Takes the first of several values of display',
    parameter: 'display',
    takenFor: (given) => words(given)[0],
  },
  {
    slug: 'prompt-second-unknown',
    requirement: 'AUTH-14',
    place: 'value=second',
    title: 'Ignores a prompt that it does not know beside one that it knows',
    parameter: 'prompt',
    takenFor: (given) =>
      prompts.includes(String(words(given)[0]))
        ? each((prompt) => (prompts.includes(prompt) ? prompt : ''))(given)
        : given,
  },
  {
    slug: 'prompt-capitals',
    requirement: 'AUTH-14',
    place: 'value=upper-case',
    title: 'Takes prompt in whatever case',
    parameter: 'prompt',
    takenFor: lowerCase,
  },
  {
    slug: 'prompt-none-first',
    requirement: 'AUTH-14',
    place: 'member=none value=first',
    title: 'Takes prompt none alone where it is the first of several',
    parameter: 'prompt',
    takenFor: (given) => (given.startsWith('none ') ? 'none' : given),
  },
  {
    slug: 'prompt-none-last',
    requirement: 'AUTH-14',
    place: 'member=none value=last',
    title: 'Does not look for prompt none after another',
    parameter: 'prompt',
    takenFor: (given) => given.replace(/ none$/, ''),
  },
  {
    slug: 'acr-values-two-unknown',
    requirement: 'AUTH-15',
    place: 'value=both',
    title: 'Ignores several acr_values that it does not support',
    parameter: 'acr_values',
    takenFor: (given) =>
      words(given).length > 1 && !words(given).some((one) => levels.includes(one)) ? undefined : given,
  },
  {
    slug: 'acr-values-capitals',
    requirement: 'AUTH-15',
    place: 'value=upper-case',
    title: 'Takes acr_values in whatever case',
    parameter: 'acr_values',
    takenFor: lowerCase,
  },
  {
    slug: 'acr-values-completed',
    requirement: 'AUTH-15',
    place: 'value=prefix',
    title: 'Takes acr_values for the first level that begins so',
    parameter: 'acr_values',
    takenFor: completed(levels),
  },
  {
    slug: 'acr-values-shortened',
    requirement: 'AUTH-15',
    place: 'value=superset',
    title: 'Takes acr_values for the level with which they begin',
    parameter: 'acr_values',
    takenFor: (given) => (words(given).length > 1 ? given : shortened(levels)(given)),
  },
  {
    slug: 'max-age-negative',
    requirement: 'AUTH-16',
    place: 'value=below',
    title: 'Takes a negative max_age for none',
    parameter: 'max_age',
    takenFor: (given) => (/^-\d+$/.test(given) ? undefined : given),
  },
  {
    slug: 'max-age-fraction',
    requirement: 'AUTH-16',
    place: 'value=other-type',
    title: 'Cuts the fraction off max_age',
    parameter: 'max_age',
    takenFor: (given) => given.replace(/^(\d+)\.\d+$/, '$1'),
  },
  {
    slug: 'max-age-with-unit',
    requirement: 'AUTH-16',
    place: 'value=other-unit',
    title: 'Reads max_age as far as there are digits',
    parameter: 'max_age',
    takenFor: (given) => given.replace(/^(\d+)[a-z]+$/i, '$1'),
  },
  {
    slug: 'response-mode-capitals',
    requirement: 'AUTH-17',
    place: 'value=upper-case',
    title: 'Takes response_mode in whatever case',
    parameter: 'response_mode',
    takenFor: lowerCase,
  },
  ...['fragment', 'form_post'].map((mode) => ({
    slug: `response-mode-${mode.replace('_', '-')}`,
    requirement: 'AUTH-17',
    place: `member=${mode}`,
    title: `Answers in the query where response_mode ${mode} is asked for, which it does not declare`,
    parameter: 'response_mode',
    takenFor: (given: string) => (given === mode ? 'query' : given),
  })),
  {
    slug: 'ui-locales-first-alone',
    requirement: 'AUTH-18',
    place: 'value=second',
    title: 'Looks at the first of several ui_locales alone',
    parameter: 'ui_locales',
    takenFor: (given) => words(given)[0],
  },
  {
    slug: 'claims-not-json',
    requirement: 'AUTH-19',
    place: 'value=wrong',
    title: 'Ignores claims that are not JSON, and refuses others that are not of the defined form',
    parameter: 'claims',
    takenFor: (given) => (/^\{".*\}$|^\[.*\]$|^"|^null$/.test(given) ? given : undefined),
  },
  {
    slug: 'claims-null',
    requirement: 'AUTH-19',
    place: 'value=null',
    title: 'Takes claims of null for none, and refuses others that are not of the defined form',
    parameter: 'claims',
    takenFor: (given) => (given === 'null' ? undefined : given),
  },
  ...['userinfo', 'id_token'].map((member) => ({
    slug: `claims-${member.replace('_', '-')}-not-checked`,
    requirement: 'AUTH-19',
    place: `member=${member}`,
    title: `Does not look at ${member} of claims, and refuses others that are not of the defined form`,
    parameter: 'claims',
    takenFor: (given: string) => (given.startsWith(`{"${member}"`) ? undefined : given),
  })),
]

/** One parameter of a request that is given more than once, of which the bank takes the last value. */
const repeatable = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'nonce']

export const authorizationLeniencyFaults: readonly Fault[] = [
  ...leniencies.map(({ slug, requirement, place, title, parameter, takenFor, collateral }) =>
    fault({
      id: `authorization/${slug}`,
      breaks: [requirement],
      places: [place],
      title,
      ...(collateral && { collateral }),
      request: {
        'GET /auth'(parameters, bank) {
          const given = parameters.get(parameter)
          if (given === null || parameters.getAll(parameter).length > 1) return
          const taken = takenFor(given, bank)
          if (taken === undefined) parameters.delete(parameter)
          else if (taken !== given) parameters.set(parameter, taken)
        },
      },
    }),
  ),
  ...repeatable.map((parameter) =>
    fault({
      id: `authorization/${parameter.replace('_', '-')}-repeated-taken`,
      breaks: ['AUTH-43'],
      places: [`parameter=${parameter} value=repeated`],
      title: `Takes the last value of a repeated ${parameter}`,
      request: {
        'GET /auth'(parameters) {
          const values = parameters.getAll(parameter)
          if (values.length > 1) parameters.set(parameter, String(values.at(-1)))
        },
      },
    }),
  ),
]
