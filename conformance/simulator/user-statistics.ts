import { decodeJwt } from 'jose'
import { formatViolation, validate } from '../../schemas/index.js'
import type { Journal, LoginEntry } from './journal.js'
import { isJwtAtFault, type Peer } from './peer.js'
import { Refusal } from './refusal.js'

/** The longest interval of one request, in milliseconds. */
const longestIntervalMs = 180 * 86_400_000

const needed = 'idpSub or sepSub must be filled'

/** Specification: "User statistics". */
interface StatisticsRequest {
  dateFrom?: string
  dateTo?: string
  idp?: boolean
  idpSub?: string
  sepSub?: string
}

/** Specification: "User statistics", response fields. */
export interface Statistics {
  firstAuth?: string
  lastAuth?: string
  numberOfRecords: number
  numberOfIdpRecords: number
  authHistory: { authDateTime: string; idp: boolean }[]
  message?: string
}

/**
 * Who asks: a client assertion whose sub and iss are the idp_id of the bank. Specification: "Authentication" 6, "Client assertion JWT
 * claims". Each assertion serves once.
 * @param authorization the header
 * @param address of the statistics service, which aud has to be
 * @throws Refusal 401, or 500 when the bank's keys cannot be read
 */
export async function authenticateBank(
  authorization: string | undefined,
  address: string,
  peers: readonly Peer[],
  journal: Journal,
): Promise<Peer> {
  const jwt = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '')?.[1]
  if (!jwt) throw new Refusal(401, 'a client assertion is required as Bearer token')
  const idpId = readIssuer(jwt)
  const peer = peers.find((one) => one.idpId !== undefined && one.idpId === idpId)
  if (!peer) throw new Refusal(401, 'iss is not the idp_id of a bank that the service knows')
  const claims = await peer.verify(jwt, 'client assertion', { audience: address }).catch((cause: Error) => {
    if (isJwtAtFault(cause)) throw new Refusal(401, cause.message, { cause })
    throw new Refusal(500, `the keys of ${peer.issuer} cannot be read: ${cause.message}`, { cause })
  })
  if (claims.sub !== idpId) throw new Refusal(401, 'sub is not the idp_id')
  const { exp, iat, jti } = claims
  if (typeof exp !== 'number' || typeof iat !== 'number') throw new Refusal(401, 'exp and iat are required')
  if (iat > (await peer.now()) + 60) throw new Refusal(401, 'iat lies in the future')
  if (typeof jti !== 'string' || jti === '') throw new Refusal(401, 'jti is required')
  if (journal.taken('assertion', peer.issuer, jti)) throw new Refusal(401, 'the jti was already used')
  journal.append({ kind: 'assertion', issuer: peer.issuer, jti })
  return peer
}

function readIssuer(jwt: string): string | undefined {
  try {
    return decodeJwt(jwt).iss
  } catch (cause) {
    throw new Refusal(401, 'the Bearer token is not a JWT', { cause })
  }
}

/**
 * The figures of one person's logins, across all banks.
 * @param peer the bank that asks
 * @param body the request as it came
 * @param now milliseconds since the epoch; the end of the interval when the request names none
 * @throws Refusal 400
 */
export function userStatistics(body: unknown, peer: Peer, journal: Journal, now: number): Statistics {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal(400, 'the body is not a JSON object')
  const { idpSub, sepSub, idp, ...interval } = body as StatisticsRequest
  if (!idpSub && !sepSub) throw new MissingSubject()
  const [violation] = validate('user-stat-request', body)
  if (violation) throw new Refusal(400, formatViolation(violation, 'the body'))
  const to = interval.dateTo === undefined ? now : Date.parse(interval.dateTo)
  const from = interval.dateFrom === undefined ? to - longestIntervalMs : Date.parse(interval.dateFrom)
  if (Number.isNaN(to - from)) throw new Refusal(400, 'dateFrom, dateTo: are no times that can be reckoned with')
  if (from > to) throw new Refusal(400, 'dateFrom: lies after dateTo')
  if (to - from > longestIntervalMs) throw new Refusal(400, 'dateFrom: lies more than 180 days before dateTo')

  const isOwn = ownUsage(journal, peer)
  const logins = journal.of('login')
  const people = new Set(
    logins
      .filter((login) => idpSub === undefined || (login.issuer === peer.issuer && login.idpSub === idpSub))
      .filter((login) => sepSub === undefined || login.sepSub === sepSub)
      .map((login) => login.sepSub),
  )
  const authHistory = logins
    .filter(({ sepSub: whose, at }) => people.has(whose) && Date.parse(at) >= from && Date.parse(at) <= to)
    .map((login) => ({ authDateTime: login.at, idp: isOwn(login) }))
    .filter((login) => idp !== true || login.idp)
    .sort((a, b) => Date.parse(a.authDateTime) - Date.parse(b.authDateTime))
  const [first, last] = [authHistory[0], authHistory.at(-1)]
  return {
    ...(first && last ? { firstAuth: first.authDateTime, lastAuth: last.authDateTime } : { message: 'No records.' }),
    numberOfRecords: authHistory.length,
    numberOfIdpRecords: authHistory.filter((login) => login.idp).length,
    authHistory,
  }
}

/** Whether the bank was both identity provider and service provider: by its transaction number, never by the client alone. */
function ownUsage(journal: Journal, { issuer }: Peer): (login: LoginEntry) => boolean {
  const own = new Set(journal.of('own-usage').flatMap((usage) => (usage.issuer === issuer ? [usage.txn] : [])))
  return (login) => login.issuer === issuer && login.txn !== undefined && own.has(login.txn)
}

/** Neither idpSub nor sepSub: 400, with the text in `message` as well (AMB-59). */
class MissingSubject extends Refusal {
  constructor() {
    super(400, needed)
  }

  override get body() {
    return { ...super.body, message: needed }
  }
}
