import { type Edition, readEdition } from './edition.js'
import type { Readings } from './readings.js'

export type {
  Ambiguity,
  Authentication,
  Edition,
  Endpoint,
  Level,
  Message,
  Reading,
  ReadingLevel,
  Requirement,
} from './edition.js'
export type { Place } from './places.js'
export type { Readings } from './readings.js'

/** The id of an ambiguity of any edition. */
export type AmbiguityId = keyof Readings

/** A reading by its names, as the compiler knows them: `['AMB-2', 'redirect']`. */
export type ReadingName = { [Id in AmbiguityId]: readonly [ambiguity: Id, reading: Readings[Id]] }[AmbiguityId]

/** A reading of some ambiguities, by the ambiguity's id: `{ 'AMB-2': 'redirect' }`. */
export type ChosenReadings = { readonly [Id in AmbiguityId]?: Readings[Id] }

/** The editions of the specification that there are, each a folder beside this file. */
export const editions: readonly string[] = ['1.2']

/** The edition that holds where nobody names one. */
export const defaultEdition = '1.2'

const opened = new Map<string, Edition>()

/** An edition of the specification, read when it is first asked for. @throws Error when there is none of this id; the message lists those there are */
export function openEdition(id: string = defaultEdition): Edition {
  if (!editions.includes(id))
    throw new Error(`There is no edition '${id}'. The known ones are: ${editions.join(', ')}.`)
  const edition = opened.get(id) ?? readEdition(id)
  opened.set(id, edition)
  return edition
}
