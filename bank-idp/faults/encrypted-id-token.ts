import type { NestedJwt } from '../seams.js'
import { type Fault, fault, omit } from './fault.js'

/** id_tokens that a client registered to have encrypted, outside the signing flow. */

type Change = (idToken: NestedJwt) => Partial<NestedJwt>

/** What is changed of such an id_token alone, by the requirement that it breaks. */
const changes: readonly { slug: string; breaks: string; title: string; change: Change }[] = [
  {
    slug: 'short-lived',
    breaks: 'TOK-6',
    title: 'Has an id_token that it encrypts live for ten minutes',
    change: ({ claims }) => ({ claims: { ...claims, exp: Number(claims.iat) + 600 } }),
  },
  {
    slug: 'other-hash',
    breaks: 'TOK-8',
    title: 'Gives the hash of something else as at_hash of an id_token that it encrypts',
    change: ({ claims }) => ({ claims: { ...claims, at_hash: 'A'.repeat(43) } }),
  },
  {
    slug: 'without-nonce',
    breaks: 'TOK-34',
    title: 'Leaves nonce out of an id_token that it encrypts',
    change: ({ claims }) => ({ claims: omit(claims, 'nonce') }),
  },
]

/** Grants whose id_tokens are not encrypted when they are signed with ES512, by the place of TOK-35. */
const grants = [
  ['code', 'authorization_code', 'a code'],
  ['refresh', 'refresh_token', 'a refresh'],
] as const

const isOfFlow = ({ claims, encryption }: NestedJwt) =>
  encryption !== undefined && claims.structured_scope === undefined

export const encryptedIdTokenFaults: readonly Fault[] = [
  ...changes.map(({ slug, breaks, title, change }) =>
    fault({
      id: `token/encrypted-id-token-${slug}`,
      breaks: [breaks],
      places: ['token=id-of-code part=encryption'],
      title,
      nestedJwt: {
        id_token: (planned, { grant }) =>
          isOfFlow(planned) && grant === 'authorization_code' ? { ...planned, ...change(planned) } : planned,
      },
    }),
  ),
  ...grants.map(([slug, grantType, which]) =>
    fault({
      id: `token/${slug}-id-token-untyped-content`,
      breaks: ['TOK-35'],
      places: [`token=id-of-${slug} part=typ`],
      title: `Does not say in the header of an encrypted id_token of ${which} that a JWT is in it`,
      nestedJwt: {
        id_token: (planned, { grant }) =>
          isOfFlow(planned) && grant === grantType && planned.encryption
            ? { ...planned, encryption: { ...planned.encryption, untyped: true } }
            : planned,
      },
    }),
  ),
  ...grants.map(([slug, grantType, which]) =>
    fault({
      id: `token/${slug}-es512-id-token-not-encrypted`,
      breaks: ['TOK-35'],
      places: [`token=id-of-${slug} alg=ES512`],
      title: `Does not encrypt the id_token of ${which} that is signed with ES512`,
      nestedJwt: {
        id_token: ({ encryption, ...planned }, { grant }) =>
          grant === grantType && planned.signing !== 'none' && planned.signing.alg === 'ES512'
            ? planned
            : { ...planned, ...(encryption && { encryption }) },
      },
    }),
  ),
  fault({
    id: 'token/unsigned-id-token-not-encrypted',
    breaks: ['TOK-35'],
    places: ['token=id-of-code alg=none'],
    title: 'Does not encrypt the id_token of a login that is not signed',
    nestedJwt: {
      id_token: ({ encryption, ...planned }, { grant }) =>
        grant === 'authorization_code' && planned.signing === 'none'
          ? planned
          : { ...planned, ...(encryption && { encryption }) },
    },
  }),
]
