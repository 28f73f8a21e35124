import type { BankFacts } from '../seams.js'
import {
  commasAsSpaces,
  completed,
  each,
  filledIn,
  type Leniency,
  leniencyFaults,
  lowerCase,
  meant,
  shortened,
  words,
} from './leniency.js'

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

/** OpenID Connect Core section 5.4. */
const standardScopes = ['profile', 'email', 'phone', 'address']

/** A scope that is registered by whoever likes to use it. */
const dropped = (scope: string) => each((one) => (one === scope ? '' : one))

/** scope, as it is read more leniently than it may be. */
const leniencies: readonly Leniency[] = [
  {
    id: 'authorization/scope-default',
    requirement: 'AUTH-10',
    places: ['value=missing', 'value=empty'],
    title: 'Takes a request without scope for one of openid',
    repair: filledIn('scope', 'openid'),
  },
  {
    id: 'authorization/scope-openid-added',
    requirement: 'AUTH-11',
    places: ['value=missing'],
    title: 'Adds openid to a scope that lacks it',
    repair: (parameters) => {
      const scope = parameters.get('scope')
      if (scope !== null && !scope.split(' ').includes('openid')) parameters.set('scope', `openid ${scope}`)
    },
  },
  {
    id: 'authorization/openid-capitals',
    requirement: 'AUTH-11',
    places: ['value=upper-case'],
    title: 'Takes openid in whatever case',
    repair: meant(
      'scope',
      each((scope) => (lowerCase(scope) === 'openid' ? 'openid' : scope)),
    ),
  },
  {
    id: 'authorization/openid-by-prefix',
    requirement: 'AUTH-11',
    places: ['value=superset'],
    title: 'Takes a scope that begins with openid for openid',
    repair: meant(
      'scope',
      each((scope) => (scope.startsWith('openid') ? 'openid' : scope)),
    ),
  },
  {
    id: 'authorization/openid-by-suffix',
    requirement: 'AUTH-11',
    places: ['value=suffix'],
    title: 'Takes a scope that ends with openid for openid',
    repair: meant(
      'scope',
      each((scope) => (scope.endsWith('openid') ? 'openid' : scope)),
    ),
  },
  {
    id: 'authorization/openid-by-offline-access',
    requirement: 'AUTH-11',
    places: ['scope=offline_access'],
    title: 'Adds openid where offline_access is asked for',
    repair: meant('scope', (given) => (given === 'offline_access' ? 'openid' : given)),
  },
  {
    id: 'authorization/scope-by-commas',
    requirement: 'AUTH-11',
    places: ['member=comma'],
    title: 'Takes scopes that commas keep apart',
    repair: meant('scope', commasAsSpaces),
  },
  {
    id: 'authorization/scope-first-ignored',
    requirement: 'AUTH-12',
    places: ['scope=unsupported value=first'],
    title: 'Looks at the scopes from openid on',
    repair: meant('scope', (given) =>
      words(given).includes('openid') ? words(given).slice(words(given).indexOf('openid')).join(' ') : given,
    ),
  },
  {
    id: 'authorization/scope-last-ignored',
    requirement: 'AUTH-12',
    places: ['scope=unsupported value=last'],
    title: 'Ignores scopes that it does not know after openid',
    repair: meant('scope', (given, bank) =>
      given.startsWith('openid ')
        ? scopesMeant((scope) => (scope.startsWith('profile.') ? scope : ''))(given, bank)
        : given,
    ),
  },
  {
    id: 'authorization/scope-behind-many-ignored',
    requirement: 'AUTH-12',
    places: ['scope=data value=unknown'],
    title: 'Does not look at the last scope of a request that has more than three',
    repair: meant('scope', (given) => (given.split(' ').length > 3 ? given.split(' ').slice(0, -1).join(' ') : given)),
  },
  {
    id: 'authorization/scope-of-data-unknown',
    requirement: 'AUTH-12',
    places: ['scope=data value=unknown'],
    title: 'Ignores what it does not know of the data scopes',
    repair: meant(
      'scope',
      scopesMeant((scope) => (scope.startsWith('profile.') ? '' : scope)),
    ),
  },
  {
    id: 'authorization/scope-completed',
    requirement: 'AUTH-12',
    places: ['scope=unsupported value=prefix'],
    title: 'Takes a scope for the first one that begins so',
    repair: meant(
      'scope',
      scopesMeant((scope, scopes) => completed(scopes)(scope)),
    ),
  },
  {
    id: 'authorization/scope-shortened',
    requirement: 'AUTH-12',
    places: ['scope=unsupported value=superset'],
    title: 'Takes a scope for the one with which it begins',
    repair: meant(
      'scope',
      scopesMeant((scope, scopes) => shortened(scopes)(scope)),
    ),
  },
  {
    id: 'authorization/scope-capitals',
    requirement: 'AUTH-12',
    places: ['scope=unsupported value=upper-case'],
    title: 'Takes scopes in whatever case',
    repair: meant(
      'scope',
      scopesMeant((scope, scopes) => scopes.find((one) => lowerCase(one) === lowerCase(scope))),
    ),
  },
  ...standardScopes.map((scope) => ({
    id: `authorization/scope-${scope}-ignored`,
    requirement: 'AUTH-12',
    places: [`scope=${scope}`],
    title: `Takes the scope ${scope} of OpenID Connect, which it does not support, and gives nothing for it`,
    repair: meant('scope', dropped(scope)),
  })),
  ...['notification.claims_updated', 'authorization'].map((scope) => ({
    id: `authorization/scope-${scope.replace(/[._]/g, '-')}-unregistered`,
    requirement: 'AUTH-12',
    places: [`scope=${scope} value=wrong`],
    title: `Takes the scope ${scope}, registered or not`,
    repair: meant('scope', dropped(scope)),
  })),
  {
    id: 'authorization/scope-of-part',
    requirement: 'AUTH-12',
    places: ['member=part scope=unsupported'],
    title: 'Takes a scope that names a part of one for the whole',
    repair: meant(
      'scope',
      scopesMeant((scope, scopes) => scopes.find((one) => scope.startsWith(`${one}.`))),
    ),
  },
  {
    id: 'authorization/scope-by-pattern',
    requirement: 'AUTH-12',
    places: ['member=pattern scope=unsupported'],
    title: 'Takes a scope with an asterisk for the first one that it fits',
    repair: meant(
      'scope',
      scopesMeant((scope, scopes) =>
        scope.endsWith('*') ? scopes.find((one) => one.startsWith(scope.slice(0, -1))) : undefined,
      ),
    ),
  },
]

export const authorizationScopeFaults = leniencyFaults(leniencies)
