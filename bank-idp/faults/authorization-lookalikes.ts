import { completed, type Leniency, leniencyFaults, meant, where, words } from './leniency.js'

/** What comes near a good value, and is read as one by a bank that splits, cuts or converts before it compares. */

const prompts = ['none', 'login', 'consent', 'select_account']

/** Ends in one of these: a bank looks for it somewhere in the value. */
const endsIn = (known: readonly string[]) => (given: string) =>
  known.find((one) => given.endsWith(one) && given !== one && !given.includes(' ')) ?? given

const maxAge = (
  slug: string,
  member: string,
  title: string,
  takenFor: (given: string) => string | undefined,
): Leniency => ({
  id: `authorization/max-age-${slug}`,
  requirement: 'AUTH-16',
  places: [`member=${member}`],
  title,
  repair: meant('max_age', takenFor),
})

const locales = (
  slug: string,
  place: string,
  title: string,
  takenFor: (given: string) => string | undefined,
): Leniency => ({
  id: `authorization/ui-locales-${slug}`,
  requirement: 'AUTH-18',
  places: [place],
  title,
  repair: meant('ui_locales', takenFor),
})

const asksSilently = (parameters: URLSearchParams) => parameters.get('prompt') === 'none'
const cutSlash = meant('redirect_uri', (given) => given.replace(/\/$/, ''))

