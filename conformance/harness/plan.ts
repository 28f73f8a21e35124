import { readFileSync } from 'node:fs'
import type { Edition } from '../../schemas/editions/index.js'
import { packageFile } from '../../schemas/package-file.js'
import { loginDefaults } from '../target/login-settings.js'
import { missing } from '../target/needs.js'
import type { Target } from '../target/target.js'
import { type PlannedRule, plannedRules } from './planned-rule.js'
import type { Rule } from './rule.js'
import { hasTimePass } from './turns.js'

/** What is asked of the bank, and of the person who logs in. */
export interface Cost {
  /** Requests to the bank, of which the pages of a person's own browser are none. */
  exchanges: number
  /** Times that a name and a password, or what the bank has in their place, are entered. */
  signIns: number
  /** Consents, second factors and signatures. */
  approvals: number
}

/** What is spent when at least one of these rules runs: what they share, or what is a rule's own. */
export interface Expense extends Cost {
  rules: readonly string[]
}

/** What rules cost at the bundled bank, which keeps a session. */
export interface Expenses {
  /** Each login in a browser of its own. */
  apart: readonly Expense[]
  /** All by hand in one browser, where a session is signed in once; the first sign-in is not among them. */
  byHand: readonly Expense[]
}

let measured: Expenses | undefined

/** As measured; conformance/harness/logins.json is written by `npm run logins`. */
export function measuredExpenses(): Expenses {
  const file = packageFile('conformance/harness/logins.json')
  measured ??= JSON.parse(readFileSync(file, 'utf8')) as Expenses
  return measured
}

/** What a run will do. */
export interface Plan {
  /** The edition of the specification by which the bank is examined. */
  edition: Edition
  /**
   * Every rule of the run, those that are skipped too. Those that judge what the others asked for come after them, and those that have time pass
   * at the bank at the end: what the bank gave before them is asked for anew after them.
   */
  rules: readonly PlannedRule[]
  /** The rules for which the target file has what they need. */
  runs: readonly PlannedRule[]
  /** Why the others are skipped, by rule. */
  skips: ReadonlyMap<string, string>
  /** Measured at the bundled bank; by hand in one browser where the target file says so. */
  cost: Cost
  /** The most that it can come to by hand: at a bank that keeps no session. */
  most: Cost
}

/**
 * Plans a run, so that nobody is asked to sign in by hand more often than the target file allows.
 * @throws Error when the edition does not have the requirement of a rule, or the harness cannot show it
 */
export function planOf(
  edition: Edition,
  chosen: readonly Rule[],
  target: Target,
  expenses: Expenses = measuredExpenses(),
): Plan {
  const rules = inOrder(plannedRules(edition, chosen))
  const skips = new Map<string, string>()
  for (const { id, needs } of rules) {
    const reason = needs.map((need) => missing(need, target)).find((lacking) => lacking !== undefined)
    if (reason !== undefined) skips.set(id, reason)
  }
  const runs = () => rules.filter(({ id }) => !skips.has(id))
  const byHand = target.login?.by === 'person'
  if (byHand) skipTheDear(runs(), expenses.byHand, target.login?.signIns ?? loginDefaults.signIns, skips)
  const most = sum(incurred(runs(), expenses.apart))
  const cost = byHand ? sum(incurred(runs(), expenses.byHand)) : most
  if (byHand && most.signIns > 0) cost.signIns += 1
  return { edition, rules, runs: runs(), skips, cost, most }
}

/** Those that judge what the others asked for after them, those that have time pass at the end. */
function inOrder(rules: readonly PlannedRule[]): readonly PlannedRule[] {
  const turn = (rule: PlannedRule) => (hasTimePass(rule) ? 2 : Number(rule.last))
  return rules.toSorted((a, b) => turn(a) - turn(b))
}

/** Leaves out what does not fit into the sign-ins allowed, of which the session's first is one; what serves most rules goes first. */
function skipTheDear(
  runs: readonly PlannedRule[],
  expenses: readonly Expense[],
  allowed: number,
  skips: Map<string, string>,
): void {
  const dear = incurred(runs, expenses).filter(({ signIns }) => signIns > 0)
  let left = allowed - 1
  for (const { rules, signIns } of [...dear].sort((a, b) => a.signIns / a.rules.length - b.signIns / b.rules.length)) {
    if (rules.every((rule) => skips.has(rule))) continue
    if (signIns <= left) {
      left -= signIns
      continue
    }
    const reason = `it costs ${signIns} more ${signIns === 1 ? 'sign-in' : 'sign-ins'} by hand, and login.sign_ins allows ${allowed}`
    for (const rule of rules) if (!skips.has(rule)) skips.set(rule, reason)
  }
}

function incurred(runs: readonly PlannedRule[], expenses: readonly Expense[]): readonly Expense[] {
  const ids = new Set(runs.map(({ id }) => id))
  return expenses.filter(({ rules }) => rules.some((rule) => ids.has(rule)))
}

function sum(costs: readonly Cost[]): Cost {
  const total = (member: keyof Cost) => costs.reduce((sofar, cost) => sofar + cost[member], 0)
  return { exchanges: total('exchanges'), signIns: total('signIns'), approvals: total('approvals') }
}
