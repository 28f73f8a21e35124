import type { CompactVerifyGetKey, JWTPayload } from 'jose'
import type { Person } from '../../fixtures/people.js'
import { formatViolation, type Violation, validate } from '../../schemas/index.js'
import { addressProblem, lengthProblem } from '../addresses.js'
import { capabilities, signingFlow, signingFlowAlgs } from '../capabilities.js'
import type { Check } from '../checks.js'
import type { Client } from '../client.js'
import { nowSeconds } from '../clock.js'
import { BankError, type ErrorCode } from '../errors.js'
import { allFurtherMembers, displayProblem } from '../further-members.js'
import { reasonOf } from '../keys/client-keys.js'
import { verifyCompact } from '../keys/verification.js'
import type { Limits } from '../limits.js'
import { loginLengthProblem } from '../login-length.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { Policy } from '../policy.js'
import { notOfKind } from '../provider/jwt-kind.js'
import type { RequestClaims } from '../signing-request.js'
import type { AssertionIds } from '../store/assertion-ids.js'
import { documentsInOrder, hashOfEnvelope, hashOfFields, signsDocuments } from '../structured-scope.js'
import type { OpenedRequestObject } from './request-object.js'

/** A request object with what it has to satisfy; its claims are believed check by check. */
export interface Candidate extends OpenedRequestObject {
  claims: OpenedRequestObject['claims'] & RequestClaims
  /** Whether its signature is taken for good unseen. */
  believed?: boolean
  /** What its schema objects to. */
  violations: readonly Violation[]
  client: Client
  /** Keys of those who may have signed it. */
  signers: readonly CompactVerifyGetKey[]
  /** Finds the client's key to encrypt its id_token to. @throws {BankError} when there is none */
  findEncryptionKey(): Promise<unknown>
  /** The client and the person of the access token that came with it. */
  bearer?: { client: Client; person: Person }
  /** Whom id_token_hint names. */
  hinted?: Person
  /** Addresses of the bank that aud may name. */
  audience: readonly string[]
  limits: Limits
  ids: AssertionIds
  policy: Policy
}

/** How far two clocks may differ, in seconds. */
const clockToleranceSeconds = 10
/** The longest that an authorization is waited for, in seconds: a year. */
const maxAgeLimitSeconds = 365 * 86_400

function refuse(code: ErrorCode, reason: string, cause?: unknown): never {
  throw new BankError(code, reason, { cause })
}

const invalid = (reason: string, cause?: unknown) => refuse('invalid_request_object', reason, cause)

/** Throws the first violation whose place is meant. */
function hold({ violations }: Candidate, meant: (path: string) => boolean): void {
  const found = violations.find(({ path }) => meant(path))
  if (found) invalid(formatViolation(found, 'the request object'))
}

const kinds = '/structured_scope'
const envelope = `${kinds}/documentObjects`

/** Violations that have a check of their own, by where they are. */
const ownCheck: Record<string, (path: string) => boolean> = {
  'ros/max-age': (path) => path === '/max_age',
  'ros/document-kinds': (path) => path === kinds,
  'ros/known-kinds': (path) => /^\/structured_scope\/(?!(signObject|documentObjects?)(\/|$))/.test(path),
  'ros/document-count': (path) => path === `${envelope}/documents`,
  'ros/envelope-members': (path) => [`${envelope}/envelope_name`, `${envelope}/envelope_hash`].includes(path),
}

function ownForm(id: keyof typeof ownCheck): Check<Candidate> {
  return { id, check: (candidate) => hold(candidate, ownCheck[id] ?? (() => false)) }
}

/** Tries one after the other. @throws what the first one threw, when none succeeds */
async function firstToSucceed([first, ...others]: readonly (() => Promise<void>)[]): Promise<void> {
  await first?.().catch(async (cause: unknown) => {
    if (others.length === 0) throw cause
    await firstToSucceed(others).catch(() => {
      throw cause
    })
  })
}

/** The claims' own violations of the schema. */
export function violationsOf(claims: unknown): Violation[] {
  return validate('request-object', claims)
}

/** acr_values, and under its other name (AMB-62). */
export function acrValues(claims: RequestClaims, policy: Pick<Policy, 'acrValuesName'>): string[] {
  return parseSpaceDelimited(
    claims.acr_values ?? (policy.acrValuesName === 'both-spellings' ? claims.acr_value : undefined),
  )
}

/** Claims that are kept with the login of whoever comes to authorize. */
const keptWithLogin = ['scope', 'state', 'nonce', 'acr_values', 'acr_value', 'ui_locales', 'ui_locale'] as const

