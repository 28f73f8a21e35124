/** The two endpoints of user data ("Exposed by the bank" 10 and 11). */
export const userDataEndpoints = ['userinfo', 'profile'] as const
export type UserData = (typeof userDataEndpoints)[number]

/** What a scope leads to at an endpoint: its claims, or for a claim of several members these members (`addresses.city`). */
type Table = Readonly<Record<string, readonly string[]>>

const within = (claim: string, ...members: string[]) => members.map((member) => `${claim}.${member}`)

/** "User data scopes and claims", both tables; email_verified by the name of discovery (AMB-6), email of profile by AMB-7. */
const tables: Readonly<Record<UserData, Table>> = {
  userinfo: {
    'profile.name': ['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username'],
    'profile.email': ['email', 'email_verified'],
    'profile.phonenumber': ['phone_number', 'phone_number_verified'],
    'profile.birthdate': ['birthdate'],
    'profile.locale': ['locale'],
    'profile.zoneinfo': ['zoneinfo'],
    'profile.updatedat': ['updated_at'],
  },
  profile: {
    'profile.name': ['given_name', 'family_name', 'middle_name'],
    'profile.titles': ['title_prefix', 'title_suffix'],
    'profile.gender': ['gender'],
    'profile.birthdate': ['birthdate', 'age', 'date_of_death'],
    'profile.birthnumber': ['birthnumber'],
    'profile.birthplaceNationality': ['birthplace', 'primary_nationality', 'nationalities'],
    'profile.maritalstatus': ['maritalstatus'],
    'profile.addresses': within(
      'addresses',
      'type',
      'street',
      'buildingapartment',
      'streetnumber',
      'city',
      'zipcode',
      'country',
      'ruian_reference',
    ),
    'profile.idcards': within(
      'idcards',
      'type',
      'description',
      'country',
      'number',
      'valid_to',
      'issuer',
      'issue_date',
    ),
    'profile.paymentAccounts': ['paymentAccounts'],
    'profile.email': ['email'],
    'profile.phonenumber': ['phone_number'],
    'profile.updatedat': ['updated_at'],
    'profile.legalstatus': ['majority', 'pep', 'limited_legal_capacity'],
    'profile.verification': ['verified_claims.verification'],
  },
}

/** What the published interface has beyond the tables, by the scope it belongs to (AMB-50); verified_claims with every scope. */
const published: Readonly<Record<UserData, Table>> = {
  userinfo: { openid: ['verified_claims'], 'profile.gender': ['gender'] },
  profile: {
    openid: ['verified_claims'],
    'profile.birthplaceNationality': ['birthcountry'],
    'profile.addresses': within('addresses', 'evidencenumber', 'cityarea'),
    'profile.paymentAccounts': ['paymentAccountsDetails'],
  },
}

/** Every scope of the tables. */
export const dataScopes: readonly string[] = [...new Set(Object.values(tables).flatMap(Object.keys))]

/** The scopes that lead to claims at an endpoint. */
export function scopesAt(endpoint: UserData): string[] {
  return Object.keys(tables[endpoint])
}

/** The claims that scopes lead to at an endpoint, by the tables. */
export function claimsOf(endpoint: UserData, scopes: readonly string[]): string[] {
  return scopes.flatMap((scope) => tables[endpoint][scope] ?? [])
}

/** Whether scopes may lead to no claim at an endpoint: in the table of profile the place of profile.email is empty (AMB-7). */
export function mayLeadToNothing(endpoint: UserData, scopes: readonly string[]): boolean {
  const leading = endpoint === 'profile' ? scopes.filter((scope) => scope !== 'profile.email') : scopes
  return claimsOf(endpoint, leading).length === 0
}

/** Whether a scope leads to claims at both endpoints, whatever reading the bank takes. */
export function leadsToBoth(scope: string): boolean {
  return userDataEndpoints.every((endpoint) => !mayLeadToNothing(endpoint, [scope]))
}

/** Of some scopes those that the tables give claims at both endpoints; the first leads to claims at both whatever reading the bank takes. */
export function scopesOfBoth(scopes: readonly string[]): string[] {
  const both = scopes.filter((scope) => userDataEndpoints.every((endpoint) => claimsOf(endpoint, [scope]).length > 0))
  const first = both.find(leadsToBoth)
  return first === undefined ? [] : [first, ...both.filter((scope) => scope !== first)]
}

/** The scopes that lead to a claim, or to members of it, at either endpoint. */
export function scopesTo(claim: string): string[] {
  return dataScopes.filter((scope) =>
    userDataEndpoints.some((endpoint) => claimsOf(endpoint, [scope]).some((name) => name.split('.')[0] === claim)),
  )
}

/** The claims that the published interface serves beyond the tables. */
export function publishedClaimsOf(endpoint: UserData, scopes: readonly string[]): string[] {
  return scopes.flatMap((scope) => published[endpoint][scope] ?? [])
}

/** The names of all claims in a JSON object: `a`, or `a.b` for each member b of a, or of the elements of a. */
export function claimNames(claims: object): string[] {
  return Object.entries(claims).flatMap(([name, value]) => {
    const objects = [value].flat().filter(isObject)
    if (objects.length === 0) return [name]
    const members = new Set(objects.flatMap(Object.keys))
    return [...members].map((member) => `${name}.${member}`)
  })
}

/** Whether a list of claims has a name: itself, the claim it is a member of, or a member of it. */
export function covers(list: readonly string[], name: string): boolean {
  const [claim = ''] = name.split('.')
  return list.some((one) => one === name || one === claim || (claim === name && one.startsWith(`${name}.`)))
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * What is there of the claims named, whatever the order of lists: `a.b` is member b of a, or of each element of a.
 * @param names as in the tables
 */
export function project(claims: object, names: readonly string[]): Record<string, unknown> {
  const members = new Map<string, string[]>()
  for (const name of names) {
    const [claim = '', member] = name.split('.')
    members.set(claim, [...(members.get(claim) ?? []), ...(member === undefined ? [] : [member])])
  }
  const found = [...members].flatMap(([claim, inner]) => {
    const value: unknown = Reflect.get(claims, claim)
    return value === undefined ? [] : [[claim, inner.length > 0 ? projectInner(value, inner) : inOrder(value)] as const]
  })
  return Object.fromEntries(found)
}

function projectInner(value: unknown, members: readonly string[]): unknown {
  if (Array.isArray(value)) return inOrder(value.map((element) => projectInner(element, members)))
  return isObject(value) ? project(value, members) : value
}

function inOrder(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return [...value].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/** Where in a JSON value null or an empty string stands, as paths such as addresses.0.street. */
export function emptyPlaces(value: unknown, path: readonly string[] = []): string[] {
  if (value === null || value === '') return [path.join('.')]
  if (typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => emptyPlaces(inner, [...path, name]))
}

/** The value without its members that are null or an empty string. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (!isObject(value)) return value
  const filled = Object.entries(value).filter(([, inner]) => inner !== null && inner !== '')
  return Object.fromEntries(filled.map(([name, inner]) => [name, withoutEmpty(inner)]))
}
