import { BankError, type ErrorCode, errorTable } from '../errors.js'
import type { OwnAnswer } from '../in-process.js'

/** An error of the bank as the refusal of the operation that met it. */
export function refusalOf(given: { error?: unknown; error_description?: unknown }, where: string): BankError {
  const { error, error_description: description } = given
  const known = typeof error === 'string' && Object.hasOwn(errorTable, error)
  const told = typeof description === 'string' ? description : `${where} answered ${JSON.stringify(given)}`
  return new BankError(known ? (error as ErrorCode) : 'invalid_request', told, { status: 400 })
}

/** The members of an answer in JSON. @throws {BankError} where the bank answered with an error, or with no JSON */
export function successOf({ status, text }: OwnAnswer, where: string): Record<string, unknown> {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    const told = `${where} answered with status ${status} and what is no JSON`
    throw refusalOf({ error_description: told }, where)
  }
  if (status >= 200 && status < 300) return answer as Record<string, unknown>
  throw refusalOf(answer as object, where)
}
