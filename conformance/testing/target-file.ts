import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { certificates } from './certificates.js'

/** A directory with everything a target file can name. */
export interface TargetDirectory {
  path: string
  /** Writes a file into it and gives its path. */
  write(name: string, text: string): string
  remove(): void
}

/** ca.pem, cert.pem, key.pem, jwks.json and control.token in a directory of their own. */
export async function targetDirectory(): Promise<TargetDirectory> {
  const path = mkdtempSync(join(tmpdir(), 'target-'))
  const write = (name: string, text: string) => {
    const file = join(path, name)
    writeFileSync(file, text)
    return file
  }
  const { ca, localhost } = await certificates()
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  write('ca.pem', ca)
  write('cert.pem', localhost.cert)
  write('key.pem', localhost.key)
  write('jwks.json', JSON.stringify({ keys: [await exportJWK(privateKey)] }))
  write('control.token', 'a-control-token\n')
  return { path, write, remove: () => rmSync(path, { recursive: true }) }
}
