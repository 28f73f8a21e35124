import { type Leniency, leniencyFaults, meant } from './leniency.js'

/** A list that the bank takes apart at any white space, where one space is the only separator (RFC 6749 section 3.3). */
const lists = [
  ['scope', 'AUTH-11'],
  ['prompt', 'AUTH-14'],
  ['acr_values', 'AUTH-15'],
  ['ui_locales', 'AUTH-18'],
] as const

export const authorizationSpaceFaults = leniencyFaults(
  lists.map(
    ([name, requirement]): Leniency => ({
      id: `authorization/${name.replace('_', '-')}-by-white-space`,
      requirement,
      places: ['member=tabulator'],
      title: `Takes ${name} apart at any white space`,
      repair: meant(name, (given) => given.trim().split(/\s+/).join(' ')),
    }),
  ),
)
