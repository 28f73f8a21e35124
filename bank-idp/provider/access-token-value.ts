import { constants, createPrivateKey, sign } from 'node:crypto'
import { nowSeconds } from '../clock.js'
import type { BankContext } from '../context.js'
import type { Provider } from './library.js'
import { overrideTokenValues } from './patches.js'

type Parts = Pick<BankContext, 'config' | 'policy' | 'keys' | 'seams'>

/**
 * The value of an access token in the form of a signed, stateless-looking JWT (AMB-14): it names the bank and the client and
 * nobody else, and cannot be guessed for its jti. What it is good for is looked up all the same.
 */
function jwtAccessToken({ config, keys }: Parts, jti: string, clientId: unknown): string {
  const key = keys.current('PS512')
  const iat = nowSeconds()
  const parts = [
    { alg: 'PS512', kid: key.kid, typ: 'at+jwt' },
    { iss: config.issuer, client_id: clientId, iat, jti },
  ]
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  const signature = sign('sha512', Buffer.from(signed), { key: createPrivateKey({ key, format: 'jwk' }), ...padding })
  return `${signed}.${signature.toString('base64url')}`
}

/** What access tokens look like: the library's random string, or by the other reading of AMB-14 a JWT around it; a seam of faults. */
export function accessTokenValues(provider: Provider, context: Parts): void {
  const isJwt = context.policy.accessTokenFormat === 'jwt'
  overrideTokenValues(provider, (token, random) =>
    context.seams.accessToken(isJwt ? jwtAccessToken(context, random, token.clientId) : random, token),
  )
}
