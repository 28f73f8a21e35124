import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import helmet from 'helmet'
import { LRUCache } from 'lru-cache'
import { isHost } from '../addresses.js'
import { styleHash } from './layout.js'

/**
 * Origins as a Content-Security-Policy names them. A host that would end a directive, or be a pattern there, cannot be named: an earlier
 * version registered such ones.
 */
function sources(addresses: readonly string[]): string[] {
  const named = addresses.map((address) => new URL(address)).filter(({ hostname }) => isHost(hostname))
  return [...new Set(named.map(({ origin }) => origin))]
}

/** What helmet sets for pages of one client: the same each time. */
function headersFor(redirectUri: string, frames: readonly string[]): Map<string, string> {
  const framed = sources(frames)
  const headers = new Map<string, string>()
  const answer = { setHeader: headers.set.bind(headers), removeHeader() {} } as unknown as ServerResponse
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: [styleHash],
        ...(framed.length > 0 && { frameSrc: framed }),
        formAction: ["'self'", ...sources([redirectUri])],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
  })({} as IncomingMessage, answer, () => {})
  return headers
}

/** Of the pages shown last. */
const known = new LRUCache<string, Map<string, string>>({ max: 1_000 })

/**
 * Headers of all pages. form-action names the client's address too, for a browser too old to say that it navigates (lead-on.ts).
 *
 * @param frames addresses that the page shows in frames
 */
export function pageHeaders(redirectUri: string, frames: readonly string[] = []): RequestHandler {
  const name = JSON.stringify([redirectUri, frames])
  const headers = known.get(name) ?? headersFor(redirectUri, frames)
  known.set(name, headers)
  return (_req, res, next) => {
    res.setHeaders(headers)
    next()
  }
}
