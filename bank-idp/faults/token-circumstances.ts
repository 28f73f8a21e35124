import { Latest } from '../latest.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { ResponseFacts, SeamResponse, StoredRecord } from '../seams.js'
import { notedRecords, type Records, recordsOfClients } from './client-memory.js'
import { type Deviation, type Fault, fault, type RecordDeviation } from './fault.js'
import { assertionIn } from './token-memory.js'

/** Codes and refresh tokens that are misjudged in some circumstances, and not in others. */

const route = 'POST /token'

interface Memory {
  records: Records
  /** Codes and refresh tokens that were issued. */
  issued: Latest<StoredRecord>
  /** What a code, or a question about a token, was answered with. */
  answers: Latest<SeamResponse>
  /** Sessions by which a code was issued. */
  sessions: Latest<true>
  /** Refresh tokens that were exchanged, by most faults for fewer scopes alone. */
  narrowed: Latest<true>
}

const memory = (): Memory => ({
  records: recordsOfClients(),
  issued: new Latest(10_000),
  answers: new Latest(10_000),
  sessions: new Latest(10_000),
  narrowed: new Latest(10_000),
})

const registered: NonNullable<Deviation<Memory>['response']> = {
  'POST /register': (response, bank, { records }) => notedRecords['POST /register'](response, bank, records),
}

function noted(model: 'AuthorizationCode' | 'RefreshToken'): RecordDeviation<Memory> {
  return {
    model,
    kept(record, _bank, { issued }) {
      issued.set(String(record.jti), record)
      return { record }
    },
  }
}

const sendsSecret = ({ records }: Memory, clientId: unknown) =>
  records.get(String(clientId))?.token_endpoint_auth_method === 'client_secret_post'

const isOffline = ({ scope }: StoredRecord) => parseSpaceDelimited(String(scope)).includes('offline_access')

/** Whether an answer refuses the code or the refresh token. */
const refuses = ({ body }: SeamResponse) => (body as Record<string, unknown> | undefined)?.error === 'invalid_grant'

/** Who asks, by client_id or by the assertion. */
const callerOf = ({ form }: Pick<ResponseFacts, 'form'>) => form.get('client_id') ?? assertionIn(form)?.sub

/** Codes that are answered again as the first time, by the place of TOK-12. */
const repeated = [
  ['offline', 'grant=code scope=offline_access', 'with offline_access', (code: StoredRecord) => isOffline(code)],
  [
    'by-secret',
    'client-auth=client_secret_post grant=code',
    'of a client of client_secret_post',
    ({ clientId }: StoredRecord, known: Memory) => sendsSecret(known, clientId),
  ],
] as const

/** Who is given an access token for what was issued to another, by the place of TOK-13. */
const others: readonly {
  slug: string
  place: string
  title: string
  isGiven(issued: StoredRecord, caller: unknown, known: Memory): boolean
}[] = [
  {
    slug: 'code-of-another-by-secret',
    place: 'client-auth=client_secret_post grant=code',
    title: "Gives an access token for another's code to a client of client_secret_post",
    isGiven: ({ kind }, caller, known) => kind === 'AuthorizationCode' && sendsSecret(known, caller),
  },
  {
    slug: 'refresh-token-of-another-by-secret',
    place: 'client-auth=client_secret_post grant=refresh',
    title: "Gives an access token for another's refresh token to a client of client_secret_post",
    isGiven: ({ kind }, caller, known) => kind === 'RefreshToken' && sendsSecret(known, caller),
  },
  {
    slug: 'refreshed-refresh-token-of-another',
    place: 'grant=refresh use=second-refresh',
    title: "Gives an access token for another's refresh token that a refresh gave",
    isGiven: ({ kind, rotations }) => kind === 'RefreshToken' && Number(rotations) > 0,
  },
]

/** Refresh tokens that are called live though another took their place, by the place of TOK-44. */
const replaced = [
  [
    'narrowed',
    'value=subset',
    'by a refresh for fewer scopes',
    ({ jti }: StoredRecord, { narrowed }: Memory) => narrowed.has(String(jti)),
  ],
  [
    'by-secret',
    'client-auth=client_secret_post',
    'of a client of client_secret_post',
    ({ clientId }: StoredRecord, known: Memory) => sendsSecret(known, clientId),
  ],
] as const

/** Access tokens of a code that live ten minutes, by the place of TOK-4. */
const shortLived = [
  [
    'session',
    'use=session-login token=access-of-code',
    'of a login by session',
    (token: StoredRecord, earlier: readonly StoredRecord[]) =>
      earlier.some(({ sessionUid, grantId }) => sessionUid === token.sessionUid && grantId !== token.grantId),
  ],
  ['offline', 'token=access-of-code scope=offline_access', 'with offline_access', isOffline],
] as const

