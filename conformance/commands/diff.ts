import { Command } from 'commander'
import { type Difference, differences } from '../certification/diff.js'
import { reportAt } from '../certification/verify.js'
import { type ExitCode, exitCodes, type Output, UsageError } from '../output.js'

/** conformance diff */
export function diffCommand(output: Output, ended: (code: ExitCode) => void): Command {
  return new Command('diff')
    .description('compare two reports or bundles of a bank: verdicts, requirements, readings, keys')
    .argument('<old>', 'a report.json, or the directory of a bundle')
    .argument('<new>', 'a later report.json or bundle')
    .action(async (old: string, now: string) => ended(await diff(old, now, output)))
}

async function diff(oldPath: string, newPath: string, output: Output): Promise<ExitCode> {
  const [old, now] = await Promise.all([oldPath, newPath].map(reportAt))
  if (!old || !now) throw new UsageError('name two reports or bundles')
  if (now.started < old.started) throw new UsageError(`${newPath} is older than ${oldPath}: name the older one first`)
  if (now.issuer !== old.issuer) output.out(`The issuers differ: ${old.issuer}, then ${now.issuer}.`)
  if (now.edition !== old.edition)
    output.out(`The editions of the specification differ: ${old.edition}, then ${now.edition}.`)
  const [leftBefore, leftNow] = [old.selection.leftOut, now.selection.leftOut]
  if (leftBefore.join() !== leftNow.join())
    output.out(`The selections differ: the first left out ${leftBefore.length} rules, the second ${leftNow.length}.`)
  const found = differences(old, now)
  for (const line of lines(found)) output.out(line)
  return found.some(({ kind }) => kind === 'worse') ? exitCodes.regressed : exitCodes.nothingFailed
}

/** The gravest first. */
const kinds: readonly Difference['kind'][] = ['worse', 'changed', 'gone', 'new', 'better']

function lines(found: readonly Difference[]): string[] {
  const sorted = kinds.flatMap((kind) => found.filter((difference) => difference.kind === kind))
  const counts = kinds.flatMap((kind) => {
    const count = found.filter((difference) => difference.kind === kind).length
    return count > 0 ? [`${count} ${kind}`] : []
  })
  return [
    ...sorted.map(({ kind, what, description }) =>
      `${kind.padEnd(8)} ${what}  ${description}`.replace(/\p{Cc}+/gu, ' '),
    ),
    counts.length > 0 ? counts.join(', ') : 'Nothing changed.',
  ]
}
