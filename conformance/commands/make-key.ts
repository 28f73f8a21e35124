import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Command, Option } from 'commander'
import { type BundleAlgorithm, bundleAlgorithms, makeCertifierKey } from '../certification/certifier-key.js'
import { type Output, UsageError } from '../output.js'
import { fileTrouble } from '../target/file-trouble.js'

/** conformance make-key */
export function makeKeyCommand(output: Output): Command {
  return new Command('make-key')
    .description('make a key that signs certifications: the private key in a file, the public key beside it')
    .argument('<file>', 'the private key, a JWK that only its owner can read; the public key is written to FILE.pub')
    .addOption(new Option('--alg <alg>', 'the algorithm of the key').choices(bundleAlgorithms).default('ES512'))
    .action(async (file: string, { alg }: { alg: BundleAlgorithm }) => {
      for (const half of [file, `${file}.pub`]) if (existsSync(half)) throw thereAlready(half)
      const { privateJwk, publicJwk } = await makeCertifierKey(alg)
      await write(file, privateJwk, 0o600)
      await write(`${file}.pub`, publicJwk, 0o644)
      output.out(`${file} is the key ${publicJwk.kid} (${alg}): keep it secret. ${file}.pub verifies what it signs.`)
    })
}

/** A key that is there is never written over: what it signed could no longer be verified. */
async function write(file: string, value: object, mode: number): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`, { mode, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw thereAlready(file)
      if (error.code === 'ENOENT') throw new UsageError(`there is no directory ${dirname(file)}: make it first`)
      throw new UsageError(`${file} cannot be written (${fileTrouble(error)})`)
    },
  )
}

function thereAlready(file: string): UsageError {
  return new UsageError(`${file} already exists and is not overwritten: name another file`)
}
