import type { CompactJWEHeaderParameters, CompactVerifyGetKey, JWTPayload } from 'jose'
import { capabilities } from '../capabilities.js'
import { type Check, runChecks } from '../checks.js'
import type { Client } from '../client.js'
import { nowSeconds } from '../clock.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { reasonOf } from '../keys/client-keys.js'
import { claimsOfJwt, headerOfJwt } from '../keys/jwt-header.js'
import { verifyCompact } from '../keys/verification.js'
import type { JudgedObject } from '../seams.js'
import { runSteps, type Step, seamsAt } from '../steps.js'
import { type Decrypted, decrypted } from './decryption.js'
import { notOfKind } from './jwt-kind.js'
import type { RequestUriReads } from './request-uri-reads.js'

/** How far two clocks may differ, in seconds. */
const clockToleranceSeconds = 10

/** The three parts of a compact JWS. RFC 7515 section 7.1. */
const compactJws = /^[\w-]+(?:\.[\w-]*){2}$/

/** The parameters that an object may hold: strings, but for those of another JSON type. OpenID Connect Core section 6.1. */
const parameterTypes: Record<string, string> = {
  client_id: 'string',
  response_type: 'string',
  redirect_uri: 'string',
  scope: 'string',
  state: 'string',
  nonce: 'string',
  prompt: 'string',
  display: 'string',
  acr_values: 'string',
  max_age: 'number',
  response_mode: 'string',
  ui_locales: 'string',
  claims: 'object',
  id_token_hint: 'string',
  registration: 'object',
  code_challenge: 'string',
  code_challenge_method: 'string',
}

/** A request object as it came, opened but not yet believed. */
interface RequestObject extends JudgedObject {
  /** The algorithms that are allowed. */
  algorithms: readonly string[]
  /** How it was encrypted to the bank; undefined when it was not. */
  encryption?: CompactJWEHeaderParameters
  client: Client
  issuer: string
  /** The query that named it. */
  query: URLSearchParams
  key: CompactVerifyGetKey
}

/** The algorithms by which the objects of a client may be signed. */
function algorithmsFor({ record }: Client): readonly string[] {
  const registered = String(record.request_object_signing_alg)
  const declared = capabilities.requestObjectSigningAlgs
  // An algorithm of the signing flow, when registered, holds there alone (AMB-12).
  return declared.includes(registered) ? [registered] : declared
}

/** `alg` of the header of a JWS, whatever the checks were shown of it. */
function algorithmOf(jws: string): string {
  return String(headerOfJwt(jws).alg)
}

function invalidUri(reason: string, cause?: unknown): BankError {
  return new BankError('invalid_request_uri', reason, { cause })
}

function invalidObject(reason: string, cause?: unknown): BankError {
  return new BankError('invalid_request_object', reason, { cause })
}

/** What the address has to be before anything is fetched from it. */
const uriChecks: readonly Check<{ uri: string; client: Client }>[] = [
  {
    id: 'request-object/registered',
    check({ uri, client }) {
      const registered = [client.record.request_uris ?? []].flat()
      // Entries in the style of a hash fragment are compared with it (OpenID Connect Registration section 2).
      if (!registered.includes(uri)) throw invalidUri('request_uri is not registered for this client')
    },
  },
]