export const tokenCircumstanceFaults: readonly Fault[] = [
  ...repeated.map(([slug, place, which, isMeant]) =>
    fault({
      id: `token/code-answered-again-${slug}`,
      breaks: ['TOK-12'],
      places: [place],
      title: `Answers a code ${which} as often as it comes as the first time`,
      memory,
      records: [noted('AuthorizationCode')],
      response: {
        ...registered,
        [route](response, { form }, known) {
          const code = form.get('code') ?? ''
          const issued = known.issued.get(code)
          if (!issued || !isMeant(issued, known)) return response
          if (response.status < 300) known.answers.set(code, response)
          return refuses(response) ? (known.answers.get(code) ?? response) : response
        },
      },
    }),
  ),
  ...others.map(({ slug, place, title, isGiven }) =>
    fault({
      id: `token/${slug}`,
      breaks: ['TOK-13'],
      places: [place],
      title,
      memory,
      records: [noted('AuthorizationCode'), noted('RefreshToken')],
      response: {
        ...registered,
        [route](response, facts, known) {
          const issued = known.issued.get(facts.form.get('refresh_token') ?? facts.form.get('code') ?? '')
          const caller = callerOf(facts)
          if (!issued || issued.clientId === caller || !refuses(response) || !isGiven(issued, caller, known))
            return response
          const body = {
            access_token: 'a-token-of-another',
            token_type: 'Bearer',
            expires_in: 3600,
            scope: issued.scope,
          }
          return { ...response, status: 200, body }
        },
      },
    }),
  ),
  fault({
    id: 'token/redirect-uri-unchecked-in-session',
    breaks: ['TOK-36'],
    places: ['use=session-login value=second'],
    title: 'Does not compare redirect_uri where a code of a login by session is redeemed',
    memory,
    records: [
      {
        model: 'AuthorizationCode',
        kept(code, _bank, { issued, sessions }) {
          const session = String(code.sessionUid)
          if (sessions.has(session)) issued.set(String(code.jti), code)
          sessions.set(session, true)
          return { record: code }
        },
      },
    ],
    request: {
      [route](form, _bank, { issued }) {
        const code = issued.get(form.get('code') ?? '')
        if (code) form.set('redirect_uri', String(code.redirectUri))
      },
    },
  }),
  ...replaced.map(([slug, place, which, isMeant]) =>
    fault({
      id: `token/replaced-refresh-token-live-${slug}`,
      breaks: ['TOK-44'],
      places: [place],
      title: `Calls a refresh token live that was replaced, ${which}`,
      memory,
      response: registered,
      request: {
        [route](form, _bank, { narrowed }) {
          if (form.get('grant_type') === 'refresh_token' && form.get('scope'))
            narrowed.set(form.get('refresh_token') ?? '', true)
        },
      },
      records: [
        {
          model: 'RefreshToken',
          found: ({ consumed, ...token }, _bank, known) =>
            consumed === undefined || isMeant(token, known) ? token : { ...token, consumed },
        },
      ],
    }),
  ),
  fault({
    id: 'token/replaced-refresh-token-remembered',
    breaks: ['TOK-44'],
    places: ['use=second-call'],
    title: 'Says of a refresh token that was replaced what /token-info said of it before',
    memory,
    request: {
      [route](form, _bank, { narrowed }) {
        if (form.get('grant_type') === 'refresh_token') narrowed.set(form.get('refresh_token') ?? '', true)
      },
    },
    response: {
      'POST /token-info'(response, { form }, { answers, narrowed }) {
        const token = form.get('token') ?? ''
        const { active } = (response.body ?? {}) as { active?: unknown }
        if (active === true) answers.set(token, response)
        return active === false && narrowed.has(token) ? (answers.get(token) ?? response) : response
      },
    },
  }),
  ...shortLived.map(([slug, place, which, isMeant]) =>
    fault({
      id: `token/${slug}-access-token-short-lived`,
      breaks: ['TOK-4'],
      places: [place],
      title: `Issues access tokens ${which} that live ten minutes`,
      records: [
        {
          model: 'AccessToken',
          kept: (token, { earlier }) => ({
            record:
              token.gty === 'authorization_code' && isMeant(token, earlier)
                ? { ...token, exp: Number(token.iat) + 600 }
                : token,
          }),
        },
      ],
    }),
  ),
  fault({
    id: 'token/offline-access-last-alone-heard',
    breaks: ['TOK-3'],
    places: ['scope=offline_access value=reordered'],
    title: 'Gives no refresh token where offline_access is not the last of the scopes that are asked for',
    request: {
      'GET /auth'(parameters) {
        const scopes = parseSpaceDelimited(parameters.get('scope') ?? '')
        if (scopes.slice(0, -1).includes('offline_access'))
          parameters.set('scope', scopes.filter((scope) => scope !== 'offline_access').join(' '))
      },
    },
  }),
  fault({
    id: 'token/refreshed-widened',
    breaks: ['TOK-20'],
    places: ['use=second-refresh value=wrong'],
    title: 'Drops from the scope of a refresh what the refresh token does not have, where a refresh gave it',
    memory,
    records: [noted('RefreshToken')],
    request: {
      [route](form, _bank, { issued }) {
        const token = issued.get(form.get('refresh_token') ?? '')
        const scope = form.get('scope')
        if (!scope || !Number(token?.rotations)) return
        const held = parseSpaceDelimited(String(token?.scope))
        const left = parseSpaceDelimited(scope).filter((one) => held.includes(one))
        if (left.length > 0) form.set('scope', left.join(' '))
        else form.delete('scope')
      },
    },
  }),
]
