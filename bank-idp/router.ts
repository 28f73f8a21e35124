import { Router } from 'express'

/** A router whose paths are what they say: `/Token` and `/token/` are not `/token`, here as wherever else paths are compared. */
export function exactRouter(): Router {
  return Router({ caseSensitive: true, strict: true })
}
