import { createHash } from 'node:crypto'
import { Latest } from '../latest.js'
import type { BankFacts, NestedJwt, NestedJwtFacts, StoredRecord } from '../seams.js'
import { type Fault, fault } from './fault.js'

/** Who has several accounts is to be known as the one that was chosen, everywhere. */

/** The ids of somebody: first that of who signs in, then those of the accounts, where there are several. */
function identitiesOf(id: unknown, { people }: BankFacts): string[] {
  const login = people.byId(String(id))?.login
  return [...people.identities()].filter((one) => one.login === login).map((one) => one.id)
}

/** The hashes by which an id_token may name its access token, by its alg (OpenID Connect Core section 3.1.3.6). */
function hashesOf(accessToken: string): string[] {
  return ['sha256', 'sha512'].map((name) => {
    const digest = createHash(name).update(accessToken).digest()
    return digest.subarray(0, digest.length / 2).toString('base64url')
  })
}

/** The id_tokens that name who has several accounts otherwise. */
const renamed: readonly (Pick<Fault, 'id' | 'breaks' | 'places' | 'title' | 'collateral'> & {
  isMeant(jwt: NestedJwt, facts: NestedJwtFacts): boolean
})[] = [
  {
    id: 'subjects/other-in-id-token-of-account',
    breaks: ['SUB-7'],
    places: ['person=several-accounts token=id-of-code'],
    title: 'Gives who chose one of several accounts another sub in the id_token of a login than in userinfo',
    isMeant: ({ claims }, { grant }) => grant === 'authorization_code' && claims.structured_scope === undefined,
  },
  {
    id: 'subjects/other-in-refreshed-id-token-of-account',
    breaks: ['SUB-7'],
    places: ['person=several-accounts token=id-of-refresh'],
    title: 'Gives who chose one of several accounts another sub in the id_token of a refresh than in that of the login',
    isMeant: (_jwt, { grant }) => grant === 'refresh_token',
  },
  {
    id: 'signing/other-subject-of-account',
    breaks: ['SIGN-35'],
    places: ['person=several-accounts'],
    title: 'Names who chose one of several accounts by another sub in a result than in userinfo',
    isMeant: ({ claims }) => claims.structured_scope !== undefined,
  },
]

export const accountSubjectFaults: readonly Fault[] = [
  ...renamed.map(({ isMeant, ...description }) =>
    fault({
      ...description,
      /** The access tokens of people of several accounts, by their hashes. */
      memory: () => new Latest<true>(10_000),
      accessToken(value: string, bank: BankFacts & { record: StoredRecord }, tokens: Latest<true>) {
        if (identitiesOf(bank.record.accountId, bank).length > 1)
          for (const hash of hashesOf(value)) tokens.set(hash, true)
        return value
      },
      nestedJwt: {
        id_token(nestedJwt: NestedJwt, facts: NestedJwtFacts, tokens: Latest<true>) {
          const { claims } = nestedJwt
          return tokens.has(String(claims.at_hash)) && isMeant(nestedJwt, facts)
            ? { ...nestedJwt, claims: { ...claims, sub: `person-${claims.sub}` } }
            : nestedJwt
        },
      },
    }),
  ),
  fault({
    id: 'subjects/other-in-profile-of-account',
    breaks: ['SUB-7'],
    places: ['person=several-accounts token=profile'],
    title: 'Gives who chose one of several accounts another sub in profile than in userinfo',
    /** By client: whether the access token that came last is of somebody with several accounts. */
    memory: () => new Latest<boolean>(10_000),
    records: [
      {
        model: 'AccessToken',
        found(record, bank, isOfSeveral) {
          isOfSeveral.set(String(record.clientId), identitiesOf(record.accountId, bank).length > 1)
          return record
        },
      },
    ],
    nestedJwt: {
      profile: (nestedJwt, { clientId = '' }, isOfSeveral) =>
        isOfSeveral.get(clientId) === true
          ? { ...nestedJwt, claims: { ...nestedJwt.claims, sub: `person-${nestedJwt.claims.sub}` } }
          : nestedJwt,
    },
  }),
  fault({
    id: 'subjects/other-in-introspection-of-account',
    breaks: ['SUB-7'],
    places: ['endpoint=token-info person=several-accounts'],
    title: 'Tells another sub of an access token of who chose one of several accounts than userinfo does',
    memory: () => new Latest<true>(10_000),
    accessToken(value, bank, tokens) {
      if (identitiesOf(bank.record.accountId, bank).length > 1) tokens.set(value, true)
      return value
    },
    response: {
      'POST /token-info'(response, { form }, tokens) {
        const members = Object(response.body) as Record<string, unknown>
        return tokens.has(form.get('token') ?? '') && members.sub !== undefined
          ? { ...response, body: { ...members, sub: `person-${members.sub}` } }
          : response
      },
    },
  }),
  fault({
    id: 'subjects/main-identity-once-refreshed',
    breaks: ['SUB-7'],
    places: ['person=several-accounts token=access-of-refresh'],
    title: 'Takes the access token of a refresh for that of who signed in, whatever account was chosen',
    records: [
      {
        model: 'AccessToken',
        found(record, bank) {
          const [main] = identitiesOf(record.accountId, bank)
          return String(record.gty).includes('refresh_token') && main !== undefined
            ? { ...record, accountId: main }
            : record
        },
      },
    ],
  }),
]
