import { validate } from '../../schemas/index.js'
import { type AddressRule, addressProblem, hasUser, hostProblem, isAddress, lengthProblem } from '../addresses.js'
import {
  capabilities,
  deviceGrant,
  grantTypes,
  idTokenSigningAlgs,
  responseTypes,
  secretSigningAlgs,
  subjectTypes,
} from '../capabilities.js'
import type { Check } from '../checks.js'
import { BankError } from '../errors.js'
import type { Outbound } from '../keys/outbound.js'
import { didYouMean } from '../nearest.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { Policy } from '../policy.js'
import { maxAgeLimitSeconds } from './authorization-checks.js'
import {
  type Allowed,
  algorithms,
  authenticationMethods,
  encOfAlg,
  grantOf,
  httpsOnly,
  linked,
  otherValues,
  publishedRequired,
  userDataEncryption,
} from './registration-values.js'
import { readSectorDocument, type SectorDocument } from './sector-document.js'

/** A registration record as it came, not yet believed. */
export interface Candidate {
  record: Record<string, unknown>
  policy: Policy
  /** The document at its sector_identifier_uri, fetched once. */
  sectorDocument(): Promise<SectorDocument>
}

export function candidate(record: Record<string, unknown>, policy: Policy, outbound: Outbound): Candidate {
  let document: Promise<SectorDocument> | undefined
  return {
    record,
    policy,
    sectorDocument() {
      document ??= readSectorDocument(outbound, String(record.sector_identifier_uri))
      return document
    },
  }
}

/** How much of a value a refusal repeats. */
const maxFormattedLength = 200

function format(value: unknown): string {
  const text = String(value)
  return text.length > maxFormattedLength ? `${text.slice(0, maxFormattedLength)}...` : text
}

function invalid(reason: string): BankError {
  return new BankError('invalid_client_metadata', reason)
}

function redirectUris({ record }: Candidate): string[] {
  return record.redirect_uris as string[]
}

function checkAllowed(record: Record<string, unknown>, table: Allowed): void {
  for (const [field, allowed] of Object.entries(table)) {
    const wrong = [record[field] ?? []].flat().find((value) => !allowed.includes(value as string))
    if (wrong !== undefined) throw invalid(`${field}: ${format(wrong)} is not among ${allowed.join(', ')}`)
  }
}

function checkAddresses(record: Record<string, unknown>, fields: readonly string[], rule: AddressRule): void {
  for (const field of fields) {
    for (const uri of [record[field] ?? []].flat() as string[]) {
      const problem = addressProblem(uri, rule) ?? lengthProblem(uri)
      if (problem) throw invalid(`${field}: ${format(uri)} ${problem}`)
    }
  }
}

/**
 * The checks of a registration record, in their order. Specification: "Client registration record"; OpenID Connect Dynamic Client
 * Registration section 2. Every refusal names the field and the reason.
 */
