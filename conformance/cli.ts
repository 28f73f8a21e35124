#!/usr/bin/env node
import { realpathSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, CommanderError } from 'commander'
import { examine, type Results } from './examine.js'
import { TargetError } from './harness/failure.js'
import { SelectionError } from './harness/selection.js'
import { consoleReport } from './reports/console.js'
import { jsonReport } from './reports/json.js'
import { rules } from './rules/index.js'
import { serveCommand } from './serve.js'

/** Exit codes of the command. */
export const exitCodes = {
  nothingFailed: 0,
  bankFailed: 1,
  usage: 2,
  harnessFailed: 3,
  nothingSelected: 4,
} as const

/** Where the command writes; one of its own in tests. */
export interface Output {
  out(text: string): void
  err(text: string): void
  /** Whether colours are wanted on `out`. */
  styled: boolean
  /** Ends a run that is under way. */
  signal: AbortSignal
}

/**
 * Runs the command.
 * @param args what follows the name of the command
 * @returns one of `exitCodes`
 */
export async function main(args: readonly string[], output: Output): Promise<number> {
  let code: number = exitCodes.nothingFailed
  const program = new Command('conformance')
    .description("Examines a bank's identity provider against the interface specification.")
    .configureOutput({ writeOut: (text) => output.out(text.trimEnd()), writeErr: (text) => output.err(text.trimEnd()) })
    .exitOverride()
  program
    .command('run')
    .description('examine a bank')
    .requiredOption('--target <file>', 'the file that describes the bank')
    .option('--only <pattern...>', 'only these rules: ids of rules or requirements, * for any characters')
    .option('--skip <pattern...>', 'all but these rules')
    .option('--out <dir>', 'where report.json is written', 'report')
    .option('--seed <seed>', 'choose the same names as the run that printed this seed')
    .action(async (options: RunOptions) => {
      code = await run(options, output)
    })
  program
    .command('list')
    .description('list the rules: id, requirement, level, title')
    .action(() => {
      for (const line of listing()) output.out(line)
    })
  serveCommand(program, output)
  try {
    await program.parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    return told(error, output)
  }
}

interface RunOptions {
  target: string
  only?: string[]
  skip?: string[]
  out: string
  seed?: string
}

async function run({ target, out, ...options }: RunOptions, output: Output): Promise<number> {
  const report = consoleReport(output)
  const results = await examine({
    ...options,
    target,
    signal: output.signal,
    onProgress: (result) => output.out(report.line(result)),
  })
  await mkdir(out, { recursive: true })
  const file = join(out, 'report.json')
  await writeFile(file, jsonReport(results))
  output.out(report.summary(results))
  output.out(`The report is in ${file}.`)
  return exitCode(results)
}

/** A run that was ended early says nothing about the rules it left; it is no success. */
function exitCode({ counts, partial, results }: Results): number {
  if (counts.error > 0 || partial) return exitCodes.harnessFailed
  const blocked = results.some(({ status, level }) => status === 'blocked' && level === 'MUST')
  return counts.fail > 0 || blocked ? exitCodes.bankFailed : exitCodes.nothingFailed
}

function listing(): string[] {
  const rows = rules.map(({ id, requirement, title }) => [id, requirement.id, requirement.level, title])
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
}

function told(error: unknown, output: Output): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.nothingFailed : exitCodes.usage
  if (error instanceof TargetError) {
    for (const mistake of error.mistakes) output.err(`target file: ${mistake}`)
    return exitCodes.usage
  }
  if (error instanceof SelectionError) {
    output.err(error.message)
    return exitCodes.nothingSelected
  }
  output.err(`the harness failed: ${error instanceof Error ? error.stack : error}`)
  return exitCodes.harnessFailed
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  process.exitCode = await main(process.argv.slice(2), {
    out: (text) => console.log(text),
    err: (text) => console.error(text),
    styled: process.stdout.isTTY === true,
    signal: ending.signal,
  })
}
