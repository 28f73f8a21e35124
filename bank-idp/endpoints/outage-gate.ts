import type { RequestHandler } from 'express'
import { nowSeconds } from '../clock.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { subSystemOf } from '../sub-systems.js'

/** While a part of the bank is in an announced outage, what it serves is answered temporarily_unavailable. Specification: "Errors". */
export function outageGate({ outages }: Pick<BankContext, 'outages'>): RequestHandler {
  return (req, _res, next) => {
    const part = subSystemOf(req.path)
    const outage = part && outages.of(part)
    if (!outage) return next()
    const { reason, until } = outage
    throw new BankError('temporarily_unavailable', reason ?? `${part} is out of order`, {
      headers: until === null ? {} : { 'retry-after': String(until - nowSeconds()) },
    }).refusedBy(`outage/${part}`)
  }
}