/** The scopes asked for; profile.address is another name of profile.addresses (AMB-8). */
export function scopesAsked({ scope }: RequestClaims, policy: Pick<Policy, 'signingAddressScope'>): string[] {
  return parseSpaceDelimited(scope).map((one) =>
    one === 'profile.address' && policy.signingAddressScope === 'address-too' ? 'profile.addresses' : one,
  )
}

/**
 * The checks of a request object, in their order. Specification: "Signing / request-object flow", "Structured scope objects",
 * "Authentication" 8 to 10.
 */
export const requestObjectChecks: readonly Check<Candidate>[] = [
  {
    id: 'ros/encrypted',
    check({ encryption }) {
      if (!encryption) invalid('the request object is not encrypted: it must be a JWS inside a JWE')
    },
  },
  {
    id: 'ros/client-method',
    check({ client }) {
      const method = client.record.token_endpoint_auth_method
      if (method !== 'private_key_jwt') {
        refuse(
          'unauthorized_client',
          `the client is registered for ${method}; the signing flow requires private_key_jwt`,
        )
      }
    },
  },
  {
    id: 'ros/algorithm',
    check({ header, policy }) {
      const allowed = signingFlowAlgs(policy)
      if (!allowed.includes(String(header.alg))) {
        invalid(`alg of the request object: ${header.alg} is not among ${allowed.join(', ')}`)
      }
    },
  },
  {
    id: 'ros/registered-algorithm',
    check({ header, client, policy }) {
      const registered = client.record.request_object_signing_alg
      // Algorithms of other flows, when registered, hold there alone (AMB-12).
      if (signingFlowAlgs(policy).includes(String(registered)) && header.alg !== registered) {
        invalid(`alg of the request object: ${header.alg} is not ${registered}, which the client registered`)
      }
    },
  },
  {
    id: 'ros/signature',
    async check({ jws, signers, header, believed }) {
      if (believed) return
      const verified = signers.map((key) => () => verifyCompact(jws, key, String(header.alg)))
      await firstToSucceed(verified).catch((cause: unknown) =>
        invalid(`the signature of the request object cannot be verified: ${reasonOf(cause)}`, cause),
      )
    },
  },
  {
    id: 'ros/jwt-kind',
    check({ header, claims }) {
      const otherKind = notOfKind('request object', header, claims as JWTPayload)
      if (otherKind !== undefined) invalid(`the JWT is not a request object: ${otherKind}`)
    },
  },
  ownForm('ros/max-age'),
  ownForm('ros/known-kinds'),
  {
    id: 'ros/document-kinds',
    check(candidate) {
      const { structured_scope } = candidate.claims
      // AMB-63: only the ban on both kinds of documents at once falls.
      const both = structured_scope?.documentObject !== undefined && structured_scope?.documentObjects !== undefined
      if (both && candidate.policy.structuredScopeMix === 'any-mix') return
      hold(candidate, (path) => path === kinds)
    },
  },
  ownForm('ros/document-count'),
  ownForm('ros/envelope-members'),
  {
    id: 'ros/form',
    check: (candidate) => hold(candidate, (path) => !Object.values(ownCheck).some((own) => own(path))),
  },
  {
    // By which the audit log finds it.
    id: 'ros/txn',
    check({ claims: { txn } }) {
      const problem = lengthProblem(txn)
      if (problem) invalid(`txn ${problem}`)
    },
  },
  {
    id: 'ros/length',
    check({ claims, limits }) {
      const kept = keptWithLogin.flatMap((name) => (claims[name] === undefined ? [] : [[name, String(claims[name])]]))
      const problem = loginLengthProblem(new URLSearchParams(kept), limits)
      if (problem) invalid(problem)
    },
  },
  {
    id: 'ros/issuer',
    check({ claims, client, audience }) {
      if (claims.iss !== undefined && claims.iss !== client.clientId)
        invalid('iss of the request object must be the client_id')
      const named = [claims.aud ?? audience].flat() as unknown[]
      if (!named.some((one) => audience.includes(String(one))))
        invalid(`aud of the request object must be ${audience[0]}`)
    },
  },
  {
    id: 'ros/time',
    check({ claims }) {
      const { exp, nbf, iat, max_age } = claims as { exp?: number; nbf?: number; iat?: number; max_age: number }
      if (exp !== undefined && exp + clockToleranceSeconds <= nowSeconds())
        invalid('exp is in the past: the request object has expired')
      if ((nbf ?? 0) - clockToleranceSeconds > nowSeconds()) invalid('nbf of the request object lies in the future')
      if ((iat ?? 0) - clockToleranceSeconds > nowSeconds()) invalid('iat of the request object lies in the future')
      if (max_age > maxAgeLimitSeconds) invalid(`max_age must be ${maxAgeLimitSeconds} seconds or less`)
    },
  },
  {
    id: 'ros/redirect-uri',
    check({ claims, client }) {
      const { redirect_uri } = claims
      if (redirect_uri !== undefined && !client.record.redirect_uris.includes(redirect_uri)) {
        invalid('redirect_uri is not registered for this client')
      }
    },
  },
  {
    id: 'ros/response-type',
    check({ claims: { response_type }, policy }) {
      const allowed = policy.signingFlowResponseTypes === 'code-only' ? ['code'] : signingFlow.responseTypes
      if (!allowed.includes(response_type)) {
        invalid(`response_type: ${response_type} is not among ${allowed.join(', ')}`)
      }
    },
  },
  {
    id: 'ros/acr-values',
    check({ claims, policy }) {
      const values = acrValues(claims, policy)
      const unknown = values.find((value) => !['loa2', 'loa3'].includes(value))
      if (unknown) invalid(`acr_values: ${unknown} is not among loa2, loa3`)
      if (values.length === 0) invalid('acr_values is missing')
    },
  },
  {
    id: 'ros/document-loa3',
    check({ claims, policy }) {
      if (signsDocuments(claims.structured_scope) && !acrValues(claims, policy).includes('loa3')) {
        invalid('acr_values must contain loa3 to sign a document')
      }
    },
  },
  {
    id: 'ros/scope-of-the-unknown',
    check({ claims, bearer }) {
      const missing = ['openid', 'authorization'].filter((scope) => !parseSpaceDelimited(claims.scope).includes(scope))
      if (!bearer && missing.length > 0) {
        refuse('invalid_scope', `scope must contain ${missing.join(' and ')} in a request without an access token`)
      }
    },
  },
  {
    id: 'ros/scope',
    check({ claims, client, policy }) {
      const registered = parseSpaceDelimited(client.record.scope)
      const allowed = ['openid', ...registered.filter((one) => capabilities.scopes.includes(one))]
      const unknown = scopesAsked(claims, policy).find((scope) => !allowed.includes(scope))
      if (unknown) refuse('invalid_scope', `scope: ${unknown} is not registered for this client`)
    },
  },
  {
    id: 'ros/sign-object-hash',
    check({ claims }) {
      const { signObject } = claims.structured_scope
      if (signObject && signObject.signObject_hash.toLowerCase() !== hashOfFields(signObject)) {
        invalid('structured_scope/signObject/signObject_hash does not match the fields')
      }
    },
  },
  {
    id: 'ros/envelope-hash',
    check({ claims }) {
      const { documentObjects } = claims.structured_scope
      if (documentObjects && documentObjects.envelope_hash?.toLowerCase() !== hashOfEnvelope(documentObjects)) {
        invalid('structured_scope/documentObjects/envelope_hash does not match the hashes of the documents')
      }
    },
  },
  {
    id: 'ros/further-members',
    check({ claims, policy }) {
      for (const member of allFurtherMembers(claims.structured_scope)) {
        if (policy.furtherMembers === 'refused') invalid(`${member.place} is not a known member`)
        const problem = policy.furtherMembers === 'shown' ? displayProblem(member) : undefined
        if (problem) invalid(`${member.place} cannot be shown to the end-user: ${problem}`)
      }
    },
  },
  {
    id: 'ros/document-uri',
    check({ claims, policy }) {
      // Published: where the bank can show the document. It fetches by https alone, whoever names the address.
      const schemes = policy.documentUri === 'http-too' ? ['https:', 'http:'] : ['https:']
      for (const { document_uri } of documentsInOrder(claims.structured_scope)) {
        const problem = addressProblem(document_uri, { schemes, fragment: true })
        if (problem) invalid(`document_uri: ${document_uri} ${problem}`)
      }
    },
  },
  {
    id: 'ros/id-token-hint',
    check({ claims, hinted, bearer }) {
      if (claims.id_token_hint !== undefined && !hinted) {
        invalid('id_token_hint is not an id_token that this bank issued to this client, plain or encrypted to the bank')
      }
      if (hinted && bearer && hinted.id !== bearer.person.id) {
        invalid('id_token_hint names another person than the access token')
      }
    },
  },
  { id: 'ros/encryption-key', check: async ({ findEncryptionKey }) => void (await findEncryptionKey()) },
  {
    id: 'ros/replay',
    async check({ claims, client, ids }) {
      const { jti, exp } = claims as { jti?: string; exp?: number }
      const until = (exp ?? nowSeconds() + claims.max_age) + clockToleranceSeconds
      if (jti !== undefined && !(await ids.firstUse(client.clientId, `ros ${jti}`, until))) {
        invalid('the jti was already used')
      }
    },
  },
]