/** What the object has to be. OpenID Connect Core section 6; its parameters are judged with all others afterwards. */
const objectChecks: readonly Check<RequestObject>[] = [
  {
    id: 'request-object/encryption',
    check({ encryption, client: { record } }) {
      const { request_object_encryption_alg: alg, request_object_encryption_enc: enc } = record
      if (alg === undefined || (encryption?.alg === alg && encryption?.enc === enc)) return
      const found = encryption ? `encrypted with ${encryption.alg} and ${encryption.enc}` : 'not encrypted'
      throw invalidObject(`the request object is ${found}; the client registered ${alg} and ${enc}`)
    },
  },
  {
    id: 'request-object/algorithm',
    check({ header: { alg }, algorithms }) {
      if (!algorithms.includes(alg))
        throw invalidObject(`the request object is signed with ${alg}, not with ${algorithms.join(' or ')}`)
    },
  },
  {
    id: 'request-object/signature',
    async check({ jws, key, believed }) {
      if (believed) return
      await verifyCompact(jws, key, algorithmOf(jws)).catch((cause) => {
        throw invalidObject(`the signature of the request object cannot be verified: ${reasonOf(cause)}`, cause)
      })
    },
  },
  {
    // A client assertion carries none of the parameters (RFC 8725 section 3.12).
    id: 'request-object/kind',
    check({ header, claims }) {
      const none = Object.keys(parameterTypes).every((name) => claims[name] === undefined)
      const otherKind = notOfKind('request object', header, claims) ?? (none ? 'it has no parameter' : undefined)
      if (otherKind !== undefined) throw invalidObject(`the JWT at request_uri is not a request object: ${otherKind}`)
    },
  },
  {
    id: 'request-object/issuer',
    check({ claims, client }) {
      if (claims.iss !== undefined && claims.iss !== client.clientId)
        throw invalidObject('iss of the request object must be the client_id')
    },
  },
  {
    id: 'request-object/audience',
    check({ claims, issuer }) {
      if (claims.aud !== undefined && ![claims.aud].flat().includes(issuer))
        throw invalidObject(`aud of the request object must be ${issuer}`)
    },
  },
  {
    id: 'request-object/time-types',
    check({ claims: { exp, nbf } }) {
      // JSON has null, and numbers that are none here (1e400).
      if ([exp, nbf].some((time) => time !== undefined && !Number.isFinite(time)))
        throw invalidObject('exp and nbf of the request object must be seconds since the epoch')
    },
  },
  {
    id: 'request-object/expiry',
    check({ claims: { exp } }) {
      if (exp !== undefined && !(exp + clockToleranceSeconds > nowSeconds()))
        throw invalidObject('the request object has expired')
    },
  },
  {
    id: 'request-object/not-before',
    check({ claims: { nbf } }) {
      if (nbf !== undefined && !(nbf - clockToleranceSeconds <= nowSeconds()))
        throw invalidObject('the request object is not valid yet')
    },
  },
  {
    id: 'request-object/parameter-types',
    check({ claims }) {
      for (const [name, type] of Object.entries(parameterTypes)) {
        const value = claims[name]
        // What is sent as a string in the query may stay one.
        if (value !== undefined && (value === null || !['string', type].includes(typeof value)))
          throw invalidObject(`${name} of the request object must be a JSON ${type}`)
      }
    },
  },
  ...['client_id', 'response_type', 'redirect_uri'].map((name) => ({
    id: `request-object/same-${name}`,
    check({ claims, query }: RequestObject) {
      if (claims[name] !== undefined && claims[name] !== query.get(name))
        throw invalidObject(`${name} of the request object differs from the one in the query`)
    },
  })),
  {
    id: 'request-object/nested',
    check({ claims }) {
      if (claims.request !== undefined || claims.request_uri !== undefined)
        throw invalidObject('a request object must not contain request or request_uri')
    },
  },
]

/** What the answer has to be that is taken for the object. */
const answerChecks: readonly Check<Awaited<ReturnType<BankContext['outbound']['fetch']>>>[] = [
  {
    id: 'request-object/status',
    async check(response) {
      if (response.status === 200) return
      await response.body?.cancel()
      throw new Error(`status ${response.status}`)
    },
  },
]

/** What was read at a request_uri. */
interface Answer {
  response: Awaited<ReturnType<BankContext['outbound']['fetch']>>
  text: string
}

/** The bounds of reading at request_uri, of one bank. */
export type ObjectReads = RequestUriReads<Answer>

