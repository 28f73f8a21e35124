import { BankFailure, NoAnswer, StepFailure } from '../evidence/failure.js'
import { type Variation, variationNow, within } from '../evidence/variation.js'

/** The variations of one rule: what the bank does wrong in one does not keep the rule from trying the others. */
export class Variations {
  /** What was found wrong so far, each with its variation, in the order in which it was found. */
  readonly failures: BankFailure[] = []

  /**
   * @param rule id of the rule; a step that is about it fails for it
   * @param nextEvidence id of the evidence that comes next
   * @param untilFailure whether no other is tried once one failed
   * @param only the name of the only one to try, with those that it is in and that are in it
   */
  constructor(
    private readonly rule: string,
    private readonly nextEvidence: () => string,
    private readonly untilFailure: boolean,
    private readonly only?: string,
  ) {}

  /** Does one variation: whatever goes wrong at the bank in it is told with its name. What keeps the rule from going on is thrown. */
  async attempt(name: string, work: () => Promise<unknown>): Promise<void> {
    const outer = variationNow()
    const variation = { name: outer ? `${outer.name}, ${name}` : name, since: this.nextEvidence() }
    if (!this.isMeant(variation)) return
    try {
      await within(variation, work)
    } catch (error) {
      const failure = this.ownFailure(error)
      if (!failure || this.untilFailure) throw named(error, variation)
      this.failures.push(failure.seenIn(variation))
    }
  }

  private isMeant({ name }: Variation): boolean {
    const { only = name } = this
    return name === only || only.startsWith(`${name}, `) || name.startsWith(`${only}, `)
  }

  /** What was found wrong by an expectation of the rule; a bank that does not answer is not asked once more for each variation. */
  private ownFailure(error: unknown): BankFailure | undefined {
    const failure = error instanceof StepFailure && error.about === this.rule ? error.failure : error
    return failure instanceof BankFailure && !(failure instanceof NoAnswer) ? failure : undefined
  }
}

function named(error: unknown, variation: Variation): unknown {
  if (error instanceof BankFailure) return error.seenIn(variation)
  if (error instanceof StepFailure) return new StepFailure(error.about, error.failure.seenIn(variation))
  return error
}
