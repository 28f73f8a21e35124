import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { decodeJwt } from 'jose'
import type { OutboxEntry } from '../../bank-idp/store/outbox.js'
import { packageFile } from '../../schemas/package-file.js'
import { type Killed, type KilledOptions, oneProcess, severalProcesses } from './killed.js'
import { type Answered, LiveBank, type LiveClient } from './live-bank.js'
import { authorizePath, requestObject } from './request-object.js'
import type { Row } from './table.js'

/** Seconds in which anything comes to its end: a connection that was cut may leave the client of it waiting for good. */
const patienceSeconds = 120

/** Seconds in which the service is told: an attempt of a process that was killed counts for ten, and each that fails doubles the pause. */
const toldSeconds = 90

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no end in ${patienceSeconds} s`)), patienceSeconds * 1000)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Looks whether what was acknowledged is there. @returns what is lost, in a sentence; undefined when nothing is */
type Check = (live: LiveBank) => Promise<string | undefined>

/** Does a kind of write, and resolves once the bank has acknowledged it. */
type Write = (live: LiveBank) => Promise<Check>

function acknowledged(answer: Answered, status = 200): Answered {
  if (answer.status !== status) throw new Error(`answered ${answer.status}: ${answer.text}`)
  return answer
}

const authenticated = async (live: LiveBank, path: string, fields: Record<string, string>) =>
  live.form(path, { ...fields, ...(await live.assertion(path)) })

async function activity(live: LiveBank, token: string): Promise<boolean> {
  const { text } = acknowledged(await authenticated(live, '/token-info', { token }))
  return JSON.parse(text).active === true
}

async function tokens(live: LiveBank): Promise<{ access_token: string; refresh_token: string; id_token: string }> {
  return JSON.parse(acknowledged(await live.redeem(await live.code())).text)
}

async function registration(live: LiveBank, method: string, client: LiveClient, body?: object): Promise<Answered> {
  const headers = {
    ...(await live.registrationHeaders()),
    authorization: `Bearer ${client.registration_access_token}`,
  }
  const path = `/register/${client.client_id}`
  return live.send({ method, path, headers, ...(body && { body: JSON.stringify(body) }) })
}

/** The code or the error of a login that may show no page. */
async function silently(live: LiveBank, cookie: string): Promise<string> {
  const browser = Object.assign(live.beside(), { cookie })
  const { location } = await browser.browse(`/auth?${live.query({ prompt: 'none' })}`, [])
  await browser.hangUp()
  const { searchParams } = new URL(location)
  return searchParams.has('code') ? 'code' : String(searchParams.get('error'))
}

/**
 * Whether the service comes to be told something for a client: the bank sends it until it arrives, or has nothing left to send.
 *
 * @param what such as "a logout"
 * @returns why it is lost; undefined when it was told
 */
async function untold(live: LiveBank, { client_id }: LiveClient, what: string): Promise<string | undefined> {
  const told = (body: string) =>
    [...new URLSearchParams(body).values()].some((jwt) => JSON.stringify(decodeJwt(jwt)).includes(client_id))
  const lost = `client ${client_id} was not told of ${what}`
  const until = Date.now() + toldSeconds * 1000
  for (let known = 0; ; ) {
    const { text } = acknowledged(await live.send({ door: true, method: 'GET', path: '/outbox' }))
    // Looked at afterwards: what has left the outbox has arrived.
    const before = known
    known = live.posted.length
    if (live.posted.slice(before).some(told)) return undefined
    if ((JSON.parse(text) as OutboxEntry[]).every(({ next }) => next === undefined))
      return `${lost}, and nothing is left to be sent: ${text}`
    if (Date.now() > until) return `${lost} in ${toldSeconds} s, with this to be sent: ${text}`
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** What the bank's own command says of its audit log. @returns undefined when that is good; else its last line */
async function auditLog(...args: string[]): Promise<string | undefined> {
  const command = [packageFile('dist/bundled/bank-idp.js'), 'audit', ...args]
  return promisify(execFile)(process.execPath, command).then(
    () => undefined,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`.trim().split('\n').at(-1),
  )
}

