import type { Request } from 'express'
import { BankError } from '../errors.js'

/** A value of JSON that holds no other. */
export type Plain = string | number | boolean | null

/**
 * The members of the JSON object that the control door was sent; none where there was no body. What holds other values can turn into no text, and
 * is taken where it is meant alone.
 *
 * @param structured names of members that may be objects or arrays, whose form is judged where they are used
 * @throws {BankError} invalid_request naming the member
 */
export function membersOf<Structured extends string = never>(
  { body = {} }: Request,
  ...structured: Structured[]
): Record<string, Plain | undefined> & Partial<Record<Structured, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new BankError('invalid_request', 'the body must be a JSON object')
  // Without a prototype, so that what was not sent is not there.
  const members = Object.assign(Object.create(null), body)
  for (const [name, value] of Object.entries(members)) {
    if (typeof value === 'object' && value !== null && !structured.some((one) => one === name))
      throw new BankError('invalid_request', `${name} must not be an object or an array`)
  }
  return members
}
