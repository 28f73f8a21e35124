import type { BankError } from '../errors.js'

/**
 * Where an error is redirected to. Specification: "Errors", redirect errors. iss tells the service, which knows many banks, which of them
 * answers (RFC 9207 section 2).
 */
export function errorAddress(
  redirectUri: string,
  { body }: BankError,
  { issuer, state }: { issuer: string; state?: string | null | undefined },
): string {
  const target = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...body, ...(state && { state }), iss: issuer })) {
    target.searchParams.set(name, value)
  }
  return target.href
}
