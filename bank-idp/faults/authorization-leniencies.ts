import {
  among,
  commasAsSpaces,
  completed,
  each,
  type Leniency,
  leniencyFaults,
  lowerCase,
  meant,
  replaced,
  shortened,
  words,
} from './leniency.js'

const levels = ['loa2', 'loa3']
const prompts = ['none', 'login', 'consent', 'select_account']

/** The optional parameters, as they are read more leniently than they may be. */
const leniencies: readonly Leniency[] = [
  {
    id: 'authorization/display-not-checked',
    requirement: 'AUTH-13',
    places: ['value=unknown'],
    title: 'Ignores a display that it does not know',
    repair: replaced('display', undefined, among('page', 'popup', 'touch', 'wap')),
  },
  {
    id: 'authorization/display-capitals',
    requirement: 'AUTH-13',
    places: ['value=upper-case'],
    title: 'Takes display in whatever case',
    repair: meant('display', lowerCase),
  },
  {
    id: 'authorization/display-first-of-several',
    requirement: 'AUTH-13',
    places: ['value=both'],
    title: 'Takes the first of several values of display',
    repair: meant('display', (given) => words(given)[0]),
  },
  {
    id: 'authorization/display-mobile',
    requirement: 'AUTH-13',
    places: ['member=mobile'],
    title: 'Knows a display of its own',
    repair: meant('display', (given) => (given === 'mobile' ? 'touch' : given)),
  },
  {
    id: 'authorization/prompt-not-checked',
    requirement: 'AUTH-14',
    places: ['value=unknown'],
    title: 'Ignores a prompt that it does not know',
    repair: replaced('prompt', undefined, among('none', 'login', 'consent', 'select_account')),
  },
  {
    id: 'authorization/prompt-second-unknown',
    requirement: 'AUTH-14',
    places: ['value=second'],
    title: 'Ignores a prompt that it does not know beside one that it knows',
    repair: meant('prompt', (given) =>
      prompts.includes(String(words(given)[0]))
        ? each((prompt) => (prompts.includes(prompt) ? prompt : ''))(given)
        : given,
    ),
  },
  {
    id: 'authorization/prompt-capitals',
    requirement: 'AUTH-14',
    places: ['value=upper-case'],
    title: 'Takes prompt in whatever case',
    repair: meant('prompt', lowerCase),
  },
  {
    id: 'authorization/prompt-none-first',
    requirement: 'AUTH-14',
    places: ['member=none value=first'],
    title: 'Takes prompt none alone where it is the first of several',
    repair: meant('prompt', (given) => (given.startsWith('none ') ? 'none' : given)),
  },
  {
    id: 'authorization/prompt-none-last',
    requirement: 'AUTH-14',
    places: ['member=none value=last'],
    title: 'Does not look for prompt none after another',
    repair: meant('prompt', (given) => given.replace(/ none$/, '')),
  },
  ...['consent', 'select_account'].map((other) => ({
    id: `authorization/prompt-none-before-${other.replace('_', '-')}`,
    requirement: 'AUTH-14',
    places: [`member=none-${other.replace('_', '-')}`],
    title: `Takes prompt none beside ${other} for none alone`,
    repair: meant('prompt', (given) => (given === `none ${other}` ? 'none' : given)),
  })),
  {
    id: 'authorization/prompt-by-commas',
    requirement: 'AUTH-14',
    places: ['member=comma'],
    title: 'Takes values of prompt that commas keep apart',
    repair: meant('prompt', commasAsSpaces),
  },
  {
    id: 'authorization/prompt-create',
    requirement: 'AUTH-14',
    places: ['member=create'],
    title: 'Takes prompt create for login',
    repair: meant('prompt', (given) => (given === 'create' ? 'login' : given)),
  },
  {
    id: 'authorization/acr-values-by-number',
    requirement: 'AUTH-15',
    places: ['member=number'],
    title: 'Takes the number of a level for the level',
    repair: meant('acr_values', (given) => given.replace(/^(?=[23]$)/, 'loa')),
  },
  {
    id: 'authorization/acr-values-not-checked',
    requirement: 'AUTH-15',
    places: ['value=unknown', 'value=both'],
    title: 'Ignores acr_values that it does not support',
    repair: replaced('acr_values', undefined, among('loa2', 'loa3')),
  },
  {
    id: 'authorization/acr-values-two-unknown',
    requirement: 'AUTH-15',
    places: ['value=both'],
    title: 'Ignores several acr_values that it does not support',
    repair: meant('acr_values', (given) =>
      words(given).length > 1 && !words(given).some((one) => levels.includes(one)) ? undefined : given,
    ),
  },
  {
    id: 'authorization/acr-values-capitals',
    requirement: 'AUTH-15',
    places: ['value=upper-case'],
    title: 'Takes acr_values in whatever case',
    repair: meant('acr_values', lowerCase),
  },
  {
    id: 'authorization/acr-values-completed',
    requirement: 'AUTH-15',
    places: ['value=prefix'],
    title: 'Takes acr_values for the first level that begins so',
    repair: meant('acr_values', completed(levels)),
  },
  {
    id: 'authorization/acr-values-shortened',
    requirement: 'AUTH-15',
    places: ['value=superset'],
    title: 'Takes acr_values for the level with which they begin',
    repair: meant('acr_values', (given) => (words(given).length > 1 ? given : shortened(levels)(given))),
  },
  ...[
    { member: 'loa1', value: 'loa1' },
    { member: 'loa4', value: 'loa4' },
    { member: 'eidas', value: 'http://eidas.europa.eu/LoA/high' },
  ].map(({ member, value }) => ({
    id: `authorization/acr-values-${member}-ignored`,
    requirement: 'AUTH-15',
    places: [`member=${member}`],
    title: `Ignores acr_values ${value}, a level that it does not support`,
    repair: meant('acr_values', (given) => (given === value ? undefined : given)),
  })),
  {
    id: 'authorization/acr-values-by-commas',
    requirement: 'AUTH-15',
    places: ['member=comma'],
    title: 'Takes acr_values that commas keep apart',
    repair: meant('acr_values', commasAsSpaces),
  },
  {
    id: 'authorization/response-mode-not-checked',
    requirement: 'AUTH-17',
    places: ['value=unknown'],
    title: 'Answers in the query whatever response_mode is asked for',
    repair: replaced('response_mode', undefined, among('query')),
  },
  {
    id: 'authorization/response-mode-capitals',
    requirement: 'AUTH-17',
    places: ['value=upper-case'],
    title: 'Takes response_mode in whatever case',
    repair: meant('response_mode', lowerCase),
  },
  ...['fragment', 'form_post', 'jwt', 'query.jwt', 'fragment.jwt', 'web_message'].map((mode) => ({
    id: `authorization/response-mode-${mode.replace(/[._]/, '-')}`,
    requirement: 'AUTH-17',
    places: [`member=${mode}`],
    title: `Answers in the query where response_mode ${mode} is asked for, which it does not declare`,
    repair: meant('response_mode', (given) => (given === mode ? 'query' : given)),
  })),
]

export const authorizationLeniencyFaults = leniencyFaults(leniencies)
