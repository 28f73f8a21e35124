import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express, { type Express, type RequestHandler, Router } from 'express'
import { type Bank, type BankOptions, createBank } from '../../bank-idp/bank.js'
import { loginPages } from '../../bank-idp/target-file.js'
import { tlsOptions } from '../../bank-idp/tls.js'
import type { Target } from '../../conformance/target/target.js'
import { atFreePort, targetOf } from '../bundled-bank.js'
import { againByPassword, againPages } from './fronts/again-by-password.js'
import { anew } from './fronts/anew.js'
import { bySteps, pagesBySteps } from './fronts/by-steps.js'
import { byTheLetter } from './fronts/by-the-letter.js'
import { choosing, choosingPages } from './fronts/choosing.js'
import { declaringLess } from './fronts/declaring-less.js'
import { devicePolls } from './fronts/device-polls.js'
import { dialect, dialectPages } from './fronts/dialect.js'
import { equivalentForms } from './fronts/equivalent-forms.js'
import { framedLogouts } from './fronts/framed-logouts.js'
import { furtherOffers } from './fronts/further-offers.js'
import { groupedBoxes } from './fronts/grouped-boxes.js'
import { handMade, pagesInARow } from './fronts/hand-made.js'
import { lateErrors } from './fronts/late-errors.js'
import { onePage, pagesInOne } from './fronts/one-page.js'
import { ownHost } from './fronts/own-host.js'
import { ownPolicies } from './fronts/own-policies.js'
import { ownProfile } from './fronts/own-profile.js'
import { ownWays, pagesInParts } from './fronts/own-ways.js'
import { partInOutage } from './fronts/part-in-outage.js'
import { relayedLogouts } from './fronts/relayed-logouts.js'
import { seldomAsked } from './fronts/seldom-asked.js'
import { signInElsewhere } from './fronts/sign-in-elsewhere.js'
import { withoutScripts } from './fronts/without-scripts.js'

/** Where a bank of some shape is reached. */
interface Addresses {
  issuer: string
  /** The address that asks for client certificates, where it is another. */
  mutualTls?: string
  /** The address where people sign in, where it is another. */
  signIn?: string
}

/** What the bundled bank can be made to look like from the outside. */
export interface Shape {
  /**
   * Which connections are asked for a client certificate: all, but none needs one, when left out; those to an address of their own, where
   * none needs one either in front of a proxy.
   */
  certificates?: 'required' | 'own address' | 'own proxy'
  /** Whether people sign in at an address of its own. */
  signIn?: 'own address'
  /** What the bank is made with, where nothing before it does the same. */
  options?: BankOptions
  /** What stands before the bank. */
  front?(addresses: Addresses, bank: Bank): RequestHandler
  /** What the target file says of it. */
  target(addresses: Addresses): Partial<Target>
}

const notFound: RequestHandler = (_req, res) => {
  res.status(404).json({ error: 'not_found', error_description: 'there is nothing here' })
}

/** The signing flow's paths under other names; the published ones are unknown. */
const elsewhere: RequestHandler = (req, res, next) => {
  const [path = '', ...query] = req.url.split('?')
  const names: Record<string, string> = { '/signing/objects': '/ros', '/signing/person': '/authorize' }
  if (Object.values(names).includes(path)) notFound(req, res, next)
  else {
    req.url = [names[path] ?? path, ...query].join('?')
    next()
  }
}

/**
 * A bank that opens request objects when their person comes: whatever it has to say against one it keeps until then, in the
 * request_uri.
 */
function refusedLater(issuer: string, redirects: boolean): RequestHandler {
  const prefix = `${issuer}/ros/later.`
  return (req, res, next) => {
    const query = new URL(req.url, issuer).searchParams
    const uri = query.get('request_uri') ?? ''
    if (req.path === '/authorize' && uri.startsWith(prefix)) {
      const objection = JSON.parse(Buffer.from(uri.slice(prefix.length), 'base64url').toString()) as Record<
        string,
        string
      >
      const back = query.get('redirect_uri')
      // Whose address is doubtful sends nobody there, and nor does who would have to tell the state, which stands in the object.
      const isUnread = objection.error === 'invalid_request_object'
      if (!redirects || back === null || !isUnread || objection.error_description?.includes('redirect_uri')) {
        res.status(400).json(objection)
      } else res.redirect(302, `${back}?${new URLSearchParams(objection)}`)
      return
    }
    const answer = res.json.bind(res)
    if (req.path === '/ros') {
      res.json = (body) => {
        if (res.statusCode !== 400) return answer(body)
        const kept = Buffer.from(JSON.stringify(body)).toString('base64url')
        return res.status(201) && answer({ request_uri: `${prefix}${kept}`, exp: Math.floor(Date.now() / 1000) + 300 })
      }
    }
    next()
  }
}

