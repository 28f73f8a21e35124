import { BankError } from '../../errors.js'
import { sessionByUid } from '../../provider/patches.js'
import { endSession } from '../../provider/sessions.js'
import type { Bench, Operation } from '../operation.js'

/** What is said of a session: a browser in which somebody is logged in. */
export interface SessionAnswer {
  session: string
  /** Login name of the person. */
  login: string
  acr: string | null
  amr: string[]
  /** ISO 8601. */
  signed_in: string
  /** client_id of those that took part. */
  clients: string[]
}

const text = { type: 'string' }

const output = {
  type: 'array',
  items: {
    type: 'object',
    required: ['session', 'login', 'acr', 'amr', 'signed_in', 'clients'],
    properties: {
      session: text,
      login: { ...text, description: 'Login name of the person.' },
      acr: { type: ['string', 'null'] },
      amr: { type: 'array', items: text },
      signed_in: { ...text, format: 'date-time' },
      clients: { type: 'array', items: text, description: 'client_id of those that took part.' },
    },
  },
}

const example: SessionAnswer = {
  session: 'q7F',
  login: 'jana',
  acr: 'loa2',
  amr: ['pwd'],
  signed_in: '2026-01-31T08:32:09.000Z',
  clients: ['0b6c1d2e'],
}

async function sessions({ context: { providerRecords, people } }: Bench): Promise<SessionAnswer[]> {
  const records = await providerRecords.all('Session')
  return records
    .filter(({ accountId }) => accountId !== undefined)
    .map(({ uid, accountId, acr, amr, loginTs, authorizations }) => ({
      session: String(uid),
      login: people.byId(String(accountId))?.login ?? String(accountId),
      acr: typeof acr === 'string' ? acr : null,
      amr: (amr as string[] | undefined) ?? [],
      signed_in: new Date(Number(loginTs) * 1000).toISOString(),
      clients: Object.keys((authorizations as object | undefined) ?? {}),
    }))
    .sort((a, b) => b.signed_in.localeCompare(a.signed_in))
}

export const listSessions: Operation<object, SessionAnswer[]> = {
  id: 'listSessions',
  method: 'get',
  path: '/sessions',
  summary: 'The browsers in which somebody is logged in, the last login first.',
  input: { properties: {} },
  output,
  example: { input: {}, output: [example] },
  run: sessions,
}

export const endOneSession: Operation<Pick<SessionAnswer, 'session'>, SessionAnswer[]> = {
  id: 'endSession',
  method: 'post',
  path: '/sessions/end',
  summary:
    'Logs a person out as they would themselves: tokens of the login end, and the clients that took part are told.',
  input: { required: ['session'], properties: { session: text } },
  output,
  example: { input: { session: 'q7F' }, output: [] },
  async run(bench, { session: uid }) {
    const session = await sessionByUid(bench.context.provider, uid)
    if (!session) throw new BankError('not_found', `there is no session '${uid}'`)
    await endSession(bench.context, session)
    return sessions(bench)
  },
}

export const sessionOperations = [listSessions, endOneSession]
