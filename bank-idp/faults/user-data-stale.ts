import { isDeepStrictEqual } from 'node:util'
import type { JWTPayload } from 'jose'
import { Latest } from '../latest.js'
import type { NestedJwt, NestedJwtFacts } from '../seams.js'
import { type Fault, fault, omit } from './fault.js'
import { isNoted, type Seen, seen, tokenName } from './seen-tokens.js'
import { type Endpoint, endpoints } from './user-data-seam.js'

/** Claims as they were known at the first call, though they were changed since. */

const requirement: Readonly<Record<Endpoint, string>> = { userinfo: 'DATA-15', profile: 'DATA-16' }

const rows: readonly {
  slug: string
  claim: string
  scope: string
  place: string
  at?: readonly Endpoint[]
  title: string
}[] = [
  {
    slug: 'of-the-login',
    claim: 'email',
    scope: 'profile.email',
    place: 'use=after-change',
    title: 'Gives the e-mail address that was known at the first call, though it was changed since',
  },
  {
    slug: 'nickname-of-the-login',
    claim: 'nickname',
    scope: 'profile.name',
    place: 'use=after-change claim=nickname',
    at: ['userinfo'],
    title: 'Gives the nickname that was known at the first call, though it was changed since',
  },
  {
    slug: 'addresses-of-the-login',
    claim: 'addresses',
    scope: 'profile.addresses',
    place: 'use=after-change claim=addresses',
    at: ['profile'],
    title: 'Gives the addresses that were known at the first call, though one was changed since',
  },
  {
    slug: 'telephone-of-the-login',
    claim: 'phone_number',
    scope: 'profile.phonenumber',
    place: 'use=after-change claim=phone_number value=missing',
    title: 'Gives a telephone number if there was one at the first call, whatever is known since',
  },
  {
    slug: 'middle-name-of-the-login',
    claim: 'middle_name',
    scope: 'profile.name',
    place: 'use=after-change claim=middle_name value=unknown',
    title: 'Gives a middle name if there was one at the first call, whatever is known since',
  },
  {
    slug: 'age-of-the-login',
    claim: 'age',
    scope: 'profile.birthdate',
    place: 'use=after-change claim=age',
    at: ['profile'],
    title: 'Gives the age that was known at the first call, though the birthdate was changed since',
  },
]

/** For `nestedJwt`: a claim of a person, by sub, as it was first given where its scope was granted; left out if it was. */
const asFirst =
  (claim: string, scope: string) =>
  (nestedJwt: NestedJwt, _bank: unknown, first: Latest<{ value: unknown }>): NestedJwt => {
    const { [claim]: value, ...others }: JWTPayload = nestedJwt.claims
    if (!String(others.txn).split(':').includes(scope)) return nestedJwt
    const known = first.get(String(others.sub)) ?? { value }
    first.set(String(others.sub), known)
    return { ...nestedJwt, claims: known.value === undefined ? others : { ...others, [claim]: known.value } }
  }

const staleFaults = rows.map(({ slug, claim, scope, place, at = endpoints, title }) =>
  fault({
    id: `user-data/${slug}`,
    breaks: at.map((endpoint) => requirement[endpoint]),
    places: [place],
    title,
    memory: () => new Latest<{ value: unknown }>(1_000),
    nestedJwt: Object.fromEntries(at.map((endpoint) => [endpoint, asFirst(claim, scope)])),
  }),
)

/** What a bank keeps in mind that gives for refresh tokens what it knew at the login. */
interface AtLogin {
  /** E-mail addresses, by sub. */
  first: Latest<{ value: unknown }>
  /** The access tokens of refreshes. */
  refreshed: Seen
}

/** What the access token of a refresh gives once the e-mail address is another than at the first call. */
const underRefresh = (
  [
    {
      id: 'user-data/of-the-login-under-refresh',
      at: endpoints,
      place: 'use=after-change token=access-of-refresh',
      title: 'Gives the e-mail address of the login with the access token of a refresh, though it was changed since',
      given: (claims, email) => ({ ...claims, email }),
    },
    {
      id: 'userinfo/updated-at-lost-under-refresh',
      at: ['userinfo'],
      place: 'use=after-change token=access-of-refresh',
      title: 'userinfo has no updated_at with the access token of a refresh once the e-mail address was changed',
      given: (claims) => omit(claims, 'updated_at'),
    },
  ] satisfies readonly {
    id: string
    at: readonly Endpoint[]
    place: string
    title: string
    given(claims: JWTPayload, email: unknown): JWTPayload
  }[]
).map(({ id, at, place, title, given }) =>
  fault({
    id,
    breaks: at.map((endpoint) => requirement[endpoint]),
    places: [place],
    title,
    memory: (): AtLogin => ({ first: new Latest(1_000), refreshed: seen() }),
    records: [
      {
        model: 'AccessToken',
        kept(record, _facts, { refreshed }) {
          if (/refresh/.test(String(record.gty)))
            refreshed.set(tokenName(record.clientId, String(record.scope).split(' ')), true)
          return { record }
        },
      },
    ],
    nestedJwt: Object.fromEntries(
      at.map((endpoint) => [
        endpoint,
        (nestedJwt: NestedJwt, facts: NestedJwtFacts, { first, refreshed }: AtLogin) => {
          const { claims } = nestedJwt
          if (claims.email === undefined) return nestedJwt
          const { value: email } = first.get(String(claims.sub)) ?? { value: claims.email }
          first.set(String(claims.sub), { value: email })
          const isStale = email !== claims.email && isNoted(nestedJwt, facts, refreshed)
          return isStale ? { ...nestedJwt, claims: given(claims, email) } : nestedJwt
        },
      ]),
    ),
  }),
)

