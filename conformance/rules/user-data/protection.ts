import { decodeProtectedHeader, type ProtectedHeaderParameters } from 'jose'
import { type UserData, userDataEndpoints } from '../../bank/claims.js'
import { declaredFor, type Metadata } from '../../bank/client-metadata.js'
import type { Client } from '../../bank/registration.js'
import { inStep } from '../../bank/steps.js'
import type { Login } from '../../bank/token.js'
import { BankFailure } from '../../evidence/failure.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { byKey, encs } from '../../service/algorithms.js'
import { compactJwe } from '../../service/decryption.js'
import { judgeContentType } from '../support/nested-content.js'
import { expectRegisteredAlgorithm } from '../support/registered-algorithm.js'

/** How the answers of the two endpoints of user data are signed and encrypted. */

/** Changes of the default record for a client that has the answers of one endpoint encrypted, and nothing else. */
export function allElsePlain(endpoint: UserData): Metadata {
  const others = ['id_token', ...userDataEndpoints].filter((kind) => kind !== endpoint)
  return Object.fromEntries(
    others.flatMap((kind) => ['alg', 'enc'].map((member) => [`${kind}_encrypted_response_${member}`, undefined])),
  )
}

/** What can be verified and decrypted here; encryption by another alg needs another key of the client's (algorithms/encryption). */
const readable: Readonly<Record<'signing_alg' | 'encryption_alg' | 'encryption_enc', readonly string[]>> = {
  signing_alg: byKey,
  encryption_alg: ['RSA-OAEP-256'],
  encryption_enc: encs,
}

/** The client alone, and one for each further value that the bank declares for a member of the record. */
async function clients(
  { bank, service }: Tools,
  endpoint: UserData,
  member: string,
  list: keyof typeof readable,
): Promise<Metadata[]> {
  const { metadata } = await bank.client()
  const declared = declaredFor(await bank.discovery(), endpoint, list) ?? []
  const others = declared.filter((value) => readable[list].includes(value) && value !== metadata[member])
  // Without registration the client given has to do.
  if (!service.signer || !service.server) return [{}]
  return [{}, ...others.map((value) => ({ [member]: value }))]
}

/** A client by what it registered otherwise than the default record has it. */
function clientWith(changes: Metadata): string {
  const [change] = Object.entries(changes)
  return change ? `a client with ${change.join(' ')}` : 'the default client'
}

/** 200, application/jwt, a JWS by a published key with the algorithm registered, for each that the bank declares. */
export async function checkSigned(tools: Tools, endpoint: UserData, headers: Record<string, string> = {}) {
  const { bank, inVariation } = tools
  for (const clientMetadata of await clients(tools, endpoint, `${endpoint}_signed_response_alg`, 'signing_alg')) {
    await inVariation(clientWith(clientMetadata), async () => {
      const login = await bank.token({ clientMetadata })
      const response = await bank.userData[endpoint].try(login, ({ headers: good }) => ({
        headers: { ...good, ...headers },
      }))
      judgeTimes(tools, endpoint, await expectSigned(tools, endpoint, login.client, response))
    })
  }
}

/** 200, application/jwt, a JWS by a published key with the algorithm that the client registered. @returns its claims */
export async function expectSigned(tools: Tools, endpoint: UserData, client: Client, response: HttpResponse) {
  const { bank, expect } = tools
  expect(response).toHaveStatus(200)
  expect(response).toHaveMediaType('application/jwt')
  const { content } = await bank.open(endpoint, response, client)
  const { header, payload } = await bank.verify(content, endpoint, response)
  const member = `${endpoint}_signed_response_alg`
  expectRegisteredAlgorithm(tools, header.alg, client, { what: `the signed ${endpoint}`, member, response })
  return expect(payload, `the payload of ${endpoint}`, response).toBeObject()
}

/** Warns of times by which no client may take the answer: in Unix seconds it is made by now, holds by now and is not over (RFC 7519 section 4.1). */
function judgeTimes({ service, warn }: Tools, endpoint: UserData, { iat, nbf, exp }: Record<string, unknown>): void {
  const [now, tolerance] = [service.clock(), 60]
  for (const [name, time] of Object.entries({ iat, nbf })) {
    if (time !== undefined && !(typeof time === 'number' && time <= now + tolerance))
      warn(`${name} of ${endpoint} is ${time}`)
  }
  if (exp !== undefined && !(typeof exp === 'number' && exp > now - tolerance)) warn(`exp of ${endpoint} is ${exp}`)
}

