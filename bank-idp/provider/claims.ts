/**
 * The claims of each scope at GET /userinfo. Specification: "User data scopes and claims", UserInfo API; `email_verified` where the
 * table says `verified_email` (AMB-6).
 */
export const userinfoClaims: Record<string, readonly string[]> = {
  'profile.name': ['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username'],
  'profile.email': ['email', 'email_verified'],
  'profile.phonenumber': ['phone_number', 'phone_number_verified'],
  'profile.birthdate': ['birthdate'],
  'profile.zoneinfo': ['zoneinfo'],
  'profile.locale': ['locale'],
  'profile.updatedat': ['updated_at'],
}

/** The part of a person's claims that the granted scopes reach. A claim without a value is left out (published). */
export function claimsOfScopes(
  table: Record<string, readonly string[]>,
  scopes: readonly string[],
  claims: object,
): Record<string, unknown> {
  const reached = new Set(scopes.flatMap((scope) => table[scope] ?? []))
  return Object.fromEntries(
    Object.entries(claims).filter(
      ([name, value]) => reached.has(name) && value !== undefined && value !== null && value !== '',
    ),
  )
}