const shapes = {
  'each time anew': {
    front: (_addresses: Addresses, bank: Bank): RequestHandler => anew(bank),
    target: () => ({
      pages: new Map(Object.entries({ ...loginPages, consent: { ...loginPages.consent, tick: 'all' } })),
    }),
  },
  'another dialect': {
    front: ({ issuer }: Addresses): RequestHandler =>
      Router()
        .use(dialect(issuer))
        .use(furtherOffers(issuer))
        .use(byTheLetter())
        .use(equivalentForms())
        .use(devicePolls()),
    target: () => ({ pages: new Map(Object.entries(dialectPages)) }),
  },
  'declares less': {
    front: declaringLess,
    target: () => ({}),
  },
  'signing elsewhere': {
    front: (): RequestHandler => elsewhere,
    target: ({ issuer }) => ({ signing: { ros: `${issuer}/signing/objects`, authorize: `${issuer}/signing/person` } }),
  },
  'without signing': {
    front: (): RequestHandler => (req, res, next) =>
      ['/ros', '/authorize'].includes(req.path) ? notFound(req, res, next) : next(),
    target: () => ({ signing: { offered: false } }),
  },
  'objects refused at /authorize': {
    front: ({ issuer }: Addresses): RequestHandler => refusedLater(issuer, false),
    target: () => ({}),
  },
  'objects refused in the callback': {
    front: ({ issuer }: Addresses): RequestHandler => refusedLater(issuer, true),
    target: () => ({}),
  },
  'objects signed by the service': {
    target: () => ({ signing: { signed_by: 'service' } }),
  },
  'certificates everywhere': {
    certificates: 'required',
    target: () => ({ certificateEverywhere: true }),
  },
  'certificates at an address of their own': {
    certificates: 'own address',
    target: ({ mutualTls }) => ({ ...(mutualTls && { mutualTls }) }),
  },
  'policies of its own': {
    front: (): RequestHandler => Router().use(againByPassword).use(bySteps()).use(ownPolicies()),
    target: () => ({ pages: new Map(Object.entries({ ...againPages, ...pagesBySteps })) }),
  },
  'all on one page': {
    front: (): RequestHandler => Router().use(groupedBoxes()).use(onePage()),
    target: () => ({ pages: new Map(Object.entries(pagesInOne)) }),
  },
  'errors after the sign-in': {
    front: ({ issuer }: Addresses): RequestHandler => Router().use(lateErrors(issuer)).use(choosing()),
    target: () => ({ pages: new Map(Object.entries(choosingPages)) }),
  },
  'registration at an address of its own': {
    certificates: 'own proxy',
    front: ({ issuer, mutualTls = issuer }: Addresses): RequestHandler =>
      Router().use(seldomAsked()).use(ownHost(issuer, mutualTls)),
    target: ({ mutualTls }) => ({ ...(mutualTls && { mutualTls }) }),
  },
  'sign-in at an address of its own': {
    signIn: 'own address',
    front: ({ issuer, signIn = issuer }: Addresses): RequestHandler =>
      Router().use(partInOutage).use(signInElsewhere(issuer, signIn)),
    target: ({ signIn = '' }) => ({
      pages: new Map(Object.entries(loginPages).map(([name, page]) => [name === 'second-factor' ? 'otp' : name, page])),
      login: { by: 'forms', origins: [signIn] },
    }),
  },
  'of another make': {
    options: { readings: { 'AMB-4': 'code' } },
    front: (): RequestHandler => Router().use(ownProfile()).use(handMade()).use(ownWays()),
    target: () => ({ pages: new Map(Object.entries({ ...pagesInParts, ...pagesInARow })) }),
  },
  'among systems of its own': {
    // What was read at a request_uri counts for a while (OpenID Connect Core section 6.2).
    options: { limits: { requestUriReads: 1 } },
    front: ({ issuer }: Addresses, bank: Bank): RequestHandler =>
      Router().use(relayedLogouts(issuer, bank)).use(framedLogouts()).use(withoutScripts),
    target: () => ({}),
  },
} as const satisfies Record<string, Shape>

