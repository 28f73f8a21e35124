import type { NestedJwt } from '../seams.js'

/** For `nestedJwt`: changes the claims of an id_token. */
export function claimsOfIdToken(change: (claims: NestedJwt['claims']) => NestedJwt['claims']) {
  return { id_token: (nestedJwt: NestedJwt): NestedJwt => ({ ...nestedJwt, claims: change(nestedJwt.claims) }) }
}
