import { decodeJwt } from 'jose'
import type { ClientStore } from '../client.js'
import { Latest } from '../latest.js'
import type { EventNotice, ResponseFacts, SeamResponse, StoredRecord } from '../seams.js'
import { oneOfEachAddress, publicNamedPairwise, queryDropped, toldBesides } from './event-notices.js'
import { formFaults } from './event-tokens.js'
import { type Fault, fault } from './fault.js'
import { redirectTarget, refusal } from './redirects.js'

/** What one fault remembers, each by its name. */
const codesAndEnded = () => ({
  codes: new Latest<true>(10_000),
  ended: new Latest<true>(10_000),
})

/** The session of the browser that asks, by its cookie. */
function sessionOf({ requestHeader }: Pick<ResponseFacts, 'requestHeader'>): string {
  return /__Host-session=([^;]+)/.exec(requestHeader('cookie') ?? '')?.[1] ?? ''
}

/** Remembers of which clients sessions have ended. */
function endedBy<Notice extends EventNotice>(
  planned: readonly Notice[],
  _bank: unknown,
  { ended }: { ended: Latest<true> },
): readonly Notice[] {
  for (const { clientId, content } of planned) if (content.kind === 'logout') ended.set(clientId, true)
  return planned
}

/** The client that an id_token was made out to; undefined of one that is encrypted. */
function clientOfHint(hint: string): string | undefined {
  return hint.split('.').length === 3 ? [decodeJwt(hint).aud ?? []].flat()[0] : undefined
}

/** What a fault remembers of clients that people ask to be logged out of without an id_token, and of what was told of live tokens. */
interface Left {
  left: Latest<true>
  told: Latest<object>
}

/** What a fault remembers of clients: where each is told of logouts, and who logged in there last. */
interface LoggedIn {
  registered: Latest<string>
  people: Latest<string>
}

function leftWithoutHint(response: SeamResponse, { query }: ResponseFacts, { left }: Pick<Left, 'left'>): SeamResponse {
  if (!query.has('id_token_hint')) left.set(String(query.get('client_id')), true)
  return response
}

/** Tells of the tokens of a client that was left what it told while they were alive. @param counts of which of them */
function aliveOnceLeft(
  response: SeamResponse,
  { form }: ResponseFacts,
  { left, told }: Left,
  counts: (token: string) => boolean = () => true,
): SeamResponse {
  const [client, token] = ['client_id', 'token'].map((name) => String(form.get(name))) as [string, string]
  const body = response.body as { active?: unknown }
  if (body.active === true && counts(token)) told.set(`${client} ${token}`, body)
  const known = body.active === false && left.has(client) && told.get(`${client} ${token}`)
  return known ? { ...response, body: known } : response
}

