import { createHash, randomInt } from 'node:crypto'
import { Latest } from '../latest.js'
import type { NestedJwt } from '../seams.js'
import { type Fault, fault, omit } from './fault.js'
import { type IdTokenOrigin, idTokenClaimsOf, idTokensOf } from './id-token-origin.js'

type Claims = NestedJwt['claims']

/** The id_tokens that a fault of the tables is about, in words. */
const origins: Readonly<Record<IdTokenOrigin, string>> = {
  code: 'the id_token of a code',
  refresh: 'the id_token of a refresh',
  'front-channel': 'the id_token of the callback',
  signing: 'the id_token of the signing flow',
}

/** What is done to a claim that every id_token carries. */
interface WrongClaim {
  claim: string
  /** The requirement about the claim of whatever is signed. */
  also?: string
  slug: string
  /** Follows the origin in words. */
  title: string
  change(claims: Claims): Claims
}

const wrongClaims: readonly WrongClaim[] = [
  { claim: 'sub', slug: 'sub-missing', title: 'Leaves sub out of', change: (claims) => omit(claims, 'sub') },
  {
    claim: 'iss',
    also: 'DISC-14',
    slug: 'iss-with-slash',
    title: 'Writes a slash behind iss of',
    change: (claims) => ({ ...claims, iss: `${claims.iss}/` }),
  },
  {
    claim: 'aud',
    slug: 'aud-with-issuer',
    title: 'Names the issuer beside the client as aud of',
    change: (claims) => ({ ...claims, aud: [String(claims.aud), String(claims.iss)] }),
  },
  {
    claim: 'exp',
    slug: 'exp-text',
    title: 'Gives as text exp of',
    change: (claims) => ({ ...claims, exp: String(claims.exp) as unknown as number }),
  },
  {
    claim: 'iat',
    slug: 'iat-milliseconds',
    title: 'Gives in milliseconds both times of',
    change: ({ iat = 0, exp = 0, ...claims }) => ({ ...claims, iat: iat * 1000, exp: exp * 1000 }),
  },
]

/** Whose times the id_token of a refresh has in place of its own. */
const earlierTimes = [
  {
    slug: 'issued-at-login',
    use: 'first',
    title: 'Keeps the times of the id_token of the code in those of refreshes',
    keptFrom: 'authorization_code',
  },
  {
    slug: 'issued-at-first-refresh',
    use: 'second-refresh',
    title: 'Keeps the times of the id_token of the first refresh in those of later ones',
    keptFrom: 'refresh_token',
  },
] as const

const asHint = 'the bank does not accept such an id_token as a hint either'

/** What these id_tokens show at other rules, by origin and claim. */
const collaterals: Readonly<Record<string, Record<string, string>>> = {
  'code sub': {
    'authorization/id-token-hint-of-another': asHint,
    'authorization/optional-parameters': asHint,
    'signing/subject': 'the sub of the login is looked for in the result',
    'subjects/same-everywhere': 'the sub is compared with that of userinfo',
    'user-data/subject': 'the sub is compared with that of userinfo',
  },
  'code iss': {
    'authorization/id-token-hint-of-another': asHint,
    'authorization/optional-parameters': asHint,
  },
}

function wrongClaimFaults(origin: IdTokenOrigin): Fault[] {
  return wrongClaims.map(({ claim, also, slug, title, change }) => {
    const collateral = collaterals[`${origin} ${claim}`]
    return fault({
      id: `token/${origin}-id-token-${slug}`,
      breaks: ['TOK-34', ...(also ? [also] : [])],
      places: [`token=id-of-${origin} claim=${claim}`, ...(also ? [`token=id-of-${origin}`] : [])],
      title: `${title} ${origins[origin]}`,
      ...(collateral && { collateral }),
      nestedJwt: idTokenClaimsOf(origin, change),
    })
  })
}

