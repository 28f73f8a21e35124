import { Command } from 'commander'
import { openEdition } from '../../schemas/editions/index.js'
import type { CheckResult } from '../doctor/check.js'
import { doctor } from '../doctor/doctor.js'
import { planOf } from '../harness/plan.js'
import { type ExitCode, exitCodes, type Output } from '../output.js'
import { checkLines } from '../reports/doctor.js'
import { skipsByReason } from '../reports/skips.js'
import { rules } from '../rules/index.js'
import { loadTarget } from '../target/load-target.js'
import type { Target } from '../target/target.js'

/** conformance doctor */
export function doctorCommand(output: Output, ended: (code: ExitCode) => void): Command {
  return new Command('doctor')
    .description('check the set-up step by step before any rule: network, TLS, credentials, clocks, addresses, login')
    .requiredOption('--target <file>', 'the file that describes the bank')
    .action(async ({ target }: { target: string }) => {
      const examined = loadTarget(target, { draft: ['people', 'login'] })
      const results = await doctor(examined, {
        signal: output.signal,
        hurry: output.hurry,
        onNotice: output.err,
        onInvitation: (url) => output.err(`Sign in by hand: open ${url} in your browser.`),
        onResult: (result) => output.out(checkLines(result, output)),
      })
      const bad = results.filter(({ status }) => status === 'bad').length
      output.out(
        bad === 0
          ? 'No problem was found.'
          : `${bad === 1 ? 'One problem has' : `${bad} problems have`} to be fixed before the bank can be examined.`,
      )
      for (const line of uncheckedLines(results, examined)) output.out(line)
      ended(bad === 0 ? exitCodes.nothingFailed : exitCodes.usage)
    })
}

/** What nothing can be said about, and how many rules that costs. */
function uncheckedLines(results: readonly CheckResult[], target: Target): string[] {
  const unchecked = results.filter(({ status }) => status === 'not checked' || status === 'not reached')
  const { skips, rules: all } = planOf(openEdition(target.edition), rules, target)
  const skipped = [...skips].map(([rule, reason]) => ({ rule, reason, status: 'skip' as const }))
  return [
    ...unchecked.map(({ check, said }) => `Not checked: ${check} (${said}).`),
    ...(skipped.length > 0 ? [`Of ${all.length} rules a run would skip ${skipped.length}:`] : []),
    ...skipsByReason(skipped).map(({ reason, rules: own }) => `  ${String(own.length).padStart(3)} because ${reason}`),
  ]
}
