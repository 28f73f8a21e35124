import { randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answered, type Fields, LiveBank } from './live-bank.js'
import { ReplicatedBank } from './replicated-bank.js'
import { authorizePath, requestObject } from './request-object.js'
import type { Row } from './table.js'

/** Something that can be used once: made ready, and a use of it that says whether it won. */
type SingleUse = (live: LiveBank) => Promise<() => Promise<boolean>>

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const won = ({ status }: Answered) => status === 200
const hasCode = ({ location }: { location: string }) => location.includes('code=')

const approve: Fields = [
  ['action', 'approve'],
  ['scope', 'profile.name'],
  ['scope', 'offline_access'],
]

async function authenticated(live: LiveBank, path: string, fields: Record<string, string>): Promise<Answered> {
  return live.form(path, { ...fields, ...(await live.assertion(path)) })
}

async function deviceCodes(live: LiveBank): Promise<{ device_code: string; user_code: string }> {
  const { text } = await authenticated(live, '/device_authorization', { scope: 'openid profile.name' })
  return JSON.parse(text)
}

/** All that the bank lets be used once. */
const singleUses: Record<string, SingleUse> = {
  async 'a code'(live) {
    const code = await live.code()
    return async () => won(await live.redeem(code))
  },
  async 'a refresh token'(live) {
    const { refresh_token } = JSON.parse((await live.redeem(await live.code())).text)
    return async () => won(await authenticated(live, '/token', { grant_type: 'refresh_token', refresh_token }))
  },
  async 'the jti of a client assertion'(live) {
    const form = { token: 'none', ...(await live.assertion('/token-info')) }
    return async () => won(await live.form('/token-info', form))
  },
  async 'the approval of a page'(live) {
    const browser = live.beside()
    const { page } = await browser.browse(`/auth?${live.query({ prompt: 'consent' })}`, [{ person: 'jana' }])
    return async () => hasCode(await browser.press(page, approve))
  },
  async 'the page of a login'(live) {
    const browser = live.beside()
    const { page } = await browser.browse(`/auth?${live.query()}`, [])
    return async () => {
      const { location, page: next } = await browser.press(page, { action: 'decline' })
      return next === '' && location.includes('error=')
    }
  },
  async 'the request_uri of a signature, in a browser each'(live) {
    const uri = await requestObject(live, randomUUID())
    const path = authorizePath(live, uri)
    return async () => {
      const browser = live.beside()
      const { page } = await browser.browse(path, [{ person: 'jana' }])
      const told = await browser.press(page, { action: 'authorize' })
      await browser.hangUp()
      return hasCode(told)
    }
  },
  async 'the authorization of a signature, in one browser'(live) {
    const browser = live.beside()
    const { page } = await browser.browse(authorizePath(live, await requestObject(live, randomUUID())), [
      { person: 'jana' },
    ])
    return async () => hasCode(await browser.press(page, { action: 'authorize' }))
  },
  async 'the code that a device shows, in a browser each'(live) {
    const { user_code } = await deviceCodes(live)
    // Who enters codes that are used already is held back, by address.
    let browsers = 0
    return async () => {
      browsers += 1
      const browser = live.beside(live.client, `127.9.${randomInt(256)}.${browsers % 256}`)
      const { page } = await browser.browse(`/device?user_code=${user_code}`, [{ user_code }, { confirm: 'yes' }])
      await browser.hangUp()
      return page.includes('action="/interaction/')
    }
  },
  async 'a device code'(live) {
    const { device_code, user_code } = await deviceCodes(live)
    const browser = live.beside()
    const pages: Fields[] = [{ user_code }, { confirm: 'yes' }, { person: 'jana' }, approve]
    await browser.browse(`/device?user_code=${user_code}`, pages)
    await browser.hangUp()
    return async () => won(await authenticated(live, '/token', { grant_type: deviceGrant, device_code }))
  },
}

export interface RaceOptions {
  rounds: number
  /** Uses of one thing that race. */
  atOnce: number
  /** Faults that the bank has: what they break is to be lost. */
  faults?: readonly string[]
  /** Address of a PostgreSQL database that the bank keeps its store in; else it is in memory. */
  store?: string | undefined
  /** How many processes the bank has, on such a store or, without one, on a PostgreSQL of their own. */
  replicas?: number | undefined
}

/** Races for everything that can be used once: exactly one use wins. */
export async function raceBank({ rounds, atOnce, faults = [], store, replicas }: RaceOptions): Promise<Row[]> {
  const data = store === undefined ? undefined : mkdtempSync(join(tmpdir(), 'races-'))
  const live =
    replicas === undefined
      ? await LiveBank.start({ faults: [...faults], data, store })
      : await LiveBank.of(await ReplicatedBank.start(replicas, store, faults))
  const rows: Row[] = []
  try {
    live.client = await live.register({
      scope: 'openid authorization profile.name offline_access',
      grant_types: ['authorization_code', 'refresh_token', deviceGrant],
    })
    for (const [what, prepare] of Object.entries(singleUses)) {
      const row: Row = { what: `one winner of ${atOnce} uses of ${what}`, tried: rounds, lost: [] }
      rows.push(row)
      for (let round = 0; round < rounds; round += 1) {
        const use = await prepare(live)
        const outcomes = await Promise.all(Array.from({ length: atOnce }, use))
        const winners = outcomes.filter(Boolean).length
        if (winners !== 1) row.lost.push(`round ${round}: ${winners} won`)
      }
    }
    const errors = live.log.flatMap((entry) => (entry.event === 'error' ? [entry.message] : []))
    rows.push({ what: 'errors of the log', tried: rows.length * rounds * atOnce, lost: errors })
    return rows
  } finally {
    await live.close()
    if (data !== undefined) rmSync(data, { recursive: true })
  }
}
