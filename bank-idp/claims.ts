import { type Person, withAge } from '../fixtures/people.js'
import { now } from './clock.js'
import type { Policy } from './policy.js'

/** The two endpoints of user data. */
export type UserData = 'userinfo' | 'profile'

/** Claims by scope; `addresses.city` is the member city of each address. */
type ClaimTable = Readonly<Record<string, readonly string[]>>

/** Specification: "User data scopes and claims", UserInfo API; `email_verified` where the table says `verified_email` (AMB-6). */
const userinfo: ClaimTable = {
  'profile.name': ['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username'],
  'profile.email': ['email', 'email_verified'],
  'profile.phonenumber': ['phone_number', 'phone_number_verified'],
  'profile.birthdate': ['birthdate'],
  'profile.zoneinfo': ['zoneinfo'],
  'profile.locale': ['locale'],
  'profile.updatedat': ['updated_at'],
  'notification.claims_updated': [],
}

const address = ['type', 'street', 'buildingapartment', 'streetnumber', 'city', 'zipcode', 'country', 'ruian_reference']
const idcard = ['type', 'description', 'country', 'number', 'valid_to', 'issuer', 'issue_date']

function membersOf(claim: string, members: readonly string[]): string[] {
  return members.map((member) => `${claim}.${member}`)
}

/** Specification: "User data scopes and claims", Profile API; `email` where the table's cell is empty (AMB-7). */
const profile: ClaimTable = {
  'profile.name': ['given_name', 'family_name', 'middle_name'],
  'profile.titles': ['title_prefix', 'title_suffix'],
  'profile.gender': ['gender'],
  'profile.birthdate': ['birthdate', 'age', 'date_of_death'],
  'profile.birthnumber': ['birthnumber'],
  'profile.birthplaceNationality': ['birthplace', 'primary_nationality', 'nationalities'],
  'profile.maritalstatus': ['maritalstatus'],
  'profile.addresses': membersOf('addresses', address),
  'profile.idcards': membersOf('idcards', idcard),
  'profile.paymentAccounts': ['paymentAccounts'],
  'profile.email': ['email'],
  'profile.phonenumber': ['phone_number'],
  'profile.updatedat': ['updated_at'],
  'profile.legalstatus': ['majority', 'pep', 'limited_legal_capacity'],
  'profile.verification': ['verified_claims.verification'],
  'notification.claims_updated': [],
}

const tables: Readonly<Record<UserData, ClaimTable>> = { userinfo, profile }

/** What of a policy bears on user data. */
type DataPolicy = Pick<Policy, 'emailVerifiedClaim' | 'profileEmail' | 'userDataClaims'>

/** What other readings put in place of the tables' rows. */
const otherRows: readonly ({ appliesTo(policy: DataPolicy): boolean } & Partial<Record<UserData, ClaimTable>>)[] = [
  {
    appliesTo: (policy) => policy.emailVerifiedClaim === 'verified-email',
    userinfo: { 'profile.email': ['email', 'verified_email'] },
  },
  { appliesTo: (policy) => policy.profileEmail === 'no-claim', profile: { 'profile.email': [] } },
  {
    appliesTo: (policy) => policy.userDataClaims === 'published-too',
    userinfo: { openid: ['verified_claims'], 'profile.gender': ['gender'] },
    profile: {
      openid: ['verified_claims'],
      'profile.birthplaceNationality': ['birthplace', 'birthcountry', 'primary_nationality', 'nationalities'],
      'profile.addresses': membersOf('addresses', [...address, 'evidencenumber', 'cityarea']),
      'profile.paymentAccounts': ['paymentAccounts', 'paymentAccountsDetails'],
    },
  },
]

/** The claims of each scope at an endpoint. */
export function claimTable(endpoint: UserData, policy: DataPolicy): ClaimTable {
  const rows = otherRows.filter(({ appliesTo }) => appliesTo(policy))
  return Object.assign({}, tables[endpoint], ...rows.map((row) => row[endpoint]))
}

/** Every scope that leads to user data, and every claim there is. */
export const dataScopes: readonly string[] = [...new Set(Object.values(tables).flatMap((table) => Object.keys(table)))]
export const dataClaims: readonly string[] = [
  ...new Set(Object.values(tables).flatMap((table) => Object.values(table).flat())),
]

/** The claims that a scope leads to at either endpoint, for people to read. */
export function claimsOfScope(scope: string): string[] {
  const claims = Object.values(tables).flatMap((table) => table[scope] ?? [])
  return [...new Set(claims.map((claim) => String(claim.split('.')[0])))]
}

/** What the granted scopes reach of a person at an endpoint, now. A claim without a value is left out (published). */
export function claimsFor(
  { claims, verified }: Person,
  endpoint: UserData,
  scopes: readonly string[],
  policy: DataPolicy,
): Record<string, unknown> {
  const table = claimTable(endpoint, policy)
  const known = {
    ...withAge(claims, new Date(now())),
    verified_email: claims.email_verified,
    verified_claims: { verification: verified.verification },
  }
  const reached = pick(known, [...new Set(scopes.flatMap((scope) => table[scope] ?? []))])
  if (policy.userDataClaims !== 'published-too') return reached
  // As published, the claims that were checked against the state registers come once more, as far as they come at all.
  const checked = Object.entries(reached).filter(([name]) => (verified.claims as string[]).includes(name))
  return { ...reached, verified_claims: { ...known.verified_claims, claims: Object.fromEntries(checked) } }
}

/** The members named; `a.b` is member b of a, or of each element of a. */
function pick(source: object, names: readonly string[]): Record<string, unknown> {
  const inner = new Map<string, string[]>()
  for (const name of names) {
    const [outer = '', ...rest] = name.split('.')
    inner.set(outer, [...(inner.get(outer) ?? []), ...(rest.length > 0 ? [rest.join('.')] : [])])
  }
  const members = [...inner].flatMap(([name, within]) => {
    const value: unknown = Reflect.get(source, name)
    return hasValue(value) ? [[name, within.length > 0 ? pickWithin(value, within) : value]] : []
  })
  return Object.fromEntries(members)
}

function pickWithin(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((element) => pick(element, names))
  return pick(value as object, names)
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
}
