import { nowSeconds } from '../clock.js'
import { Latest } from '../latest.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { NestedJwt, NestedJwtFacts, RecordChange, StoredRecord } from '../seams.js'
import { type Deviation, type Fault, fault } from './fault.js'
import { redirectTarget } from './redirects.js'

/** Whether a token came of a refresh. */
const isRefreshed = ({ gty }: StoredRecord) => String(gty).includes('refresh_token')

const daySeconds = 24 * 3600

/** Scopes of data of a token, in the order in which they were granted. */
function dataOf({ scope }: StoredRecord): string[] {
  return parseSpaceDelimited(String(scope)).filter((one) => one !== 'openid' && one !== 'offline_access')
}

/**
 * Tokens of the person's earlier logins, for two data scopes in an order of their own, when the person now logs in for one alone: one
 * client's logins are mixed up, and those that are only looked at are left alone.
 */
function ofEarlierLogins(
  record: StoredRecord,
  earlier: readonly StoredRecord[],
  declared: readonly string[],
): StoredRecord[] {
  const data = dataOf(record)
  if (record.gty !== 'authorization_code' || data.length !== 1) return []
  return earlier.filter((one) => isReversed(one, declared) && one.accountId === record.accountId)
}

/** Whether a token is for two data scopes, not in the order in which the bank declares them. */
export function isReversed(token: StoredRecord, declared: readonly string[]): boolean {
  const [first = '', second, ...further] = dataOf(token)
  return further.length === 0 && second !== undefined && declared.indexOf(first) > declared.indexOf(second)
}

/** Those of them that the session of the later login gave. */
const ofSameSession: typeof ofEarlierLogins = (record, earlier, declared) =>
  ofEarlierLogins(record, earlier, declared).filter(({ sessionUid }) => sessionUid === record.sessionUid)

/** Those of them that other sessions gave. */
const ofOtherSession: typeof ofEarlierLogins = (record, earlier, declared) =>
  ofEarlierLogins(record, earlier, declared).filter(({ sessionUid }) => sessionUid !== record.sessionUid)

/** Those of them that the same session gave for the same scopes. */
const ofSameScopes: typeof ofEarlierLogins = (record, earlier, declared) => {
  const [first = 0, second = Infinity, ...further] = dataOf(record).map((scope) => declared.indexOf(scope))
  if (record.gty !== 'authorization_code' || further.length > 0 || first < second) return []
  const shared = ['scope', 'accountId', 'sessionUid'] as const
  return earlier.filter(
    (one) => shared.every((member) => one[member] === record[member]) && one.grantId !== record.grantId,
  )
}

/** What later logins do to the tokens of earlier ones. */
const changedByLater: readonly {
  slug: string
  places: readonly string[]
  breaks: readonly string[]
  title: string
  model: 'AccessToken' | 'RefreshToken'
  earlier: typeof ofSameSession
  change(tokens: StoredRecord[], record: StoredRecord): RecordChange
}[] = [
  {
    slug: 'session-login-ends-access-tokens',
    breaks: ['TOK-10', 'TOK-27'],
    places: [
      'use=session-login token=access-of-code',
      'use=session-login token=access-of-refresh',
      'use=session-login',
    ],
    title: 'Ends the access tokens of a session when the person is logged in by it again',
    model: 'AccessToken',
    earlier: ofSameSession,
    change: (ended) => ({ ended }),
  },
  ...(
    [
      ['access', 'AccessToken', ['access-of-code', 'access-of-refresh']],
      ['refresh', 'RefreshToken', ['refresh']],
    ] as const
  ).map(([which, model, tokens]) => ({
    slug: `session-login-for-the-same-ends-${which}-tokens`,
    breaks: ['TOK-10'],
    places: tokens.map((token) => `use=session-login token=${token} value=right`),
    title: `Ends the ${which} tokens of a session when the person is logged in by it for the same scopes again`,
    model,
    earlier: ofSameScopes,
    change: (earlier: StoredRecord[]) => ({ ended: earlier }),
  })),
  {
    slug: 'session-login-ends-refresh-tokens',
    breaks: ['TOK-10', 'TOK-27'],
    places: ['use=session-login token=refresh'],
    title: 'Ends the refresh tokens of a session when the person is logged in by it again',
    model: 'RefreshToken',
    earlier: ofSameSession,
    change: (ended) => ({ ended }),
  },
  {
    slug: 'later-login-ends-refresh-tokens',
    breaks: ['TOK-10', 'TOK-27'],
    places: ['use=second-login token=refresh'],
    title: 'Ends the refresh tokens of an earlier login when the person logs in elsewhere',
    model: 'RefreshToken',
    earlier: ofOtherSession,
    change: (ended) => ({ ended }),
  },
  {
    slug: 'later-login-shortens-refresh-tokens',
    breaks: ['TOK-10'],
    places: ['use=second-login token=refresh'],
    title: 'Has the refresh tokens of an earlier login expire in a month when the person logs in elsewhere',
    model: 'RefreshToken',
    earlier: ofOtherSession,
    change: (tokens) => ({ changed: tokens.map((one) => ({ ...one, exp: nowSeconds() + 30 * daySeconds })) }),
  },
  {
    slug: 'session-login-narrows-access-tokens',
    breaks: ['TOK-10', 'TOK-27'],
    places: ['use=session-login token=access-of-code'],
    title: 'Gives the access tokens of a session the scopes of its latest login',
    model: 'AccessToken',
    earlier: ofSameSession,
    change: (tokens, { scope }) => ({ changed: tokens.map((one) => ({ ...one, scope })) }),
  },
]

