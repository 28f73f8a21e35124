import { Command } from 'commander'
import { doctor } from '../doctor/doctor.js'
import { type ExitCode, exitCodes, type Output } from '../output.js'
import { checkLines } from '../reports/doctor.js'
import { loadTarget } from '../target/load-target.js'

/** conformance doctor */
export function doctorCommand(output: Output, ended: (code: ExitCode) => void): Command {
  return new Command('doctor')
    .description('check the set-up step by step before any rule: network, TLS, credentials, clocks, addresses, login')
    .requiredOption('--target <file>', 'the file that describes the bank')
    .action(async ({ target }: { target: string }) => {
      const results = await doctor(loadTarget(target, { draft: ['people', 'login'] }), {
        signal: output.signal,
        onInvitation: (url) => output.err(`Sign in by hand: open ${url} in your browser.`),
        onResult: (result) => output.out(checkLines(result, output)),
      })
      const bad = results.filter(({ status }) => status === 'bad').length
      output.out(
        bad === 0
          ? 'No problem was found.'
          : `${bad === 1 ? 'One problem has' : `${bad} problems have`} to be fixed before the bank can be examined.`,
      )
      ended(bad === 0 ? exitCodes.nothingFailed : exitCodes.usage)
    })
}
