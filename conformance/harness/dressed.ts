import { codeOf } from '../bank/authorization.js'
import { type Dress, inDress } from '../bank/dress.js'
import type { Evidence } from '../evidence/evidence.js'
import { doubtOf, NoAnswer, Skip, StepFailure } from '../evidence/failure.js'
import { wasRefused } from '../evidence/refused.js'
import { needsPerson, toRegister } from '../target/needs.js'
import { TargetError } from '../target/target-error.js'
import { inWords } from './conclude.js'
import { isDoneIn } from './dressed-rules.js'
import type { PlannedRule } from './planned-rule.js'
import type { Tools } from './rule.js'

/**
 * Does a check in a dress, once it was done without. All at once may be beyond what the bank's policy allows, and each part is judged
 * by rules of its own: where the bank refuses what the check only builds on, it comes to nothing, as where a page is shown that the target
 * file does not describe. Only the rule about the step that is refused warns.
 * @param evidence what the rule has seen so far
 */
export async function checkDressed(
  dress: Dress,
  rule: PlannedRule,
  tools: Tools,
  evidence: () => readonly Evidence[],
): Promise<void> {
  let tried = 0
  const own = (error: unknown) =>
    error instanceof StepFailure && error.about === rule.id && wasRefused(error.failure.finding, evidence())
  // What is refused to one variation of the rule may be taken in another.
  const unlessRefused = (work: () => Promise<unknown>) => async () => {
    try {
      await work()
    } catch (error) {
      if (!own(error)) throw error
      tell(dress, rule, tools, error)
    }
  }
  const dressed: Tools = {
    ...tools,
    // Which readings the bank takes is told by requests that ask for nothing else.
    reading: () => {},
    // What a client of few members has not is no lack of the bank.
    note: dress === 'the least dress' ? () => {} : tools.note,
    async inVariation(name, work) {
      const isDone = isDoneIn(dress, rule.id, name, tried)
      tried += 1
      if (isDone) await tools.inVariation(name, unlessRefused(work))
    },
  }
  try {
    await inDress(dress, () => takesDress(rule, tools))
  } catch (error) {
    tell(dress, rule, tools, error)
    return
  }
  await tools.inVariation(`in ${dress}`, async () => {
    try {
      await inDress(dress, () => rule.check(dressed))
    } catch (error) {
      if (error instanceof StepFailure && error.about === rule.id && !own(error)) throw error
      tell(dress, rule, tools, error)
    }
  })
}

/** Sees that there is a client in the dress, and a login at it where people are needed. */
async function takesDress({ needs }: PlannedRule, { bank }: Tools): Promise<void> {
  if (needsPerson(needs)) {
    await bank.findStandIn()
    await codeOf(await bank.authorization())
  } else if (toRegister.every((need) => needs.includes(need))) await bank.client()
}

/** Tells why a rule was not done in a dress; throws what is no reason. */
function tell(dress: Dress, rule: PlannedRule, { warn, note }: Tools, error: unknown): void {
  if (error instanceof Skip) return
  if (error instanceof TargetError) {
    note(`not done in ${dress}: the target file: ${error.mistakes.join('; ')}`)
    return
  }
  if (!(error instanceof StepFailure) || doubtOf(error) !== undefined) throw error
  const { about, failure } = error
  const says = about === rule.id && !(failure instanceof NoAnswer) ? warn : note
  says(`not done in ${dress}, which the bank does not take: ${inWords(failure.finding)}`)
}
