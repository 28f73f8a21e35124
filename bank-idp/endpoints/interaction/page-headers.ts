import { createHash } from 'node:crypto'
import type { RequestHandler } from 'express'
import helmet from 'helmet'
import { styles } from '../../pages/layout.js'

const styleHash = `'sha256-${createHash('sha256').update(styles).digest('base64')}'`

/**
 * Headers of all pages. form-action names the application's address too: browsers hold the redirect that answers a form to it (CSP
 * Level 3 section 6.4.2).
 */
export function pageHeaders(redirectUri: string): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: [styleHash],
        formAction: ["'self'", new URL(redirectUri).origin],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
  })
}
