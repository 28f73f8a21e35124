import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import express, { type RequestHandler } from 'express'
import { createBank } from '../bank-idp/bank.js'
import { tlsOptions } from '../bank-idp/tls.js'
import { examine } from '../conformance/examine.js'
import { Slots } from '../conformance/http/slots.js'
import { targetOf } from './bundled-bank.js'

const ways: Record<string, RequestHandler> = {
  'answers 503': (_req, res) => {
    res.status(503).json({ error: 'temporarily_unavailable', error_description: 'Come back later.' })
  },
  'hangs up': (req) => {
    req.socket.destroy()
  },
}

/** What comes of rules at the right bank, of which one path answers otherwise: those that are red, and those that are green by that path alone. */
async function examined(path: string, answer: RequestHandler, only: readonly string[]) {
  // Both sides share a process: held up, it would end idle connections just as a request leaves on one, which is not what is looked at here.
  const server = createServer({ requestCert: true, rejectUnauthorized: false, keepAliveTimeout: 0 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bank = await createBank({ issuer: `https://localhost:${(server.address() as AddressInfo).port}` })
  const { tls, authority } = bank.identity
  server.setSecureContext({ ...tlsOptions(bank.policy, bank.faults), ...tls, ca: [authority.cert] })
  server.on('request', express().use(path, answer).use(bank.app))
  try {
    const { results, evidence } = await examine({ target: { ...targetOf(bank), timeoutSeconds: 30 }, only })
    const lastPath = (ids: readonly string[]) => {
      const last = evidence.findLast(
        (item) => ids.includes(item.id) && item.kind === 'exchange' && item.direction === 'sent',
      )
      return last?.kind === 'exchange' ? new URL(last.request.url).pathname : undefined
    }
    const of = (...statuses: string[]) => results.filter(({ status }) => statuses.includes(status))
    return {
      red: of('fail', 'warn', 'error').map(({ rule }) => rule),
      greenBySilence: of('pass').flatMap(({ rule, evidence: ids }) => (isBelow(path, lastPath(ids)) ? [rule] : [])),
      blocked: of('blocked').map(({ rule, reason }) => `${rule}: ${reason}`),
    }
  } finally {
    server.closeAllConnections()
    server.close()
    await bank.close()
  }
}

const isBelow = (root: string, path = '') => path === root || path.startsWith(`${root}/`)

/** Rules about steps of their own that come by the endpoints of others. */
const stepsBeyond = ['revocation/access-token', 'logout/session']

/** A path, rules that come by it, and the rule about the step that it is: red, where the others are blocked or have nothing to do with it. */
const endpoints: [path: string, only: string[], red: string[]][] = [
  ['/profile', ['profile/*', 'logout/tokens', ...stepsBeyond], ['profile/signed']],
  ['/userinfo', ['userinfo/*', 'logout/tokens', 'authorization/token', ...stepsBeyond], ['userinfo/signed']],
  ['/session/end', ['logout/*'], ['logout/session']],
  ['/token-info', ['introspection/*', 'revocation/access-token'], ['introspection/live-token']],
  ['/revoke', ['revocation/*'], ['revocation/access-token']],
  ['/healthcheck', ['health/*'], ['health/record']],
  ['/.well-known/jwks.json', ['key-set/*', 'token/id-token-signed'], ['key-set/document']],
  ['/register', ['registration/create', 'registration/read', 'REG-4', 'authorization/code'], ['registration/create']],
  ['/auth', ['authorization/code', 'AUTH-3', 'AUTH-8', 'request-object/support'], ['authorization/code']],
  ['/interaction', ['authorization/code', 'callback/*', 'consent/*'], ['authorization/code']],
  ['/token', ['token/code*', 'pkce/*', 'client-authentication/wrong-secret'], ['token/code-exchange']],
  ['/device_authorization', ['authorization/device-*', 'token/unregistered-device-grant'], []],
  ['/ros', ['signing/request-object', 'signing/certificate-required', 'SIGN-31'], ['signing/request-object']],
  [
    '/authorize',
    ['signing/authorize', 'signing/redirect-uri', 'signing/refused', 'signing/once'],
    ['signing/authorize'],
  ],
]

type Seen = Awaited<ReturnType<typeof examined>>

const cases = endpoints.flatMap(([path, only, red]) => Object.keys(ways).map((way) => ({ path, way, only, red })))
const came = new Map<string, PromiseSettledResult<Seen>>()

// They wait more than they work, so five at a time. Not as concurrent tests: what is imported only when it is needed cannot be between two.
beforeAll(async () => {
  const slots = new Slots(5)
  const note = async ({ path, way, only }: (typeof cases)[number]) => {
    const free = await slots.take()
    const answer = ways[way]
    if (!answer) throw new Error(`there is no way ${way}`)
    const [outcome] = await Promise.allSettled([examined(path, answer, only)])
    came.set(`${path} ${way}`, outcome)
    free()
  }
  await Promise.all(cases.map(note))
})

test.each(cases)(
  'a bank of which $path $way is wrong there, and nowhere right or wrong for it',
  ({ path, way, red }) => {
    const outcome = came.get(`${path} ${way}`)
    if (outcome?.status === 'rejected') throw outcome.reason
    expect(outcome?.value).toEqual({ red, greenBySilence: [], blocked: expect.arrayContaining([expect.any(String)]) })
  },
)
