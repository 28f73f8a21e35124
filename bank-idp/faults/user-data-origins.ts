import { Latest } from '../latest.js'
import type { NestedJwt, NestedJwtFacts } from '../seams.js'
import { type Fault, fault, omit, type RecordDeviation } from './fault.js'
import { isNoted, type Seen, seen, tokenName } from './seen-tokens.js'
import { isReversed } from './token-later-logins.js'
import { type Endpoint, endpoints } from './user-data-seam.js'

/** Mistakes about user data under tokens of the signing flow, of logins by session, and of clients that ask otherwise than others. */

interface Memory {
  /** Sessions in which a client has had an access token. */
  sessions: Latest<true>
  /** The access tokens of later ones. */
  later: Seen
  /** The access tokens for scopes in another order than the bank declares them. */
  reversed: Seen
}

const memory = (): Memory => ({ sessions: new Latest(1_000), later: seen(), reversed: seen() })

/** For `records`: notes the access tokens of logins in a session in which the client had one before. */
const notesLater: RecordDeviation<Memory> = {
  model: 'AccessToken',
  kept(record, { scopes }, { sessions, later, reversed }) {
    const session = `${record.sessionUid} ${record.clientId}`
    const name = tokenName(record.clientId, String(record.scope).split(' '))
    if (record.gty === 'authorization_code' && sessions.has(session)) later.set(name, true)
    if (isReversed(record, scopes)) reversed.set(name, true)
    sessions.set(session, true)
    return { record }
  },
}

/** Where data are given wrongly, as requirements' places have it and in words. */
const origins: readonly {
  slug: string
  place: string
  words: string
  is(planned: NestedJwt, facts: NestedJwtFacts, memory: Memory): boolean
}[] = [
  {
    slug: 'signing',
    place: 'token=access-of-signing',
    words: 'under an access token of the signing flow',
    is: ({ claims }) => String(claims.txn).split(':').includes('authorization'),
  },
  {
    slug: 'by-session',
    place: 'use=session-login',
    words: 'under an access token of a login by session',
    is: (planned, facts, { later }) => isNoted(planned, facts, later),
  },
  {
    slug: 'second-client',
    place: 'use=second-client',
    words: 'to a client that asks for scopes in an order of its own',
    is: (planned, facts, { reversed }) => isNoted(planned, facts, reversed),
  },
]

/** What is wrong, and the requirements that it breaks. */
const mistakes: readonly {
  slug: string
  breaks: readonly string[]
  /** Of the place, beside the origin. */
  part?: string
  title: string
  /** Both when left out. */
  endpoints?: readonly Endpoint[]
  change(planned: NestedJwt): NestedJwt
}[] = [
  {
    slug: 'without-name',
    breaks: ['DATA-15', 'DATA-16'],
    title: 'Leaves out the family name',
    change: ({ claims, ...planned }) => ({ ...planned, claims: omit(claims, 'family_name') }),
  },
  {
    slug: 'with-marital-status',
    breaks: ['DATA-3', 'DATA-4'],
    title: 'Holds the marital status, whatever was granted,',
    change: ({ claims, ...planned }) => ({ ...planned, claims: { maritalstatus: 'MARRIED', ...claims } }),
  },
  {
    slug: 'other-sub',
    breaks: ['DATA-9'],
    title: 'profile names another sub',
    endpoints: ['profile'],
    change: ({ claims, ...planned }) => ({ ...planned, claims: { ...claims, sub: `${claims.sub}0` } }),
  },
  {
    slug: 'unsigned',
    breaks: ['DATA-1', 'DATA-2'],
    part: 'part=signature',
    title: 'Does not sign user data',
    change: (planned) => ({ ...planned, signing: 'none' }),
  },
  {
    slug: 'not-encrypted',
    breaks: ['DATA-13', 'DATA-14'],
    part: 'part=encryption',
    title: 'Does not encrypt user data',
    change: ({ encryption: _, ...planned }) => planned,
  },
]

/** What the signing flow has algorithms of its own for is not what the client registered (AMB-12). */
const mistakesIn = (origin: string) => mistakes.filter(({ slug }) => origin !== 'signing' || slug !== 'unsigned')

export const userDataOriginFaults: readonly Fault[] = origins.flatMap(({ slug: origin, place, words, is }) =>
  mistakesIn(origin).map(({ slug, breaks, part, title, endpoints: at = endpoints, change }) =>
    fault({
      id: `user-data/${origin}-${slug}`,
      breaks,
      places: [part ? `${place} ${part}` : place],
      title: `${title} ${words}`,
      memory,
      records: [notesLater],
      nestedJwt: Object.fromEntries(
        at.map((endpoint) => [
          endpoint,
          (planned: NestedJwt, facts: NestedJwtFacts, memory: Memory) =>
            is(planned, facts, memory) ? change(planned) : planned,
        ]),
      ),
    }),
  ),
)
