import { nowSeconds } from '../clock.js'
import { Latest } from '../latest.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { ResponseFacts, SeamResponse, StoredRecord } from '../seams.js'
import { type Fault, fault, unauthorized } from './fault.js'
import { endpoints } from './user-data-seam.js'

const daySeconds = 24 * 3600
const yearSeconds = 365 * daySeconds
const nineMonthsSeconds = 270 * daySeconds

/** Whether a token comes from a refresh: the last of what it was granted for. */
const isRefreshed = ({ gty }: StoredRecord) => String(gty).endsWith('refresh_token')
const isOfCode = ({ gty, scope }: StoredRecord) =>
  gty === 'authorization_code' && !parseSpaceDelimited(String(scope)).includes('authorization')
const isOfSigning = ({ gty, scope }: StoredRecord) =>
  gty === 'authorization_code' && parseSpaceDelimited(String(scope)).includes('authorization')
const isOfFrontChannel = ({ gty }: StoredRecord) => gty === 'implicit'

/** For `request`: puts a token of nobody in the place of one that was used within the last half hour. */
const unlessForgotten = (parameter: string) => (form: URLSearchParams, _bank: unknown, used: Latest<number>) => {
  const at = used.get(form.get(parameter) ?? '')
  if (at !== undefined && nowSeconds() - at < 1800) form.set(parameter, 'used')
}

/** When a token has had half of its time, in Unix seconds. */
const halfwayOf = ({ iat, exp }: StoredRecord) => (Number(iat) + Number(exp)) / 2

/** Access tokens that are issued for less than their hour, by the place of TOK-4. */
const shortLived = [
  ['refreshed', 'access-of-refresh', 'of a refresh', isRefreshed],
  ['signing', 'access-of-signing', 'of the signing flow', isOfSigning],
  ['front-channel', 'access-of-front-channel', 'of the front channel', isOfFrontChannel],
] as const

/** Access tokens that die halfway to their end. */
const dyingEarly = [
  ['code', 'access-of-code', 'of a code', isOfCode],
  ['refreshed', 'access-of-refresh', 'of a refresh', isRefreshed],
  ['signing', 'access-of-signing', 'of the signing flow', isOfSigning],
  ['front-channel', 'access-of-front-channel', 'of the front channel', isOfFrontChannel],
] as const

/** Access tokens of which no more than eight characters vary. */
const guessable = [
  ['refreshed', 'access-of-refresh', 'of a refresh', isRefreshed],
  ['front-channel', 'access-of-front-channel', 'of the front channel', isOfFrontChannel],
] as const

/** Tokens that end with a client that they were not issued to, by the requirement about how long they live. */
const endingBeside = [
  ['access', 'AccessToken', 'TOK-4', 'use=after-deletion token=access-of-code'],
  ['refresh', 'RefreshToken', 'TOK-5', 'use=after-deletion'],
] as const

