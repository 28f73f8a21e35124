import type { Conversation } from '../bank/conversation.js'
import { BankFailure, StepFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { missing, type Need } from '../target/needs.js'
import { TargetError } from '../target/target-error.js'
import { type Diagnosis, type DoctorContext, NotChecked, Trouble } from './check.js'

/** Runs what the bank may fail at; its failure, with the bank's own words, is the trouble, told as `diagnose` has it. */
export async function asTrouble<Outcome>(
  { conversation }: Pick<DoctorContext, 'conversation'>,
  work: Promise<Outcome>,
  diagnose: (said: string) => Diagnosis,
): Promise<Outcome> {
  try {
    return await work
  } catch (error) {
    const said = failureOf(conversation, error)
    if (said === undefined) throw error
    throw new Trouble(diagnose(said))
  }
}

/** What the bank failed at, with its own words; undefined for an error that is about something else. */
export function failureOf({ evidence: recorded }: Conversation, error: unknown): string | undefined {
  const failure = error instanceof StepFailure ? error.failure : error
  if (!(failure instanceof BankFailure)) return undefined
  const { sentence, evidence } = failure.finding
  const item = recorded.all().find(({ id }) => id === evidence)
  const words = item?.kind === 'exchange' ? wordsIn(item.response?.body) : ''
  return words && !sentence.includes(words) ? `${sentence}: ${words}` : sentence
}

/** The same where it goes through the bank's pages: what the target file does not say of them is the trouble too. */
export async function asTroubleOfPages<Outcome>(
  context: DoctorContext,
  work: Promise<Outcome>,
  why: Pick<Diagnosis, 'cause' | 'fix'>,
): Promise<Outcome> {
  return asTrouble(context, work, (said) => ({ said, ...why })).catch((error: unknown) => {
    if (error instanceof TargetError) throw new Trouble({ said: error.mistakes.join('; '), ...why })
    throw error
  })
}

/** What the bank says in an error of its own. */
function wordsIn(body = ''): string {
  try {
    const { error, error_description } = JSON.parse(body) ?? {}
    return [error, error_description].filter((word) => typeof word === 'string' && word !== '').join(', ')
  } catch {
    return ''
  }
}

/** @throws NotChecked where the target file does not give what is needed */
export function needed({ target }: Pick<DoctorContext, 'target'>, needs: readonly Need[]): void {
  const lacking = needs.map((need) => missing(need, target)).find((reason) => reason !== undefined)
  if (lacking) throw new NotChecked(lacking)
}

/** What a refusal says, in a few words. */
export function errorText(response: HttpResponse): string {
  const { status, mediaType, text } = response
  const words = [response.member('error'), response.member('error_description')].filter(Boolean).join(', ')
  return `${status} ${words || mediaType || text.slice(0, 80)}`
}
