import type { Variation } from './variation.js'

/** What was found wrong: in words, and what a reader needs to see it. */
export interface Finding {
  sentence: string
  /** As shown to people: JSON, or words. */
  expected?: string
  actual?: string
  /** What was looked at, such as "scope of the token response". */
  where?: string
  /** Id of the exchange that shows it. */
  evidence?: string
  /** Which of the variations that a rule tries it is, such as "a client assertion without exp". */
  variation?: Variation
  /** What was found wrong in further variations, each in words. */
  further?: readonly string[]
}

/** The bank does not do what was expected of it. */
export class BankFailure extends Error {
  constructor(readonly finding: Finding) {
    super(finding.sentence)
  }

  /** The same failure, found in a variation; the innermost counts, whose name says within which others it was. */
  seenIn(variation: Variation): BankFailure {
    return new BankFailure({ variation, ...this.finding })
  }
}

/** The bank could not be reached, or its answer did not arrive whole. */
export class NoAnswer extends BankFailure {
  /**
   * @param doubt why the bank may have done nothing wrong
   * @param disconnected whether the bank ended the connection, in its TLS handshake or later
   */
  constructor(
    finding: Finding,
    readonly doubt?: string,
    readonly disconnected = false,
  ) {
    super(finding)
  }

  override seenIn(variation: Variation): NoAnswer {
    return new NoAnswer({ variation, ...this.finding }, this.doubt, this.disconnected)
  }
}

/** Why the bank may have done nothing wrong, where that is so, though something failed for want of an answer. */
export function doubtOf(error: unknown): string | undefined {
  const failure = error instanceof StepFailure ? error.failure : error
  return failure instanceof NoAnswer ? failure.doubt : undefined
}

/** The bank cannot be asked any further, which says nothing about what was to be asked. */
export class Unreachable extends Error {
  constructor(readonly finding: Finding) {
    super(finding.sentence)
  }
}

/** A step that many rules share went wrong; `about` is the id of the rule that is about this step. */
export class StepFailure extends Error {
  constructor(
    readonly about: string,
    readonly failure: BankFailure,
  ) {
    super(failure.message)
  }
}

/** Thrown by a rule when what it is about is not there to be examined. */
export class Skip extends Error {}

/**
 * Runs a step that rules share. What goes wrong at the bank in it is charged to the rule that is about the step; a step within
 * the step keeps its own rule.
 * @param about id of the rule that is about this step
 */
export async function step<Outcome>(about: string, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BankFailure) throw new StepFailure(about, error)
    throw error
  }
}

/**
 * Goes through steps that were seen to succeed with something else: what goes wrong in them is then the rule's own, which changed that.
 * @param steps ids of the rules that are about these steps
 */
export async function chargedToRule<Outcome>(steps: readonly string[], work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof StepFailure && steps.includes(error.about) ? error.failure : error
  }
}