function shortLivedFault(origin: IdTokenOrigin): Fault {
  return fault({
    id: `token/${origin}-id-token-short-lived`,
    breaks: ['TOK-6'],
    places: [`token=id-of-${origin}`],
    title: `Has ${origins[origin]} live for ten minutes`,
    nestedJwt: idTokenClaimsOf(origin, (claims) => ({ ...claims, exp: Number(claims.iat) + 600 })),
  })
}

/** Wrong values of times that every id_token carries, each with the place where they are wrong. */
const wrongTimes: readonly (Pick<WrongClaim, 'slug' | 'title' | 'change'> & { place: string })[] = [
  {
    slug: 'issued-early',
    place: 'claim=iat value=below',
    title: 'Counts iat from ten minutes before in',
    change: (claims) => ({ ...claims, iat: Number(claims.iat) - 600 }),
  },
  {
    slug: 'fraction',
    place: 'claim=exp value=other-type',
    title: 'Gives exp and iat with a half of a second in',
    change: (claims) => ({ ...claims, exp: Number(claims.exp) + 0.5, iat: Number(claims.iat) + 0.5 }),
  },
]

function wrongTimeFaults(origin: IdTokenOrigin): Fault[] {
  return wrongTimes.map(({ slug, place, title, change }) =>
    fault({
      id: `token/${origin}-id-token-${slug}`,
      breaks: ['TOK-34'],
      places: [`token=id-of-${origin} ${place}`],
      title: `${title} ${origins[origin]}`,
      nestedJwt: idTokenClaimsOf(origin, change),
    }),
  )
}

function laterValidFault(origin: IdTokenOrigin): Fault {
  return fault({
    id: `token/${origin}-id-token-later-valid`,
    breaks: ['TOK-6'],
    places: [`token=id-of-${origin} part=nbf`],
    title: `Lets nobody take ${origins[origin]} for the first ten minutes of its hour`,
    nestedJwt: idTokenClaimsOf(origin, (claims) => ({ ...claims, nbf: Number(claims.iat) + 600 })),
  })
}

function otherHashFault(origin: IdTokenOrigin): Fault {
  return fault({
    id: `token/${origin}-id-token-other-hash`,
    breaks: ['TOK-8'],
    places: [`token=id-of-${origin}`],
    title: `Gives the hash of something else as at_hash of ${origins[origin]}`,
    nestedJwt: idTokenClaimsOf(origin, (claims) => {
      const size = Buffer.from(String(claims.at_hash), 'base64url').length
      const digest = createHash('sha512').update(String(claims.sub)).digest()
      return size === 0 ? claims : { ...claims, at_hash: digest.subarray(0, size).toString('base64url') }
    }),
  })
}

/** Keeps what the id_token of a code carried, for the refreshes of the same session. */
const rememberedOf = () => new Latest<Claims>(10_000)

