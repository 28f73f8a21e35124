import type { BankError } from '../errors.js'
import { withParameters } from '../provider/with-parameters.js'

/**
 * Where an error is redirected to. Specification: "Errors", redirect errors. iss tells the service, which knows many banks, which of them
 * answers (RFC 9207 section 2).
 */
export function errorAddress(
  redirectUri: string,
  { body }: BankError,
  { issuer, state }: { issuer: string; state?: string | null | undefined },
): string {
  return withParameters(redirectUri, { ...body, ...(state && { state }), iss: issuer })
}
