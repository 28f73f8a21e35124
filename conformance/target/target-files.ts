import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { JWK } from 'jose'
import { fileTrouble } from './file-trouble.js'

/** The text of a file that a target file names. @throws Error in words */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(
      code === 'ENOENT' ? `the file ${path} does not exist` : `${path} cannot be read (${fileTrouble(error)})`,
    )
  }
}

/** PEM certificates, as they are. @throws Error when there is none */
export function certificatePem(pem: string): string {
  try {
    new X509Certificate(pem)
    return pem
  } catch {
    throw new Error('the file contains no PEM certificate')
  }
}

/** A PEM private key, as it is. @throws Error when it is none, or not the one of the certificate */
export function privateKeyPem(pem: string, cert: string | undefined): string {
  const key = (() => {
    try {
      return createPrivateKey(pem)
    } catch {
      throw new Error('the file contains no PEM private key without a passphrase')
    }
  })()
  if (cert && !new X509Certificate(cert).checkPrivateKey(key))
    throw new Error('the key does not belong to the certificate')
  return pem
}

/** A token or a secret in a file of its own. */
export function oneLine(text: string): string {
  if (!/^\S+\s*$/.test(text)) throw new Error('the file must contain one token or secret and nothing else')
  return text.trim()
}

/** A private JWK set with a key to sign with. @throws Error naming what is wrong with it */
export function privateKeys(text: string): JWK[] {
  const keys = (() => {
    try {
      return JSON.parse(text)?.keys as unknown
    } catch {
      throw new Error('the file is not JSON')
    }
  })()
  if (!Array.isArray(keys)) throw new Error('the file is not a JWK set: {"keys": […]}')
  for (const [i, key] of keys.entries()) {
    try {
      createPrivateKey({ key, format: 'jwk' })
    } catch {
      throw new Error(`keys[${i}] is not a private JWK`)
    }
  }
  if (!keys.some((key) => key.use !== 'enc')) throw new Error('the set contains no signing key')
  return keys
}
