import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Response } from 'express'
import { cookieNames } from '../cookie-names.js'

const name = cookieNames.device
const pattern = new RegExp(`(?:^|;\\s*)${name}=([0-9a-f-]{36})(?:;|$)`)
/** The longest that browsers keep a cookie (RFC 6265bis section 5.5): 400 days. */
const maxAgeMs = 400 * 86_400_000

/**
 * The device that a request comes from: the name that the bank gave to its browser, in a cookie that outlives logins.
 *
 * @returns undefined for one that has no name yet
 */
export function deviceOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return pattern.exec(headers.cookie ?? '')?.[1]
}

/** Gives a browser its name, or has it keep the one that it has. */
export function setDeviceCookie(req: IncomingMessage, res: Response): void {
  const device = deviceOf(req) ?? randomUUID()
  res.cookie(name, device, { httpOnly: true, secure: true, sameSite: 'lax', maxAge: maxAgeMs })
}
