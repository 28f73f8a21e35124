import type { RequestHandler } from 'express'
import helmet from 'helmet'
import { styleHash } from './layout.js'

/**
 * Headers of all pages. form-action names the client's address too, for a browser too old to say that it navigates (lead-on.ts).
 *
 * @param frames addresses that the page shows in frames
 */
export function pageHeaders(redirectUri: string, frames: readonly string[] = []): RequestHandler {
  const framed = [...new Set(frames.map((address) => new URL(address).origin))]
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: [styleHash],
        ...(framed.length > 0 && { frameSrc: framed }),
        formAction: ["'self'", new URL(redirectUri).origin],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
  })
}
