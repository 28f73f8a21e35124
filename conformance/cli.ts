import { Command, CommanderError } from 'commander'
import { harness } from './about.js'
import { diffCommand } from './commands/diff.js'
import { doctorCommand } from './commands/doctor.js'
import { explainCommand } from './commands/explain.js'
import { initCommand } from './commands/init.js'
import { listCommand } from './commands/list.js'
import { makeKeyCommand } from './commands/make-key.js'
import { mergeCommand } from './commands/merge.js'
import { runCommand } from './commands/run.js'
import { verifyCommand } from './commands/verify.js'
import { SelectionError } from './harness/selection.js'
import { type ExitCode, exitCodes, type Output, printable, UsageError, visible } from './output.js'
import { serveCommand } from './serve.js'
import { TargetError } from './target/target-error.js'

/**
 * Runs the command.
 * @param args what follows the name of the command
 * @returns one of `exitCodes`
 */
export async function main(args: readonly string[], output: Output): Promise<ExitCode> {
  let code: ExitCode = exitCodes.nothingFailed
  const ended = (with_: ExitCode) => {
    code = with_
  }
  const program = new Command('conformance')
    .description("Examines a bank's identity provider against the interface specification.")
    .version(harness.version)
  for (const command of [
    initCommand(output, ended),
    runCommand(output, ended),
    mergeCommand(output, ended),
    doctorCommand(output, ended),
    listCommand(output),
    explainCommand(output),
    verifyCommand(output, ended),
    diffCommand(output, ended),
    makeKeyCommand(output),
  ]) {
    program.addCommand(command)
  }
  serveCommand(program, output)
  for (const command of [program, ...program.commands]) {
    command
      .configureOutput({
        writeOut: (text) => output.out(text.trimEnd()),
        writeErr: (text) => output.err(text.trimEnd()),
      })
      .exitOverride()
  }
  try {
    await program.parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    if (output.signal.aborted) {
      output.err('interrupted before there was a result')
      return exitCodes.harnessFailed
    }
    return reportError(error, output)
  }
}

function reportError(error: unknown, output: Output): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.nothingFailed : exitCodes.usage
  if (error instanceof TargetError) {
    for (const mistake of error.mistakes) output.err(`target file: ${mistake}`)
    return exitCodes.usage
  }
  if (error instanceof UsageError || error instanceof SelectionError) {
    output.err(error.message)
    return error instanceof UsageError ? exitCodes.usage : exitCodes.nothingSelected
  }
  output.err(`the harness failed: ${error instanceof Error ? error.stack : error}`)
  return exitCodes.harnessFailed
}

/** Milliseconds after SIGTERM in which a run may take away what it registered: who sends it waits for about a second. */
const removalAfterSigtermMs = 500

/** The process's own terminal; SIGINT and SIGTERM end what is under way, once: SIGTERM within a second. */
export function terminal(): Output {
  const [ending, hurrying] = [new AbortController(), new AbortController()]
  process.once('SIGINT', () => ending.abort())
  process.once('SIGTERM', () => {
    ending.abort()
    setTimeout(() => hurrying.abort(), removalAfterSigtermMs).unref()
  })
  const { stdout } = process
  return {
    out: (text) => console.log(printable(text)),
    err: (text) => console.error(printable(text)),
    tell: (line) => console.log(visible(line)),
    styled: stdout.isTTY === true && !process.env.NO_COLOR,
    ...(stdout.isTTY && { live: { write: (text: string) => stdout.write(text), columns: () => stdout.columns || 80 } }),
    signal: ending.signal,
    hurry: hurrying.signal,
  }
}
