import type { Router } from 'express'
import helmet from 'helmet'
import type { BankContext } from '../context.js'
import { type Document, documentPage } from '../pages/document.js'
import { styleHash } from '../pages/layout.js'
import { exactRouter } from '../router.js'

/** What discovery names as service_documentation, op_policy_uri and op_tos_uri, by the path below the bank's address. */
function documents(issuer: string): Record<string, Document> {
  return {
    '/documentation': {
      title: 'For developers',
      sections: [
        {
          heading: 'Where to begin',
          paragraphs: [
            `Everything this bank can do is declared in ${issuer}/.well-known/openid-configuration; its keys are at ${issuer}/.well-known/jwks.json, and ${issuer}/healthcheck reports whether it works at the moment.`,
            'The federated service registers clients with POST /register, over mutual TLS and with a signed assertion.',
          ],
        },
        {
          heading: 'Keys',
          paragraphs: [
            'Signing keys change from time to time. A key stays in the key set for one year after it stopped signing, so that what it signed can be verified.',
          ],
        },
        {
          heading: 'Errors',
          paragraphs: [
            'Errors are JSON objects with error and error_description, or a redirect with both as query parameters. Every response has the header X-B3-TraceId: quote it when you report a problem.',
          ],
        },
      ],
    },
    '/policy': {
      title: 'How data may be used',
      sections: [
        {
          heading: 'Consent',
          paragraphs: [
            'An application receives only what the person approved for it. It uses the data for the purpose that it stated to the person.',
          ],
        },
        {
          heading: 'The people of this bank',
          paragraphs: ['This is a reference bank. The people in it are invented, and so are their data.'],
        },
      ],
    },
    '/terms': {
      title: 'Terms of service',
      sections: [
        {
          heading: 'What this bank is for',
          paragraphs: [
            'This reference bank replaces a real one while software is built and examined. It identifies no real person, and its statements have no legal effect.',
          ],
        },
      ],
    },
  }
}

/** The pages that discovery points to. Specification: "Discovery document". */
export function documentPages({ config }: Pick<BankContext, 'config'>): Router {
  const directives = { defaultSrc: ["'none'"], styleSrc: [styleHash], frameAncestors: ["'none'"] }
  const router = exactRouter()
  for (const [path, document] of Object.entries(documents(config.issuer))) {
    const text = documentPage(document)
    router.get(path, helmet({ contentSecurityPolicy: { useDefaults: false, directives } }), (_req, res) => {
      res.type('html').send(text)
    })
  }
  return router
}
