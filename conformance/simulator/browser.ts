import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import { BankFailure } from '../evidence/failure.js'
import { type Disturbances, readDisturbance } from './disturbances.js'
import type { Journal } from './journal.js'
import type { LoggedIn, Logins } from './login.js'
import { homePage, outcomePage, styleSource } from './pages.js'
import { Outage, type Peer } from './peer.js'
import { Refusal } from './refusal.js'
import type { Signings } from './signing.js'

interface Browsing {
  peers: readonly Peer[]
  journal: Journal
  logins: Logins
  signings: Signings
  disturbances: Disturbances
  base: () => string
  /** The last lines told, newest first. */
  received: readonly string[]
  tell(line: string): void
}

const scopes = [
  'profile.name',
  'profile.birthdate',
  'profile.email',
  'profile.phonenumber',
  'profile.addresses',
  'offline_access',
  'notification.claims_updated',
]

/** Ties a login or a signing to the browser that began it; sent along when the bank redirects back. */
const cookie = '__Host-login'

/** Pages carry no script and stand in no frame; forms lead here, and on to the banks. */
function pageHeaders(peers: readonly Peer[]): RequestHandler {
  const banks = [...new Set(peers.flatMap(({ origins }) => origins))].join(' ')
  return (_req, res, next) => {
    res.set({
      'content-security-policy': `default-src 'none'; style-src ${styleSource}; form-action 'self' ${banks}; frame-ancestors 'none'; base-uri 'none'`,
      // Without any referrer a browser would send Origin: null with the forms of these pages too.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    next()
  }
}

/**
 * Forms are taken from the service's own pages, or from no page at all: a browser names its page in Origin, and one that is not to be known,
 * such as that of a sandboxed frame, null.
 */
function ownPages(base: () => string): RequestHandler {
  return (req, _res, next) => {
    const { origin } = req.headers
    if (origin !== undefined && origin !== new URL(base()).origin) {
      throw new Refusal(400, 'the request comes from another origin')
    }
    next()
  }
}

/** What a form sends. */
type Fields = Record<string, string | string[] | undefined>

function nameOf(provider: Fields[string]): string {
  return String(provider || 'Demo client').slice(0, 100)
}

/** What a person sees of the service: the login page, the way back from the bank, what came in. */
export function browserPages({
  peers,
  journal,
  logins,
  signings,
  disturbances,
  base,
  received,
  tell,
}: Browsing): Router {
  const loggedIn = new Map<string, LoggedIn>()
  const form = [ownPages(base), express.urlencoded({ extended: false, limit: '20kb' }) as RequestHandler]

  function showProblem(res: Response, title: string, problem: string, status: number): void {
    res.status(status).send(outcomePage(title, problem, {}, []))
  }

  function bankOf(req: Request): Peer {
    const { bank } = (req.body ?? {}) as Fields
    const peer = peers.find(({ issuer }) => issuer === bank) ?? peers[0]
    if (!peer) throw new Refusal(400, 'bank: the service does not know this bank')
    return peer
  }

  /** Sends the browser to the bank with what was begun there, or tells why it could not begin. */
  async function sendToBank(
    res: Response,
    what: 'login' | 'signing',
    begin: () => Promise<{ url: string; state: string }>,
  ): Promise<void> {
    try {
      const { url, state } = await begin()
      res.cookie(cookie, state, { secure: true, httpOnly: true, sameSite: 'lax', path: '/' }).redirect(302, url)
    } catch (error) {
      if (error instanceof Outage) return showProblem(res, 'The bank is not available', error.message, 503)
      if (error instanceof BankFailure) return showProblem(res, `The ${what} could not start`, error.message, 502)
      throw error
    }
  }

  async function endOfLogin(state: string, query: URLSearchParams): Promise<string> {
    const { loggedIn: person, claims, problem, evidence } = await logins.finish(query)
    if (person) loggedIn.set(state, person)
    tell(person ? `login of ${person.sub} at ${person.client.clientId}` : `a login ended: ${problem}`)
    return outcomePage(person ? 'Logged in' : 'Not logged in', problem, claims, evidence)
  }

  async function endOfSigning(query: URLSearchParams): Promise<string> {
    const { signer, claims, problem, evidence } = await signings.finish(query)
    tell(signer ? `authorization by ${signer.sub} at ${signer.client.clientId}` : `a signing ended: ${problem}`)
    return outcomePage(signer ? 'Authorized' : 'Not authorized', problem, claims, evidence)
  }

  /** Those whom no bank has logged out since. */
  function stillIn(): [string, LoggedIn][] {
    const logouts = journal.of('logout')
    return [...loggedIn].filter(
      ([, { client, sub, sid }]) =>
        !logouts.some(
          (logout) =>
            logout.clientIds.includes(client.clientId) &&
            (logout.sid === undefined ? logout.sub === sub : logout.sid === sid),
        ),
    )
  }

  return Router({ caseSensitive: true, strict: true })
    .use(pageHeaders(peers))
    .get('/', (_req, res) => {
      const people = stillIn().map(([id, { sub, client }]) => ({ id, who: `${sub} at ${client.name}` }))
      const banks = peers.map(({ issuer }) => issuer)
      const signers = signings.signers()
      res.send(homePage({ banks, scopes, loggedIn: people, signers, received, disturbances: disturbances.list() }))
    })
    .post('/login', ...form, async (req: Request, res) => {
      const { provider, own, sep_id, scope } = (req.body ?? {}) as Fields
      await sendToBank(res, 'login', () =>
        logins.begin(bankOf(req), {
          provider: { name: nameOf(provider), own: own === 'yes' },
          scopes: [scope ?? []].flat(),
          ...(typeof sep_id === 'string' && sep_id !== '' && { sepId: sep_id }),
        }),
      )
    })
    .post('/sign', ...form, async (req: Request, res) => {
      const { provider, kind, text, signer } = (req.body ?? {}) as Fields
      if (typeof text !== 'string' || text === '') throw new Refusal(400, 'text: the text is missing')
      await sendToBank(res, 'signing', () =>
        signings.begin(bankOf(req), {
          provider: { name: nameOf(provider), own: false },
          kind: kind === 'document' ? 'document' : 'text',
          text: text.slice(0, 255),
          ...(typeof signer === 'string' && signer !== '' && { signer }),
        }),
      )
    })
    .get('/documents/:id', (req: Request<{ id: string }>, res) => {
      const content = signings.document(req.params.id)
      if (content === undefined) throw new Refusal(404, 'there is no such document')
      res.type('application/pdf').send(content)
    })
    .get('/callback', async (req, res) => {
      const query = new URL(req.originalUrl, base()).searchParams
      const state = query.get('state')
      if (state === null || !(req.headers.cookie ?? '').split('; ').includes(`${cookie}=${state}`)) {
        return showProblem(
          res,
          'This login was started in another browser',
          'the state does not belong to this browser',
          400,
        )
      }
      res.clearCookie(cookie, { secure: true, httpOnly: true, sameSite: 'lax', path: '/' })
      try {
        res.send(signings.awaits(state) ? await endOfSigning(query) : await endOfLogin(state, query))
      } catch (error) {
        if (error instanceof BankFailure) return showProblem(res, 'The request failed', error.message, 502)
        throw error
      }
    })
    .post('/logout', ...form, async (req: Request, res) => {
      const id = String(req.body?.login)
      const person = loggedIn.get(id)
      loggedIn.delete(id)
      const url = person && (await logins.logOut(person))
      res.redirect(302, url ?? '/')
    })
    .post('/disturbances', ...form, (req: Request, res) => {
      const fields = (req.body ?? {}) as Record<string, unknown>
      try {
        const disturbance = readDisturbance(fields)
        if (fields.end === 'yes') disturbances.end(disturbance.path)
        else disturbances.set(disturbance)
      } catch (error) {
        throw new Refusal(400, (error as Error).message)
      }
      res.redirect(302, '/')
    })
}