export type ShapeName = keyof typeof shapes

/** An https server that waits for its certificate and what it serves. */
async function open(certificates: 'requested' | 'required' | 'not requested') {
  const server = createServer({
    requestCert: certificates !== 'not requested',
    rejectUnauthorized: certificates === 'required',
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `https://localhost:${(server.address() as AddressInfo).port}`
  return { server, url }
}

function serve(server: Server, app: Express, { policy, faults, identity }: Bank): void {
  const { tls, authority } = identity
  server.setSecureContext({ ...tlsOptions(policy, faults), ...tls, ca: [authority.cert] })
  server.on('request', app)
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}

/** Several banks on one store, each of which answers in its turn. */
export interface Replicas {
  /** Address of an empty PostgreSQL database. */
  store: string
  count: number
}

/** What answers as one bank. */
interface Banks {
  /** The one that is asked what they are alike in. */
  bank: Bank
  app: RequestHandler
  close(): Promise<void>
}

async function createBanks(options: BankOptions, replicas: Replicas | undefined): Promise<Banks> {
  if (!replicas) {
    const bank = await createBank(options)
    return { bank, app: bank.app, close: () => bank.close() }
  }
  const directory = mkdtempSync(join(tmpdir(), 'replicas-'))
  const shared = { ...options, store: replicas.store, storeKey: randomBytes(32).toString('base64url') }
  const make = (_: unknown, index: number) =>
    createBank({ ...shared, replica: `replica-${index}`, data: join(directory, String(index)) })
  const banks = await Promise.all(Array.from({ length: replicas.count }, make))
  let turn = 0
  return {
    bank: banks[0] as Bank,
    app(req, res) {
      turn += 1
      banks[turn % banks.length]?.app(req, res)
    },
    async close() {
      await Promise.all(banks.map((bank) => bank.close()))
      rmSync(directory, { recursive: true })
    },
  }
}

/** Several at once: what stands before the bank stands in this order. */
function inOne(several: readonly Shape[]): Shape {
  return {
    ...Object.assign({}, ...several),
    options: Object.assign({}, ...several.map(({ options }) => options)),
    front: (addresses, bank) =>
      several.reduce((before, { front }) => (front ? before.use(front(addresses, bank)) : before), Router()),
    target: (addresses) => Object.assign({}, ...several.map(({ target }) => target(addresses))),
  }
}

/**
 * Runs something against a bank of shapes that have names, and closes it whatever happens.
 *
 * @param names none for the bank by itself
 * @param replicas that it consists of; one bank in memory when left out
 */
export function withShapedBank<Result>(
  options: BankOptions,
  names: readonly ShapeName[],
  use: (target: Target) => Promise<Result>,
  replicas?: Replicas,
): Promise<Result> {
  return withBankOf(options, inOne(names.map((name) => shapes[name])), use, replicas)
}

/** The same of any shape. */
export async function withBankOf<Result>(
  options: BankOptions,
  shape: Shape,
  use: (target: Target) => Promise<Result>,
  replicas?: Replicas,
): Promise<Result> {
  const { certificates } = shape
  const ofItsOwn = certificates === 'own address' || certificates === 'own proxy'
  const main = await open(ofItsOwn ? 'not requested' : (certificates ?? 'requested'))
  const mutualTls = ofItsOwn ? await open(certificates === 'own proxy' ? 'requested' : 'required') : undefined
  const signIn = shape.signIn ? await open('not requested') : undefined
  const made = { control: true, ...shape.options, ...(await atFreePort(options)), issuer: main.url }
  const banks = await createBanks(made, replicas)
  const { bank } = banks
  try {
    await bank.listen()
    const addresses = {
      issuer: main.url,
      ...(mutualTls && { mutualTls: mutualTls.url }),
      ...(signIn && { signIn: signIn.url }),
    }
    const app = express().disable('x-powered-by')
    if (shape.front) app.use(shape.front(addresses, bank))
    app.use(banks.app)
    for (const one of [main, mutualTls, signIn]) if (one) serve(one.server, app, bank)
    return await use({ ...targetOf(bank), ...shape.target(addresses) })
  } finally {
    await Promise.all([main, mutualTls, signIn].map((one) => one && close(one.server)))
    await banks.close()
  }
}
