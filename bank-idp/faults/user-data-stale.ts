import type { JWTPayload } from 'jose'
import { Latest } from '../latest.js'
import type { NestedJwt } from '../seams.js'
import { type Fault, fault } from './fault.js'
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

export const userDataStaleFaults: readonly Fault[] = rows.map(({ slug, claim, scope, place, at = endpoints, title }) =>
  fault({
    id: `user-data/${slug}`,
    breaks: at.map((endpoint) => requirement[endpoint]),
    places: [place],
    title,
    memory: () => new Latest<{ value: unknown }>(1_000),
    nestedJwt: Object.fromEntries(at.map((endpoint) => [endpoint, asFirst(claim, scope)])),
  }),
)
