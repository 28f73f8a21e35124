import { nowSeconds } from '../clock.js'
import { Latest } from '../latest.js'
import type { StoredRecord } from '../seams.js'
import { fault } from './fault.js'
import { claimsOfIdToken } from './id-token-claims.js'

const route = 'GET /auth'

/** Mistakes about max_age, and auth_time from which a client reads how old a session is. */
export const sessionAgeFaults = [
  fault({
    id: 'authorization/max-age-ignored',
    breaks: ['AUTH-34'],
    places: ['value=above'],
    title: 'Does not look at the age of the session',
    collateral: {
      'authorization/prompt-none-max-age': 'AUTH-25 is about a session that is too old',
    },
    request: {
      [route]: (parameters) => {
        if (/^\d{1,9}$/.test(parameters.get('max_age') ?? '')) parameters.set('max_age', '999999999')
      },
    },
  }),
  fault({
    id: 'authorization/session-renewed-by-use',
    breaks: ['AUTH-34'],
    places: ['use=session-login'],
    title: 'Counts the age of a session from the last login that it served without a sign-in',
    /** When a session last served a login without a sign-in, by its uid. */
    memory: () => new Latest<number>(10_000),
    records: [
      {
        model: 'AuthorizationCode',
        kept(record: StoredRecord, _bank: unknown, served: Latest<number>) {
          // Else it comes of the sign-in itself.
          if (nowSeconds() - Number(record.authTime) > 1) served.set(String(record.sessionUid), nowSeconds())
          return {}
        },
      },
      {
        model: 'Session',
        found(session: StoredRecord, _bank: unknown, served: Latest<number>) {
          const last = served.get(String(session.uid))
          return last === undefined ? session : { ...session, loginTs: Math.max(last, Number(session.loginTs)) }
        },
      },
    ],
  }),
  fault({
    id: 'authorization/max-age-zero-alone',
    breaks: ['AUTH-34'],
    places: ['value=above'],
    title: 'Looks at the age of the session where max_age is 0 alone',
    collateral: {
      'authorization/prompt-none-max-age': 'AUTH-25 is about a session that is too old',
    },
    request: {
      [route]: (parameters) => {
        if (/^[1-9]\d{0,8}$/.test(parameters.get('max_age') ?? '')) parameters.set('max_age', '999999999')
      },
    },
  }),
  fault({
    id: 'authorization/max-age-overflows',
    breaks: ['AUTH-34'],
    places: ['value=upper-bound'],
    title: 'Counts the milliseconds of max_age in 32 bits, so that those of 25 days and more are none',
    request: {
      [route]: (parameters) => {
        const age = parameters.get('max_age') ?? ''
        if (/^\d{1,10}$/.test(age) && Number(age) * 1000 > 2 ** 31) parameters.set('max_age', '0')
      },
    },
  }),
  fault({
    id: 'registration/default-max-age-ignored',
    breaks: ['REG-19'],
    places: ['value=right'],
    title: 'Does not look at the age of the session when the request names no max_age',
    request: {
      [route]: (parameters) => {
        if (!parameters.has('max_age')) parameters.set('max_age', '999999999')
      },
    },
  }),
  fault({
    id: 'authorization/auth-time-left-out',
    breaks: ['AUTH-50', 'REG-19', 'REG-33'],
    places: ['use=first'],
    title: 'Leaves auth_time out of the id_token',
    nestedJwt: claimsOfIdToken(({ auth_time: _, ...claims }) => claims),
  }),
  fault({
    id: 'authorization/auth-time-of-factor-an-hour-off',
    breaks: ['AUTH-50'],
    places: ['member=loa3'],
    title: 'Gives auth_time an hour early after a second factor, whose machine is in another time zone',
    nestedJwt: claimsOfIdToken((claims) => ({
      ...claims,
      ...(claims.acr === 'loa3' && claims.auth_time !== undefined && { auth_time: Number(claims.auth_time) - 3600 }),
    })),
  }),
  fault({
    id: 'authorization/auth-time-milliseconds',
    breaks: ['AUTH-50', 'REG-33'],
    title: 'Gives auth_time of the id_token in milliseconds',
    nestedJwt: claimsOfIdToken((claims) => ({
      ...claims,
      ...(claims.auth_time !== undefined && { auth_time: Number(claims.auth_time) * 1000 }),
    })),
  }),
  fault({
    id: 'authorization/auth-time-inside-left-out',
    breaks: ['AUTH-50'],
    places: ['token=request-object'],
    title: 'Leaves auth_time out of the id_token where max_age stands in a request object',
    memory: () => new Latest<true>(10_000),
    judgedObject(object, _bank, asked) {
      const { nonce, max_age } = object.claims
      if (max_age !== undefined) asked.set(String(nonce), true)
      return object
    },
    nestedJwt: {
      id_token: (nestedJwt, _bank, asked) =>
        asked.has(String(nestedJwt.claims.nonce))
          ? claimsOfIdToken(({ auth_time: _, ...claims }) => claims).id_token(nestedJwt)
          : nestedJwt,
    },
  }),
  fault({
    id: 'authorization/auth-time-now',
    breaks: ['AUTH-50'],
    places: ['use=session-login'],
    title: 'Gives the time of the answer as auth_time of the id_token',
    nestedJwt: claimsOfIdToken((claims) => ({
      ...claims,
      ...(claims.auth_time !== undefined && claims.iat !== undefined && { auth_time: claims.iat }),
    })),
  }),
  fault({
    id: 'authorization/auth-time-of-first-login',
    breaks: ['AUTH-50'],
    places: ['use=second-login'],
    title: 'Gives the time of the first login as auth_time of the id_token, whatever logins came after it',
    memory: () => new Latest<number>(10_000),
    nestedJwt: {
      id_token(nestedJwt, { clientId }, first) {
        const { sub, auth_time } = nestedJwt.claims
        if (typeof auth_time !== 'number') return nestedJwt
        const known = first.get(`${clientId} ${sub}`) ?? auth_time
        first.set(`${clientId} ${sub}`, known)
        return { ...nestedJwt, claims: { ...nestedJwt.claims, auth_time: known } }
      },
    },
  }),
]
