import type { BankOptions } from '../../bank-idp/bank.js'
import { examine } from '../../conformance/examine.js'
import type { ExpectationReached } from '../../conformance/harness/expectations.js'
import { rules } from '../../conformance/rules/index.js'
import type { Target } from '../../conformance/target/target.js'
import { withBank } from '../bundled-bank.js'
import { keyOf } from './expectations.js'
import type { Try } from './known-expectations.js'
import { type Outcome, routeOf } from './outcome.js'
import { type Replicas, type ShapeName, withShapedBank } from './shapes.js'
import { failedByWrongAnswers, type Search } from './sharpness.js'
import { takeTellingTime } from './telling-time.js'
import { handshakes } from './touches.js'

/** One run of the harness against a bank of its own. */
export interface Job {
  options: BankOptions
  /** What the bank is like from the outside, where not as it is by itself. */
  shapes?: readonly ShapeName[]
  /** Of which the bank consists, where it is not one by itself. */
  replicas?: Replicas
  /** Ids of the rules to run; all when left out. */
  rules?: string[]
  /** Whether every variation of a rule is tried, in place of those up to the first that fails. */
  thorough?: boolean
  /** The only variation to try of a rule, by its id. */
  variations?: Readonly<Record<string, string>>
  /** Whether it is noted which expectations the rules reach; else it is where the two others ask for that. */
  noted?: boolean
  /** Wrong answers that rules judge too, by the id of the rule: expectations that fail so are told as not held. */
  wrongAnswers?: Record<string, Search>
}

/** Seconds for an answer and for a rule, on a machine that has other things to do: a fault is not to be taken for slow. */
const timeoutSeconds = 120

const definitions = new Map(rules.map((rule) => [rule.id, rule]))

/** Runs one job; the pool calls it in a thread of its own. */
export default function work({
  options,
  shapes = [],
  replicas,
  rules: chosen,
  thorough = false,
  noted = false,
  variations = {},
  wrongAnswers,
}: Job): Promise<Outcome[]> {
  takeTellingTime()
  const examined = async (target: Target) => {
    const reached = new Map<string, Map<string, ExpectationReached>>()
    const tries = new Map<string, readonly Try[]>()
    const note = (rule: string, expectation: ExpectationReached) => {
      const ofRule = reached.get(rule) ?? new Map<string, ExpectationReached>()
      reached.set(rule, ofRule.set(`${expectation.held} ${keyOf(expectation)}`, expectation))
    }
    const { results, evidence } = await examine({
      target: { ...target, timeoutSeconds: timeoutSeconds },
      boundSeconds: timeoutSeconds,
      rules: chosen && rules.filter(({ id }) => chosen.includes(id)),
      seed: 'proof',
      untilFailure: !thorough,
      variations,
      // To tell by which lines an expectation was reached costs time.
      ...((thorough || noted || wrongAnswers) && { onExpectation: note }),
      ...(wrongAnswers && {
        async onChecked(rule, again) {
          const found = await failedByWrongAnswers(rule, again, wrongAnswers[rule] ?? { tries: [] })
          for (const expectation of found.failed) note(rule, expectation)
          tries.set(rule, found.tries)
        },
      }),
    })
    const routes = new Map(
      evidence.flatMap((item) => {
        if (item.kind === 'handshakes') return [[item.id, handshakes] as const]
        return item.kind === 'exchange' && item.direction === 'sent'
          ? [[item.id, routeOf(item.request.method, item.request.url, target)] as const]
          : []
      }),
    )
    return results.map(
      ({ rule, requirement, status, reason, finding, timedOut, blockedBy, readings, evidence: seen }) => ({
        rule,
        requirement,
        places: definitions.get(rule)?.places ?? [],
        needs: definitions.get(rule)?.needs ?? [],
        last: definitions.get(rule)?.last ?? false,
        status,
        reason,
        variation: finding?.variation?.name,
        timedOut,
        blockedBy,
        readings: readings.map(({ ambiguity, reading }) => ({ ambiguity, reading })),
        routes: [...new Set(seen.flatMap((id) => routes.get(id) ?? []))],
        expectations: [...(reached.get(rule)?.values() ?? [])],
        tries: tries.get(rule) ?? [],
      }),
    )
  }
  return shapes.length > 0 || replicas
    ? withShapedBank(options, shapes, examined, replicas)
    : withBank(options, examined)
}
