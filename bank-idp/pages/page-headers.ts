import type { RequestHandler } from 'express'
import helmet from 'helmet'
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

/**
 * Headers of all pages. form-action names the client's address too, for a browser too old to say that it navigates (lead-on.ts).
 *
 * @param frames addresses that the page shows in frames
 */
export function pageHeaders(redirectUri: string, frames: readonly string[] = []): RequestHandler {
  const framed = sources(frames)
  return helmet({
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
  })
}