/** Every kind of write. */
const writes: Record<string, Write> = {
  async registration(live) {
    const client = await live.register()
    return async (after) => {
      const { status } = await registration(after, 'GET', client)
      return status === 200 ? undefined : `client ${client.client_id} is answered with ${status}`
    }
  },
  async 'change of a registration'(live) {
    const [before, client_name] = [randomUUID(), randomUUID()]
    const client = await live.register({ policy_uri: `${live.url}/${before}` })
    acknowledged(await registration(live, 'PUT', client, live.record({ client_name })))
    return async (after) => {
      const { text } = await registration(after, 'GET', client)
      if (text.includes(before)) return `client ${client.client_id} has the policy_uri that a PUT left out`
      return text.includes(client_name) ? undefined : `client ${client.client_id} is not named ${client_name}`
    }
  },
  async 'end of a registration'(live) {
    const client = await live.register()
    acknowledged(await registration(live, 'DELETE', client), 204)
    return async (after) => {
      const { status } = await registration(after, 'GET', client)
      return status === 401 ? undefined : `client ${client.client_id}, which was taken away, is answered with ${status}`
    }
  },
  async 'login and consent'(live) {
    const browser = live.beside()
    await browser.code()
    const { cookie } = browser
    await browser.hangUp()
    return async (after) => {
      const told = await silently(after, cookie)
      return told === 'code' ? undefined : `a session with a consent is told ${told}`
    }
  },
  async logout(live) {
    const client = await live.register({ backchannel_logout_uri: `${live.url}/logged-out` })
    const browser = live.beside(client)
    const { id_token } = await tokens(browser)
    const { cookie } = browser
    const path = `/session/end?${new URLSearchParams({ id_token_hint: id_token })}`
    acknowledged(await browser.send({ method: 'GET', path, headers: { cookie } }))
    await browser.hangUp()
    return async (after) => {
      const told = await silently(after, cookie)
      if (told !== 'login_required') return `a session that was logged out is told ${told}`
      return untold(after, client, 'a logout')
    }
  },
  async token(live) {
    const code = await live.code()
    const { access_token } = JSON.parse(acknowledged(await live.redeem(code)).text)
    return async (after) => {
      if (!(await activity(after, access_token))) return 'a token is not active'
      return (await after.redeem(code)).status === 400 ? undefined : 'a code was redeemed twice'
    }
  },
  async refresh(live) {
    const first = await tokens(live)
    const grant = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
    const { refresh_token } = JSON.parse(acknowledged(await authenticated(live, '/token', grant)).text)
    return async (after) => {
      if (!(await activity(after, refresh_token))) return 'a refreshed token is not active'
      const again = await authenticated(after, '/token', grant)
      return again.status === 400 ? undefined : 'a refresh token was used twice'
    }
  },
  async revocation(live) {
    const { access_token } = await tokens(live)
    acknowledged(await authenticated(live, '/revoke', { token: access_token }))
    return async (after) => ((await activity(after, access_token)) ? 'a revoked token is active' : undefined)
  },
  async 'revocation of a refresh token'(live) {
    const { access_token, refresh_token } = await tokens(live)
    acknowledged(await authenticated(live, '/revoke', { token: refresh_token }))
    return async (after) => {
      for (const token of [refresh_token, access_token])
        if (await activity(after, token)) return 'a token of a revoked grant is active'
      return undefined
    }
  },
  async 'use of an assertion'(live) {
    const form = { token: 'none', ...(await live.assertion('/token-info')) }
    acknowledged(await live.form('/token-info', form))
    return async (after) =>
      (await after.form('/token-info', form)).status === 200 ? 'an assertion was used twice' : undefined
  },
  async 'request object'(live) {
    const path = authorizePath(live, await requestObject(live, randomUUID()))
    return async (after) => {
      const browser = Object.assign(after.beside(), { cookie: '' })
      const { page } = await browser.browse(path, [])
      await browser.hangUp()
      return page.includes('action="') ? undefined : 'a request object is unknown'
    }
  },
  async decision(live) {
    const txn = randomUUID()
    const browser = live.beside()
    const path = authorizePath(live, await requestObject(live, txn))
    const { location } = await browser.browse(path, [{ person: 'jana' }, { action: 'authorize' }])
    await browser.hangUp()
    if (!location.includes('code=')) throw new Error(`the signature ended at ${location}`)
    return async (after) => {
      const { place } = after.bank as Killed['bank']
      const said = await auditLog('show', txn, ...place)
      return said === undefined ? undefined : `transaction ${txn} is not proven: ${said}`
    }
  },
  async notification(live) {
    const path = `/notified/${randomUUID()}`
    // The bank sends it until it arrives: also where the service was not available at first.
    live.refusing.add(path)
    const client = await live.register({
      scope: 'openid profile.email notification.claims_updated',
      grant_types: ['authorization_code'],
      notification_uri: live.url + path,
    })
    const browser = live.beside(client)
    const scopes = ['profile.email', 'notification.claims_updated']
    const page = { person: 'petr' }
    const query = browser.query({ scope: ['openid', ...scopes].join(' '), prompt: 'login' })
    const approve = scopes.map((scope): [string, string] => ['scope', scope])
    const { location, page: last } = await browser.browse(`/auth?${query}`, [page, [['action', 'approve'], ...approve]])
    await browser.hangUp()
    // Of what nobody approved nobody is told.
    if (!location.includes('code=')) throw new Error(`the consent ended at ${location || last}`)
    const body = JSON.stringify({ claims: { email: `${randomUUID()}@example.org` } })
    const headers = { 'content-type': 'application/json' }
    acknowledged(await live.send({ door: true, method: 'POST', path: '/people/petr', headers, body }))
    return (after) => untold(after, client, 'a change')
  },
}

