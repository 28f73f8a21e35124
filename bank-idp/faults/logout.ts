import { Latest } from '../latest.js'
import { ofFirstFaults, signatureFaults, type TokenRow, tokenFaults, typeFault } from './event-tokens.js'
import { type Fault, fault, omit } from './fault.js'

/** What is wrong with the logout token. */

const breaks = ['LOGOUT-5']

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

const rows: readonly TokenRow[] = [
  {
    slug: 'other-issuer',
    breaks: [...breaks, 'DISC-14'],
    places: ['member=iss', 'token=logout-token'],
    title: 'Names another issuer in the logout token',
    change: (token) => ({ ...token, iss: 'https://bank.example' }),
  },
  {
    slug: 'other-audience',
    places: ['member=aud'],
    title: 'Makes the logout token out to its own address',
    change: (token) => ({ ...token, aud: token.iss }),
  },
  {
    slug: 'iat-in-milliseconds',
    places: ['member=iat'],
    title: 'Gives iat of the logout token in milliseconds',
    change: (token) => ({ ...token, iat: Number(token.iat) * 1000, exp: Number(token.exp) * 1000 }),
  },
  {
    slug: 'exp-before-iat',
    places: ['member=exp'],
    title: 'Makes logout tokens that ended before they were made',
    change: (token) => ({ ...token, exp: Number(token.iat) - 1 }),
  },
  {
    slug: 'later-valid',
    places: ['member=nbf'],
    title: 'Makes logout tokens that nobody may take for half an hour',
    change: (token) => ({ ...token, nbf: Number(token.iat) + 1800 }),
  },
  {
    slug: 'exp-in-milliseconds',
    places: ['member=exp value=other-unit'],
    title: 'Gives exp of the logout token in milliseconds',
    change: (token) => ({ ...token, exp: Number(token.exp) * 1000 }),
  },
  {
    slug: 'no-jti',
    places: ['member=jti'],
    title: 'Gives the logout token no jti',
    change: (token) => omit(token, 'jti'),
  },
  {
    slug: 'other-event',
    places: ['member=events'],
    title: 'Names the event of the logout token by another address',
    change: (token) => ({ ...token, events: { [logoutEvent.replace('http:', 'https:')]: {} } }),
  },
  {
    slug: 'other-subject',
    places: ['member=sub'],
    title: 'Names the person in the logout token by a sub that the client does not know',
    change: (token) => ({ ...token, sub: `${token.sub}-1` }),
  },
  {
    slug: 'other-session',
    places: ['member=sid'],
    title: 'Names another session in the logout token',
    change: (token) => ({ ...token, sid: `${token.sid}-1` }),
  },
  {
    slug: 'neither-sub-nor-sid',
    places: ['member=sub', 'member=sid'],
    title: 'Says neither who nor which session in the logout token',
    change: (token) => omit(token, 'sub', 'sid'),
  },
  {
    slug: 'nonce',
    places: ['member=nonce'],
    title: 'Puts a nonce into the logout token',
    change: (token) => ({ ...token, nonce: 'n-0S6_WzA2Mj' }),
  },
]

export const logoutFaults: readonly Fault[] = [
  ...tokenFaults('logout', breaks, rows),
  ...ofFirstFaults('logout', breaks, [
    {
      slug: 'subject-of-first',
      member: 'sub',
      places: ['use=second-client member=sub'],
      title: 'Names the person in each logout token by the sub of the client that was told first',
    },
    {
      slug: 'jti-of-first',
      member: 'jti',
      places: ['member=jti value=repeated'],
      title: 'Gives each logout token the jti of the first',
    },
  ]),
  ...signatureFaults('logout', 'LOGOUT-5'),
  typeFault('logout', {
    slug: 'typed-as-access-token',
    breaks: 'LOGOUT-5',
    title: 'Says in the header of the logout token that it is an access token (typ at+jwt)',
    typ: 'at+jwt',
  }),
  fault({
    id: 'logout/unsigned-as-id-tokens',
    breaks,
    places: ['part=signature alg=none'],
    title: 'Does not sign the logout tokens of a client that has its id_tokens unsigned',
    /** Those clients. */
    memory: () => new Latest<true>(10_000),
    nestedJwt: {
      id_token: (nestedJwt, { clientId = '' }, unsigned) => {
        if (nestedJwt.signing === 'none') unsigned.set(clientId, true)
        return nestedJwt
      },
      logout_token: (nestedJwt, { clientId = '' }, unsigned) =>
        unsigned.has(clientId) ? { ...nestedJwt, signing: 'none' } : nestedJwt,
    },
  }),
  fault({
    id: 'logout/audience-of-all',
    breaks,
    places: ['use=second-client member=aud'],
    title: 'Makes each logout token out to its client and to all that were told before',
    memory: () => new Latest<true>(1_000),
    nestedJwt: {
      logout_token: (nestedJwt, _bank, told) => {
        told.set(String(nestedJwt.claims.aud), true)
        return { ...nestedJwt, claims: { ...nestedJwt.claims, aud: [...told.keys()] } }
      },
    },
  }),
]