const lookalikes: readonly Leniency[] = [
  {
    id: 'authorization/display-by-end',
    requirement: 'AUTH-13',
    places: ['value=suffix'],
    title: 'Takes a display that ends in a known one for it',
    repair: meant('display', endsIn(['page', 'popup', 'touch'])),
  },
  {
    id: 'authorization/display-none',
    requirement: 'AUTH-13',
    places: ['member=none'],
    title: 'Takes display none for no display',
    repair: meant('display', (given) => (given === 'none' ? undefined : given)),
  },
  {
    id: 'authorization/display-by-commas',
    requirement: 'AUTH-13',
    places: ['member=comma'],
    title: 'Takes the first of several displays that commas keep apart',
    repair: meant('display', (given) => given.split(',')[0]),
  },
  {
    id: 'authorization/prompt-completed',
    requirement: 'AUTH-14',
    places: ['value=prefix'],
    title: 'Takes prompt for the first value that begins so',
    repair: meant('prompt', completed(prompts)),
  },
  {
    id: 'authorization/prompt-by-end',
    requirement: 'AUTH-14',
    places: ['value=suffix'],
    title: 'Takes a prompt that ends in a known one for it',
    repair: meant('prompt', endsIn(prompts)),
  },
  {
    id: 'authorization/prompt-none-behind-login',
    requirement: 'AUTH-14',
    places: ['member=none value=second'],
    title: 'Has somebody sign in for the prompt login none',
    repair: meant('prompt', (given) => (given === 'login none' ? 'login' : given)),
  },
  maxAge('rounded', 'decimal-nought', 'Takes a max_age with nothing but noughts behind its decimal point', (given) =>
    given.replace(/\.0+$/, ''),
  ),
  maxAge('decimal-comma', 'decimal-comma', 'Reads max_age up to a comma', (given) => given.replace(/(?<=\d),\d+$/, '')),
  maxAge('underscore', 'underscore', 'Reads max_age as a number of a program, with underscores', (given) =>
    given.replaceAll(/(?<=\d)_(?=\d)/g, ''),
  ),
  maxAge('boolean', 'boolean', 'Takes max_age true for 1', (given) => (given === 'true' ? '1' : given)),
  maxAge('null', 'null', 'Takes max_age null for none', (given) => (given === 'null' ? undefined : given)),
  maxAge('other-digits', 'other-digits', 'Reads the digits of any script in max_age', (given) =>
    given.replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660)),
  ),
  maxAge('trimmed', 'space', 'Ignores spaces around max_age', (given) => given.trim()),
  {
    id: 'authorization/response-mode-too-long',
    requirement: 'AUTH-17',
    places: ['value=long'],
    title: 'Ignores response_mode where it is longer than its column',
    repair: meant('response_mode', (given) => (given.length > 255 ? undefined : given)),
  },
  locales('last-alone', 'value=first', 'Looks at the last of ui_locales alone', (given) => words(given).at(-1)),
  locales('digits', 'member=digits', 'Ignores ui_locales that are a number', (given) =>
    /^\d+$/.test(given) ? undefined : given,
  ),
  locales('weighed', 'member=weight', 'Reads ui_locales as Accept-Language, with weights', (given) =>
    given.replaceAll(/;q=[\d.]+/g, ''),
  ),
  locales('by-slashes', 'member=slash', 'Takes ui_locales that slashes keep apart', (given) =>
    given.replaceAll('/', ' '),
  ),
  locales('two-hyphens', 'member=two-hyphens', 'Takes several hyphens in ui_locales for one', (given) =>
    given.replaceAll(/-{2,}/g, '-'),
  ),
  locales('accents', 'member=accents', 'Ignores the accents of ui_locales', (given) =>
    given.normalize('NFD').replaceAll(/\p{M}/gu, ''),
  ),
  locales('list', 'member=list', 'Takes ui_locales as a JSON list too', (given) =>
    given.replace(/^\["(.*)"\]$/, '$1').replaceAll('","', ' '),
  ),
  locales('range', 'member=range', 'Takes ranges of languages for ui_locales', (given) => given.replaceAll('-*', '')),
  locales('script', 'member=script', 'Takes letters of any script for those of a language in ui_locales', (given) =>
    given.replaceAll(/(?![a-z])\p{L}(?:(?![a-z])\p{L})+/giu, 'en'),
  ),
  {
    id: 'authorization/scope-by-plus',
    requirement: 'AUTH-11',
    places: ['member=plus'],
    title: 'Decodes scope twice, so that a plus keeps scopes apart',
    repair: meant('scope', (given) => given.replaceAll('+', ' ')),
  },
  {
    id: 'authorization/response-type-completed',
    requirement: 'AUTH-7',
    places: ['value=prefix'],
    title: 'Takes response_type cod for code',
    repair: meant('response_type', (given) => (given === 'cod' ? 'code' : given)),
  },
  {
    id: 'authorization/response-type-as-set',
    requirement: 'AUTH-7',
    places: ['value=repeated'],
    title: 'Takes response_type for a set of values, which may be named twice',
    repair: meant('response_type', (given) => [...new Set(words(given))].join(' ')),
  },
  {
    id: 'authorization/response-type-by-beginning',
    requirement: 'AUTH-7',
    places: ['value=superset'],
    title: 'Takes a response_type that begins with code for it',
    repair: meant('response_type', (given) => given.replace(/^code\w+$/, 'code')),
  },
  {
    id: 'authorization/redirect-uri-root-dot',
    requirement: 'AUTH-3',
    places: ['member=host value=equivalent'],
    title: 'Compares the host of redirect_uri as DNS does, without a dot at its end',
    repair: meant('redirect_uri', (given) => given.replace(/^(https:\/\/[^/:]+)\.(?=[:/])/, '$1')),
  },
  {
    id: 'authorization/redirect-uri-loopback',
    requirement: 'AUTH-3',
    places: ['member=address'],
    title: 'Takes the loopback address in redirect_uri for localhost',
    repair: meant('redirect_uri', (given) => given.replace(/^https:\/\/127\.0\.0\.1(?=[:/])/, 'https://localhost')),
  },
  {
    id: 'authorization/redirect-uri-default-port',
    requirement: 'AUTH-3',
    places: ['member=default-port'],
    title: 'Compares redirect_uri without the port of https',
    repair: meant('redirect_uri', (given) => given.replace(/^(https:\/\/[^/:]+):443(?=\/)/, '$1')),
  },
  {
    id: 'authorization/redirect-uri-slash-of-none',
    requirement: 'AUTH-3',
    places: ['use=session-login member=trailing-slash', 'member=trailing-slash parameter=prompt'],
    title: 'Takes redirect_uri with a slash after it beside prompt none',
    repair: where(asksSilently, cutSlash),
  },
  {
    id: 'authorization/redirect-uri-query-of-none',
    requirement: 'AUTH-3',
    places: ['use=session-login member=query'],
    title: 'Compares redirect_uri without its query beside prompt none',
    repair: where(
      asksSilently,
      meant('redirect_uri', (given) => given.replace(/\?unregistered=1$/, '')),
    ),
  },
]

export const authorizationLookalikeFaults = leniencyFaults(lookalikes)
