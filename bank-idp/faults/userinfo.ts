import { generateKeyPairSync } from 'node:crypto'
import type { JWK } from 'jose'
import { fault, type Sealing } from './fault.js'

const route = 'GET /userinfo'

/** A key that nobody published, made when it is first wanted. */
let strange: JWK | undefined
function strangeKey(): JWK {
  strange ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }) as JWK
  return strange
}

function encryption(change: (plan: NonNullable<Sealing['encryption']>) => Sealing['encryption']) {
  return (sealing: Sealing): Sealing => ({
    ...sealing,
    encryption: sealing.encryption && change(sealing.encryption),
  })
}

export const userinfoFaults = [
  fault({
    id: 'userinfo/content-type-json',
    breaks: ['DATA-1'],
    title: 'Announces the sealed reply as application/json',
    response: {
      [route]: (response) => ({ ...response, headers: { ...response.headers, 'content-type': 'application/json' } }),
    },
  }),
  fault({
    id: 'userinfo/unsigned-inside',
    breaks: ['DATA-1'],
    title: 'Encrypts a JWT that is not signed (alg none)',
    sealing: { userinfo: (sealing) => ({ ...sealing, signing: 'none' }) },
  }),
  fault({
    id: 'userinfo/unpublished-key',
    breaks: ['DATA-1', 'JWKS-4'],
    title: 'Signs with a key that is not published, under the kid of one that is',
    sealing: {
      userinfo: (sealing) =>
        sealing.signing === 'none'
          ? sealing
          : { ...sealing, signing: { alg: 'PS512', key: { ...strangeKey(), kid: sealing.signing.key.kid } } },
    },
  }),
  fault({
    id: 'userinfo/other-signing-alg',
    breaks: ['DATA-1'],
    title: 'Signs with PS256 where PS512 is registered',
    sealing: {
      userinfo: (sealing) =>
        sealing.signing === 'none' || sealing.signing.alg !== 'PS512'
          ? sealing
          : { ...sealing, signing: { alg: 'PS256', key: { ...sealing.signing.key, alg: 'PS256' } } },
    },
  }),
  fault({
    id: 'userinfo/not-encrypted',
    breaks: ['DATA-13'],
    title: 'Leaves out the encryption that the application registered',
    sealing: { userinfo: encryption(() => undefined) },
  }),
  fault({
    id: 'userinfo/other-enc',
    breaks: ['DATA-13'],
    title: 'Encrypts with A128GCM where A256GCM is registered',
    sealing: { userinfo: encryption((plan) => ({ ...plan, enc: 'A128GCM' })) },
  }),
  fault({
    id: 'userinfo/other-key',
    breaks: ['DATA-13'],
    title: "Encrypts to a key that is not the application's",
    sealing: {
      userinfo: encryption((plan) => {
        const { n, e, kty } = strangeKey()
        return { ...plan, key: { kty, n, e, kid: plan.key.kid } }
      }),
    },
  }),
]