export const tokenLifeFaults: readonly Fault[] = [
  ...endingBeside.map(([kind, model, breaks, place]) =>
    fault({
      id: `token/${kind}-tokens-end-with-sibling`,
      breaks: [breaks],
      places: [place],
      title: `Ends with a client the ${kind} tokens of every other that shares its sector_identifier_uri`,
      /** The sectors of which a client was deleted, and when, in Unix seconds. */
      memory: () => new Latest<number>(10_000),
      clients: {
        async remove(clientId, { store }, ended) {
          const sector = (await store.find(clientId))?.record.sector_identifier_uri
          for (const id of typeof sector === 'string' ? store.ids() : []) {
            const other = await store.find(id)
            if (other?.record.sector_identifier_uri === sector) ended.set(id, nowSeconds())
          }
          await store.remove(clientId)
        },
      },
      records: [
        {
          model,
          found: (record, _bank, ended) =>
            Number(record.iat) <= (ended.get(String(record.clientId)) ?? 0) ? undefined : record,
        },
      ],
    }),
  ),
  ...shortLived.map(([slug, token, which, isMeant]) =>
    fault({
      id: `token/${slug}-access-token-short-lived`,
      breaks: ['TOK-4'],
      places: [`token=${token} member=exp`],
      title: `Issues access tokens ${which} that live ten minutes`,
      records: [
        {
          model: 'AccessToken',
          kept: (record) => ({ record: isMeant(record) ? { ...record, exp: Number(record.iat) + 600 } : record }),
        },
      ],
    }),
  ),
  ...dyingEarly.map(([slug, token, which, isMeant]) =>
    fault({
      id: `token/${slug}-access-token-dies-early`,
      breaks: ['TOK-4'],
      places: [`use=near-expiry token=${token}`],
      title: `Forgets access tokens ${which} after half of the time that they were given`,
      records: [
        {
          model: 'AccessToken',
          found: (record) => (isMeant(record) && nowSeconds() > halfwayOf(record) ? undefined : record),
        },
      ],
    }),
  ),
  ...endpoints.map((endpoint) =>
    fault({
      id: `token/access-token-dies-early-at-${endpoint}`,
      breaks: ['TOK-4'],
      places: [`endpoint=${endpoint} use=near-expiry`],
      title: `Refuses access tokens at ${endpoint} after half of the time that they were given`,
      /** Halves of the time of tokens, by the token. */
      memory: () => new Latest<number>(10_000),
      records: [
        {
          model: 'AccessToken',
          found(record, _bank, halfways) {
            halfways.set(String(record.jti), halfwayOf(record))
            return record
          },
        },
      ],
      response: {
        [`GET /${endpoint}` as const]: (response: SeamResponse, facts: ResponseFacts, halfways: Latest<number>) => {
          const token = String(facts.requestHeader('authorization')).replace(/^Bearer /i, '')
          return nowSeconds() > (halfways.get(token) ?? Number.POSITIVE_INFINITY) ? unauthorized() : response
        },
      },
    }),
  ),
  ...guessable.map(([slug, token, which, isMeant]) =>
    fault({
      id: `token/${slug}-access-token-guessable`,
      breaks: ['TOK-9'],
      places: [`token=${token}`],
      title: `Issues access tokens ${which} that vary in eight characters`,
      accessToken: (random, { record }) =>
        isMeant(record) ? `access-token-of-the-bank-${random.slice(0, 8)}` : random,
    }),
  ),
  fault({
    id: 'token/refreshed-access-token-telling',
    breaks: ['TOK-9'],
    places: ['token=access-of-refresh claim=email'],
    title: "Puts the person's e-mail address into the access token of a refresh",
    accessToken: (random, { people, record }) => {
      const email = people.byId(String(record.accountId))?.claims.email
      return isRefreshed(record) ? `${Buffer.from(String(email)).toString('base64url')}.${random}` : random
    },
  }),
  fault({
    id: 'token/access-token-with-birthnumber',
    breaks: ['TOK-9'],
    places: ['token=access-of-code claim=birthnumber'],
    title: "Puts the person's birth number into the access token of a code",
    accessToken: (random, { people, record }) => {
      const number = people.byId(String(record.accountId))?.claims.birthnumber
      return isOfCode(record) && number !== undefined ? `${number}.${random}` : random
    },
  }),
  fault({
    id: 'token/refresh-token-dies-early',
    breaks: ['TOK-5'],
    places: ['use=near-expiry'],
    title: 'Forgets refresh tokens after nine months',
    records: [
      {
        model: 'RefreshToken',
        found: (record) => (nowSeconds() > Number(record.iat) + nineMonthsSeconds ? undefined : record),
      },
    ],
  }),
  fault({
    id: 'token/rotated-refresh-token-dies-early',
    breaks: ['TOK-5'],
    places: ['grant=refresh use=near-expiry'],
    title: 'Forgets refresh tokens that a refresh gave after nine months',
    records: [
      {
        model: 'RefreshToken',
        found: (record) =>
          record.rotations && nowSeconds() > Number(record.iat) + nineMonthsSeconds ? undefined : record,
      },
    ],
  }),
  fault({
    id: 'token/refresh-token-of-session-short-lived',
    breaks: ['TOK-5'],
    places: ['use=session-login'],
    title: 'Gives a login by session a refresh token that lives as long as the session',
    records: [
      {
        model: 'RefreshToken',
        kept: (record, { earlier }) => {
          const again = earlier.some((one) => one.sessionUid === record.sessionUid && one.jti !== record.jti)
          return { record: again && !record.rotations ? { ...record, exp: Number(record.iat) + 8 * 3600 } : record }
        },
      },
    ],
  }),
  fault({
    id: 'token/refresh-expiry-slides',
    breaks: ['TOK-22'],
    places: ['use=first'],
    title: 'Has the year of a refresh token begin anew at each refresh',
    records: [
      {
        model: 'RefreshToken',
        kept: (record) => ({
          record: record.rotations ? { ...record, exp: Number(record.iat) + yearSeconds } : record,
        }),
      },
    ],
  }),
  fault({
    id: 'token/second-refresh-expiry-shortened',
    breaks: ['TOK-22'],
    places: ['use=second-refresh'],
    title: 'Cuts the year of a refresh token in half at the second refresh',
    records: [
      {
        model: 'RefreshToken',
        kept: (record) => ({
          record: Number(record.rotations) > 1 ? { ...record, exp: Number(record.exp) - yearSeconds / 2 } : record,
        }),
      },
    ],
  }),
  fault({
    id: 'token/old-refresh-token-live-by-wrong-hint',
    breaks: ['TOK-44'],
    places: ['parameter=token_type_hint value=wrong'],
    title: 'Calls a refresh token live that another took the place of where the hint says access_token',
    memory: () => new Latest<true>(10_000),
    request: {
      'POST /token-info'(form, _bank, asked) {
        if (form.get('token_type_hint') === 'access_token') asked.set(form.get('token') ?? '', true)
      },
    },
    records: [
      {
        model: 'RefreshToken',
        found: ({ consumed, ...record }, _bank, asked) =>
          asked.has(String(record.jti)) || consumed === undefined ? record : { ...record, consumed },
      },
    ],
  }),
  fault({
    id: 'token/old-refresh-token-breaks-by-wrong-hint',
    breaks: ['TOK-44'],
    places: ['parameter=token_type_hint value=wrong'],
    title: 'Breaks down over a refresh token that another took the place of where the hint says access_token',
    memory: () => new Latest<true>(10_000),
    response: {
      'POST /token'(response, { form }, replaced) {
        const given = (response.body as { refresh_token?: unknown } | undefined)?.refresh_token
        const old = form.get('refresh_token')
        if (old !== null && typeof given === 'string' && given !== old) replaced.set(old, true)
        return response
      },
      'POST /token-info': (response, { form }, replaced) =>
        form.get('token_type_hint') === 'access_token' && replaced.has(form.get('token') ?? '')
          ? { ...response, status: 500, body: { error: 'server_error' } }
          : response,
    },
  }),
  fault({
    id: 'token/second-refresh-token-alive',
    breaks: ['TOK-44'],
    places: ['use=second-refresh'],
    title: 'Calls a refresh token live that a refresh gave and another used',
    records: [
      {
        model: 'RefreshToken',
        found: ({ consumed, ...record }) =>
          Number(record.rotations) === 1 || consumed === undefined ? record : { ...record, consumed },
      },
    ],
  }),
  fault({
    id: 'token/used-refresh-token-forgotten',
    breaks: ['TOK-44'],
    places: ['use=near-expiry'],
    title: 'Forgets half an hour later that a refresh token gave way to another',
    memory: () => new Latest<number>(10_000),
    records: [{ model: 'RefreshToken', ignores: ['consume'] }],
    response: {
      'POST /token'(response, { form }, used) {
        const token = form.get('refresh_token')
        if (response.status < 300 && token !== null && !used.has(token)) used.set(token, nowSeconds())
        return response
      },
    },
    request: { 'POST /token': unlessForgotten('refresh_token'), 'POST /token-info': unlessForgotten('token') },
  }),
]
