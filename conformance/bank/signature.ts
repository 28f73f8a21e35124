import {
  type CompactJWSHeaderParameters,
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JWK,
} from 'jose'
import { BankFailure, StepFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import type { Conversation } from './conversation.js'
import { keysFor } from './key-set.js'
import { ruleAboutStep } from './steps.js'

/** The three parts of a compact JWS (RFC 7515 section 7.1), or of a JWT without a signature. */
const compactJws = /^[\w-]+(\.[\w-]*){2}$/

/** What a JWS says. */
export interface Verified {
  header: CompactJWSHeaderParameters
  payload: unknown
}

/**
 * Verifies a JWS with the bank's published keys: with the one its kid names, or without kid with any of its type.
 * @param what what the JWS is, for messages and evidence
 * @throws BankFailure when it is not a compact JWS, not signed, or no published key verifies it
 */
export async function verifySignature(
  conversation: Conversation,
  jws: string,
  what: string,
  response: HttpResponse,
): Promise<Verified> {
  const wrong = (sentence: string): never => {
    throw new BankFailure({
      sentence: `${what} ${sentence}`,
      expected: 'a compact JWS, signed with a key that the bank publishes',
      actual: headerOf(jws),
      where: what,
      evidence: response.evidence,
    })
  }
  if (!compactJws.test(jws)) return wrong('is not a compact JWS')
  const { alg, kid } = headerIn(jws) ?? wrong('has no header that can be read')
  if (typeof alg !== 'string' || alg === 'none') return wrong('is not signed')
  // RFC 7515 section 4.1.4.
  if (kid !== undefined && typeof kid !== 'string') return wrong('has a kid that is no string')
  const keys = await keysFor(conversation, kid)
  if (keys.length === 0) return wrong(`is signed with key ${kid}, which the bank does not publish`)
  for (const key of keys) {
    const verified = await verifiedWith(key, alg, jws)
    if (!verified) continue
    conversation.evidence.opened(what, verified.header, verified.payload)
    return verified
  }
  return wrong('has a signature that the published key does not verify')
}

/** What a JWT says. */
export interface ReadJwt extends Verified {
  payload: Record<string, unknown>
}

/** The rules that are about what a JWT is read from being one. */
const ruleAboutJwt: Record<string, string> = {
  'the id_token': ruleAboutStep.codeExchange,
  userinfo: ruleAboutStep.userinfo,
  profile: ruleAboutStep.profile,
  'the logout_token': ruleAboutStep.backChannelLogout,
  'the notification_token': ruleAboutStep.notification,
}

/**
 * Header and payload of a JWS or of an unsigned JWT, whoever signed it.
 * @throws StepFailure when it is none, or BankFailure where no rule is about its being one
 */
export function readJwt(conversation: Conversation, jwt: string, what: string, response: HttpResponse): ReadJwt {
  try {
    const read = { header: decodeProtectedHeader(jwt) as CompactJWSHeaderParameters, payload: decodeJwt(jwt) }
    conversation.evidence.opened(what, read.header, read.payload)
    return read
  } catch {
    const expected = 'a JWT with a JSON payload'
    const sentence = `${what} is not a JWT with a JSON payload`
    const finding = { sentence, expected, actual: headerOf(jwt), where: what, evidence: response.evidence }
    const about = ruleAboutJwt[what]
    throw about ? new StepFailure(about, new BankFailure(finding)) : new BankFailure(finding)
  }
}

async function verifiedWith(key: JWK, alg: string, jws: string): Promise<Verified | undefined> {
  try {
    const { protectedHeader, payload } = await compactVerify(jws, await importJWK(key, alg))
    return { header: protectedHeader, payload: asJson(new TextDecoder().decode(payload)) }
  } catch {
    return undefined
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function headerIn(jwt: string) {
  try {
    return decodeProtectedHeader(jwt)
  } catch {
    return undefined
  }
}

function headerOf(jwt: string): string {
  const header = headerIn(jwt)
  if (!header) return 'no JWT'
  try {
    return `header ${JSON.stringify(header)}`
  } catch {
    // What was read need not be written: that takes more of the stack.
    return 'a header that nests too deeply to be shown'
  }
}
