import type { ReadingName } from '../../schemas/editions/index.js'
import type { Bank } from '../bank/bank.js'
import type { Service } from '../bank/conversation.js'
import type { Need } from '../target/needs.js'
import type { Expect } from './expect.js'

/** What is held by one rule at a time among those that ask for it: the person's session, the bank's key set, the bank's time. */
export type Lock = 'session' | 'keys' | 'clock'

/** What a check is given. */
export interface Tools {
  bank: Bank
  service: Service
  expect: Expect
  /**
   * Does one of several variations, whose name is shown with whatever goes wrong at the bank in it, the JWTs that it sent beside. Where
   * an expectation does not hold in it, the check fails at its end, and the other variations are tried all the same.
   * @param name what is varied and how, such as "a client assertion without exp"
   */
  inVariation(name: string, work: () => Promise<unknown>): Promise<void>
  /** Records which listed reading of an ambiguity the bank took, as `reading('AMB-2', 'redirect')`; one of the level warn makes a passing rule warn. */
  reading(...name: ReadingName): void
  /** Makes a passing rule warn: what the requirement's `accept` takes with a warning. */
  warn(text: string): void
  /** Tells the reader something that does not change the result. */
  note(text: string): void
  /** Ends the check: what the rule is about is not there. */
  skip(reason: string): never
}

/** A rule as its author writes it. */
export interface RuleDefinition {
  /** topic/slug: stable, selectable. */
  id: string
  /** Id of the requirement it is about; the requirement's level in the edition of a run decides what a failed check means. */
  requirement: string
  /** Names of the requirement's places that it looks at; left out where the requirement has one place alone. */
  places?: readonly string[]
  /** What holds when the rule passes, as a sentence. */
  title: string
  needs?: readonly Need[]
  alone?: readonly Lock[]
  /** Whether it mostly waits for time to pass: it is begun first, and as many others run meanwhile as without it. */
  waits?: boolean
  /** Whether it judges what the others asked for: it is begun when these are done, but for those that have time pass. */
  last?: boolean
  /** Returns when the bank does as required; throws what an expectation throws when it does not. */
  check(tools: Tools): Promise<void>
}

/** A rule, of any edition: what its requirement says, and how much it weighs, is known in the plan of a run. */
export interface Rule {
  id: string
  /** Id of the requirement it is about. */
  requirement: string
  /** Names of the requirement's places that it looks at. */
  places: readonly string[]
  title: string
  needs: readonly Need[]
  alone: readonly Lock[]
  waits: boolean
  last: boolean
  check(tools: Tools): Promise<void>
}

/** @throws Error when the id is not of the form topic/slug */
export function rule(definition: RuleDefinition): Rule {
  const { id } = definition
  if (!/^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/.test(id)) throw new Error(`${id} is not a rule id of the form topic/slug`)
  return { places: [], needs: [], alone: [], waits: false, last: false, ...definition }
}