/** Which clients hear of a logout, how, and which tokens end with it. */
export const logoutReachFaults: readonly Fault[] = [
  fault({
    id: 'logout/others-not-told',
    breaks: ['LOGOUT-1'],
    places: ['use=second-client'],
    title: 'Tells the client that asked for the logout, and none of the others',
    without: ['logout/others-told'],
  }),
  fault({
    id: 'logout/nobody-told',
    breaks: ['LOGOUT-1'],
    places: ['use=first'],
    title: 'Tells no client of a logout',
    without: ['logout/told'],
  }),
  ...formFaults('logout', 'LOGOUT-1'),
  ...toldBesides({ event: 'logout', member: 'backchannel_logout_uri', breaks: 'LOGOUT-1' }),
  oneOfEachAddress({ event: 'logout', member: 'backchannel_logout_uri', breaks: 'LOGOUT-1' }),
  queryDropped({ event: 'logout', member: 'backchannel_logout_uri', breaks: 'LOGOUT-1' }),
  publicNamedPairwise('logout', 'LOGOUT-5'),
  fault({
    id: 'logout/session-stays',
    breaks: ['LOGOUT-4'],
    places: ['parameter=id_token_hint'],
    title: 'Tells that the person is logged out, and keeps the login',
    without: ['logout/session'],
  }),
  fault({
    id: 'logout/session-of-others-stays',
    breaks: ['LOGOUT-4'],
    places: ['use=second-client'],
    title: 'Ends the login for the client that sent the person to log out, and keeps it for the others',
    without: ['logout/session'],
    /** Clients that sent somebody to log out, each with the session of the browser. */
    memory: () => new Latest<true>(10_000),
    response: {
      'GET /session/end': (response, facts, left) => {
        const { query } = facts
        const hint = query.get('id_token_hint')
        const client = query.get('client_id') ?? (hint === null ? undefined : clientOfHint(hint))
        left.set(`${client} ${sessionOf(facts)}`, true)
        return response
      },
      'GET /auth': (response, facts, left) => {
        const { query } = facts
        const isOut = query.get('prompt') === 'none' && left.has(`${query.get('client_id')} ${sessionOf(facts)}`)
        return isOut ? refusal(response, query, 'login_required') : response
      },
    },
  }),
  fault({
    id: 'logout/tokens-stay',
    breaks: ['LOGOUT-3'],
    places: [
      'endpoint=token-info token=access-of-code',
      'endpoint=token-info token=access-of-refresh',
      'use=second-client',
    ],
    title: 'Leaves the tokens of a session alive when it is logged out of',
    without: ['logout/tokens'],
  }),
  fault({
    id: 'logout/session-of-token-missed',
    breaks: ['LOGOUT-3'],
    places: [
      'endpoint=token-info token=access-of-code',
      'endpoint=token-info token=access-of-refresh',
      'use=second-client',
    ],
    title: 'Fails at /token-info over the session of a token, once somebody logged out of it',
    memory: () => ({ ended: new Latest<true>(10_000) }),
    notices: endedBy,
    response: {
      'POST /token-info': (response, { form }, { ended }) => {
        const isDead = Object(response.body).active === false && ended.has(String(form.get('client_id')))
        return isDead ? { ...response, status: 500, body: { error: 'server_error' } } : response
      },
    },
  }),
  fault({
    id: 'logout/other-browser-too',
    breaks: ['LOGOUT-3'],
    places: ['use=second-login'],
    title: 'Ends with a session every token of its clients',
    /** Tokens by client, and the clients of sessions that have ended. */
    memory: () => ({
      owners: new Latest<string>(10_000),
      ended: new Latest<true>(10_000),
    }),
    nestedJwt: {
      logout_token: (nestedJwt, { clientId }, { ended }) => {
        ended.set(String(clientId), true)
        return nestedJwt
      },
    },
    response: {
      'POST /token-info': (response, { form }, { ended }) =>
        ended.has(String(form.get('client_id'))) ? { ...response, body: { active: false } } : response,
    },
  }),
  fault({
    id: 'logout/other-sessions-told',
    breaks: ['LOGOUT-1'],
    places: ['use=uninvolved member=session'],
    title: 'Tells every client at which the person logged in, in whichever session, of each logout',
    memory: () => ({ registered: new Latest<string>(10_000), people: new Latest<string>(10_000) }),
    response: {
      'POST /register'({ body, ...response }: SeamResponse, _bank: unknown, { registered }: LoggedIn) {
        const { client_id, backchannel_logout_uri } = (body ?? {}) as Record<string, unknown>
        if (typeof backchannel_logout_uri === 'string') registered.set(String(client_id), backchannel_logout_uri)
        return { ...response, body }
      },
      // Who is registered no more, or otherwise, is left out: that would be another mistake.
      'PUT /register/{client_id}'({ body, ...response }: SeamResponse, _bank: unknown, { registered }: LoggedIn) {
        registered.delete(String((body as { client_id?: unknown } | undefined)?.client_id))
        return { ...response, body }
      },
    },
    clients: {
      remove(clientId: string, { store }: { store: ClientStore }, { registered }: LoggedIn) {
        registered.delete(clientId)
        return store.remove(clientId)
      },
    },
    records: [
      {
        model: 'AuthorizationCode',
        kept(record: StoredRecord, _bank: unknown, { people }: LoggedIn) {
          people.set(String(record.clientId), String(record.accountId))
          return { record }
        },
      },
    ],
    notices<Notice extends EventNotice>(planned: readonly Notice[], _bank: unknown, { registered, people }: LoggedIn) {
      const [first] = planned.filter(({ content }) => content.kind === 'logout')
      if (!first) return planned
      const further = [...registered.entries()]
        .filter(([id]) => people.get(id) === first.personId && !planned.some(({ clientId }) => clientId === id))
        .map(([clientId, receiver]) => ({ ...first, clientId, receiver }))
      return [...planned, ...further]
    },
  }),
  fault({
    id: 'logout/told-once',
    breaks: ['LOGOUT-1'],
    places: ['use=second-login'],
    title: 'Tells a client of the first logout of a person, and of no later one',
    memory: () => new Latest<true>(10_000),
    notices: <Notice extends EventNotice>(planned: readonly Notice[], _bank: unknown, told: Latest<true>) =>
      planned.filter(({ clientId, personId, content }) => {
        if (content.kind !== 'logout') return true
        const one = `${clientId} ${personId}`
        const first = !told.has(one)
        told.set(one, true)
        return first
      }),
  }),
  fault({
    id: 'logout/told-where-told-first',
    breaks: ['LOGOUT-1'],
    places: ['use=second-login member=backchannel_logout_uri'],
    title: 'Tells a client of logouts where it was told of the first one, whatever a PUT registered since',
    memory: () => new Latest<string>(10_000),
    notices: <Notice extends EventNotice>(planned: readonly Notice[], _bank: unknown, addresses: Latest<string>) =>
      planned.map((notice) => {
        if (notice.content.kind !== 'logout') return notice
        const receiver = addresses.get(notice.clientId) ?? notice.receiver
        addresses.set(notice.clientId, receiver)
        return { ...notice, receiver }
      }),
  }),
  fault({
    id: 'logout/confirmed-untold',
    breaks: ['LOGOUT-1'],
    places: ['parameter=id_token_hint value=missing'],
    title: 'Tells no client that named itself, and gave no id_token, of the logout',
    memory: () => ({ left: new Latest<true>(10_000) }),
    response: { 'GET /session/end': leftWithoutHint },
    notices: <Notice extends EventNotice>(planned: readonly Notice[], _bank: unknown, { left }: Pick<Left, 'left'>) =>
      planned.filter(({ clientId, content }) => content.kind !== 'logout' || !left.has(clientId)),
  }),
  fault({
    id: 'logout/tokens-of-later-logins-stay',
    breaks: ['LOGOUT-3'],
    places: ['use=session-login'],
    title: 'Leaves the tokens of the later ones of several logins alive when somebody without an id_token logs out',
    /** Clients that somebody logged in at, later tokens of these, what was told of them, and the clients that were logged out of. */
    memory: () => ({
      had: new Latest<true>(10_000),
      later: new Latest<true>(10_000),
      told: new Latest<object>(10_000),
      left: new Latest<true>(10_000),
    }),
    response: {
      'GET /session/end': leftWithoutHint,
      'POST /token': (response, { form }, { had, later }) => {
        const client = String(form.get('client_id'))
        const { access_token: token } = Object(response.body)
        if (form.get('grant_type') !== 'authorization_code' || typeof token !== 'string') return response
        if (had.has(client)) later.set(token, true)
        had.set(client, true)
        return response
      },
      'POST /token-info': (response, facts, memory) =>
        aliveOnceLeft(response, facts, memory, (token) => memory.later.has(token)),
    },
  }),
  fault({
    id: 'logout/confirmed-tokens-stay',
    breaks: ['LOGOUT-3'],
    places: ['parameter=id_token_hint value=missing'],
    title: 'Leaves the tokens of a session alive when somebody without an id_token logs out of it',
    /** What was told of live tokens and to which client, and the clients that people asked to be logged out of so. */
    memory: () => ({
      told: new Latest<object>(10_000),
      left: new Latest<true>(10_000),
    }),
    response: {
      'GET /session/end': leftWithoutHint,
      'POST /token-info': aliveOnceLeft,
    },
  }),
  // Neither reading of AMB-43: all of them end, or all that came of offline_access live on.
  ...(
    [
      ['of-another', 'another client than the first', (ended) => ended.slice(1)],
      ['of-first', 'the first client alone', (ended) => ended.slice(0, 1)],
    ] satisfies [string, string, (ended: readonly EventNotice[]) => readonly EventNotice[]][]
  ).map(([slug, whose, meant]) =>
    fault({
      id: `logout/refresh-token-${slug}-stays`,
      breaks: ['LOGOUT-3'],
      places: ['use=second-client token=refresh'],
      title: `Gives tokens for the refresh token of ${whose} of a session that was logged out of`,
      memory: () => new Latest<true>(10_000),
      notices: <Notice extends EventNotice>(planned: readonly Notice[], _bank: unknown, left: Latest<true>) => {
        const ended = planned.filter(({ content }) => content.kind === 'logout')
        for (const { clientId } of meant(ended)) left.set(clientId, true)
        return planned
      },
      response: {
        'POST /token': (response, { form }, left) => {
          const token = form.get('refresh_token')
          const isLeft = token !== null && response.status === 400 && left.has(String(form.get('client_id')))
          if (!isLeft) return response
          const body = { access_token: `${token}-${token}`, token_type: 'Bearer', expires_in: 3600, scope: 'openid' }
          return { ...response, status: 200, body }
        },
      },
    }),
  ),
  fault({
    id: 'logout/code-stays',
    breaks: ['LOGOUT-3'],
    places: ['token=code'],
    title: 'Gives tokens for a code whose session was logged out of',
    /** Codes that were told, and clients of sessions that have ended. */
    memory: codesAndEnded,
    notices: endedBy,
    response: {
      'GET /auth': (response, _bank, { codes }) => {
        const code = redirectTarget(response)?.searchParams.get('code')
        if (code) codes.set(code, true)
        return response
      },
      'POST /token': (response, { form }, { codes, ended }) => {
        const code = String(form.get('code'))
        const isLeft = codes.delete(code) && response.status === 400 && ended.has(String(form.get('client_id')))
        if (!isLeft) return response
        const body = { access_token: `${code}-${code}`, token_type: 'Bearer', expires_in: 3600, scope: 'openid' }
        return { ...response, status: 200, body }
      },
    },
  }),
]
