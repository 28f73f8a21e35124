import type { Cost, Plan } from '../harness/plan.js'
import type { Target } from '../target/target.js'
import { skipsByReason } from './skips.js'

/** What a run will cost, in a line or two: requests, logging in, and waiting. */
export function costLines(plan: Plan, target: Target): string[] {
  return [...requestLines(plan), ...loginLines(plan, target), ...timeLines(plan, target)]
}

function requestLines({ cost }: Plan): string[] {
  return cost.exchanges > 0 ? [`The run sends about ${cost.exchanges} requests, as measured at the bundled bank.`] : []
}

function timeLines({ runs }: Plan, { control, slow }: Target): string[] {
  if (!runs.some(({ needs }) => needs.includes('clock'))) return []
  if (control)
    return ["At its end the run moves the bank's time forward through the control door, until tokens have expired."]
  return slow ? ['At its end the run waits until tokens have expired: an hour or more.'] : []
}

function loginLines({ cost, most }: Plan, { login }: Target): string[] {
  if (most.signIns === 0) return []
  if (login?.by !== 'person') return [`It costs about ${inWords(cost)}.`]
  return [
    `It costs at most ${inWords(cost, 'about ')} by hand at a bank that keeps a session, as the bundled bank does.`,
    `A bank that keeps no session asks for up to ${inWords(most)}.`,
  ]
}

/** A plan for people: what runs, what is skipped and why, what it costs. */
export function planReport(plan: Plan, target: Target): string {
  const skipped = [...plan.skips].map(([rule, reason]) => ({ rule, reason, status: 'skip' as const }))
  return [
    `By edition ${plan.edition.id} of the specification, ${plan.runs.length} rules would run and ${skipped.length} would be skipped.`,
    ...skipsByReason(skipped).map(
      ({ reason, rules }) => `skip     ${rules.length} because ${reason}: ${rules.join(', ')}`,
    ),
    ...costLines(plan, target),
  ].join('\n')
}

/** @param vague before the number of approvals: which of two rules is asked for consent is not the same each time */
function inWords({ signIns, approvals }: Cost, vague = ''): string {
  const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`
  return `${plural(signIns, 'sign-in')} and ${vague}${plural(approvals, 'approval')} (consents, second factors, signatures)`
}
