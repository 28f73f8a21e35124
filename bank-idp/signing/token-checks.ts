import type { Request } from 'express'
import { type Check, runChecks } from '../checks.js'
import type { Client } from '../client.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import type { SigningRequest } from '../signing-request.js'
import { type ClientCertificate, certificateOf } from './certificate.js'

interface Holder {
  client: Client
  request: SigningRequest
  certificate?: ClientCertificate
}

function refused(reason: string): BankError {
  return new BankError('invalid_client', reason, { status: 401 })
}

/** Specification: "Authentication" 10: mutual TLS and private_key_jwt, with mutual TLS as holder-of-key mechanism. */
const holderChecks: readonly Check<Holder>[] = [
  {
    id: 'signing-token/mutual-tls',
    check({ certificate }) {
      if (!certificate?.trusted) throw refused('the signing flow requires a client certificate that the bank trusts')
    },
  },
  {
    id: 'signing-token/private-key-jwt',
    check({ client }) {
      const method = client.record.token_endpoint_auth_method
      if (method !== 'private_key_jwt') throw refused(`the signing flow requires private_key_jwt, not ${method}`)
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
 * @throws {BankError} invalid_client or invalid_grant
 */
export async function holdKey(
  context: Pick<BankContext, 'seams'>,
  request: SigningRequest,
  client: Client,
  req: Request,
): Promise<void> {
  const certificate = certificateOf(req)
  await runChecks(holderChecks, { client, request, certificate }, context.seams, client.clientId)
}