/** The answer of an endpoint that gives user data, in whatever they are wrapped. @throws StepFailure when it gives none */
function served({ bank }: Tools, endpoint: UserData, login: Login): Promise<HttpResponse> {
  return inStep(endpoint, async () => {
    const response = await bank.userData[endpoint].try(login)
    if (response.status < 300) return response
    const sentence = `GET /${endpoint} gave no claims (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  })
}

/** That what a client has encrypted is encrypted as it registered it, to its key of now, and what becomes of one that has not. */
export async function checkEncryption(tools: Tools, endpoint: UserData) {
  await checkEncrypted(tools, endpoint)
  await checkKeyChange(tools, endpoint)
  await readEncryption(tools, endpoint)
}

/** A JWE to the client's key with the alg and enc registered, for each that the bank declares. */
async function checkEncrypted(tools: Tools, endpoint: UserData) {
  const { bank, inVariation, skip } = tools
  const [alg, enc] = [`${endpoint}_encrypted_response_alg`, `${endpoint}_encrypted_response_enc`]
  if ((await bank.client()).metadata[alg] === undefined) skip(`the bank declares no encryption of ${endpoint}`)
  const byAlg = await clients(tools, endpoint, alg, 'encryption_alg')
  const byEnc = await clients(tools, endpoint, enc, 'encryption_enc')
  const bySignature = await clients(tools, endpoint, `${endpoint}_signed_response_alg`, 'signing_alg')
  for (const clientMetadata of [...byAlg, ...byEnc.slice(1), ...bySignature.slice(1)]) {
    await inVariation(clientWith(clientMetadata), async () => {
      const login = await bank.token({ clientMetadata })
      await expectEncrypted(tools, endpoint, login.client, await served(tools, endpoint, login))
    })
  }
}

/** A JWE to the client's key with the alg and enc that it registered. */
export async function expectEncrypted(
  { bank, expect, warn }: Tools,
  endpoint: UserData,
  client: Client,
  response: HttpResponse,
): Promise<void> {
  const { metadata, keys } = client
  const jwe = expect(response.text.trim(), endpoint, response).toMatch(compactJwe, 'a compact JWE')
  const { alg, enc, cty, kid = keys.encryption.kid } = headerOf(jwe)
  const what = `the encrypted ${endpoint}`
  expect<unknown>(alg, `alg of ${what}`, response).toBe(metadata[`${endpoint}_encrypted_response_alg`])
  expect<unknown>(enc, `enc of ${what}`, response).toBe(metadata[`${endpoint}_encrypted_response_enc`])
  expect(kid, `kid of ${what}`, response).toBe(keys.encryption.kid)
  await bank.open(endpoint, response, client)
  judgeContentType({ warn }, what, cty)
}

/**
 * A JWE to the key that is at jwks_uri now, after the one that was there before was seen to be used. Our Cache-Control forbids to keep
 * the key set; a bank that keeps it for a while all the same is warned (OpenID Connect Core section 10.2.1 asks clients to cope).
 */
async function checkKeyChange({ bank, service, warn }: Tools, endpoint: UserData) {
  if (!service.signer || !service.server) return
  const login = await bank.token({ clientMetadata: { client_name: `Conformance, key change at ${endpoint}` } })
  await bank.open(endpoint, await bank.userData[endpoint].try(login), login.client)
  const changed = await bank.changeEncryptionKey(login.client)
  const response = await bank.userData[endpoint].try(login)
  const forOldKey = await bank.open(endpoint, response, login.client).then(
    ({ encryption }) => encryption !== undefined,
    () => false,
  )
  if (forOldKey)
    warn(
      `${endpoint} is encrypted to a key that jwks_uri no longer holds, whose answer is not to be kept (RFC 9111 section 5.2.2.4)`,
    )
  else await bank.open(endpoint, response, changed)
}

/** Tells what the bank does for a client that registered no encryption (AMB-48). */
async function readEncryption({ bank, service, reading }: Tools, endpoint: UserData) {
  if (!service.signer || !service.server) return
  const plain = { [`${endpoint}_encrypted_response_alg`]: undefined, [`${endpoint}_encrypted_response_enc`]: undefined }
  const { response: refusal } = await bank.registration(plain)
  if (refusal.status === 400) return reading('AMB-48', 'registration-required')
  const data = await bank.userData[endpoint].try(await bank.token({ clientMetadata: plain }))
  reading('AMB-48', compactJwe.test(data.text.trim()) ? 'always' : 'when-registered')
}

/** The header of a JWE, before anybody opens it; nothing of one that cannot be read. */
function headerOf(jwe: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(jwe)
  } catch {
    return {}
  }
}
