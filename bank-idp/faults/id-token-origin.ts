import type { NestedJwt, NestedJwtFacts } from '../seams.js'

/** Where an id_token comes from: a code or a refresh at /token, the callback of the signing flow, its code. */
export type IdTokenOrigin = 'code' | 'refresh' | 'front-channel' | 'signing'

function originOf({ claims }: NestedJwt, { grant }: NestedJwtFacts): IdTokenOrigin {
  if (grant === undefined) return 'front-channel'
  if ('structured_scope' in claims) return 'signing'
  return grant === 'refresh_token' ? 'refresh' : 'code'
}

/** For `nestedJwt`: changes the id_tokens of one origin, and leaves the others alone. */
export function idTokensOf(
  origin: IdTokenOrigin,
  change: (nestedJwt: NestedJwt, facts: NestedJwtFacts) => NestedJwt | Promise<NestedJwt>,
) {
  return {
    id_token: (nestedJwt: NestedJwt, facts: NestedJwtFacts) =>
      originOf(nestedJwt, facts) === origin ? change(nestedJwt, facts) : nestedJwt,
  }
}

/** The same of their claims. */
export function idTokenClaimsOf(origin: IdTokenOrigin, change: (claims: NestedJwt['claims']) => NestedJwt['claims']) {
  return idTokensOf(origin, (nestedJwt) => ({ ...nestedJwt, claims: change(nestedJwt.claims) }))
}
