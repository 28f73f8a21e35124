import type { Request } from 'express'

/** The token that a request carries in its Authorization header (RFC 6750 section 2.1); undefined where it carries none. */
export function bearerToken({ headers }: Pick<Request, 'headers'>): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}
