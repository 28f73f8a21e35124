import { createPublicKey, X509Certificate } from 'node:crypto'
import type { Tools } from '../../harness/rule.js'
import { untrustedCertificate } from '../../http/self-signed.js'
import type { Signer } from '../../service/assertions.js'
import { foreignSigner } from '../../service/client-keys.js'

/**
 * Signers by a key that no client registered, to which what they sign leads: in its header, or at an address of ours where there is a
 * server for it. Each but that of jku has no kid, by which the key would be sought elsewhere.
 */
export async function leadingSigners(
  { bank, service: { server } }: Pick<Tools, 'bank' | 'service'>,
  alg: string,
): Promise<Record<string, Signer>> {
  const { kid, privateKey, publicJwk } = await foreignSigner(alg)
  const pem = await untrustedCertificate('conformance', createPublicKey({ key: { ...publicJwk }, format: 'jwk' }))
  const x5c = [new X509Certificate(pem).raw.toString('base64')]
  return {
    'of a key that its header brings along': { alg, privateKey, leading: { jwk: publicJwk } },
    'of a key that its header brings along in a certificate': { alg, privateKey, leading: { x5c } },
    ...(server && {
      'of a key at an address that its header names': {
        ...{ alg, kid, privateKey },
        leading: { jku: bank.hostKeys([publicJwk]).url },
      },
      'of a key in a certificate at an address that its header names': {
        ...{ alg, privateKey },
        leading: { x5u: bank.hostCertificate(pem) },
      },
    }),
  }
}
