import { validate } from '../../schemas/index.js'
import type { Check } from '../checks.js'
import { BankError } from '../errors.js'
import { capabilities, secretSigningAlgs } from '../provider/capabilities.js'
import { type Readings, readingOf } from '../readings.js'
import { words } from '../words.js'

/** A registration record as it came, not yet believed. */
export interface Candidate {
  record: Record<string, unknown>
  readings: Readings
}

/** Fields whose values have to be among those that discovery declares (specification: "Discovery document"). */
const declared: Record<string, readonly string[]> = {
  response_types: capabilities.responseTypes,
  grant_types: capabilities.grantTypes,
  subject_type: capabilities.subjectTypes,
  default_acr_values: capabilities.acrValues,
  token_endpoint_auth_method: capabilities.tokenEndpointAuthMethods,
  id_token_signed_response_alg: capabilities.responseSigningAlgs,
  userinfo_signed_response_alg: capabilities.responseSigningAlgs,
  profile_signed_response_alg: capabilities.responseSigningAlgs,
  id_token_encrypted_response_alg: capabilities.responseEncryptionAlgs,
  userinfo_encrypted_response_alg: capabilities.responseEncryptionAlgs,
  profile_encrypted_response_alg: capabilities.responseEncryptionAlgs,
  id_token_encrypted_response_enc: capabilities.responseEncryptionEncs,
  userinfo_encrypted_response_enc: capabilities.responseEncryptionEncs,
  profile_encrypted_response_enc: capabilities.responseEncryptionEncs,
  application_type: ['web'],
}

const encrypted = ['id_token', 'userinfo', 'profile'].map((kind) => `${kind}_encrypted_response`)

/** Both replies with user data are encrypted by the readings of AMB-48 that leave no choice. */
export const userDataEncryption = ['userinfo_encrypted_response_alg', 'profile_encrypted_response_alg']

/** Required as published, beyond what the schema of the default edition requires (AMB-58). */
const publishedRequired = ['request_uris', 'require_auth_time', 'default_max_age', 'tos_uri', 'logo_uri']

function invalid(reason: string): BankError {
  return new BankError('invalid_client_metadata', reason)
}

function redirectUris({ record }: Candidate): string[] {
  return record.redirect_uris as string[]
}

/**
 * The checks of a registration record, in their order. Specification: "Client registration record"; OpenID Connect Dynamic Client
 * Registration section 2.
 */
export const registrationChecks: readonly Check<Candidate>[] = [
  {
    id: 'registration/form',
    check({ record }) {
      const [violation] = validate('registration-request', record)
      if (violation) throw invalid(`${violation.path.replace(/^\//, '') || 'the record'}: ${violation.message}`)
    },
  },
  {
    id: 'registration/published-required',
    check({ record, readings }) {
      if (readingOf(readings, 'AMB-58') !== 2) return
      const missing = publishedRequired.filter((field) => record[field] === undefined)
      if (missing.length > 0) throw invalid(`${missing.join(', ')} missing`)
    },
  },
  {
    id: 'registration/redirect-uri-https',
    check(candidate) {
      const plain = redirectUris(candidate).find((uri) => !URL.canParse(uri) || new URL(uri).protocol !== 'https:')
      if (plain !== undefined) throw new BankError('invalid_redirect_uri', `redirect_uris: ${plain} is not https`)
    },
  },
  {
    id: 'registration/redirect-uri-form',
    check(candidate) {
      const odd = redirectUris(candidate).find((uri) => {
        const { username, password, href } = new URL(uri)
        return username || password || href.includes('#') || uri.includes('#')
      })
      if (odd !== undefined)
        throw new BankError('invalid_redirect_uri', `redirect_uris: ${odd} must be without user and fragment`)
    },
  },
  {
    id: 'registration/declared-values',
    check({ record }) {
      for (const [field, allowed] of Object.entries(declared)) {
        const wrong = [record[field] ?? []].flat().find((value) => !allowed.includes(value as string))
        if (wrong !== undefined) throw invalid(`${field}: ${String(wrong)} is not among ${allowed.join(', ')}`)
      }
    },
  },
  {
    id: 'registration/auth-signing-alg',
    check({ record, readings }) {
      const method = record.token_endpoint_auth_method
      const alg = record.token_endpoint_auth_signing_alg
      const allowed = method === 'client_secret_jwt' ? secretSigningAlgs(readings) : capabilities.assertionSigningAlgs
      if (alg === undefined || allowed.includes(String(alg))) return
      throw invalid(`token_endpoint_auth_signing_alg: ${String(alg)} is not among ${allowed.join(', ')}`)
    },
  },
  {
    id: 'registration/scope',
    check({ record }) {
      const unknown = words(record.scope as string).find((scope) => !capabilities.scopes.includes(scope))
      if (unknown) throw invalid(`scope: ${unknown} is not supported`)
    },
  },
  {
    id: 'registration/required-scope',
    check({ record }) {
      const registered = words(record.scope as string)
      const outside = words(record.required_scope as string | undefined).find((scope) => !registered.includes(scope))
      if (outside) throw invalid(`required_scope: ${outside} is not in scope`)
    },
  },
  {
    id: 'registration/enc-without-alg',
    check({ record }) {
      const field = encrypted.find((name) => record[`${name}_enc`] !== undefined && record[`${name}_alg`] === undefined)
      if (field) throw invalid(`${field}_enc is given without ${field}_alg`)
    },
  },
  {
    id: 'registration/encryption-required',
    check({ record, readings }) {
      if (readingOf(readings, 'AMB-48') !== 3) return
      const missing = userDataEncryption.filter((field) => record[field] === undefined)
      if (missing.length > 0) throw invalid(`${missing.join(', ')} missing`)
    },
  },
  {
    id: 'registration/one-sector',
    check(candidate) {
      const { record } = candidate
      const hosts = new Set(redirectUris(candidate).map((uri) => new URL(uri).host))
      if (record.subject_type !== 'public' && record.sector_identifier_uri === undefined && hosts.size > 1) {
        throw invalid('redirect_uris have several hosts: sector_identifier_uri is required')
      }
    },
  },
]
