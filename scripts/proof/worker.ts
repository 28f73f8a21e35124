import type { BankOptions } from '../../bank-idp/bank.js'
import { examine } from '../../conformance/examine.js'
import { rules } from '../../conformance/rules/index.js'
import { withBank } from '../bundled-bank.js'
import { type Outcome, routeOf } from './outcome.js'
import { handshakes } from './touches.js'

/** One run of the harness against a bank of its own. */
export interface Job {
  options: BankOptions
  /** Ids of the rules to run; all when left out. */
  rules?: string[]
}

/** Runs one job; the pool calls it in a thread of its own. */
export default function work({ options, rules: chosen }: Job): Promise<Outcome[]> {
  return withBank(options, async (target) => {
    const { results, evidence } = await examine({
      target,
      rules: chosen && rules.filter(({ id }) => chosen.includes(id)),
      seed: 'proof',
    })
    const routes = new Map(
      evidence.flatMap((item) => {
        if (item.kind === 'handshakes') return [[item.id, handshakes] as const]
        return item.kind === 'exchange' && item.direction === 'sent'
          ? [[item.id, routeOf(item.request.method, item.request.url, target)] as const]
          : []
      }),
    )
    return results.map(({ rule, requirement, status, reason, timedOut, blockedBy, readings, evidence: seen }) => ({
      rule,
      requirement,
      status,
      reason,
      timedOut,
      blockedBy,
      readings: readings.map(({ ambiguity, reading }) => ({ ambiguity, reading })),
      routes: [...new Set(seen.flatMap((id) => routes.get(id) ?? []))],
    }))
  })
}
