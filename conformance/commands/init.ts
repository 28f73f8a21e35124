import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Command, Option } from 'commander'
import { defaultEdition, editions } from '../../schemas/editions/index.js'
import { type Answers, type Ask, answersFrom, askAt, processTerminal, questions } from '../init/answers.js'
import { type Credentials, makeCredentials, publicHalf } from '../init/credentials.js'
import { forTheBank } from '../init/for-the-bank.js'
import { lookAtBank } from '../init/look.js'
import { files, targetText } from '../init/target-text.js'
import { type ExitCode, exitCodes, type Output, UsageError } from '../output.js'
import { fileTrouble } from '../target/file-trouble.js'
import { loadTarget } from '../target/load-target.js'
import { certificatePem, readText } from '../target/target-files.js'
import { makeDirectory, removeMade } from './make-directory.js'

type Flags = Partial<Answers> & { edition: string; force?: true }

/** conformance init */
export function initCommand(output: Output, ended: (code: ExitCode) => void): Command {
  const command = new Command('init')
    .description(
      'set up the examination of a bank: make keys, certificates, a target file, and instructions for the bank',
    )
    .argument('<directory>', 'the directory to write to')
  for (const [name, { flag, asks, choices }] of Object.entries(questions)) {
    const option = new Option(`${flag} <${name}>`, asks)
    command.addOption(choices ? option.choices(choices) : option)
  }
  return command
    .addOption(
      new Option('--edition <edition>', 'the edition of the interface specification by which the bank is examined')
        .choices(editions)
        .default(defaultEdition),
    )
    .option('--force', 'overwrite existing files')
    .action(async (directory: string, { force, edition, ...given }: Flags) => {
      const at = processTerminal()
      const terminal = at && askAt(at, output.signal)
      try {
        await init(directory, given, { force: force === true, edition, ask: terminal?.ask }, output)
      } finally {
        terminal?.close()
      }
      ended(exitCodes.nothingFailed)
    })
}

/** @throws UsageError when an answer lacks or is wrong, the bank cannot be looked at, or a file would be overwritten */
async function init(
  directory: string,
  given: Partial<Answers>,
  { force, edition, ask }: { force: boolean; edition: string; ask: Ask | undefined },
  output: Output,
): Promise<void> {
  if (!force) refuseToOverwrite(directory)
  const made = await makeDirectory(directory)
  try {
    await setUp(directory, given, edition, ask, output)
  } catch (error) {
    await removeMade(made)
    throw error
  }
}

async function setUp(
  directory: string,
  given: Partial<Answers>,
  edition: string,
  ask: Ask | undefined,
  output: Output,
): Promise<void> {
  const answers = await answersFrom(given, ask)
  const ca = answers.ca === '' ? undefined : readAuthority(answers.ca)
  const discovery = await lookAtBank(answers.issuer, ca, output)
  const host = new URL(answers.url.replaceAll('{port}', '443')).hostname.replace(/^\[|\]$/g, '')
  const made = await makeCredentials([host], answers.authority === 'own')
  const texts = { ...credentialTexts(made), ...(ca !== undefined && { ca }) }
  // A person's password will stand in the target file.
  const all: Texts = {
    ...texts,
    target: targetText(answers, discovery, edition),
    forTheBank: forTheBank(answers, discovery),
  }
  const paths = Object.entries(all).map(([name, text]) => write(directory, name as keyof typeof files, text))
  const target = join(directory, files.target)
  loadTarget(target, { draft: true })
  output.out(
    [
      ...paths,
      `Next: give ${join(directory, files.forTheBank)} to the people who run the bank, fill in what ${target} marks FILL IN, and run`,
      `conformance doctor --target ${target}`,
    ].join('\n'),
  )
}

/** What is written, by the names of `files`. */
type Texts = Partial<Record<keyof typeof files, string>>

const secret: readonly (keyof typeof files)[] = ['keys', 'certificateKey', 'authorityKey', 'target']

function credentialTexts({ keys, certificateKey, request, own }: Credentials): Texts {
  const json = (set: object) => `${JSON.stringify(set, null, 2)}\n`
  return {
    keys: json({ keys }),
    publicKeys: json({ keys: keys.map(publicHalf) }),
    certificateKey,
    request,
    ...(own && { certificate: own.certificate, authority: own.authority.cert, authorityKey: own.authority.key }),
  }
}

function readAuthority(file: string): string {
  try {
    return certificatePem(readText(file))
  } catch (error) {
    throw new UsageError(`--ca: ${error instanceof Error ? error.message : error}`)
  }
}

function refuseToOverwrite(directory: string): void {
  const there = Object.values(files)
    .map((name) => join(directory, name))
    .filter((file) => existsSync(file))
  if (there.length > 0)
    throw new UsageError(`${there.join(', ')} already ${there.length === 1 ? 'exists' : 'exist'}; --force overwrites`)
}

/** Private files are readable by their owner alone, from the first byte on. @returns the path */
function write(directory: string, name: keyof typeof files, text: string): string {
  const path = join(directory, files[name])
  try {
    mkdirSync(dirname(path), { recursive: true })
    // A file that is overwritten would keep the mode it had.
    rmSync(path, { force: true })
    writeFileSync(path, text, { mode: secret.includes(name) ? 0o600 : 0o644 })
    return path
  } catch (error) {
    throw new UsageError(`${path} cannot be written (${fileTrouble(error)})`)
  }
}
