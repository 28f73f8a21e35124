import {
  claimNames,
  claimsOf,
  isObject,
  project,
  publishedClaimsOf,
  type UserData,
  userDataEndpoints,
} from '../../bank/claims.js'
import { declaredFor, type Metadata } from '../../bank/client-metadata.js'
import { inStep } from '../../bank/steps.js'
import type { Login } from '../../bank/token.js'
import { compactJwe } from '../../bank/user-data.js'
import { BankFailure } from '../../evidence/failure.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { expectRegisteredAlgorithm } from '../support/registered-algorithm.js'

/** What the two endpoints of user data have in common: the checks of userinfo's rules and of profile's. */

/** The two claims that always come, and those of a JWT that are about the JWT (RFC 7519 section 4.1). */
const notOfThePerson = ['sub', 'txn', 'iss', 'aud', 'iat', 'exp', 'nbf', 'jti']

/** Scopes whose claims are alike or follow from one another: asked for together, and each without the other. */
const related = [
  ['profile.name', 'profile.titles'],
  ['profile.birthdate', 'profile.legalstatus'],
  ['profile.email', 'profile.phonenumber'],
  ['profile.addresses', 'profile.idcards'],
]

/** The client alone, and one for each further value that the bank declares for a member of the record. */
async function clients(
  { bank, service }: Tools,
  endpoint: UserData,
  member: string,
  list: 'signing_alg' | 'encryption_alg' | 'encryption_enc',
): Promise<Metadata[]> {
  const { metadata } = await bank.client()
  const declared = declaredFor(await bank.discovery(), endpoint, list) ?? []
  const others = declared.filter((value) => value !== 'none' && value !== metadata[member])
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
  const { bank, expect, inVariation } = tools
  const member = `${endpoint}_signed_response_alg`
  for (const clientMetadata of await clients(tools, endpoint, member, 'signing_alg')) {
    await inVariation(clientWith(clientMetadata), async () => {
      const login = await bank.token({ clientMetadata })
      const response = await bank.userData[endpoint].try(login, ({ headers: good }) => ({
        headers: { ...good, ...headers },
      }))
      expect(response).toHaveStatus(200)
      expect(response).toHaveMediaType('application/jwt')
      const { content } = await bank.open(endpoint, response, login.client)
      const { header, payload } = await bank.verify(content, endpoint, response)
      expectRegisteredAlgorithm(tools, header.alg, login.client, {
        what: `the signed ${endpoint}`,
        member,
        response,
      })
      expect(payload, `the payload of ${endpoint}`, response).toBeObject()
    })
  }
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
  const { bank, expect, inVariation, skip } = tools
  const [alg, enc] = [`${endpoint}_encrypted_response_alg`, `${endpoint}_encrypted_response_enc`]
  if ((await bank.client()).metadata[alg] === undefined) skip(`the bank declares no encryption of ${endpoint}`)
  const byAlg = await clients(tools, endpoint, alg, 'encryption_alg')
  const byEnc = await clients(tools, endpoint, enc, 'encryption_enc')
  for (const clientMetadata of [...byAlg, ...byEnc.slice(1)]) {
    await inVariation(clientWith(clientMetadata), async () => {
      const login = await bank.token({ clientMetadata })
      const { metadata, keys } = login.client
      const response = await served(tools, endpoint, login)
      expect(response.text.trim(), endpoint, response).toMatch(compactJwe, 'a compact JWE')
      const { encryption } = await bank.open(endpoint, response, login.client)
      expect<unknown>(encryption?.alg, `alg of the encrypted ${endpoint}`, response).toBe(metadata[alg])
      expect<unknown>(encryption?.enc, `enc of the encrypted ${endpoint}`, response).toBe(metadata[enc])
      const { kid = keys.encryption.kid } = encryption ?? {}
      expect(kid, `kid of the encrypted ${endpoint}`, response).toBe(keys.encryption.kid)
    })
  }
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
  if (forOldKey) warn(`${endpoint} is encrypted to a key that jwks_uri no longer holds`)
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

/**
 * A login for each scope that the client registered, for all of them, and for those that are related; as far as one of them
 * leads to claims at the endpoint, for else it may refuse the token (DATA-8).
 */
async function logins({ bank, skip }: Tools, endpoint: UserData): Promise<{ scopes: string[]; login: Login }[]> {
  const { dataScopes } = await bank.client()
  const wanted = [...dataScopes.map((scope) => [scope]), [...dataScopes], ...related]
  const possible = wanted.filter(
    (scopes) => scopes.every((scope) => dataScopes.includes(scope)) && claimsOf(endpoint, scopes).length > 0,
  )
  if (possible.length === 0) skip(`the client has none of the scopes that have claims at ${endpoint}`)
  return Promise.all(
    possible.map(async (scopes) => ({ scopes, login: await bank.token({ scope: ['openid', ...scopes].join(' ') }) })),
  )
}

/** Nothing but sub, txn and the claims of the scopes that were asked for and approved. */
export async function checkNothingElse(tools: Tools, endpoint: UserData) {
  const { bank, expect, reading } = tools
  for (const { scopes, login } of await logins(tools, endpoint)) {
    const { claims, response } = await bank.userData[endpoint](login)
    const names = claimNames(claims)
    const allowed = [...notOfThePerson, ...claimsOf(endpoint, scopes)]
    if (scopes.includes('profile.email') && endpoint === 'userinfo') {
      allowed.push('verified_email')
      const byDiscovery = names.includes('email_verified') || !names.includes('verified_email')
      reading('AMB-6', byDiscovery ? 'email-verified' : 'verified-email')
    }
    const beyond = names.filter((name) => !covers(allowed, name))
    const published = publishedClaimsOf(endpoint, ['openid', ...scopes])
    const unknown = beyond.filter((name) => !covers(published, name))
    const where = `what ${endpoint} holds beyond the claims of ${scopes.join(', ')}`
    expect([...unknown, ...checkedBeyond(claims, scopes)], where, response).toEqual([])
    reading('AMB-50', beyond.length > 0 ? 'published-too' : 'tables-only')
  }
}

/** Whether a list of claims has a name: itself, the claim it is a member of, or a member of it. */
export function covers(list: readonly string[], name: string): boolean {
  const [claim = ''] = name.split('.')
  return list.some((one) => one === name || one === claim || (claim === name && one.startsWith(`${name}.`)))
}

/** The claims among verified_claims.claims that no granted scope leads to at either endpoint. */
function checkedBeyond({ verified_claims }: Record<string, unknown>, scopes: readonly string[]): string[] {
  const checked = isObject(verified_claims) && isObject(verified_claims.claims) ? verified_claims.claims : {}
  const allowed = userDataEndpoints.flatMap((endpoint) => [
    ...claimsOf(endpoint, scopes),
    ...publishedClaimsOf(endpoint, scopes),
  ])
  return claimNames(checked).flatMap((name) => (covers(allowed, name) ? [] : [`verified_claims.claims.${name}`]))
}

/** Each claim that the target file tells of the person comes under its scope, with that value. */
export async function checkEverythingKnown(tools: Tools, endpoint: UserData) {
  const { bank, expect } = tools
  const known = bank.person().claims ?? {}
  for (const { scopes, login } of await logins(tools, endpoint)) {
    const listed = String(login.response.member('scope')).split(' ')
    const granted = scopes.filter((scope) => listed.includes(scope))
    const { claims, response } = await bank.userData[endpoint](login)
    // AMB-6 has two names for one claim; AMB-7 leaves open whether profile has an e-mail address.
    const seen: Record<string, unknown> = { email_verified: claims.verified_email, ...claims }
    const names = claimsOf(endpoint, granted).filter((name) => endpoint === 'userinfo' || name !== 'email')
    for (const [claim, value] of Object.entries(project(known, names))) {
      const [found] = Object.values(
        project(
          seen,
          names.filter((name) => covers([claim], name)),
        ),
      )
      expect<unknown>(found, `${claim} of ${endpoint} for ${granted.join(' ')}`, response).toEqual(value)
    }
    const counted = 'birthdate' in known ? ['age', 'majority'].filter((name) => names.includes(name)) : []
    expect(seen, `${endpoint} for ${granted.join(' ')}`, response).toHaveMembers(counted)
  }
}

/** The login with all that the client registered. */
export async function loginForAll({ bank }: Tools, person = 'full'): Promise<Login> {
  const { dataScopes } = await bank.client()
  return bank.token({ scope: ['openid', ...dataScopes].join(' '), person })
}

/** Holds that an answer has nothing of the person; verified_claims may come with every scope (AMB-50). */
export async function expectNothingOfThePerson(
  { expect }: Tools,
  where: string,
  { claims, response }: { claims: Record<string, unknown>; response: HttpResponse },
): Promise<{ published: boolean }> {
  const { verified_claims: verified, ...others } = claims
  const checked = isObject(verified) && isObject(verified.claims) ? verified.claims : {}
  const names = [...claimNames(others).filter((name) => !notOfThePerson.includes(name)), ...claimNames(checked)]
  expect(names, `the claims of the person in ${where}`, response).toEqual([])
  return { published: verified !== undefined }
}
