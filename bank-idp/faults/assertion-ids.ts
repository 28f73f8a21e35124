import { randomUUID } from 'node:crypto'
import type { JudgedAssertion } from '../seams.js'
import { type Fault, fault } from './fault.js'

/** How many characters of a jti a careless bank has room for. */
const room = 100

/** What a bank takes for the jti of an assertion that it keeps. */
const kept: readonly { slug: string; places: string[]; title: string; id(assertion: JudgedAssertion): unknown }[] = [
  {
    slug: 'long-id-forgotten',
    places: aboutId('long'),
    title: `Does not remember a jti of more than ${room} characters`,
    id: ({ claims: { jti } }) => (String(jti).length > room ? randomUUID() : jti),
  },
  {
    slug: 'long-id-cut',
    places: aboutId('prefix'),
    title: `Remembers ${room} characters of a jti, and takes another that begins so for the one before`,
    id: ({ claims: { jti } }) => (typeof jti === 'string' ? jti.slice(0, room) : jti),
  },
  {
    slug: 'id-in-any-case',
    places: aboutId('upper-case'),
    title: 'Takes jti that differ in upper and lower case alone for the same',
    id: ({ claims: { jti } }) => (typeof jti === 'string' ? jti.toLowerCase() : jti),
  },
  {
    slug: 'id-by-its-time',
    places: ['token', 'token-info', 'revoke'].map((endpoint) => `endpoint=${endpoint} part=replay member=iat`),
    title: 'Remembers a jti together with the iat beside it',
    id: ({ claims: { jti, iat } }) => (typeof jti === 'string' && jti !== '' ? `${jti} ${iat}` : jti),
  },
  {
    slug: 'nameless-forgotten',
    places: ['endpoint=revoke part=replay value=missing'],
    title: 'Does not remember a client assertion without sub and iss',
    id: ({ claims: { jti, sub, iss } }) => (jti && sub === undefined && iss === undefined ? randomUUID() : jti),
  },
]

function aboutId(value: string): string[] {
  return [`endpoint=token-info part=jti value=${value}`]
}

export const assertionIdFaults: readonly Fault[] = kept.map(({ slug, places, title, id }) =>
  fault({
    id: `client-assertion/${slug}`,
    breaks: ['TOK-15'],
    places,
    title,
    judgedAssertion(assertion) {
      const jti = id(assertion)
      return jti === assertion.claims.jti ? assertion : { ...assertion, claims: { ...assertion.claims, jti } as never }
    },
  }),
)
