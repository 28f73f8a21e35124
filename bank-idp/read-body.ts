import type { Request, RequestHandler, Response } from 'express'
import { BankError, type ErrorCode } from './errors.js'

/**
 * Reads a body by one of Express's parsers.
 *
 * @param code of the refusal: a body that cannot be read (cut off, of an unknown character set) is a bad one, whatever the parser calls it
 * @throws {BankError} 413 for one that is too large (RFC 9110 section 15.5.14), else 400
 */
export async function readBody(parse: RequestHandler, code: ErrorCode, req: Request, res: Response): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    parse(req, res, (error: unknown) => (error ? reject(unreadable(code, error)) : resolve()))
  })
}

function unreadable(code: ErrorCode, error: unknown): unknown {
  const { status = 500, message } = error as { status?: number; message?: string }
  if (status >= 500) return error
  const answered = status === 413 ? status : 400
  return new BankError(code, `the body cannot be read: ${message}`, { status: answered, cause: error }).refusedBy(
    'body/readable',
  )
}