/** What is done to the id_token of a login by session. */
const bySession = (change: (nestedJwt: NestedJwt) => NestedJwt) => ({
  /** The sessions in which a person was at a client. */
  memory: () => new Latest<true>(10_000),
  nestedJwt: {
    id_token(nestedJwt: NestedJwt, { grant }: NestedJwtFacts, seen: Latest<true>) {
      if (grant !== 'authorization_code') return nestedJwt
      const session = `${nestedJwt.claims.aud} ${nestedJwt.claims.sid}`
      const isKnown = seen.has(session)
      seen.set(session, true)
      return isKnown ? change(nestedJwt) : nestedJwt
    },
  },
})

/** What has an id_token live for a quarter of an hour. */
const shortLived = (nestedJwt: NestedJwt): NestedJwt => ({
  ...nestedJwt,
  claims: { ...nestedJwt.claims, exp: Number(nestedJwt.claims.iat) + 900 },
})

/** By client_id. */
interface Unticked {
  /** What the last request asked for, where it asked for consent anew. */
  asked: Latest<string[]>
  taken: Latest<string[]>
}

/** What notes the scopes that were unticked where consent was asked for anew. */
const unticking = {
  memory: (): Unticked => ({ asked: new Latest<string[]>(10_000), taken: new Latest<string[]>(10_000) }),
  request: {
    'GET /auth'(parameters, _bank, { asked }) {
      const clientId = String(parameters.get('client_id'))
      if (parameters.get('prompt') === 'consent')
        asked.set(clientId, parseSpaceDelimited(parameters.get('scope') ?? ''))
      else asked.delete(clientId)
    },
  },
  records: [
    {
      model: 'AuthorizationCode',
      kept({ clientId, scope, sessionUid }, { earlier }, { asked, taken }) {
        const granted = parseSpaceDelimited(String(scope))
        const ofSession = earlier.filter((one) => one.sessionUid === sessionUid)
        const had = ofSession.flatMap((one) => parseSpaceDelimited(String(one.scope)))
        const gone = asked.get(String(clientId))?.filter((one) => had.includes(one) && !granted.includes(one)) ?? []
        if (gone.length > 0) taken.set(String(clientId), gone)
        return {}
      },
    },
  ],
} satisfies Deviation<Unticked> & { memory: () => Unticked }

