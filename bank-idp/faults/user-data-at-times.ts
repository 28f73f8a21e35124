import type { NestedJwt, NestedJwtFacts } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { isNoted, notesTokensOf, type Seen, seen } from './seen-tokens.js'
import { type Endpoint, endpoints, replies } from './user-data-seam.js'

/** Replies that are signed and encrypted, but for some. */

/** Which ones are not. */
interface Occasion {
  slug: string
  words: string
  /** Of the place. */
  dimension: string
  /** How the grant ends in the record of their access token. */
  gty?: string
  are?: (nestedJwt: NestedJwt) => boolean
}

const scopesOf = ({ claims }: NestedJwt) => String(claims.txn).split(':').slice(1)

const occasions: readonly Occasion[] = [
  {
    slug: 'openid',
    words: 'for openid alone',
    dimension: 'scope=openid',
    are: (nestedJwt) => scopesOf(nestedJwt).join() === 'openid',
  },
  {
    slug: 'all',
    words: 'for more than seven scopes',
    dimension: 'value=long',
    are: (nestedJwt) => scopesOf(nestedJwt).length > 7,
  },
  {
    slug: 'refreshed',
    words: 'under a refreshed access token',
    dimension: 'token=access-of-refresh',
    gty: 'refresh_token',
  },
  {
    slug: 'front-channel',
    words: 'under an access token of the front channel',
    dimension: 'token=access-of-front-channel',
    gty: 'implicit',
  },
]

const ofEs512: Occasion = {
  slug: 'es512',
  words: 'that is signed with ES512',
  dimension: 'alg=ES512',
  are: ({ signing }) => signing !== 'none' && signing.alg === 'ES512',
}

const protections: readonly {
  slug: string
  words: string
  part: string
  requirement: Readonly<Record<Endpoint, string>>
  without: Partial<NestedJwt>
  occasions: readonly Occasion[]
}[] = [
  {
    slug: 'unsigned',
    words: 'Does not sign',
    part: 'part=signature',
    requirement: { userinfo: 'DATA-1', profile: 'DATA-2' },
    without: { signing: 'none' },
    occasions,
  },
  {
    slug: 'not-encrypted',
    words: 'Does not encrypt',
    part: 'part=encryption',
    requirement: { userinfo: 'DATA-13', profile: 'DATA-14' },
    without: { encryption: undefined },
    occasions: [...occasions, ofEs512],
  },
]

export const userDataAtTimesFaults: readonly Fault[] = endpoints.flatMap((endpoint) =>
  protections.flatMap(({ slug, words, part, requirement, without, occasions }) =>
    occasions.map(({ gty, are = () => false, ...occasion }) =>
      fault({
        id: `${endpoint}/${slug}-${occasion.slug}`,
        breaks: [requirement[endpoint]],
        places: [gty === undefined ? `${part} ${occasion.dimension}` : `${occasion.dimension} ${part}`],
        title: `${words} ${endpoint} ${occasion.words}`,
        memory: seen,
        records: gty === undefined ? [] : [notesTokensOf(gty)],
        nestedJwt: replies(endpoint, (nestedJwt: NestedJwt, facts: NestedJwtFacts, tokens: Seen) =>
          are(nestedJwt) || isNoted(nestedJwt, facts, tokens) ? { ...nestedJwt, ...without } : nestedJwt,
        ),
      }),
    ),
  ),
)