/** What else becomes of a reply about somebody of whom something is known otherwise than at the first call. */
const onceChanged: readonly {
  id: string
  breaks: readonly string[]
  places: readonly string[]
  at: readonly Endpoint[]
  title: string
  /** By this claim of this scope it is told that something was changed. */
  claim: string
  scope: string
  change(claims: JWTPayload): JWTPayload
}[] = [
  {
    id: 'profile/birth-number-lost-at-change',
    breaks: ['DATA-16'],
    places: ['use=after-change claim=birthnumber'],
    at: ['profile'],
    title: 'profile has no birth number of whoever’s sex was changed',
    claim: 'gender',
    scope: 'profile.gender',
    change: (claims) => omit(claims, 'birthnumber'),
  },
  {
    id: 'userinfo/updated-at-lost-at-change',
    breaks: ['DATA-15'],
    places: ['use=after-change claim=updated_at'],
    at: ['userinfo'],
    title: 'userinfo has no updated_at of whoever’s nickname was changed',
    claim: 'nickname',
    scope: 'profile.name',
    change: (claims) => omit(claims, 'updated_at'),
  },
  {
    id: 'profile/updated-at-lost-at-change',
    breaks: ['DATA-16'],
    places: ['use=after-change claim=updated_at'],
    at: ['profile'],
    title: 'profile has no updated_at of whoever’s sex was changed',
    claim: 'gender',
    scope: 'profile.gender',
    change: (claims) => omit(claims, 'updated_at'),
  },
  {
    id: 'user-data/null-once-taken-away',
    breaks: ['DATA-10'],
    places: endpoints.map((endpoint) => `endpoint=${endpoint} use=after-change`),
    at: endpoints,
    title: 'Holds null for a telephone number once it was taken away',
    claim: 'phone_number',
    scope: 'profile.phonenumber',
    change: (claims) => ({ phone_number: null, ...claims }),
  },
  {
    id: 'profile/null-in-changed-address',
    breaks: ['DATA-10'],
    places: ['use=after-change member=inner'],
    at: ['profile'],
    title: 'Addresses at profile hold null for what they lack once one of them was changed',
    claim: 'addresses',
    scope: 'profile.addresses',
    change: ({ addresses, ...claims }) => ({
      ...claims,
      addresses: [addresses].flat().map((one) => ({ streetnumber: null, ...(one as object) })),
    }),
  },
]

/** For `nestedJwt`: changes a reply that has another value of a claim, or none, than the first about that person that had one. */
const onceOtherwise =
  (claim: string, scope: string, change: (claims: JWTPayload) => JWTPayload) =>
  (nestedJwt: NestedJwt, _bank: unknown, first: Latest<{ value: unknown }>): NestedJwt => {
    const { sub, txn, [claim]: value } = nestedJwt.claims
    if (!String(txn).split(':').includes(scope)) return nestedJwt
    const known = first.get(String(sub))
    if (!known && value !== undefined) first.set(String(sub), { value })
    return !known || isDeepStrictEqual(known.value, value)
      ? nestedJwt
      : { ...nestedJwt, claims: change(nestedJwt.claims) }
  }

const onceChangedFaults = onceChanged.map(({ at, claim, scope, change, ...description }) =>
  fault({
    ...description,
    memory: () => new Latest<{ value: unknown }>(1_000),
    nestedJwt: Object.fromEntries(at.map((endpoint) => [endpoint, onceOtherwise(claim, scope, change)])),
  }),
)

/** What a bank keeps in mind that gives less of people of whom it once knew something else for a while. */
interface OncePutBack {
  /** Their sex at the first call, by sub. */
  first: Latest<{ value: unknown }>
  /** The subs of those whose sex has been another since. */
  changed: Latest<true>
}

const putBack = fault({
  id: 'profile/updated-at-lost-when-put-back',
  breaks: ['DATA-16'],
  places: ['use=after-change claim=updated_at'],
  title: 'profile has no updated_at of whoever’s sex was changed, and put back',
  memory: (): OncePutBack => ({ first: new Latest(1_000), changed: new Latest(1_000) }),
  nestedJwt: {
    profile(nestedJwt, _facts, { first, changed }) {
      const { claims } = nestedJwt
      if (claims.gender === undefined) return nestedJwt
      const sub = String(claims.sub)
      const { value: gender } = first.get(sub) ?? { value: claims.gender }
      first.set(sub, { value: gender })
      if (claims.gender !== gender) changed.set(sub, true)
      const isPutBack = claims.gender === gender && changed.has(sub)
      return isPutBack ? { ...nestedJwt, claims: omit(claims, 'updated_at') } : nestedJwt
    },
  },
})

export const userDataStaleFaults: readonly Fault[] = [...staleFaults, ...underRefresh, ...onceChangedFaults, putBack]
