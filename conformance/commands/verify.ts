import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { isPrivate, type VerificationKey, verificationKeys } from '../certification/certifier-key.js'
import { verifyBundle } from '../certification/verify.js'
import { type ExitCode, exitCodes, type Output, UsageError } from '../output.js'
import { bundleLines } from '../reports/bundle.js'
import { fileTrouble } from '../target/file-trouble.js'

interface VerifyOptions {
  key?: string
  jwks?: string
}

/** conformance verify */
export function verifyCommand(output: Output, ended: (code: ExitCode) => void): Command {
  return new Command('verify')
    .description('check offline that a bundle is what the certifier signed, and name what was changed')
    .argument('<bundle>', 'the directory of the bundle')
    .option('--key <file>', "the certifier's public key, PEM or JWK")
    .option('--jwks <file>', "the certifier's public keys, a JWK set")
    .action(async (bundle: string, options: VerifyOptions) => ended(await verify(bundle, options, output)))
}

async function verify(bundle: string, { key, jwks }: VerifyOptions, output: Output): Promise<ExitCode> {
  const files = [key, jwks].flatMap((file) => file ?? [])
  const texts = await Promise.all(files.map(readKey))
  const trusted = (await Promise.all(texts.map(keysIn))).flat()
  for (const { file } of texts.filter(({ text }) => isPrivate(text)))
    output.err(`${file} holds a private key: to verify takes the public one alone, and whoever has this one can sign`)
  const { problems, manifest, signer } = await verifyBundle(bundle, files.length > 0 ? trusted : undefined)
  for (const problem of problems) output.err(`changed  ${problem}`)
  if (problems.length > 0 || !manifest || !signer) return exitCodes.changed
  output.out(`${bundle} is what was signed.`)
  for (const line of bundleLines(manifest, signer)) output.out(line)
  if (files.length > 0) return exitCodes.nothingFailed
  output.err('Nothing shows whose key that is: name the key of the certifier with --key or --jwks.')
  return exitCodes.usage
}

/** A key as it lies in its file. */
interface KeyFile {
  file: string
  text: string
}

async function readKey(file: string): Promise<KeyFile> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`the key ${file} cannot be read (${fileTrouble(error)})`)
  })
  return { file, text }
}

async function keysIn({ file, text }: KeyFile): Promise<VerificationKey[]> {
  return verificationKeys(text).catch((error: Error) => {
    throw new UsageError(`the key ${file}: ${error.message}`)
  })
}