export const registrationChecks: readonly Check<Candidate>[] = [
  {
    id: 'registration/form',
    check({ record }) {
      const violations = validate('registration-request', record)
      const [first] = violations
      if (!first) return
      const code = first.path.startsWith('/redirect_uris/') ? 'invalid_redirect_uri' : 'invalid_client_metadata'
      // All at once: whoever writes a record can fix it at once.
      throw new BankError(code, format(violations.map(({ message }) => message).join(' ')))
    },
  },
  {
    id: 'registration/published-required',
    check({ record, policy }) {
      if (policy.requiredRegistrationFields !== 'as-published') return
      const missing = publishedRequired.filter((field) => record[field] === undefined)
      if (missing.length > 0) throw invalid(`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`)
    },
  },
  {
    id: 'registration/redirect-uri-https',
    check(one) {
      const plain = redirectUris(one).find((uri) => !isAddress(uri) || new URL(uri).protocol !== 'https:')
      if (plain !== undefined)
        throw new BankError('invalid_redirect_uri', `redirect_uris: ${format(plain)} is not https`)
    },
  },
  {
    id: 'registration/redirect-uri-form',
    check(one) {
      const odd = redirectUris(one).find((uri) => hasUser(uri) || uri.includes('#'))
      if (odd !== undefined)
        throw new BankError('invalid_redirect_uri', `redirect_uris: ${format(odd)} must not have a user or a fragment`)
    },
  },
  {
    id: 'registration/redirect-uri-host',
    check(one) {
      for (const uri of redirectUris(one)) {
        const problem = hostProblem(uri)
        if (problem) throw new BankError('invalid_redirect_uri', `redirect_uris: ${format(uri)} ${problem}`)
      }
    },
  },
  {
    id: 'registration/redirect-uri-length',
    check(one) {
      for (const uri of redirectUris(one)) {
        const problem = lengthProblem(uri)
        if (problem) throw new BankError('invalid_redirect_uri', `redirect_uris: ${format(uri)} ${problem}`)
      }
    },
  },
  {
    id: 'registration/addresses',
    check({ record }) {
      checkAddresses(record, httpsOnly, { schemes: ['https:'] })
      checkAddresses(record, linked, { schemes: ['https:', 'http:'], fragment: true })
      const addressed = ((record.request_uris ?? []) as string[]).filter((uri) => !uri.startsWith('#'))
      checkAddresses({ request_uris: addressed }, ['request_uris'], { schemes: ['https:'], fragment: true })
    },
  },
  {
    id: 'registration/declared-algorithms',
    check: ({ record, policy }) =>
      checkAllowed(record, { ...algorithms, id_token_signed_response_alg: idTokenSigningAlgs(policy) }),
  },
  {
    id: 'registration/unsigned-id-token',
    check({ record }) {
      // OpenID Connect Dynamic Client Registration section 2: not where an id_token passes through the browser.
      const types = (record.response_types as string[] | undefined) ?? ['code']
      if (record.id_token_signed_response_alg !== 'none' || types.every((type) => type === 'code')) return
      throw invalid('id_token_signed_response_alg: none is allowed for the code flow only')
    },
  },
  { id: 'registration/declared-authentication', check: ({ record }) => checkAllowed(record, authenticationMethods) },
  {
    id: 'registration/declared-flows',
    check: ({ record, policy }) =>
      checkAllowed(record, { response_types: responseTypes(policy), grant_types: grantTypes(policy) }),
  },
  {
    id: 'registration/consistent-flows',
    check({ record }) {
      const types = (record.response_types as string[] | undefined) ?? ['code']
      const grants = (record.grant_types as string[] | undefined) ?? ['authorization_code']
      if (grants.length === 0) throw invalid('grant_types must name a grant')
      if (types.length === 0 && !grants.includes(deviceGrant)) throw invalid('response_types must name a response type')
      const lacking = types.map((type) => grantOf[type]).find((grant) => grant !== undefined && !grants.includes(grant))
      if (lacking !== undefined) throw invalid(`grant_types: ${lacking} is missing, and a response type needs it`)
    },
  },
  {
    id: 'registration/declared-values',
    check: ({ record, policy }) => checkAllowed(record, { ...otherValues, subject_type: subjectTypes(policy) }),
  },
  {
    id: 'registration/default-max-age',
    check({ record }) {
      if (Number(record.default_max_age ?? 0) <= maxAgeLimitSeconds) return
      throw invalid(`default_max_age must be a whole number of seconds from 0 to ${maxAgeLimitSeconds}`)
    },
  },
  {
    id: 'registration/auth-signing-alg',
    check({ record, policy }) {
      const method = record.token_endpoint_auth_method
      const alg = record.token_endpoint_auth_signing_alg
      const allowed = method === 'client_secret_jwt' ? secretSigningAlgs(policy) : capabilities.assertionSigningAlgs
      if (alg === undefined || allowed.includes(String(alg))) return
      throw invalid(`token_endpoint_auth_signing_alg: ${format(alg)} is not among ${allowed.join(', ')}`)
    },
  },
  {
    id: 'registration/scope',
    check({ record }) {
      const unknown = parseSpaceDelimited(record.scope as string).find((scope) => !capabilities.scopes.includes(scope))
      if (unknown)
        throw invalid(`scope: ${format(unknown)} is not supported${didYouMean(unknown, capabilities.scopes)}`)
    },
  },
  {
    id: 'registration/required-scope',
    check({ record }) {
      const registered = parseSpaceDelimited(record.scope as string)
      const outside = parseSpaceDelimited(record.required_scope as string | undefined).find(
        (scope) => !registered.includes(scope),
      )
      if (outside) throw invalid(`required_scope: ${format(outside)} is not in scope`)
    },
  },
  {
    id: 'registration/enc-without-alg',
    check({ record }) {
      const field = encOfAlg.find((name) => record[`${name}_enc`] !== undefined && record[`${name}_alg`] === undefined)
      if (field) throw invalid(`${field}_enc is given without ${field}_alg`)
    },
  },
  {
    id: 'registration/encryption-required',
    check({ record, policy }) {
      if (policy.userDataEncryption !== 'registration-required') return
      const missing = userDataEncryption.filter((field) => record[field] === undefined)
      if (missing.length > 0) throw invalid(`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`)
    },
  },
  {
    id: 'registration/one-sector',
    check(one) {
      const { record } = one
      const hosts = new Set(redirectUris(one).map((uri) => new URL(uri).hostname))
      if (record.subject_type !== 'public' && record.sector_identifier_uri === undefined && hosts.size > 1) {
        throw invalid('sector_identifier_uri is required, since redirect_uris have several hosts')
      }
    },
  },
  {
    id: 'registration/sector-document',
    async check(one) {
      const document = await sectorDocumentOf(one)
      if (document && 'problem' in document) throw invalid(`sector_identifier_uri: ${format(document.problem)}`)
    },
  },
  {
    id: 'registration/sector-lists-redirects',
    async check(one) {
      const document = await sectorDocumentOf(one)
      if (!document || 'problem' in document) return
      const missing = redirectUris(one).find((uri) => !document.uris.includes(uri))
      if (missing) throw invalid(`sector_identifier_uri: the document does not list ${format(missing)}`)
    },
  },
]

/** The document the bank has to read; undefined when there is none, or the bank takes only the host (AMB-41). */
async function sectorDocumentOf({ record, policy, sectorDocument }: Candidate): Promise<SectorDocument | undefined> {
  if (record.sector_identifier_uri === undefined || policy.sectorIdentifierUri === 'host-only') return undefined
  return sectorDocument()
}