async function fetchText(
  { outbound, seams, objectReads }: Pick<BankContext, 'outbound' | 'seams'> & { objectReads: ObjectReads },
  { clientId }: Client,
  uri: string,
): Promise<string> {
  const address = uri.replace(/#.*$/s, '')
  try {
    const fetched = async () => {
      const response = await outbound.fetch(address, {
        headers: { accept: 'application/oauth-authz-req+jwt, application/jwt' },
      })
      return { response, text: await response.text() }
    }
    const { response, text } = await objectReads.read(uri, fetched, (answer) => answer.response.status === 200)
    await runChecks(answerChecks, response, seams, clientId)
    return text.trim()
  } catch (cause) {
    throw invalidUri(`request_uri cannot be read: ${reasonOf(cause)}`, cause).refusedBy('request-uri/readable')
  }
}

/** Takes the object out of its encryption to the bank's key, if it is encrypted. */
async function opened(
  { keys, seams }: Pick<BankContext, 'keys' | 'seams'>,
  { clientId }: Client,
  text: string,
): Promise<Decrypted> {
  const object: { found: Decrypted } = { found: { content: text } }
  const step: Step<typeof object> = {
    id: 'request-object/decryption',
    async run(read) {
      read.found = await decrypted(keys, text).catch((cause) => {
        throw invalidObject(`the request object cannot be decrypted: ${reasonOf(cause)}`, cause).refusedBy(
          'request-object/decryption',
        )
      })
    },
  }
  await runSteps([step], object, seams, clientId)
  return object.found
}

function read(jws: string): JudgedObject {
  try {
    if (!compactJws.test(jws)) throw new Error('the document is not a compact JWS')
    const { alg, ...header } = headerOfJwt(jws)
    return { jws, header: { ...header, alg: String(alg) }, claims: claimsOfJwt(jws) }
  } catch (cause) {
    throw invalidUri(`request_uri contains no request object: ${reasonOf(cause)}`, cause).refusedBy(
      'request-object/form',
    )
  }
}

/** The parameters of an object, and those of the query in whose place they are put. */
interface Merging {
  claims: JWTPayload
  merged: URLSearchParams
}

/** Each parameter of an object holds in place of that of the query; an empty one counts as left out, as there. */
const mergeSteps: readonly Step<Merging>[] = Object.keys(parameterTypes).map((name) => ({
  id: `request-object/takes-${name}`,
  run({ claims, merged }) {
    const value = claims[name] ?? ''
    if (value !== '') merged.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  },
}))

/**
 * Fetches the request object that request_uri names, within the bounds of all that the bank fetches, and checks it.
 * Specification: "Error codes", invalid_request_uri and invalid_request_object.
 *
 * @returns the parameters of the request: those of the object in place of those of the query (OpenID Connect Core section 6.2)
 * @throws {BankError} invalid_request_uri, invalid_request_object
 */
export async function resolveRequestObject(
  context: Pick<BankContext, 'clientKeys' | 'config' | 'keys' | 'outbound' | 'seams'> & { objectReads: ObjectReads },
  client: Client,
  query: URLSearchParams,
): Promise<URLSearchParams> {
  const uri = String(query.get('request_uri'))
  await runChecks(uriChecks, { uri, client }, context.seams, client.clientId)
  const { content, encryption } = await opened(context, client, await fetchText(context, client, uri))
  const algorithms = algorithmsFor(client)
  const object = context.seams.judgedObject(read(content), { clientId: client.clientId, algorithms })
  const key = context.clientKeys.verifier(client.record.jwks_uri)
  const judged = { ...object, algorithms, ...(encryption && { encryption }) }
  const subject = { ...judged, client, issuer: context.config.issuer, query, key }
  const seams = encryption ? seamsAt(context.seams, 'encrypted') : context.seams
  await runChecks(objectChecks, subject, seams, client.clientId)
  const merged = new URLSearchParams(query)
  merged.delete('request_uri')
  await runSteps(mergeSteps, { claims: object.claims, merged }, context.seams, client.clientId)
  return merged
}
