import type { JWTPayload } from 'jose'
import { type Authorization, type Parameters, parameterOf } from '../../bank/authorization.js'
import { errorOf, redirectedError } from '../../bank/authorization-answer.js'
import type { Bank } from '../../bank/bank.js'
import type { Metadata } from '../../bank/client-metadata.js'
import type { Discovery } from '../../bank/discovery.js'
import type { Client } from '../../bank/registration.js'
import type { RequestObjectOptions } from '../../bank/request-object.js'
import { inStep } from '../../bank/steps.js'
import { BankFailure } from '../../evidence/failure.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import type { Jwe } from '../../service/algorithms.js'
import { toLogIn, toRegister } from '../../target/needs.js'

/** To ask by request_uri: the bank fetches the request object from the service. */
export const toAskByReference = [...toLogIn, ...toRegister]

/** The nonce inside of request objects; that of the query is another one. */
const nonceInside = 'nonce-of-the-request-object'

/** Whether the bank takes request_uri at all. */
export function isSupported(discovery: Discovery): boolean {
  return discovery.member('request_uri_parameter_supported') !== false
}

/** Skips where it does not. */
export function demandSupport(discovery: Discovery, skip: Tools['skip']): void {
  if (!isSupported(discovery)) skip('the bank declares that it does not support request_uri')
}

/** Each alg with each enc that the bank declares for request objects. */
export function encryptionsOf(discovery: Discovery): readonly Jwe[] {
  const declared = (list: string) => discovery.declared(`request_object_encryption_${list}_values_supported`) ?? []
  return declared('alg').flatMap((alg) => declared('enc').map((enc) => ({ alg, enc })))
}

/**
 * A client with a place for a request object among its request_uris.
 * @param fragment of the place
 * @param record further changes of its record
 */
export async function withPlace(
  bank: Bank,
  name: string,
  { fragment = '', record = {} }: { fragment?: string; record?: Metadata } = {},
): Promise<{ place: string; client: Client; clientMetadata: Metadata }> {
  const { places, ...registered } = await withPlaces(bank, name, { count: 1, fragment, record })
  return { place: String(places[0]), ...registered }
}

/** The same with several places: a bank may keep what it read at one (OpenID Connect Core section 6.2). */
export async function withPlaces(
  bank: Bank,
  name: string,
  { count, fragment = '', record = {} }: { count: number; fragment?: string; record?: Metadata },
): Promise<{ places: string[]; client: Client; clientMetadata: Metadata }> {
  const places = Array.from({ length: count }, () => `${bank.placeForRequestObject()}${fragment}`)
  const clientMetadata = { ...record, client_name: `Conformance ${name}`, request_uris: places }
  return { places, clientMetadata, client: await bank.client(clientMetadata) }
}

/** What a good request object says. */
export function claimsFor(bank: Bank, { clientId, redirectUri, dataScopes }: Client): JWTPayload {
  return {
    iss: clientId,
    aud: bank.issuer,
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: ['openid', ...dataScopes.slice(0, 1)].join(' '),
    nonce: nonceInside,
  }
}

/** Claims in place of those of a good request object; undefined leaves one out. */
export type Changes = Readonly<Record<string, unknown>>

/** How a request by an object differs from the good one. */
interface Asked extends Partial<RequestObjectOptions> {
  /** Changes the object as it is written. */
  rewrite?: (object: string) => string
  /** In place of those of the query. */
  parameters?: Parameters
}

/** Whether the bank took a request, and went on to its pages. */
export function isTaken({ location, status }: Pick<HttpResponse, 'location' | 'status'>): boolean {
  return location === undefined && status < 300
}

/**
 * Prepares a client with as many places as are needed, and shows that a good object at the first of them is served.
 * @param record further changes of its record
 * @returns asks by an object that differs from the good one, each at a place of its own, and gives the answer
 */
export async function asking(bank: Bank, name: string, count: number, record: Metadata = {}) {
  const { places, clientMetadata, client } = await withPlaces(bank, name, { count: count + 1, record })
  const left = [...places]
  const ask = async (changes: Changes, { rewrite = (object) => object, parameters, ...options }: Asked = {}) => {
    const place = String(left.shift())
    const claims: JWTPayload = { ...claimsFor(bank, client), ...changes }
    const object = await bank.makeRequestObject(claims, { key: client.keys.signing, ...options })
    bank.placeRequestObject(place, rewrite(object))
    return bank.authorizationRequest.try({ clientMetadata, parameters: { ...parameters, request_uri: place } })
  }
  await inStep('referencedRequest', async () => {
    const good = await ask({})
    if (isTaken(good)) return
    throw new BankFailure({ sentence: 'a good request object is not served', evidence: good.evidence })
  })
  return { ask, client, clientMetadata }
}

/**
 * The request ends with a code, and it is the request object that was served: its nonce is in the id_token.
 * @param excused errors that it may end with as well
 */
export async function expectServed(
  { bank, expect }: Pick<Tools, 'bank' | 'expect'>,
  asked: Authorization,
  excused: readonly string[] = [],
): Promise<void> {
  const { response } = asked.callback
  const error = parameterOf(asked, 'error')
  expect(error, 'error of a request by request_uri', response).toBeOneOf([null, ...excused])
  if (error !== null) return
  const login = await bank.token.fresh({ authorization: asked })
  const { nonce } = await bank.idTokenClaims(login)
  expect<unknown>(nonce, 'nonce of the id_token, which the request object asked for,', login.response).toBe(nonceInside)
}

/** A request by request_uri that is to be refused by a redirect with one code. */
export async function expectRefused(
  { bank, expect }: Pick<Tools, 'bank' | 'expect'>,
  refusal: { clientMetadata: Metadata; request_uri: string; code: string },
) {
  const { clientMetadata, request_uri, code } = refusal
  const response = await bank.authorizationRequest.try({ clientMetadata, parameters: { request_uri } })
  expect(errorOf(response), 'the answer to the request', response).toEqual(redirectedError(code))
}