export const tokenIdTokenFaults: readonly Fault[] = [
  ...(['code', 'refresh', 'front-channel', 'signing'] as const).flatMap(wrongClaimFaults),
  ...(['code', 'refresh', 'front-channel', 'signing'] as const).map(shortLivedFault),
  ...(['code', 'refresh', 'front-channel', 'signing'] as const).map(otherHashFault),
  ...(['code', 'refresh', 'front-channel', 'signing'] as const).flatMap(wrongTimeFaults),
  ...(['code', 'refresh', 'front-channel', 'signing'] as const).map(laterValidFault),
  ...(['amr', 'jti'] as const).map((claim) =>
    fault({
      id: `token/id-token-without-${claim}`,
      breaks: ['TOK-34'],
      places: [claim === 'amr' ? 'token=id-of-code claim=amr value=missing' : 'token=id-of-code claim=jti'],
      title: `Leaves ${claim} out of the id_token of a code`,
      nestedJwt: idTokenClaimsOf('code', (claims) => omit(claims, claim)),
    }),
  ),
  fault({
    id: 'token/methods-as-text',
    breaks: ['TOK-34'],
    places: ['token=id-of-code claim=amr value=other-type'],
    title: 'Gives amr as text in the id_token of a code',
    nestedJwt: idTokenClaimsOf('code', (claims) => ({ ...claims, amr: [claims.amr].flat().join(' ') })),
  }),
  fault({
    id: 'token/methods-by-own-names',
    breaks: ['TOK-34'],
    places: ['token=id-of-code claim=amr value=unknown'],
    title: 'Calls a password password in amr of the id_token of a code',
    nestedJwt: idTokenClaimsOf('code', (claims) => ({
      ...claims,
      amr: [claims.amr].flat().map((method) => (method === 'pwd' ? 'password' : method)),
    })),
  }),
  fault({
    id: 'token/refreshed-nonce-new',
    breaks: ['TOK-34'],
    places: ['token=id-of-refresh claim=nonce'],
    title: 'Gives another nonce than that of the login in the id_token of a refresh',
    nestedJwt: idTokenClaimsOf('refresh', (claims) => ({ ...claims, nonce: String(claims.jti) })),
  }),
  fault({
    id: 'token/refreshed-auth-time-now',
    breaks: ['TOK-34'],
    places: ['token=id-of-refresh claim=auth_time'],
    title: 'Gives the time of the refresh as auth_time of its id_token',
    nestedJwt: idTokenClaimsOf('refresh', (claims) => ({ ...claims, auth_time: Number(claims.iat) + 1 })),
  }),
  fault({
    id: 'token/refreshed-acr-other',
    breaks: ['TOK-34'],
    places: ['token=id-of-refresh claim=acr'],
    title: 'Tells the other of the two levels as acr of the id_token of a refresh',
    nestedJwt: idTokenClaimsOf('refresh', (claims) => ({ ...claims, acr: claims.acr === 'loa2' ? 'loa3' : 'loa2' })),
  }),
  fault({
    id: 'token/refreshed-jti-of-person',
    breaks: ['TOK-34'],
    places: ['token=id-of-refresh claim=jti value=repeated'],
    title: 'Gives every id_token of a refresh the jti of the others of its person',
    nestedJwt: idTokenClaimsOf('refresh', (claims) => ({ ...claims, jti: String(claims.sub) })),
  }),
  fault({
    id: 'token/id-token-jti-number',
    breaks: ['TOK-34'],
    places: ['token=id-of-code claim=jti value=other-type'],
    title: 'Gives a number as jti of the id_token of a code',
    nestedJwt: idTokenClaimsOf('code', (claims) => ({ ...claims, jti: randomInt(2 ** 40) as unknown as string })),
  }),
  fault({
    id: 'token/refreshed-sub-internal',
    breaks: ['TOK-34'],
    places: ['token=id-of-refresh claim=sub'],
    title: 'Knows the person by another sub in the id_token of a refresh',
    nestedJwt: idTokenClaimsOf('refresh', (claims) => ({
      ...claims,
      sub: createHash('sha256').update(String(claims.sub)).digest('base64url'),
    })),
  }),
  fault({
    id: 'token/front-channel-nonce-missing',
    breaks: ['TOK-34'],
    places: ['token=id-of-front-channel claim=nonce'],
    title: 'Leaves nonce out of the id_token of the callback',
    nestedJwt: idTokenClaimsOf('front-channel', (claims) => omit(claims, 'nonce')),
  }),
  fault({
    id: 'token/encrypted-id-token-unsigned',
    breaks: ['TOK-7'],
    places: ['token=id-of-code part=encryption'],
    title: 'Does not sign an id_token that it encrypts',
    nestedJwt: idTokensOf('code', (nestedJwt) =>
      nestedJwt.encryption ? { ...nestedJwt, signing: 'none' } : nestedJwt,
    ),
  }),
  fault({
    id: 'token/nonce-of-first-login',
    breaks: ['TOK-34'],
    places: ['use=session-login token=id-of-code'],
    title: 'Gives every login of a session the nonce of the first',
    memory: rememberedOf,
    nestedJwt: {
      id_token: (nestedJwt, { grant }, seen) => {
        const { sid, aud, nonce } = nestedJwt.claims
        if (grant !== 'authorization_code' || 'structured_scope' in nestedJwt.claims) return nestedJwt
        const key = `${aud} ${sid}`
        const first = seen.get(key)?.nonce ?? nonce
        if (!seen.has(key)) seen.set(key, nestedJwt.claims)
        return { ...nestedJwt, claims: { ...nestedJwt.claims, nonce: first } }
      },
    },
  }),
  fault({
    id: 'token/nonce-decoded-twice',
    breaks: ['TOK-34'],
    places: ['token=id-of-code claim=nonce value=encoded'],
    title: 'Gives back a nonce up to its first ampersand',
    nestedJwt: idTokenClaimsOf('code', (claims) => ({ ...claims, nonce: String(claims.nonce).replace(/&.*/, '') })),
  }),
  fault({
    id: 'token/nonce-trimmed',
    breaks: ['TOK-34'],
    places: ['token=id-of-code claim=nonce value=encoded'],
    title: 'Gives back a nonce without the spaces around it',
    nestedJwt: idTokenClaimsOf('code', (claims) => ({ ...claims, nonce: String(claims.nonce).trim() })),
  }),
  fault({
    id: 'token/nonce-pictographs-lost',
    breaks: ['TOK-34'],
    places: ['token=id-of-code claim=nonce value=encoded'],
    title: 'Gives back a question mark for each character of a nonce that takes four bytes',
    nestedJwt: idTokenClaimsOf('code', (claims) => ({
      ...claims,
      nonce: String(claims.nonce).replace(/[\u{10000}-\u{10ffff}]/gu, '?'),
    })),
  }),
  fault({
    id: 'token/nonce-as-number',
    breaks: ['TOK-34'],
    places: ['token=id-of-code claim=nonce value=other-type'],
    title: 'Gives back a nonce of digits alone as a number',
    nestedJwt: idTokenClaimsOf('code', (claims) => ({
      ...claims,
      nonce: /^[1-9]\d{0,14}$/.test(String(claims.nonce)) ? Number(claims.nonce) : claims.nonce,
    })),
  }),
  fault({
    id: 'token/nonce-cut',
    breaks: ['TOK-34'],
    places: ['token=id-of-code claim=nonce value=long'],
    title: 'Gives back no more than 255 characters of a nonce',
    nestedJwt: idTokenClaimsOf('code', (claims) => ({ ...claims, nonce: String(claims.nonce).slice(0, 255) })),
  }),
  fault({
    id: 'token/refreshed-id-token-unsigned',
    breaks: ['TOK-7'],
    places: ['token=id-of-refresh'],
    title: 'Leaves the id_token of a refresh unsigned (alg none)',
    nestedJwt: idTokensOf('refresh', (nestedJwt) => ({ ...nestedJwt, signing: 'none' })),
  }),
  fault({
    id: 'token/front-channel-id-token-unsigned',
    breaks: ['TOK-7'],
    places: ['token=id-of-front-channel'],
    title: 'Leaves the id_token of the callback unsigned (alg none)',
    nestedJwt: idTokensOf('front-channel', (nestedJwt) => ({ ...nestedJwt, signing: 'none' })),
  }),
  fault({
    id: 'token/code-id-token-always-ps512',
    breaks: ['TOK-7'],
    places: ['token=id-of-code alg=ES512'],
    title: 'Signs the id_token of a code with PS512 where ES512 is registered',
    collateral: { 'algorithms/signing': 'ES512 is declared, and not used' },
    nestedJwt: idTokensOf('code', (nestedJwt, { bankKey }) => ({
      ...nestedJwt,
      signing: { alg: 'PS512', key: bankKey('PS512') },
    })),
  }),
  fault({
    id: 'token/id-token-algorithm-remembered',
    breaks: ['TOK-7'],
    places: ['use=after-put token=id-of-code'],
    title: "Signs a client's id_tokens with the algorithm of the first, whatever it registered since",
    memory: () => new Latest<NestedJwt['signing']>(10_000),
    nestedJwt: {
      id_token: (nestedJwt, { clientId = '', grant }, first) => {
        if (grant !== 'authorization_code' || 'structured_scope' in nestedJwt.claims) return nestedJwt
        const signing = first.get(clientId) ?? nestedJwt.signing
        first.set(clientId, signing)
        return { ...nestedJwt, signing }
      },
    },
  }),
  fault({
    id: 'token/refreshed-id-token-algorithm-remembered',
    breaks: ['TOK-7'],
    places: ['use=after-put token=id-of-refresh'],
    title: 'Signs the id_tokens of refreshes with the algorithm of the login, whatever was registered since',
    memory: () => new Latest<NestedJwt['signing']>(10_000),
    nestedJwt: {
      id_token: (nestedJwt, { clientId = '', grant }, first) => {
        const login = `${clientId} ${nestedJwt.claims.sid} ${nestedJwt.claims.sub}`
        if (grant === 'authorization_code' && !first.has(login)) first.set(login, nestedJwt.signing)
        return grant === 'refresh_token' ? { ...nestedJwt, signing: first.get(login) ?? nestedJwt.signing } : nestedJwt
      },
    },
  }),
  fault({
    id: 'token/code-id-token-not-encrypted',
    breaks: ['TOK-35'],
    places: ['token=id-of-code'],
    title: 'Leaves out the encryption of the id_token of a code',
    collateral: {
      'algorithms/encryption': 'the encryption is declared, and not used',
      'registration/response-keys': 'the client registered the encryption',
    },
    nestedJwt: idTokensOf('code', (nestedJwt) => ({ ...nestedJwt, encryption: undefined })),
  }),
  fault({
    id: 'token/refreshed-id-token-always-ps512',
    breaks: ['TOK-7'],
    places: ['token=id-of-refresh alg=ES512'],
    title: 'Signs the id_token of a refresh with PS512 where ES512 is registered',
    nestedJwt: idTokensOf('refresh', (nestedJwt, { bankKey }) => ({
      ...nestedJwt,
      signing: { alg: 'PS512', key: bankKey('PS512') },
    })),
  }),
  fault({
    id: 'token/refreshed-id-token-of-yesterday',
    breaks: ['TOK-34'],
    places: ['token=id-of-refresh claim=iat value=below'],
    title: 'Counts iat of the id_token of a refresh from an hour before',
    nestedJwt: idTokensOf('refresh', ({ claims, ...nestedJwt }) => ({
      ...nestedJwt,
      claims: { ...claims, iat: Number(claims.iat) - 3600 },
    })),
  }),
  ...earlierTimes.map(({ slug, use, title, keptFrom }) =>
    fault({
      id: `token/refreshed-id-token-${slug}`,
      breaks: ['TOK-34'],
      places: [`use=${use} token=id-of-refresh claim=iat`],
      title,
      /** iat of an id_token, by its client, its person and when that one signed in. */
      memory: () => new Latest<number>(10_000),
      nestedJwt: {
        id_token(nestedJwt, { grant }, times) {
          const { aud, sub, auth_time, iat = 0, exp = 0 } = nestedJwt.claims
          const login = JSON.stringify([aud, sub, auth_time])
          const kept = grant === 'refresh_token' ? times.get(login) : undefined
          if (grant === keptFrom && kept === undefined) times.set(login, iat)
          if (kept === undefined) return nestedJwt
          return { ...nestedJwt, claims: { ...nestedJwt.claims, iat: kept, exp: exp - iat + kept } }
        },
      },
    }),
  ),
  fault({
    id: 'token/refreshed-id-token-not-encrypted',
    breaks: ['TOK-35', 'REG-31'],
    places: ['token=id-of-refresh'],
    title: 'Leaves out the encryption of the id_token of a refresh',
    nestedJwt: idTokensOf('refresh', (nestedJwt) => ({ ...nestedJwt, encryption: undefined })),
  }),
]
