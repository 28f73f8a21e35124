import { compactVerify, createLocalJWKSet, type JWSHeaderParameters, type JWTPayload } from 'jose'
import { type Check, runChecks } from '../checks.js'
import type { BankContext } from '../context.js'
import { claimsOfJwt, headerOfJwt } from '../keys/jwt-header.js'
import { seamsAt } from '../steps.js'
import { decrypted } from './decryption.js'
import { notOfKind } from './jwt-kind.js'

/** A JWT that the bank signed, in the place of an id_token_hint. */
interface Hint {
  jws: string
  keys: Pick<BankContext['keys'], 'published'>
  header: JWSHeaderParameters
  claims: JWTPayload
  issuer: string
}

/** What such a JWT has to be; what they throw is the reason of a refusal. */
const hintChecks: readonly Check<Hint>[] = [
  {
    id: 'id-token-hint/signature',
    async check({ jws, keys }) {
      await compactVerify(jws, createLocalJWKSet({ keys: keys.published() }))
    },
  },
  {
    id: 'id-token-hint/issuer',
    check({ claims, issuer }) {
      if (claims.iss !== issuer) throw new Error('the id_token was issued by another issuer')
    },
  },
  {
    id: 'id-token-hint/kind',
    check({ header, claims }) {
      const otherKind = notOfKind('id_token', header, claims)
      if (otherKind !== undefined) throw new Error(`the JWT is not an id_token: ${otherKind}`)
    },
  },
]

/** What the hints of the bank are read by. */
type HintContext = Pick<BankContext, 'config' | 'keys' | 'seams'>

/**
 * The claims of an id_token that this bank issued, expired or not, signed by a key in use or retired, as it is or encrypted to the bank.
 * OpenID Connect Core section 3.1.2.1; OpenID Connect RP-Initiated Logout 1.0 section 2.
 *
 * @param clientId of the client that sends it, where that is known
 * @throws {Error} when it is no such id_token
 */
export async function claimsOfHint(
  { config, keys, seams }: HintContext,
  hint: string,
  clientId?: string,
): Promise<JWTPayload> {
  const { content } = await decrypted(keys, hint)
  const [header, claims] = [headerOfJwt(content), claimsOfJwt(content)]
  const placed = content.endsWith('.') ? seamsAt(seams, 'unsigned') : seams
  await runChecks(hintChecks, { jws: content, keys, header, claims, issuer: config.issuer }, placed, clientId)
  return claims
}

/**
 * Whom an id_token_hint is about.
 *
 * @returns its sub
 * @throws {Error} when it is no id_token that this bank issued to the client
 */
export async function subjectOfHint(context: HintContext, clientId: string, hint: string): Promise<string> {
  const { aud, sub } = await claimsOfHint(context, hint, clientId)
  if (![aud].flat().includes(clientId)) throw new Error('the id_token was issued to another client')
  if (typeof sub !== 'string') throw new Error('the id_token has no sub')
  return sub
}
