import { scopesAt, type UserData } from '../../bank/claims.js'

/** The places of the requirements about an endpoint's claims that are about one scope each. */
export function scopePlaces(endpoint: UserData): string[] {
  return scopesAt(endpoint).map((scope) => `scope=${scope}`)
}
