import { Latest } from '../latest.js'
import type { NestedJwt } from '../seams.js'

/** For a fault: changes the id_tokens of refreshes, which have the nonce of a login whose id_token was made before, or none. */
export function ofRefresh(change: (nestedJwt: NestedJwt) => NestedJwt) {
  return {
    memory: () => new Latest<true>(10_000),
    nestedJwt: {
      id_token(nestedJwt: NestedJwt, _bank: unknown, seen: Latest<true>): NestedJwt {
        const { nonce } = nestedJwt.claims
        if (nonce === undefined || seen.has(String(nonce))) return change(nestedJwt)
        seen.set(String(nonce), true)
        return nestedJwt
      },
    },
  }
}
