import { BankFailure, Skip } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { addressOf } from '../target/target.js'
import type { Conversation } from './conversation.js'
import { dressing } from './dressing.js'
import { inStep } from './steps.js'

/**
 * GET /healthcheck without credentials, once in each dress: a bank may refuse to be asked more often than its poll_interval.
 * @throws Skip when it does so where it told its record before
 */
export async function fetchHealth(conversation: Conversation): Promise<HttpResponse> {
  const response = await conversation.shared('health', (own) =>
    own.send({
      method: 'GET',
      url: `${addressOf(own.run.target)}/healthcheck`,
      headers: { accept: 'application/json' },
    }),
  )
  if (dressing() !== undefined && isAskedTooSoon(response)) throw new Skip(askedTooSoon)
  return response
}

/** Why nothing can be said of a second record. */
export const askedTooSoon = 'the health record is not to be had so soon again'

/** Published: what is polled faster than poll_interval may answer so. */
export function isAskedTooSoon({ status }: HttpResponse): boolean {
  return status === 424
}

/**
 * The answer that holds the health record as a step of others: of status 200, or of 503 where it says what the status of the bank is, and is
 * not the error of somebody before the bank (AMB-57). @throws StepFailure when there is no record
 */
export function healthRecord(conversation: Conversation): Promise<HttpResponse> {
  return inStep('health', async () => {
    const response = await fetchHealth(conversation)
    const { json, status } = response
    const isRecord = status === 200 || (status === 503 && typeof response.member('status') === 'string')
    if (isRecord && typeof json === 'object' && json !== null && !Array.isArray(json)) return response
    throw new BankFailure({ sentence: `there is no health record (status ${status})`, evidence: response.evidence })
  })
}
