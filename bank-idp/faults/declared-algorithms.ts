import { generateKeyPairSync } from 'node:crypto'
import type { JWK } from 'jose'
import type { NestedJwt, NestedJwtFacts } from '../seams.js'
import { fault } from './fault.js'

/** What is signed and encrypted by algorithms that discovery declares, with the place of each. */
const kinds = [
  ['id_token', 'id-token', 'id-of-code'],
  ['userinfo', 'userinfo', 'userinfo'],
] as const

/** For `memory`: a P-521 key that nobody published, made when it is first wanted. */
class UnpublishedEcKey {
  #jwk: JWK | undefined

  get jwk(): JWK {
    this.#jwk ??= generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey.export({ format: 'jwk' }) as JWK
    return this.#jwk
  }
}

function signsEs512({ signing }: NestedJwt): boolean {
  return signing !== 'none' && signing.alg === 'ES512'
}

function byUnpublishedKey(nestedJwt: NestedJwt, _bank: unknown, { jwk }: UnpublishedEcKey): NestedJwt {
  const { signing } = nestedJwt
  if (signing === 'none' || !signsEs512(nestedJwt)) return nestedJwt
  return { ...nestedJwt, signing: { ...signing, key: { ...jwk, kid: signing.key.kid } } }
}

function byPs512(nestedJwt: NestedJwt, { bankKey }: NestedJwtFacts): NestedJwt {
  return signsEs512(nestedJwt) ? { ...nestedJwt, signing: { alg: 'PS512', key: bankKey('PS512') } } : nestedJwt
}

export function encryptedBySha1(nestedJwt: NestedJwt): NestedJwt {
  const { encryption } = nestedJwt
  if (!encryption) return nestedJwt
  const { alg: _, ...key } = encryption.key
  return { ...nestedJwt, encryption: { ...encryption, alg: 'RSA-OAEP', key } }
}

export const declaredAlgorithmFaults = kinds.flatMap(([kind, slug, token]) => [
  fault({
    id: `algorithms/${slug}-es512-unpublished`,
    breaks: ['DISC-16'],
    places: [`token=${token} part=signature alg=ES512`],
    title: `Signs ${kind} with a key that is not published where ES512 is registered, under the kid of one that is`,
    memory: () => new UnpublishedEcKey(),
    nestedJwt: { [kind]: byUnpublishedKey },
  }),
  fault({
    id: `algorithms/${slug}-by-sha1`,
    breaks: ['DISC-17', ...(kind === 'id_token' ? ['TOK-35'] : ['DATA-13'])],
    places: [`token=${token} part=alg`],
    title: `Encrypts ${kind} with RSA-OAEP, by SHA-1, where RSA-OAEP-256 is registered`,
    nestedJwt: { [kind]: encryptedBySha1 },
  }),
])

/** That of the id_token is among the faults of the token response. */
export const userinfoAlgorithmFault = fault({
  id: 'algorithms/userinfo-es512-unused',
  breaks: ['DISC-16'],
  places: ['token=userinfo part=alg alg=ES512'],
  title: 'Signs userinfo with PS512 where ES512 is registered',
  nestedJwt: { userinfo: byPs512 },
})
