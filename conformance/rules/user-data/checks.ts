import {
  claimNames,
  claimsOf,
  covers,
  isObject,
  mayLeadToNothing,
  publishedClaimsOf,
  type UserData,
  userDataEndpoints,
} from '../../bank/claims.js'
import { dressNow } from '../../bank/dress.js'
import type { Login } from '../../bank/token.js'
import type { Claims } from '../../bank/user-data.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { declaredLevels } from '../support/acr-levels.js'
import { expectKnown } from './known-claims.js'

/** What the two endpoints of user data hold: the checks of userinfo's rules and of profile's. */

/** The two claims that always come, and those of a JWT that are about the JWT (RFC 7519 section 4.1). */
const notOfThePerson = ['sub', 'txn', 'iss', 'aud', 'iat', 'exp', 'nbf', 'jti']

/** Scopes whose claims are alike or follow from one another: asked for together, and each without the other. */
const related = [
  ['profile.name', 'profile.titles'],
  ['profile.birthdate', 'profile.legalstatus'],
  ['profile.email', 'profile.phonenumber'],
  ['profile.addresses', 'profile.idcards'],
]

/**
 * The scopes of logins: each alone, all of them, and those that are related. What each leads to is seen in the default dress; in another
 * every second one, and the others, so that each stands beside one that is not asked for.
 */
function combinationsOf(dataScopes: readonly string[]): string[][] {
  if (dressNow() === undefined) return [...dataScopes.map((scope) => [scope]), [...dataScopes], ...related]
  return [0, 1].map((rest) => dataScopes.filter((_, place) => place % 2 === rest))
}

/**
 * Logins for the scopes that the client registered, as far as one of them leads to claims at the endpoint, for else it may refuse the token
 * (DATA-8).
 */
export async function loginsOf(
  { bank, skip }: Tools,
  endpoint: UserData,
): Promise<{ scopes: string[]; login: Login }[]> {
  const { dataScopes } = await bank.client()
  const wanted = combinationsOf(dataScopes).filter((scopes) => scopes.length > 0)
  const possible = wanted.filter(
    (scopes) => scopes.every((scope) => dataScopes.includes(scope)) && !mayLeadToNothing(endpoint, scopes),
  )
  if (possible.length === 0) skip(`the client has none of the scopes that have claims at ${endpoint}`)
  return Promise.all(
    possible.map(async (scopes) => ({ scopes, login: await bank.token({ scope: ['openid', ...scopes].join(' ') }) })),
  )
}

/** Nothing but sub, txn and the claims of the scopes that were asked for and approved. */
export async function checkNothingElse(tools: Tools, endpoint: UserData) {
  const { bank, inVariation, service } = tools
  const all = await loginsOf(tools, endpoint)
  for (const { scopes, login } of all)
    expectNothingBeyond(tools, endpoint, scopes, await bank.userData[endpoint](login))
  const [first] = all
  if (!first) return
  await inVariation('the first access token again, after others with more scopes', async () =>
    expectNothingBeyond(tools, endpoint, first.scopes, await bank.userData[endpoint].fresh(first.login)),
  )
  if (!service.signer || !service.server) return
  await inVariation('another client, for openid alone', async () => {
    const login = await bank.token({ scope: 'openid', clientMetadata: { scope: 'openid' } })
    expectNothingBeyond(tools, endpoint, [], await bank.userData[endpoint].fresh(login))
  })
}

/** That an answer has nothing of the person but the claims of these scopes; tells by what names they come. */
export function expectNothingBeyond(
  { expect, reading }: Tools,
  endpoint: UserData,
  scopes: readonly string[],
  { claims, response }: Claims,
): void {
  const names = claimNames(claims)
  if (scopes.includes('profile.email') && endpoint === 'userinfo') {
    const byDiscovery = names.includes('email_verified') || !names.includes('verified_email')
    reading('AMB-6', byDiscovery ? 'email-verified' : 'verified-email')
  }
  const { unknown, published } = claimsBeyond(endpoint, scopes, claims)
  const where = `what ${endpoint} holds beyond the claims of ${scopes.join(', ') || 'openid'}`
  expect(unknown, where, response).toEqual([])
  reading('AMB-50', published.length > 0 ? 'published-too' : 'tables-only')
}

/** The claims of the person in an answer that no table has for these scopes, and those that are published beside the tables (AMB-50). */
export function claimsBeyond(
  endpoint: UserData,
  scopes: readonly string[],
  claims: Record<string, unknown>,
): { unknown: string[]; published: string[] } {
  const allowed = [...notOfThePerson, ...claimsOf(endpoint, scopes)]
  // AMB-6
  if (allowed.includes('email_verified')) allowed.push('verified_email')
  const beyond = claimNames(claims).filter((name) => !covers(allowed, name))
  const known = publishedClaimsOf(endpoint, ['openid', ...scopes])
  const unknown = beyond.filter((name) => !covers(known, name))
  return {
    unknown: [...unknown, ...checkedBeyond(claims, scopes)],
    published: beyond.filter((name) => covers(known, name)),
  }
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
  const { bank } = tools
  const person = bank.anybody()
  const { claims: known = {} } = bank.person(person)
  const hasAll = person === 'full'
  for (const { scopes, login } of await loginsOf(tools, endpoint)) {
    const granted = grantedOf(login, scopes)
    expectKnown(tools, endpoint, { known, scopes: granted, hasAll, ...(await bank.userData[endpoint](login)) })
  }
}

/** Those of the scopes asked for that the token response lists; all of them where it lists none (TOK-2). */
export function grantedOf({ response }: Pick<Login, 'response'>, asked: readonly string[]): readonly string[] {
  const listed = response.member('scope')
  return typeof listed === 'string' ? asked.filter((scope) => listed.split(' ').includes(scope)) : asked
}

/** The login with all that the client registered. */
export async function loginForAll({ bank }: Tools, person = 'full'): Promise<Login> {
  const { dataScopes } = await bank.client()
  return bank.token({ scope: ['openid', ...dataScopes].join(' '), person })
}

/** Does something for each of the other people, with a login for all that the client registered; one after the other. */
export async function forEveryone(
  tools: Tools,
  work: (login: Login, known: object, kind: string) => Promise<void>,
): Promise<void> {
  const levels = await declaredLevels(tools.bank)
  for (const [kind, { claims = {}, kinds }] of tools.bank.people()) {
    // Who reaches loa2 alone cannot log in where that is not enough.
    if (kinds.includes('loa2-only') && !levels.includes('loa2')) continue
    await tools.inVariation(`a person of kind ${kind}`, async () => work(await loginForAll(tools, kind), claims, kind))
  }
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

/**
 * Holds that an answer without claims of the person has txn as the bank's other answers have it. The specification puts it into brackets
 * there, "only sub (and txn)": that a bank tells one at all is published alone (DATA-21), so that one that never does is warned.
 */
export async function expectTransaction(
  tools: Tools,
  endpoint: UserData,
  { claims, response }: { claims: Record<string, unknown>; response: HttpResponse },
): Promise<void> {
  if (claims.txn === undefined) {
    const all = await tools.bank.userData[endpoint](await loginForAll(tools))
    if (all.claims.txn === undefined) return tools.warn(`${endpoint} tells no txn, whatever the scopes (DATA-21)`)
  }
  tools.expect(claims.txn, `txn of ${endpoint}`, response).toBeText()
}
