import { Latest } from '../latest.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { StoredRecord } from '../seams.js'
import { type Fault, fault, type RecordDeviation } from './fault.js'
import { isReversed } from './token-later-logins.js'

/** Tokens of one client that a login at another client ends; those that are only looked at are left alone. */

/** Tokens and logins in the order in which they came. */
interface Memory {
  count: number
  /** When a token was issued, by its jti. */
  issued: Latest<number>
  /** The latest login of each person: when, and at which client. */
  latest: Latest<{ at: number; clientId: unknown }>
}

const memory = (): Memory => ({
  count: 0,
  issued: new Latest(10_000),
  latest: new Latest(10_000),
})

/** For `records`: notes the logins for openid and one scope more, by the codes that they gave. */
const logins: RecordDeviation<Memory> = {
  model: 'AuthorizationCode',
  kept(record, _bank, memory) {
    if (parseSpaceDelimited(String(record.scope)).length !== 2) return { record }
    memory.count += 1
    memory.latest.set(String(record.accountId), { at: memory.count, clientId: record.clientId })
    return { record }
  },
}

/** Whether a token is older than the latest login of its person, which was at another client. */
function isOverridden({ jti, accountId, clientId }: StoredRecord, { issued, latest }: Memory): boolean {
  const login = latest.get(String(accountId))
  return login !== undefined && login.clientId !== clientId && login.at > (issued.get(String(jti)) ?? Infinity)
}

const kinds = [
  ['access', 'AccessToken', ['access-of-code', 'access-of-refresh']],
  ['refresh', 'RefreshToken', ['refresh']],
] as const

export const tokenOtherClientFaults: readonly Fault[] = kinds.map(([which, model, tokens]) =>
  fault({
    id: `token/login-elsewhere-ends-${which}-tokens`,
    breaks: ['TOK-10'],
    places: tokens.map((token) => `use=second-client token=${token}`),
    title: `Ends the ${which} tokens of a client when the person logs in at another for one scope`,
    memory,
    records: [
      logins,
      {
        model,
        kept(record, _bank, memory) {
          memory.count += 1
          memory.issued.set(String(record.jti), memory.count)
          return { record }
        },
        found: (record, { scopes }, memory) =>
          isReversed(record, scopes) && isOverridden(record, memory) ? undefined : record,
      },
    ],
  }),
)
