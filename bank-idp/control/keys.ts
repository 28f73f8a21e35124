import type { Router } from 'express'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { retentionSeconds } from '../keys/bank-keys.js'
import { type BankAlgorithm, bankAlgorithms } from '../keys/jwk.js'
import { exactRouter } from '../router.js'
import { membersOf } from './members.js'

/** What the control door says of one published key; times are ISO 8601. */
export interface KeyAnswer {
  kid: string
  alg: string
  use: string
  made: string
  /** When it stopped signing; null while it is in use. */
  retired: string | null
  /** Until when it stays published; null while it is in use. */
  published_until: string | null
}

const algorithms = Object.keys(bankAlgorithms) as BankAlgorithm[]

function timestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

/** GET /keys; POST /keys/rotate {alg?}. */
export function keyControl({ keys }: Pick<BankContext, 'keys'>): Router {
  const list = (): KeyAnswer[] =>
    keys.kept().map(({ jwk, createdAt, retiredAt }) => ({
      kid: jwk.kid,
      alg: jwk.alg,
      use: jwk.use,
      made: timestamp(createdAt),
      retired: retiredAt === null ? null : timestamp(retiredAt),
      published_until: retiredAt === null ? null : timestamp(retiredAt + retentionSeconds),
    }))
  return exactRouter()
    .get('/keys', (_req, res) => {
      res.json(list())
    })
    .post('/keys/rotate', async (req, res) => {
      const { alg } = membersOf(req)
      const chosen = algorithms.filter((one) => alg === undefined || one === alg)
      if (chosen.length === 0) {
        throw new BankError('invalid_request', `alg '${alg}' is not one of ${algorithms.join(', ')}`)
      }
      await keys.rotate(chosen)
      res.json(list())
    })
}
