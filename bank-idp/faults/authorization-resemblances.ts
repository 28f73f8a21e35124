import { completed, each, type Leniency, leniencyFaults, meant, where, words } from './leniency.js'

const prompts = ['none', 'login', 'consent', 'select_account']

/** A word of a list in place of which the bank reads another one. */
const wordMeant = (name: string, form: RegExp, takenFor: string) =>
  meant(
    name,
    each((word) => word.replace(form, takenFor)),
  )

/** What resembles a good value, and is read as one; and requests of one kind in which the bank passes over a parameter. */
const leniencies: readonly Leniency[] = [
  {
    id: 'authorization/client-id-in-braces',
    requirement: 'AUTH-5',
    places: ['member=braces'],
    title: 'Reads client_id as a UUID, in braces too',
    repair: meant('client_id', (given) => given.replace(/^\{(.*)\}$/, '$1')),
  },
  {
    id: 'authorization/client-id-without-hyphens',
    requirement: 'AUTH-5',
    places: ['member=hyphens'],
    title: 'Reads client_id as a UUID, without hyphens too',
    repair: meant('client_id', (given) => given.replace(/^(\w{8})(\w{4})(\w{4})(\w{4})(\w{12})$/, '$1-$2-$3-$4-$5')),
  },
  {
    id: 'authorization/response-type-by-commas',
    requirement: 'AUTH-7',
    places: ['member=comma'],
    title: 'Takes the first of several response types that commas keep apart',
    repair: meant('response_type', (given) => given.split(',')[0]),
  },
  {
    id: 'authorization/response-mode-of-implicit-ignored',
    requirement: 'AUTH-17',
    places: ['grant=implicit'],
    title: 'Passes over response_mode where a token is asked for',
    repair: where(
      (parameters) => parameters.get('response_type') === 'token',
      meant('response_mode', () => undefined),
    ),
  },
  {
    id: 'authorization/display-completed',
    requirement: 'AUTH-13',
    places: ['value=prefix'],
    title: 'Takes display for the first value that begins so',
    repair: meant('display', completed(['page', 'popup', 'touch'])),
  },
  {
    id: 'authorization/prompt-none-capitals',
    requirement: 'AUTH-14',
    places: ['member=none value=upper-case'],
    title: 'Takes prompt none in whatever case',
    repair: meant('prompt', (given) => (given.toLowerCase() === 'none' ? 'none' : given)),
  },
  {
    id: 'authorization/prompt-by-semicolons',
    requirement: 'AUTH-14',
    places: ['member=semicolon'],
    title: 'Takes values of prompt that semicolons keep apart',
    repair: meant('prompt', (given) => given.replaceAll(';', ' ')),
  },
  {
    id: 'authorization/prompt-first-unknown',
    requirement: 'AUTH-14',
    places: ['value=first'],
    title: 'Ignores a prompt that it does not know before one that it knows',
    repair: meant('prompt', (given) =>
      prompts.includes(String(words(given).at(-1)))
        ? each((prompt) => (prompts.includes(prompt) ? prompt : ''))(given)
        : given,
    ),
  },
  {
    id: 'authorization/acr-values-of-urn',
    requirement: 'AUTH-15',
    places: ['member=urn'],
    title: 'Takes acr_values for the level with which they end',
    repair: wordMeant('acr_values', /^.*[:/](?=loa[23]$)/, ''),
  },
  {
    id: 'authorization/acr-values-as-number',
    requirement: 'AUTH-15',
    places: ['member=nought'],
    title: 'Reads the digits of acr_values as a number',
    repair: wordMeant('acr_values', /^loa0+(?=[23]$)/, 'loa'),
  },
  {
    id: 'authorization/max-age-with-separator',
    requirement: 'AUTH-16',
    places: ['member=separator'],
    title: 'Leaves what keeps thousands apart out of max_age',
    repair: meant('max_age', (given) => given.replaceAll(/(?<=\d)[ _'](?=\d)/g, '')),
  },
  {
    id: 'authorization/response-mode-first-of-several',
    requirement: 'AUTH-17',
    places: ['value=both'],
    title: 'Takes the first of several values of response_mode',
    repair: meant('response_mode', (given) => words(given)[0]),
  },
  {
    id: 'authorization/ui-locales-with-encoding',
    requirement: 'AUTH-18',
    places: ['member=encoding'],
    title: 'Takes locales of POSIX as ui_locales',
    repair: wordMeant('ui_locales', /\.utf-?8$/i, ''),
  },
  {
    id: 'authorization/ui-locales-without-hyphen',
    requirement: 'AUTH-18',
    places: ['member=hyphen'],
    title: 'Leaves a hyphen at the end of a language tag out of ui_locales',
    repair: wordMeant('ui_locales', /-$/, ''),
  },
  {
    id: 'authorization/claims-of-text-not-checked',
    requirement: 'AUTH-19',
    places: ['member=userinfo value=other-type'],
    title: 'Takes the name of a claim for the claims of userinfo',
    repair: meant('claims', (given) => given.replace(/^\{"userinfo":("\w+")\}$/, '{"userinfo":{$1:null}}')),
  },
  {
    id: 'request-object/passed-over-silently',
    requirement: 'AUTH-24',
    places: ['parameter=prompt'],
    title: 'Does not read the request object where the query has prompt=none',
    repair: where(
      (parameters) => parameters.get('prompt') === 'none',
      (parameters) => parameters.delete('request_uri'),
    ),
  },
  {
    id: 'authorization/id-token-hint-of-implicit-ignored',
    requirement: 'AUTH-28',
    places: ['grant=implicit'],
    title: 'Ignores id_token_hint in the implicit flow',
    repair: where(
      (parameters) => parameters.get('response_type') === 'token',
      (parameters) => parameters.delete('id_token_hint'),
    ),
  },
  {
    id: 'authorization/prompt-login-beside-loa3-ignored',
    requirement: 'AUTH-35',
    places: ['member=loa3 parameter=acr_values'],
    title: 'Ignores prompt=login where loa3 is asked for',
    repair: where(
      (parameters) => parameters.get('acr_values') === 'loa3',
      meant('prompt', (given) => (given === 'login' ? undefined : given)),
    ),
  },
  {
    id: 'authorization/ui-locales-lower-case-refused',
    requirement: 'AUTH-44',
    places: ['member=lower-case parameter=ui_locales'],
    title: 'Refuses a language tag whose region is in lower case',
    repair: wordMeant('ui_locales', /^[a-z]{2}-[a-z]{2}$/, '!'),
  },
  {
    id: 'authorization/prompt-consent-of-openid-ignored',
    requirement: 'AUTH-51',
    places: ['scope=openid'],
    title: 'Ignores prompt=consent where openid alone is asked for',
    repair: where(
      (parameters) => parameters.get('scope') === 'openid',
      meant('prompt', (given) => (given === 'consent' ? undefined : given)),
    ),
  },
]

export const authorizationResemblanceFaults = leniencyFaults(leniencies)
