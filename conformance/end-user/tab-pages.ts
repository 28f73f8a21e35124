import { createHash } from 'node:crypto'
import type { VisitorAnswer } from '../service/server.js'

/** Brings what the fragment carries to the server, which does not see it. */
const tellFragment =
  "location.replace(location.pathname + (location.search ? location.search + '&' : '?') + 'fragment=' + encodeURIComponent(location.hash.slice(1)))"

/** Shown for a moment where the bank came back with neither code nor error in the query. */
export function fragmentPage(): VisitorAnswer {
  return page('One moment', '<p>This page continues by itself.</p>', { script: tellFragment })
}

/** Shown while the run has nothing for the person to do. */
export function waiting(): VisitorAnswer {
  return page(
    'Please wait',
    '<p>The run continues without you for a while. This page continues by itself; leave it open.</p>',
    {
      refresh: true,
    },
  )
}

/** Shown to who comes from the address again though the bank was not done. */
export function stuck(): VisitorAnswer {
  return page(
    'You have not returned yet',
    '<p>You were sent to the bank and have not returned yet.</p><ul><li><a href="?again">Go to the bank again</a></li><li><a href="?stuck">The bank does not let me continue: skip this step</a></li></ul>',
  )
}

export function over(): VisitorAnswer {
  return page('The run is over', '<p>You can close this page.</p>')
}

function page(title: string, content: string, { script = '', refresh = false } = {}): VisitorAnswer {
  const hash = createHash('sha256').update(script).digest('base64')
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'`,
      'referrer-policy': 'no-referrer',
    },
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${
      refresh ? '<meta http-equiv="refresh" content="0">' : ''
    }<title>${title}</title><main><h1>${title}</h1>${content}</main>${script && `<script>${script}</script>`}</html>\n`,
  }
}