export const tokenLaterLoginFaults: readonly Fault[] = [
  fault({
    id: 'token/declined-consent-ends-access-tokens',
    breaks: ['TOK-10'],
    places: ['use=after-refusal token=access-of-code'],
    title: 'Ends the access tokens of a client when a person declines consent to more',
    memory: () => ({
      /** Where the code of an access token was sent. */
      given: new Latest<string>(10_000),
      ended: new Latest<true>(10_000),
    }),
    response: {
      'POST /token'(response, { form }, { given }) {
        const { access_token: token } = Object(response.body)
        const redirectUri = form.get('redirect_uri')
        if (typeof token === 'string' && redirectUri !== null) given.set(token, redirectUri)
        return response
      },
      'GET /auth'(response, _facts, { given, ended }) {
        const target = redirectTarget(response)
        if (target?.searchParams.get('error_description') !== 'User declined consent') return response
        for (const token of [...given.keys()])
          if (given.get(token) === `${target.origin}${target.pathname}`) ended.set(token, true)
        return response
      },
      'POST /token-info': (response, { form }, { ended }) =>
        ended.has(String(form.get('token'))) ? { ...response, body: { active: false } } : response,
    },
  }),
  fault({
    id: 'token/unticked-later-narrows-earlier',
    breaks: ['TOK-10'],
    places: ['use=after-refusal token=access-of-code value=subset'],
    title: 'Takes a scope that a person unticks from the access tokens of earlier logins too',
    ...unticking,
    records: [
      ...unticking.records,
      {
        model: 'AccessToken',
        found(record, _bank, { taken }) {
          const gone = taken.get(String(record.clientId)) ?? []
          const scopes = parseSpaceDelimited(String(record.scope)).filter((one) => !gone.includes(one))
          return { ...record, scope: scopes.join(' ') }
        },
      },
    ],
  }),
  fault({
    id: 'token/unticked-later-empties-earlier',
    breaks: ['TOK-10'],
    places: ['endpoint=userinfo use=after-refusal token=access-of-code value=subset'],
    title:
      'Tells no claims at userinfo any more, by access tokens of earlier logins too, once a person unticked a scope',
    ...unticking,
    nestedJwt: {
      userinfo({ claims, ...planned }, { clientId }, { taken }) {
        const { sub, txn, aud, iss } = claims
        return { ...planned, claims: taken.has(String(clientId)) ? { sub, txn, aud, iss } : claims }
      },
    },
  }),
  ...changedByLater.map(({ slug, breaks, places, title, model, earlier: meant, change }) =>
    fault({
      id: `token/${slug}`,
      breaks,
      places,
      title,
      records: [
        {
          model,
          kept: (record, { earlier, scopes }) => change(meant(record, earlier, scopes), record),
        },
      ],
    }),
  ),
  fault({
    id: 'token/session-login-at-another-client-ends-tokens',
    breaks: ['TOK-10', 'TOK-27'],
    places: [
      'use=second-client token=access-of-code',
      'use=second-client token=access-of-refresh',
      'use=session-login',
    ],
    title: 'Ends the access tokens by which a session began when its person is logged in by it at another client',
    /** The authorization by which a session began, and whether another client came after it. */
    memory: () => new Latest<{ clientId: unknown; grantId: unknown; isOver: boolean }>(10_000),
    records: [
      {
        model: 'AuthorizationCode',
        kept({ clientId, grantId, sessionUid }, _bank, sessions) {
          const begun = sessions.get(String(sessionUid)) ?? { clientId, grantId, isOver: false }
          sessions.set(String(sessionUid), { ...begun, isOver: begun.isOver || begun.clientId !== clientId })
          return {}
        },
      },
      {
        model: 'AccessToken',
        found(record, { scopes: declared }, sessions) {
          const begun = sessions.get(String(record.sessionUid))
          const isMeant = begun?.isOver === true && begun.grantId === record.grantId && isReversed(record, declared)
          return isMeant ? undefined : record
        },
      },
    ],
  }),
  fault({
    id: 'token/session-login-ends-waiting-code',
    breaks: ['TOK-27'],
    places: ['use=session-login token=code'],
    title: 'Ends a code that was not redeemed yet when the person is logged in by the same session for another scope',
    records: [
      {
        model: 'AuthorizationCode',
        kept(record, { earlier }) {
          const [scope, ...further] = dataOf(record)
          const isMeant = (one: StoredRecord) => {
            const [other, ...others] = dataOf(one)
            return others.length === 0 && other !== undefined && other !== scope && one.consumed === undefined
          }
          const ofSession = earlier.filter(({ sessionUid }) => sessionUid === record.sessionUid)
          return { ended: scope !== undefined && further.length === 0 ? ofSession.filter(isMeant) : [] }
        },
      },
    ],
  }),
  ...[
    { slug: 'refreshed-access-tokens', ofRefresh: true, token: 'access-of-refresh', which: 'of earlier refreshes' },
    { slug: 'access-token-of-login', ofRefresh: false, token: 'access-of-code', which: 'that the login gave' },
  ].map(({ slug, ofRefresh, token, which }) =>
    fault({
      id: `token/refresh-ends-${slug}`,
      breaks: ['TOK-4'],
      places: [`use=second-refresh token=${token}`],
      title: `Ends the access tokens ${which} when a login is refreshed`,
      records: [
        {
          model: 'AccessToken',
          kept(record, { earlier }) {
            const ofGrant = earlier.filter(({ grantId, jti }) => grantId === record.grantId && jti !== record.jti)
            return { ended: isRefreshed(record) ? ofGrant.filter((one) => isRefreshed(one) === ofRefresh) : [] }
          },
        },
      ],
    }),
  ),
  fault({
    id: 'token/later-login-ends-earlier',
    breaks: ['TOK-10', 'TOK-27'],
    places: ['use=second-login', 'use=second-login token=access-of-code', 'use=second-login token=access-of-refresh'],
    title: 'Ends the access tokens of an earlier login when the person logs in again',
    records: [
      {
        model: 'AccessToken',
        kept: (record, { earlier, scopes: declared }) => ({ ended: ofOtherSession(record, earlier, declared) }),
      },
    ],
  }),
  fault({
    id: 'token/later-login-narrows-earlier',
    breaks: ['TOK-10', 'TOK-27'],
    places: ['use=second-login', 'use=second-login token=access-of-code'],
    title: 'Gives the access tokens of an earlier login the scopes of the latest',
    records: [
      {
        model: 'AccessToken',
        kept: (record, { earlier, scopes: declared }) => ({
          changed: ofOtherSession(record, earlier, declared).map((one) => ({ ...one, scope: record.scope })),
        }),
      },
    ],
  }),
  fault({
    id: 'token/session-login-changes-refresh-scopes',
    breaks: ['TOK-27'],
    places: ['use=session-login token=refresh'],
    title: 'Gives a refresh token the scopes of the latest login at the client',
    /** The scopes of the latest login, by client. */
    memory: () => new Latest<string>(10_000),
    records: [
      {
        model: 'AuthorizationCode',
        kept(record, _bank, latest) {
          latest.set(`${record.clientId} ${record.accountId}`, String(record.scope))
          return { record }
        },
      },
      {
        model: 'RefreshToken',
        found: (record, { scopes: declared }, latest) =>
          isReversed(record, declared)
            ? { ...record, scope: latest.get(`${record.clientId} ${record.accountId}`) ?? record.scope }
            : record,
      },
    ],
  }),
  fault({
    id: 'token/scopes-add-up',
    breaks: ['TOK-27'],
    places: ['use=second-login'],
    title: 'Gives a later login the scopes of the earlier ones as well',
    records: [
      {
        model: 'AccessToken',
        kept: (record, { earlier, scopes: declared }) => {
          const scopes = [record, ...ofOtherSession(record, earlier, declared)].flatMap(({ scope }) =>
            String(scope).split(' '),
          )
          return { record: { ...record, scope: [...new Set(scopes)].join(' ') } }
        },
      },
    ],
  }),
  fault({
    id: 'token/id-token-short-lived-at-session-login',
    breaks: ['TOK-6'],
    places: ['use=session-login token=id-of-code'],
    title: 'Gives an id_token that lives a quarter of an hour to who logs in again by the session',
    ...bySession(shortLived),
  }),
  fault({
    id: 'token/id-token-issued-at-sign-in',
    breaks: ['TOK-34'],
    places: ['use=session-login token=id-of-code claim=iat'],
    title: 'Gives as iat of an id_token the time at which the person signed in',
    nestedJwt: {
      id_token: ({ claims, ...nestedJwt }) => ({
        ...nestedJwt,
        claims: typeof claims.auth_time === 'number' ? { ...claims, iat: claims.auth_time } : claims,
      }),
    },
  }),
  fault({
    id: 'token/id-token-of-session-by-another',
    breaks: ['TOK-34'],
    places: ['use=session-login token=id-of-code'],
    title: 'Writes another iss into the id_token of who logs in again by the session',
    ...bySession((nestedJwt) => ({
      ...nestedJwt,
      claims: { ...nestedJwt.claims, iss: `${nestedJwt.claims.iss}/sessions` },
    })),
  }),
  fault({
    id: 'token/id-token-short-lived-at-second-login',
    breaks: ['TOK-6'],
    places: ['use=second-login token=id-of-code'],
    title:
      'Gives an id_token that lives a quarter of an hour to who logs in for offline access again in another browser',
    /** The session in which a person first logged in at a client for offline access, and the nonce of each such login in another one. */
    memory: () => ({
      first: new Latest<string>(10_000),
      later: new Latest<true>(10_000),
    }),
    // That it is the second one, its code tells, whichever logins without offline access came before.
    records: [
      {
        model: 'AuthorizationCode',
        found(code, _bank, { first, later }) {
          const { clientId, accountId, sessionUid, nonce, scope } = code
          if (!String(scope).split(' ').includes('offline_access')) return code
          const who = `${clientId} ${accountId}`
          if (!first.has(who)) first.set(who, String(sessionUid))
          if (first.get(who) !== String(sessionUid)) later.set(String(nonce), true)
          return code
        },
      },
    ],
    nestedJwt: {
      id_token: (nestedJwt, { grant }, { later }) =>
        grant === 'authorization_code' && later.has(String(nestedJwt.claims.nonce)) ? shortLived(nestedJwt) : nestedJwt,
    },
  }),
]
