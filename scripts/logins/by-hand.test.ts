import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { planOf } from '../../conformance/harness/plan.js'
import { reference } from '../../conformance/harness/reference.js'
import { rules } from '../../conformance/rules/index.js'
import { openEdition } from '../../schemas/editions/index.js'
import { packageFile } from '../../schemas/package-file.js'
import { withBank } from '../bundled-bank.js'
import { allowed } from '../proof/allowed.js'
import type { Measured } from './run.js'

/** Of two rules that share a client the one that comes first is asked for consent: which, is not the same each time. */
const slack = 5

test('the whole plan by hand costs at most twelve sign-ins, as was told before, and fails nothing', async () => {
  // In a process of its own: among the modules of a test each of the two runs takes twice as long.
  const args = [packageFile('dist/scripts/logins.js'), '--print']
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 })
  const { expenses, judged, hand, byHand }: Measured = JSON.parse(stdout)
  expect(hand.lost).toEqual([])
  const red = byHand.results.filter(({ status }) => !['pass', 'attested', 'observed', 'skip'].includes(status))
  expect(red.map(({ rule, reason }) => [rule, reason])).toEqual([])

  const predicted = await withBank({}, async (target) =>
    planOf(openEdition(), rules, { ...target, login: { by: 'person' } }),
  )
  const later = byHand.results.filter(({ rule, status }) => status === 'skip' && !predicted.skips.has(rule))
  expect(later.map(({ rule }) => rule)).toEqual(Object.keys(allowed.skip))
  const signIns = hand.passed['sign-in'] ?? 0
  const approvals = Object.values(hand.passed).reduce((sofar, count) => sofar + count, 0) - signIns
  expect(signIns).toBeLessThanOrEqual(12)
  expect(signIns).toBeLessThanOrEqual(predicted.cost.signIns)
  expect(approvals).toBeLessThanOrEqual(predicted.cost.approvals + slack)
  expect(byHand.counts.pass).toBeGreaterThan(200)

  // Green means as much as when it was measured, or `npm run logins` has to keep it anew.
  expect(judged).toEqual(reference())

  // What is kept promises about what was measured, or `npm run logins` has to keep it anew.
  const kept = await withBank({}, async (target) => planOf(openEdition(), rules, target))
  const now = await withBank({}, async (target) => planOf(openEdition(), rules, target, expenses))
  expect(now.cost.signIns).toBeLessThanOrEqual(kept.cost.signIns + slack)
  expect(now.cost.approvals).toBeLessThanOrEqual(kept.cost.approvals + slack)
})