export interface KillOptions extends KilledOptions {
  rounds: number
  /** Writes that are under way when the bank is killed. */
  atOnce: number
  /** Writes that are acknowledged before that; more where else there would be none of a kind. */
  writes: number
  /** How many processes the bank has. Without a store they have a PostgreSQL of their own, which is killed in turn with one of them. */
  replicas?: number | undefined
}

/** Kills the bank with SIGKILL under load, again and again: what it acknowledged is there when it is back. */
export async function killBank(options: KillOptions): Promise<Row[]> {
  const { rounds, atOnce, writes: enough, replicas } = options
  const killed = await (replicas === undefined ? oneProcess(options) : severalProcesses(options, replicas))
  const kinds = Object.keys(writes)
  const rows = new Map(kinds.map((kind): [string, Row] => [kind, { what: `kill -9: ${kind}`, tried: 0, lost: [] }]))
  const starts: Row = { what: 'starts after kill -9', tried: 0, lost: [] }
  const audits: Row = { what: 'audit verify after kill -9', tried: 0, lost: [] }
  const live = await LiveBank.of(killed.bank)
  try {
    live.client = await live.register({ scope: 'openid authorization profile.name offline_access' })
    await live.code()
    await killed.keep()
    for (let round = 0; round < rounds; round += 1) {
      const journal: { kind: string; check: Check }[] = []
      let alive = true
      const isEnough = () =>
        journal.length >= enough && kinds.every((kind) => journal.some((entry) => entry.kind === kind))
      const loads = Array.from({ length: atOnce }, async (_, worker) => {
        for (let at = worker; alive; at += 1) {
          const kind = kinds[at % kinds.length] as string
          const browser = Object.assign(live.beside(), { cookie: live.cookie })
          try {
            journal.push({ kind, check: await inTime((writes[kind] as Write)(browser)) })
          } catch (error) {
            // The bank was killed in the middle of an answer.
            if (alive && !isEnough()) starts.lost.push(`round ${round}: ${kind}: ${(error as Error).message}`)
            if (alive && starts.lost.length > enough) return
          } finally {
            await inTime(browser.hangUp()).catch(() => {})
          }
        }
      })
      while (!isEnough() && starts.lost.length <= enough) await new Promise((resolve) => setTimeout(resolve, 5))
      alive = false
      const start = await killed.kill(round, () => Promise.all(loads))
      for (const { kind, check } of journal) {
        const row = rows.get(kind) as Row
        row.tried += 1
        const browser = Object.assign(live.beside(), { cookie: live.cookie })
        const lost = await inTime(check(browser)).catch((error: Error) => `cannot be looked at: ${error.message}`)
        await inTime(browser.hangUp()).catch(() => {})
        if (lost !== undefined) row.lost.push(`round ${round}: ${lost}`)
      }
      starts.lost.push(...killed.troubles().map((trouble) => `round ${round}: ${trouble}`))
      const said = await auditLog('verify', ...killed.bank.place)
      audits.tried += 1
      if (said !== undefined) audits.lost.push(`round ${round}: ${said}`)
      starts.tried += 1
      await start()
    }
    return [...rows.values(), starts, audits]
  } finally {
    await inTime(live.close())
    killed.clear()
  }
}
