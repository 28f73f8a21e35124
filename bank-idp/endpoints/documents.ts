import { Router } from 'express'
import helmet from 'helmet'
import type { BankContext } from '../context.js'
import { type Document, documentPage } from '../pages/document.js'
import { styleHash } from '../pages/layout.js'

/** What discovery names as service_documentation, op_policy_uri and op_tos_uri, by the path below the bank's address. */
function documents(issuer: string): Record<string, Document> {
  return {
    '/documentation': {
      title: 'For developers',
      sections: [
        {
          heading: 'Where to begin',
          paragraphs: [
            `Everything this bank can do is declared in ${issuer}/.well-known/openid-configuration; its keys are at ${issuer}/.well-known/jwks.json, and whether it works at the moment is told by ${issuer}/healthcheck.`,
            'Applications are registered by the federated service with POST /register, over mutual TLS and with a signed assertion.',
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
            'Errors are JSON objects with error and error_description, or a redirect with both as query parameters. Every answer carries X-B3-TraceId: tell it when you report a problem.',
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
            'An application receives what the person approved for it, and nothing else. It uses the data for the purpose that it told the person of.',
          ],
        },
        {
          heading: 'The people of this bank',
          paragraphs: ['This is a reference bank. The people in it are made up, and so is all that is said of them.'],
        },
      ],
    },
    '/terms': {
      title: 'Terms of service',
      sections: [
        {
          heading: 'What this bank is for',
          paragraphs: [
            'This reference bank stands in place of a real one while software is built and examined. It vouches for no real person, and what it says has no legal effect.',
          ],
        },
      ],
    },
  }
}

/** The pages that discovery points to. Specification: "Discovery document". */
export function documentPages({ config }: Pick<BankContext, 'config'>): Router {
  const directives = { defaultSrc: ["'none'"], styleSrc: [styleHash], frameAncestors: ["'none'"] }
  const router = Router()
  for (const [path, document] of Object.entries(documents(config.issuer))) {
    const text = documentPage(document)
    router.get(path, helmet({ contentSecurityPolicy: { useDefaults: false, directives } }), (_req, res) => {
      res.type('html').send(text)
    })
  }
  return router
}
