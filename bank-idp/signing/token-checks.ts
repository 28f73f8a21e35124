import type { Request } from 'express'
import { type Check, runChecks } from '../checks.js'
import type { Client } from '../client.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import type { Policy } from '../policy.js'
import type { SigningRequest } from '../signing-request.js'
import { seamsAt } from '../steps.js'
import { type ClientCertificate, certificateOf } from './certificate.js'

interface Holder {
  client: Client
  request: SigningRequest
  certificate?: ClientCertificate
  policy: Pick<Policy, 'failedTokenAuthentication'>
}

/** The refusal of a client at /token, by the reading of AMB-29 in force. */
function refused({ policy }: Holder, reason: string): BankError {
  const status = policy.failedTokenAuthentication === 'unauthorized' ? 401 : 400
  return new BankError('invalid_client', reason, { status })
}

/** Specification: "Authentication" 10: mutual TLS and private_key_jwt, with mutual TLS as holder-of-key mechanism. */
const holderChecks: readonly Check<Holder>[] = [
  {
    id: 'signing-token/mutual-tls',
    check(holder) {
      if (holder.certificate?.trusted) return
      throw refused(holder, 'the signing flow requires a client certificate that the bank trusts')
    },
  },
  {
    id: 'signing-token/private-key-jwt',
    check(holder) {
      const method = holder.client.record.token_endpoint_auth_method
      if (method !== 'private_key_jwt')
        throw refused(holder, `the signing flow requires private_key_jwt, not ${method}`)
    },
  },
  {
    id: 'signing-token/same-certificate',
    check({ request, certificate }) {
      if (request.certificate !== undefined && request.certificate !== certificate?.thumbprint) {
        throw new BankError('invalid_grant', 'the request object was sent with another client certificate')
      }
    },
  },
]

/** The request object behind a code or refresh token; undefined for those of other flows. */
export async function signingRequestOf(
  { signingRequests }: Pick<BankContext, 'signingRequests'>,
  source: { grantId?: string } | undefined,
): Promise<SigningRequest | undefined> {
  return source?.grantId === undefined ? undefined : signingRequests.ofGrant(source.grantId)
}

/**
 * Holds the caller to the security of the signing flow.
 *
 * @param grant the grant_type, by which a fault may leave a check out
 * @throws {BankError} invalid_client or invalid_grant
 */
export async function holdKey(
  { policy, seams }: Pick<BankContext, 'policy' | 'seams'>,
  request: SigningRequest,
  client: Client,
  req: Request,
  grant: string,
): Promise<void> {
  const certificate = certificateOf(req)
  await runChecks(holderChecks, { client, request, certificate, policy }, seamsAt(seams, grant), client.clientId)
}
