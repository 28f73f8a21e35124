import { commasAsSpaces, type Leniency, leniencyFaults, meant, replaced, words } from './leniency.js'

/** A JSON text of this form is taken for no claims. */
const claimsTaken = (isTaken: (claims: unknown) => boolean) =>
  meant('claims', (given) => {
    try {
      return isTaken(JSON.parse(given)) ? undefined : given
    } catch {
      return given
    }
  })

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The parameters that have a form of their own, as they are read more leniently than they may be. */
const leniencies: readonly Leniency[] = [
  {
    id: 'authorization/max-age-not-checked',
    requirement: 'AUTH-16',
    places: ['value=wrong'],
    title: 'Ignores a max_age that is not a number',
    repair: replaced('max_age', undefined, (given) => /^\d{1,9}$/.test(given)),
  },
  {
    id: 'authorization/max-age-unbounded',
    requirement: 'AUTH-16',
    places: ['value=above'],
    title: 'Takes a max_age however large',
    repair: replaced('max_age', '2147483647', (given) => !/^\d{10,}$/.test(given)),
  },
  {
    id: 'authorization/max-age-negative',
    requirement: 'AUTH-16',
    places: ['value=below'],
    title: 'Takes a negative max_age for none',
    repair: meant('max_age', (given) => (/^-\d+$/.test(given) ? undefined : given)),
  },
  {
    id: 'authorization/max-age-fraction',
    requirement: 'AUTH-16',
    places: ['value=other-type'],
    title: 'Cuts the fraction off max_age',
    repair: meant('max_age', (given) => given.replace(/^(\d+)\.\d+$/, '$1')),
  },
  {
    id: 'authorization/max-age-with-unit',
    requirement: 'AUTH-16',
    places: ['value=other-unit'],
    title: 'Reads max_age as far as there are digits',
    repair: meant('max_age', (given) => given.replace(/^(\d+)[a-z]+$/i, '$1')),
  },
  ...[
    { member: 'exponent', form: /^\de\d$/, what: 'with an exponent' },
    { member: 'hexadecimal', form: /^0x[\da-f]+$/, what: 'in hexadecimal digits' },
    { member: 'sign', form: /^\+\d+$/, what: 'with a sign' },
  ].map(({ member, form, what }) => ({
    id: `authorization/max-age-${member}`,
    requirement: 'AUTH-16',
    places: [`member=${member}`],
    title: `Takes a number ${what} for max_age`,
    repair: meant('max_age', (given) => (form.test(given) ? String(Number(given)) : given)),
  })),
  {
    id: 'authorization/max-age-duration',
    requirement: 'AUTH-16',
    places: ['member=duration'],
    title: 'Takes a duration of ISO 8601 in hours for max_age',
    repair: meant('max_age', (given) => given.replace(/^PT(\d+)H$/, (_all, hours) => String(3600 * hours))),
  },
  {
    id: 'authorization/ui-locales-not-checked',
    requirement: 'AUTH-18',
    places: ['value=wrong', 'value=second'],
    title: 'Takes anything for ui_locales',
    repair: replaced('ui_locales', 'cs', (given) => given.split(' ').every((tag) => /^[a-z]{2}\b/i.test(tag))),
  },
  {
    id: 'authorization/ui-locales-first-alone',
    requirement: 'AUTH-18',
    places: ['value=second'],
    title: 'Looks at the first of several ui_locales alone',
    repair: meant('ui_locales', (given) => words(given)[0]),
  },
  {
    id: 'authorization/ui-locales-by-commas',
    requirement: 'AUTH-18',
    places: ['member=comma'],
    title: 'Takes ui_locales that commas keep apart, as in Accept-Language',
    repair: meant('ui_locales', commasAsSpaces),
  },
  {
    id: 'authorization/ui-locales-any',
    requirement: 'AUTH-18',
    places: ['member=any'],
    title: 'Takes an asterisk for ui_locales',
    repair: meant('ui_locales', (given) => (given === '*' ? undefined : given)),
  },
  {
    id: 'authorization/ui-locales-cleaned',
    requirement: 'AUTH-18',
    places: ['value=superset'],
    title: 'Leaves symbols behind a language tag out',
    repair: meant('ui_locales', (given) => given.replace(/^([a-z]+)[^\w -]+$/, '$1')),
  },
  {
    id: 'authorization/ui-locales-long',
    requirement: 'AUTH-18',
    places: ['value=long'],
    title: 'Takes a word of any length for a language tag',
    repair: meant('ui_locales', (given) => (/^[a-z]{9,}$/.test(given) ? given.slice(0, 2) : given)),
  },
  {
    id: 'authorization/claims-not-json',
    requirement: 'AUTH-19',
    places: ['value=wrong'],
    title: 'Ignores claims that are not JSON, and refuses others that are not of the defined form',
    repair: meant('claims', (given) => (/^\{".*\}$|^\[.*\]$|^"|^null$/.test(given) ? given : undefined)),
  },
  {
    id: 'authorization/claims-array-taken',
    requirement: 'AUTH-19',
    places: ['value=other-type'],
    title: 'Refuses claims that are not JSON, and accepts any JSON that is not an object',
    repair: claimsTaken((claims) => !isObject(claims)),
  },
  {
    id: 'authorization/claims-scalar',
    requirement: 'AUTH-19',
    places: ['member=scalar'],
    title: 'Takes claims that are a number for none, and refuses others that are not of the defined form',
    repair: claimsTaken((claims) => typeof claims === 'number'),
  },
  {
    id: 'authorization/claims-null',
    requirement: 'AUTH-19',
    places: ['value=null'],
    title: 'Takes claims of null for none, and refuses others that are not of the defined form',
    repair: meant('claims', (given) => (given === 'null' ? undefined : given)),
  },
  ...['userinfo', 'id_token'].map((member) => ({
    id: `authorization/claims-${member.replace('_', '-')}-not-checked`,
    requirement: 'AUTH-19',
    places: [`member=${member}`],
    title: `Does not look at ${member} of claims, and refuses others that are not of the defined form`,
    repair: meant('claims', (given) => (given.startsWith(`{"${member}"`) ? undefined : given)),
  })),
  {
    id: 'authorization/claims-boolean-in-userinfo',
    requirement: 'AUTH-19',
    places: ['member=claim-boolean'],
    title: 'Takes true for a claim of userinfo in claims, and not for one of id_token',
    repair: claimsTaken((claims) => Object.values(Object(Object(claims).userinfo)).includes(true)),
  },
  {
    id: 'authorization/claims-values-not-checked',
    requirement: 'AUTH-19',
    places: ['member=claim'],
    title: 'Looks at userinfo and id_token of claims, and not at what is asked for each claim',
    repair: claimsTaken((claims) => isObject(claims) && Object.values(Object(claims)).every(isObject)),
  },
  ...(
    [
      ['boolean', 'true for a claim of claims, as other banks have it'],
      ['string', 'a text for a claim of claims'],
    ] as const
  ).map(([type, what]) => ({
    id: `authorization/claims-${type}`,
    requirement: 'AUTH-19',
    places: [`member=claim-${type === 'string' ? 'text' : type}`],
    title: `Takes ${what}`,
    repair: claimsTaken((claims) =>
      Object.values(Object(claims)).some((part) =>
        Object.values(Object(part)).some((wanted) => typeof wanted === type),
      ),
    ),
  })),
  {
    id: 'authorization/claims-followed',
    requirement: 'AUTH-19',
    places: ['value=superset'],
    title: 'Reads claims to the end of the object, and not what follows it',
    repair: meant('claims', (given) => given.replace(/^\{\}.+$/, '{}')),
  },
]

export const authorizationFormatFaults = leniencyFaults(leniencies)
