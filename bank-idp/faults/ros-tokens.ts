import { nowSeconds } from '../clock.js'
import { Latest } from '../latest.js'
import { body, type Fault, fault } from './fault.js'
import { hasBearer, isHinted, kindOf, type Members } from './signing-leniency.js'
import { listen, TokenMemory } from './token-memory.js'

/** Objects beside which an access token is not looked at. */
const tokensIgnored = [
  {
    slug: 'document',
    place: 'member=documentObject',
    name: 'a document',
    isMeant: (claims: Members) => kindOf(claims) === 'documentObject',
  },
  {
    slug: 'envelope',
    place: 'member=documentObjects',
    name: 'an envelope',
    isMeant: (claims: Members) => kindOf(claims) === 'documentObjects',
  },
  {
    slug: 'combined',
    place: 'member=text-and-document',
    name: 'a document that stands beside a text',
    isMeant: (claims: Members) => kindOf(claims) === 'text-and-document',
  },
  {
    slug: 'hinted',
    place: 'member=id_token_hint',
    name: 'id_token_hint',
    isMeant: isHinted,
  },
]

/** Objects that live too short a time where nobody is there yet. */
const inALifeTooShort = tokensIgnored
  .filter(({ slug }) => ['envelope', 'hinted'].includes(slug))
  .map((one) => ({ ...one, name: one.slug === 'hinted' ? 'an object with id_token_hint' : one.name }))

/** What the access token of a request object is to the bank. */
export const rosTokenFaults: readonly Fault[] = [
  fault({
    id: 'signing/bearer-refused',
    breaks: ['SIGN-48', 'SIGN-2'],
    places: [
      'value=right',
      'token=access-of-signing',
      'caller=bearer member=signObject',
      'caller=bearer member=documentObject',
    ],
    title: 'Takes no access token at /ros',
    requestObject({ headers }) {
      if (headers.authorization !== undefined) headers.authorization = 'Bearer none'
    },
  }),
  fault({
    id: 'signing/refreshed-bearer-refused',
    breaks: ['SIGN-48'],
    places: ['token=access-of-refresh'],
    title: 'Takes no access token of a refresh at /ros',
    memory: () => new TokenMemory(),
    response: { 'POST /token': listen },
    requestObject({ headers }, _bank, memory) {
      const bearer = (headers.authorization ?? '').replace(/^Bearer /, '')
      if (memory.of(bearer)?.grant === 'refresh_token') headers.authorization = 'Bearer none'
    },
  }),
  fault({
    id: 'signing/anonymous-refused',
    breaks: ['SIGN-2'],
    places: ['caller=nobody member=signObject', 'caller=nobody member=documentObject'],
    title: 'Takes no request object without an access token',
    collateral: {
      'signing/request-object': 'the good request object comes without one',
    },
    requestObject({ headers }) {
      headers.authorization ??= 'Bearer none'
    },
  }),
  fault({
    id: 'signing/bearer-ignored',
    breaks: ['SIGN-48', 'SIGN-21'],
    places: ['value=wrong', 'use=first', 'use=session-login', 'token=access-of-signing'],
    title: 'Does not look at the access token at /ros',
    collateral: {
      'signing/out-of-band-lives-longer': 'every object is then one without an access token',
      'logout/signing-token': 'nor at one that a logout ended',
    },
    requestObject({ headers }) {
      delete headers.authorization
    },
  }),
  fault({
    id: 'signing/other-bearer-ignored',
    breaks: ['SIGN-48'],
    places: ['value=prefix', 'value=superset', 'token=id-of-code', 'token=code'],
    title: 'Takes a Bearer that is no access token for none',
    /** The access tokens that were given. */
    memory: () => new Latest<true>(10_000),
    response: {
      'POST /token'(response, _bank, given) {
        given.set(String((response.body as Record<string, unknown>).access_token), true)
        return response
      },
    },
    requestObject({ headers }, _bank, given) {
      if (headers.authorization && !given.has(headers.authorization.replace('Bearer ', '')))
        delete headers.authorization
    },
  }),
  fault({
    id: 'signing/out-of-band-not-longer',
    breaks: ['SIGN-29'],
    places: ['member=signObject', 'member=documentObject'],
    title: 'Gives an object without an access token no more time than one with',
    lifetimes: () => ({ OutOfBand: 0 }),
  }),
  fault({
    id: 'signing/exp-fixed-with-token',
    breaks: ['SIGN-28'],
    places: ['caller=bearer'],
    title: 'Gives a request object with an access token five minutes, whatever its max_age',
    response: {
      'POST /ros': (response, facts) =>
        facts.requestHeader('authorization') === undefined
          ? response
          : body((answer) => ({ ...answer, exp: nowSeconds() + 300 }))(response, facts),
    },
  }),
  ...tokensIgnored.map(({ slug, place, name, isMeant }) =>
    fault({
      id: `signing/token-of-${slug}-ignored`,
      breaks: ['SIGN-21'],
      places: [place],
      title: `Does not look at the access token beside ${name}`,
      ...(slug !== 'combined' && {
        collateral: { 'signing/out-of-band-lives-longer': 'its object is then one without an access token' },
      }),
      requestObject({ claims, headers }) {
        if (isMeant(claims)) delete headers.authorization
      },
    }),
  ),
  ...inALifeTooShort.map(({ slug, place, name, isMeant }) =>
    fault({
      id: `signing/${slug}-not-longer`,
      breaks: ['SIGN-29'],
      places: [place],
      title: `Gives ${name} without an access token no more time than one with`,
      requestObject(request) {
        if (isMeant(request.claims) && !hasBearer(request))
          request.claims.max_age = Number(request.claims.max_age) - 120
      },
      lifetimes: () => ({ OutOfBand: 60 }),
    }),
  ),
]
