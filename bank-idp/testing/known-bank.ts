import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bank } from '../bank.js'
import { files } from '../keys/data-directory.js'

/** What the service knows of a bank. */
export type KnownBank = Pick<Bank, 'issuer' | 'identity'>

/** The bank that runs on a data directory in another process. */
export function bankAt(issuer: string, data: string): KnownBank {
  const read = (file: string) => readFileSync(join(data, file), 'utf8')
  const certificate = (cert: string, key: string) => ({ cert: read(cert), key: read(key) })
  return {
    issuer,
    identity: {
      authority: certificate(files.authority, files.authorityKey),
      tls: certificate(files.tls, files.tlsKey),
      service: {
        certificate: certificate(files.serviceCertificate, files.serviceCertificateKey),
        otherCertificate: certificate(files.otherCertificate, files.otherCertificateKey),
        jwks: JSON.parse(read(files.serviceKeys)),
      },
    },
  }
}
