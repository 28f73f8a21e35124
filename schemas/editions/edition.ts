import type { SchemaName } from '../index.js'
import { editionFile } from './edition-file.js'
import { type Place, readPlaces } from './places.js'

/** RFC 2119 level: a broken MUST fails, a broken SHOULD warns, a MAY is only observed. */
export type Level = 'MUST' | 'SHOULD' | 'MAY'

/** One testable statement of the specification; the members are explained at the top of requirements.yaml. */
export interface Requirement {
  readonly id: string
  readonly level: Level
  readonly by: 'harness' | 'mock' | 'service' | 'manual' | 'sum'
  readonly section: string
  readonly text: string
  readonly accept?: string
  readonly source?: string
  /** Of a `sum`: the requirements that show it together. */
  readonly of?: readonly string[]
}

/** What a rule comes to that sees a reading and nothing wrong: it passes, or it passes with a warning. */
export type ReadingLevel = 'pass' | 'warn'

/** One listed reading of an ambiguity. */
export interface Reading {
  /** Id of the ambiguity. */
  readonly ambiguity: string
  /** Unique within the ambiguity. */
  readonly id: string
  readonly level: ReadingLevel
  /** Whether our own bank can take it; if not, the harness alone accepts it. */
  readonly bank: boolean
  readonly text: string
}

/** A place where the specification allows several readings; each listed one is conformant. */
export interface Ambiguity {
  readonly id: string
  /** Ids of the requirements it bears on. */
  readonly about: readonly string[]
  readonly text: string
  /** The first is what our own bank does by default. */
  readonly readings: readonly Reading[]
}

/** What a caller of an endpoint has to show; the words are explained at the top of endpoints.yaml. */
export type Authentication =
  | 'none'
  | 'registration'
  | 'registration-access-token'
  | 'client'
  | 'client-or-access-token'
  | 'end-user-access-token'
  | 'signing'
  | 'bank-assertion'
  | 'not-shown'

/** One path of the tables "Exposed by the bank" and "Exposed by the service". Tests alone read it, and hold the bank's paths to it. */
export interface Endpoint {
  /** Who serves it. */
  readonly at: 'bank' | 'service'
  /** Below the address of who serves it; `{client_id}` stands for one segment. */
  readonly path: string
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'DELETE')[]
  readonly authentication: Authentication
  /** The member of the discovery document that gives the address. */
  readonly discovery?: string
  readonly source?: string
}

/** A message on the wire, and the schema that speaks of it; the members are explained at the top of messages.yaml. */
export interface Message {
  readonly id: string
  readonly schema: SchemaName
  /** Endpoints as `METHOD /path`. */
  readonly request?: readonly string[]
  readonly response?: readonly string[]
  readonly grant?: 'authorization_code' | 'refresh_token'
  readonly form?: 'json' | 'jwt' | 'parameter'
  /** The form parameter that carries it as a JWT. */
  readonly parameter?: string
  /** Ids of the messages that it is a part of. */
  readonly within?: readonly string[]
}

/** The specification of one edition as data. Nothing of it can be changed. */
export interface Edition {
  readonly id: string
  /** In the order of requirements.yaml. */
  readonly requirements: readonly Requirement[]
  /** In the order of ambiguities.yaml. */
  readonly ambiguities: readonly Ambiguity[]
  /** In the order of the specification's tables. */
  readonly endpoints: readonly Endpoint[]
  readonly messages: readonly Message[]
  /** @throws Error when the edition has no requirement of this id */
  requirementOf(id: string): Requirement
  /** Where the sentence of a requirement applies, in the order of places/*.yaml; none where nothing is written of it. */
  placesOf(requirement: string): readonly Place[]
  /** Every listed reading of an ambiguity. @throws Error when the edition has no such ambiguity */
  readingsOf(ambiguity: string): readonly Reading[]
  /** @throws Error when the edition has no such ambiguity, or lists no such reading of it; the message lists those that it has */
  readingOf(ambiguity: string, reading: string): Reading
  /** Whether the ambiguity bears on the requirement: either of the two names the other. */
  bearsOn(ambiguity: string, requirement: Requirement): boolean
}

/** An entry of ambiguities.yaml. */
type AmbiguityEntry = Omit<Ambiguity, 'readings'> & { readings: Omit<Reading, 'ambiguity'>[] }

/** What is read at its first use, then kept, and cannot be changed. */
function atFirstUse<Value extends object>(read: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= deepFreeze(read()))
}

/** The data of an edition from the folder of its name. Each file is read when it is first asked for: the bank starts with one of them. */
export function readEdition(id: string): Edition {
  const read = <Entry>(file: string) => editionFile(`${id}/${file}`) as Entry[]
  const requirements = atFirstUse(() => read<Requirement>('requirements.yaml'))
  const ambiguities = atFirstUse(() =>
    read<AmbiguityEntry>('ambiguities.yaml').map(
      (entry): Ambiguity => ({
        ...entry,
        readings: entry.readings.map((reading) => ({ ambiguity: entry.id, ...reading })),
      }),
    ),
  )
  const endpoints = atFirstUse(() => read<Endpoint>('endpoints.yaml'))
  const messages = atFirstUse(() => read<Message>('messages.yaml'))
  const places = atFirstUse(() => readPlaces(id))
  const requirementsById = atFirstUse(() => new Map(requirements().map((requirement) => [requirement.id, requirement])))
  const ambiguitiesById = atFirstUse(() => new Map(ambiguities().map((ambiguity) => [ambiguity.id, ambiguity])))

  function readingsOf(ambiguity: string): readonly Reading[] {
    const found = ambiguitiesById().get(ambiguity)
    if (!found) throw new Error(`Edition ${id} has no ambiguity ${ambiguity}.`)
    return found.readings
  }

  return Object.freeze<Edition>({
    id,
    get requirements() {
      return requirements()
    },
    get ambiguities() {
      return ambiguities()
    },
    get endpoints() {
      return endpoints()
    },
    get messages() {
      return messages()
    },
    requirementOf(requirement) {
      const found = requirementsById().get(requirement)
      if (!found) throw new Error(`Edition ${id} has no requirement ${requirement}.`)
      return found
    },
    placesOf: (requirement) => places().get(requirement) ?? [],
    readingsOf,
    readingOf(ambiguity, reading) {
      const readings = readingsOf(ambiguity)
      const found = readings.find((one) => one.id === reading)
      const known = readings.map((one) => one.id).join(', ')
      if (!found)
        throw new Error(`Edition ${id} has no reading '${reading}' of ${ambiguity}. Its readings are ${known}.`)
      return found
    },
    bearsOn(ambiguity, { id: requirement, accept }) {
      const accepted: string[] = accept?.match(/AMB-\d+/g) ?? []
      return accepted.includes(ambiguity) || (ambiguitiesById().get(ambiguity)?.about.includes(requirement) ?? false)
    },
  })
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) deepFreeze(member)
  return Object.freeze(value)
}
