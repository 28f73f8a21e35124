import type { Router } from 'express'
import helmet from 'helmet'
import type { BankContext } from '../context.js'
import { documentPage } from '../pages/document.js'
import { documentsOf } from '../pages/documents-texts.js'
import { languageAsked } from '../pages/language.js'
import { styleHash } from '../pages/layout.js'
import { exactRouter } from '../router.js'

/** The pages that discovery points to. Specification: "Discovery document". */
export function documentPages({ config }: Pick<BankContext, 'config'>): Router {
  const directives = { defaultSrc: ["'none'"], styleSrc: [styleHash], frameAncestors: ["'none'"] }
  const router = exactRouter()
  for (const name of ['documentation', 'policy', 'terms'] as const) {
    router.get(`/${name}`, helmet({ contentSecurityPolicy: { useDefaults: false, directives } }), (req, res) => {
      const language = languageAsked(req)
      res.vary('Accept-Language')
      res.type('html').send(documentPage(documentsOf[language](config.issuer)[name], language))
    })
  }
  return router
}
