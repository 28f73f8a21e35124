import type { Router } from 'express'
import type { BankContext } from '../context.js'
import { exactRouter } from '../router.js'

/** GET /.well-known/jwks.json. Specification: "Exposed by the bank" 2, "Key set". */
export function keySet({ keys }: Pick<BankContext, 'keys'>): Router {
  return exactRouter().get('/.well-known/jwks.json', (_req, res) => {
    res.json({ keys: keys.published() })
  })
}
