import type { RequestHandler } from 'express'
import express from 'express'
import { schema } from '../../schemas/index.js'
import type { Check } from '../checks.js'
import type { Client, RegistrationRecord } from '../client.js'
import { constantTimeEqual } from '../constant-time-equal.js'
import { BankError } from '../errors.js'
import type { Policy } from '../policy.js'
import { readBody } from '../read-body.js'
import { userDataEncryption } from './registration-values.js'

const fields = Object.keys(schema('registration-record').properties as object)

/** Defaults where the record names none. OpenID Connect Dynamic Client Registration section 2; subject_type by AMB-40. */
function defaults(policy: Pick<Policy, 'subjectType'>) {
  return {
    response_types: ['code'],
    grant_types: ['authorization_code'],
    application_type: 'web',
    subject_type: policy.subjectType === 'public-by-default' ? 'public' : 'pairwise',
    token_endpoint_auth_method: 'private_key_jwt',
    id_token_signed_response_alg: 'PS512',
    userinfo_signed_response_alg: 'PS512',
    profile_signed_response_alg: 'PS512',
  }
}

const encrypted = ['id_token_encrypted_response', 'userinfo_encrypted_response', 'profile_encrypted_response']

/** What a record carries for logout through the browser (AMB-52). */
const frontChannel = ['frontchannel_logout_uri', 'frontchannel_logout_session_required', 'post_logout_redirect_uris']

/** The record as it is kept: known members alone, defaults filled in, an encryption alg completed by its enc. */
export function accepted(
  given: Record<string, unknown>,
  policy: Pick<Policy, 'subjectType' | 'frontChannelLogout' | 'userDataEncryption'>,
): RegistrationRecord {
  const taken =
    policy.frontChannelLogout === 'not-offered' ? fields.filter((name) => !frontChannel.includes(name)) : fields
  const known = Object.fromEntries(Object.entries(given).filter(([name]) => taken.includes(name)))
  const record: Record<string, unknown> = { ...defaults(policy), ...known }
  if (policy.userDataEncryption === 'always') for (const field of userDataEncryption) record[field] ??= 'RSA-OAEP-256'
  for (const name of [...encrypted, 'request_object_encryption']) {
    if (record[`${name}_alg`]) record[`${name}_enc`] ??= 'A256GCM'
  }
  return record as RegistrationRecord
}

const readJson = express.json({ limit: '100kb', strict: false }) as RequestHandler

/** A JSON object as the body, or a refusal that says what came instead. */
export const readRecord: RequestHandler = async (req, res, next) => {
  await readBody(readJson, 'invalid_client_metadata', req, res)
  if (typeof req.body !== 'object' || req.body === null || Array.isArray(req.body)) {
    throw new BankError(
      'invalid_client_metadata',
      'the body must be a JSON object, sent as application/json',
    ).refusedBy('registration/body')
  }
  next()
}

/** The body of a PUT, and the client whose record it replaces. */
export interface Replacement {
  record: Record<string, unknown>
  client: Client
  policy: Pick<Policy, 'replacementClientId'>
}

/**
 * The body of a PUT is a record of the table. What the bank issued is not of it: client_id may be left out (other reading: AMB-78), and it
 * and a client_secret have to be the client's; the rest is not sent (published; RFC 7592 section 2.2).
 */
export const replacementChecks: readonly Check<Replacement>[] = [
  {
    id: 'replacement/client-id',
    check({ record, client, policy }) {
      if (record.client_id === undefined && policy.replacementClientId === 'required')
        throw unfit('client_id is missing')
      if (record.client_id !== undefined && record.client_id !== client.clientId)
        throw unfit('client_id must be the one of the address, or be left out')
    },
  },
  {
    id: 'replacement/client-secret',
    check({ record, client }) {
      if (record.client_secret === undefined) return
      if (!constantTimeEqual(String(record.client_secret), client.clientSecret))
        throw unfit('client_secret does not match')
    },
  },
  {
    id: 'replacement/issued-members',
    check({ record }) {
      const issued = ['registration_access_token', 'registration_client_uri', 'client_id_issued_at']
      const sent = issued.find((name) => record[name] !== undefined)
      if (sent) throw unfit(`${sent} is issued by the bank, leave it out`)
    },
  },
]

function unfit(reason: string): BankError {
  return new BankError('invalid_client_metadata', reason)
}
