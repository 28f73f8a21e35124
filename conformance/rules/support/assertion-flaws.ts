import { randomUUID } from 'node:crypto'
import { UnsecuredJWT } from 'jose'
import type { AssertionChanges } from '../../bank/client-authentication.js'
import type { Client } from '../../bank/registration.js'
import type { Tools } from '../../harness/rule.js'
import { assertionClaims, type Signer } from '../../service/assertions.js'
import type { Asserted } from './proof-endpoints.js'

type Changes = Record<string, AssertionChanges>

/** Values that a careless comparison takes for the right one, by how they differ from it. */
export function lookalikes(right: string): Record<string, string> {
  const otherCase = right === right.toUpperCase() ? right.toLowerCase() : right.toUpperCase()
  return {
    'without its last character': right.slice(0, -1),
    'with more behind it': `${right}-2`,
    'with more before it': `https://${right}`,
    ...(otherCase !== right && { 'in another case': otherCase }),
  }
}

/** Addresses that are compared with the right one letter by letter (RFC 7523 section 3), by how they differ from it. */
export function lookalikeAddresses(right: string): Record<string, string> {
  const { origin, pathname } = new URL(right)
  const like = {
    'the address in capitals': `${origin}${pathname.toUpperCase()}`,
    'the address with a slash at its end': `${right}/`,
    'the address with a query': `${right}?of=another`,
    'the address by http': right.replace(/^https:/, 'http:'),
  }
  // In capitals an address without small letters is the right one.
  return Object.fromEntries(Object.entries(like).filter(([, address]) => address !== right))
}

/** The same address at a port that it does not have. */
function otherPort(address: string): string {
  const moved = new URL(address)
  moved.port = moved.port === '444' ? '445' : '444'
  return moved.href
}

/** Audiences that are not the endpoint, by how they come near it; undefined leaves aud out. */
export function foreignAudiences(endpoint: string): Record<string, unknown> {
  const { origin, pathname } = new URL(endpoint)
  return {
    'with the aud of another': `https://elsewhere.example${pathname}`,
    'with a list of others as aud': [
      'https://elsewhere.example',
      `https://elsewhere.example${pathname}`,
      'https://third.example',
    ],
    'with an aud that begins as the endpoint does': `${endpoint}/elsewhere`,
    "with an aud that begins as the bank's address does": `${origin}.elsewhere.example${pathname}`,
    'with an aud with which the endpoint begins': endpoint.slice(0, -1),
    ...Object.fromEntries(
      Object.entries(lookalikeAddresses(endpoint)).map(([what, aud]) => [`with ${what} as aud`, aud]),
    ),
    'with the endpoint at another port as aud': otherPort(endpoint),
    'with an empty list as aud': [],
    'with an empty text as aud': '',
    'without aud': undefined,
  }
}

/** aud is the endpoint ("Client assertion JWT claims"). */
export function wrongAudiences({ endpoint }: Pick<Asserted, 'endpoint'>): Changes {
  return Object.fromEntries(
    Object.entries(foreignAudiences(endpoint)).map(([what, aud]) => [what, { claims: { aud } }]),
  )
}

/** iss and sub are the client_id ("Client assertion JWT claims"). */
export function wrongNames({ client: { clientId } }: { client: Pick<Client, 'clientId'> }): Changes {
  const names = (['iss', 'sub'] as const).flatMap((name): [string, unknown][] => [
    [`with the ${name} of another`, { [name]: 'another-client' }],
    [`without ${name}`, { [name]: undefined }],
    [`with a list of the client_id as ${name}`, { [name]: [clientId] }],
    [`with null as ${name}`, { [name]: null }],
    ...Object.entries(lookalikes(clientId)).map(([how, like]): [string, unknown] => [
      `with the client_id ${how} as ${name}`,
      { [name]: like },
    ]),
  ])
  const both = { iss: 'another-client', sub: 'another-client' }
  return {
    ...Object.fromEntries(names.map(([what, claims]) => [what, { claims: claims as Record<string, unknown> }])),
    'with iss and sub of another': { claims: both },
  }
}

/** exp is in the future, in Unix seconds, and there is a jti ("Client assertion JWT claims"). @param now in Unix seconds */
export function wrongLifetimes(now: number): Changes {
  // Further back than clocks may differ by ("a few minutes", RFC 7519 section 4.1.4).
  const past = { iat: now - 1200, exp: now - 600 }
  return {
    'past its exp': { claims: past },
    'past its exp, which is given as text': { claims: { ...past, exp: String(past.exp) } },
    'past its exp, without iat': { claims: { exp: past.exp, iat: undefined } },
    'without exp': { claims: { exp: undefined } },
    'with 0 as exp': { claims: { exp: 0 } },
    'with null as exp': { claims: { exp: null } },
    'with true as exp': { claims: { exp: true } },
    'without jti': { claims: { jti: undefined } },
    'with null as jti': { claims: { jti: null } },
  }
}

/** The same flaws of an assertion that names nobody, as the table of the one for /revoke has it. */
export function nameless(flaws: Changes): Changes {
  return Object.fromEntries(
    Object.entries(flaws).map(([what, { claims, ...changes }]) => [
      `${what}, and without sub and iss`,
      { ...changes, claims: { ...claims, sub: undefined, iss: undefined } },
    ]),
  )
}

/** What its signature does not hold for. @param signers of other keys than the client's, by what they are */
export function wrongSignatures(signers: Readonly<Record<string, Signer>>): Changes {
  return {
    ...Object.fromEntries(Object.entries(signers).map(([what, signer]) => [what, { signer }])),
    'that was changed after it was signed': { presented: changedAfterwards },
    'without the bytes of its signature': { presented: (jwt) => jwt.slice(0, jwt.lastIndexOf('.') + 1) },
  }
}

/** A signed JWT with another jti. */
function changedAfterwards(jwt: string): string {
  const [header, payload = '', signature] = jwt.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const changed = Buffer.from(JSON.stringify({ ...claims, jti: randomUUID() })).toString('base64url')
  return [header, changed, signature].join('.')
}

/** An assertion with the algorithm none. @param alg as the header spells it */
export function unsigned(
  { service }: Pick<Tools, 'service'>,
  { client: { clientId }, endpoint }: Asserted,
  alg = 'none',
): string {
  const claims = assertionClaims({ iss: clientId, sub: clientId, aud: endpoint }, service.clock())
  const header = Buffer.from(JSON.stringify({ alg })).toString('base64url')
  return new UnsecuredJWT(claims).encode().replace(/^[^.]*/, header)
}
