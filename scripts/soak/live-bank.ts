import { randomUUID } from 'node:crypto'
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  Agent as PlainAgent,
  request as plainRequest,
  type ServerResponse,
} from 'node:http'
import { Agent, createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { type Bank, type BankOptions, createBank } from '../../bank-idp/bank.js'
import type { LogEntry } from '../../bank-idp/log.js'
import { endServer } from '../../conformance/http/end-server.js'

/** A client as the bank registered it. */
export interface LiveClient {
  client_id: string
  client_secret: string
  registration_access_token: string
  /** Where its key set lies, when it has one of its own. */
  jwks_path?: string
}

/** One request to the bank, below its address or that of its control door. */
export interface Sent {
  door?: boolean
  /** To another bank, which nothing else is asked of. */
  beside?: boolean
  method: string
  path: string
  headers?: Record<string, string> | undefined
  body?: string
}

/** What a form sends: a name may come more than once. */
export type Fields = Record<string, string> | [string, string][]

export interface Answered {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** What a soak script knows of a bank, in this process or another. */
export type SoakedBank = Pick<Bank, 'issuer' | 'identity' | 'control' | 'close'>

/** Milliseconds in which an answer is there as a whole: the bank itself cuts what takes longer. */
const patienceMs = 40_000

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** The server of the service: its address, and its end. */
interface Service {
  url: string
  end(): Promise<void>
}

/** A refusal whose line does not say which error it is, or which check refused. A caller that goes away (499) is not refused. */
function isNameless({ status, error, check }: LogEntry & { event: 'request' }): boolean {
  return status >= 400 && status !== 499 && error !== 'server_error' && (error === undefined || check === undefined)
}

/** The connections of one browser or client. */
interface Agents {
  bank: Agent
  door: PlainAgent
}

function hangUp({ bank, door }: Agents): void {
  bank.destroy()
  door.destroy()
}

function answerTo(asked: ClientRequest): Promise<Answered> {
  return new Promise((resolve, reject) => {
    asked.once('error', reject).once('response', (answer) => {
      const chunks: Buffer[] = []
      answer
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .once('error', reject)
        .once('end', () =>
          resolve({
            status: Number(answer.statusCode),
            headers: answer.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        )
    })
  })
}

/** A bank that runs, a service beside it that hosts documents, and a client with a person signed in: what a soak script sends its requests to. */
export class LiveBank {
  readonly bank: SoakedBank
  readonly log: LogEntry[]
  /** What the service answers, by path; changed as a script likes. */
  readonly documents: Map<string, string>
  /** What writes its answers itself, by path, in place of a document. */
  readonly served: Map<string, (res: ServerResponse) => void>
  /** The bodies of what the bank posted to the service. */
  readonly posted: string[]
  /** Paths at which the service is not available for the next post. */
  readonly refusing: Set<string>
  /** Of the service. */
  readonly url: string
  readonly signing: { key: CryptoKey; jwk: JWK }
  client!: LiveClient
  /** Cookies of the person's browser. */
  cookie = ''
  readonly #agents: Agents
  readonly #from: string | undefined
  readonly #service: Service

  private constructor(
    bank: SoakedBank,
    log: LogEntry[],
    service: Service,
    signing: LiveBank['signing'],
    { documents, served, posted, refusing }: Pick<LiveBank, 'documents' | 'served' | 'posted' | 'refusing'>,
    from?: string,
  ) {
    this.#from = from
    this.bank = bank
    this.log = log
    this.documents = documents
    this.served = served
    this.posted = posted
    this.refusing = refusing
    this.#service = service
    this.url = service.url
    this.signing = signing
    this.#agents = this.#newAgents()
  }

  #newAgents(): Agents {
    const { authority, service } = this.bank.identity
    const { cert, key } = service.certificate
    const kept = { keepAlive: true, maxSockets: 32, ...(this.#from && { localAddress: this.#from }) }
    return {
      bank: new Agent({ ...kept, ca: authority.cert, cert, key, servername: 'localhost' }),
      door: new PlainAgent(kept),
    }
  }

  static async start(options: BankOptions = {}): Promise<LiveBank> {
    const log: LogEntry[] = []
    const bank = await createBank({ control: true, ...options }, (entry) => {
      if (entry.event !== 'request' || isNameless(entry)) log.push(entry)
    })
    await bank.listen()
    return LiveBank.of(bank, log)
  }

  /** The same at a bank that listens already. */
  static async of(bank: SoakedBank, log: LogEntry[] = []): Promise<LiveBank> {
    const { privateKey, publicKey } = await generateKeyPair('ES512', { extractable: true })
    const encryption = await generateKeyPair('RSA-OAEP-256')
    const jwk = { ...(await exportJWK(publicKey)), kid: 'sig', use: 'sig', alg: 'ES512' }
    const encryptionJwk = { ...(await exportJWK(encryption.publicKey)), kid: 'enc', use: 'enc', alg: 'RSA-OAEP-256' }
    const kept: Pick<LiveBank, 'documents' | 'served' | 'posted' | 'refusing'> = {
      documents: new Map(),
      served: new Map(),
      posted: [],
      refusing: new Set(),
    }
    const server = createServer(bank.identity.service.certificate, async (req, res) => {
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk)
      if (chunks.length > 0 && kept.refusing.delete(String(req.url))) return res.writeHead(503).end()
      if (chunks.length > 0) kept.posted.push(Buffer.concat(chunks).toString())
      const writes = kept.served.get(String(req.url))
      if (writes) return writes(res)
      res.setHeader('content-type', 'application/json')
      return res.end(kept.documents.get(String(req.url)) ?? '{}')
    })
    const end = endServer(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const service = { url: `https://localhost:${(server.address() as AddressInfo).port}`, end }
    const live = new LiveBank(bank, log, service, { key: privateKey as CryptoKey, jwk }, kept)
    live.documents.set('/jwks.json', JSON.stringify({ keys: [jwk, encryptionJwk] }))
    live.client = await live.register()
    return live
  }

  /**
   * Another browser and, where one is given, another client at the same bank.
   *
   * @param from another address of this machine (127.0.0.0/8 all are, on Linux), for a browser that is somewhere else
   */
  beside(client = this.client, from?: string): LiveBank {
    return Object.assign(new LiveBank(this.bank, this.log, this.#service, this.signing, this, from), { client })
  }

  /** @throws {Error} where no answer comes */
  async send(sent: Sent): Promise<Answered> {
    const asked = this.#ask(sent, this.#agents)
    return answerTo(asked).catch((error: NodeJS.ErrnoException) => {
      // The bank ended a connection that nothing was on, at the moment in which this was sent.
      if (!asked.reusedSocket || error.code !== 'ECONNRESET') throw error
      const fresh = this.#newAgents()
      return answerTo(this.#ask(sent, fresh)).finally(() => hangUp(fresh))
    })
  }

  #ask({ door = false, method, path, headers = {}, body }: Sent, agents: Agents): ClientRequest {
    const { control, issuer } = this.bank
    const { hostname, port, pathname } = new URL(door ? String(control?.url) : issuer)
    const whole = {
      hostname: this.#from ? '127.0.0.1' : hostname,
      port,
      method,
      path: pathname.replace(/\/$/, '') + path,
      headers: { ...(door && { authorization: `Bearer ${control?.token}` }), ...headers },
      signal: AbortSignal.timeout(patienceMs),
    }
    const asked = door ? plainRequest({ ...whole, agent: agents.door }) : request({ ...whole, agent: agents.bank })
    return asked.end(body)
  }

  form(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<Answered> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return this.send({
      method: 'POST',
      path,
      headers: { ...type, ...headers },
      body: new URLSearchParams(fields).toString(),
    })
  }

  record(changes: object = {}): object {
    return {
      redirect_uris: [`${this.url}/callback`],
      client_name: 'Soaked client',
      jwks_uri: `${this.url}/jwks.json`,
      scope: 'openid profile.name offline_access',
      grant_types: ['authorization_code', 'refresh_token'],
      ...changes,
    }
  }

  async registrationHeaders(): Promise<Record<string, string>> {
    const now = Math.floor(Date.now() / 1000)
    const [jwk] = this.bank.identity.service.jwks.keys
    const claims = { aud: `${this.bank.issuer}/register`, jti: randomUUID(), iat: now, exp: now + 60 }
    const client_assertion = await new SignJWT(claims)
      .setProtectedHeader({ alg: String(jwk?.alg), kid: String(jwk?.kid) })
      .sign(jwk as JWK)
    return { client_assertion, client_assertion_type: assertionType, 'content-type': 'application/json' }
  }

  async register(changes: object = {}): Promise<LiveClient> {
    const headers = await this.registrationHeaders()
    const body = JSON.stringify(this.record(changes))
    const { status, text } = await this.send({ method: 'POST', path: '/register', headers, body })
    if (status >= 300) throw new Error(`registration answered ${status}: ${text}`)
    return JSON.parse(text) as LiveClient
  }

  async assertion(
    endpoint: string,
    changes: JWTPayload = {},
    kid = 'sig',
  ): Promise<{ client_assertion: string; client_assertion_type: string }> {
    const now = Math.floor(Date.now() / 1000)
    const { client_id } = this.client
    const claims = {
      iss: client_id,
      sub: client_id,
      aud: this.bank.issuer + endpoint,
      jti: randomUUID(),
      iat: now,
      exp: now + 60,
    }
    const client_assertion = await new SignJWT({ ...claims, ...changes })
      .setProtectedHeader({ alg: 'ES512', kid })
      .sign(this.signing.key)
    return { client_assertion, client_assertion_type: assertionType }
  }

  /** The query of a good authorization request. */
  query(changes: Record<string, string> = {}): string {
    const redirect_uri = `${this.url}/callback`
    const scope = 'openid profile.name offline_access'
    const { client_id } = this.client
    const good = { client_id, redirect_uri, response_type: 'code', scope, state: 'S-1', nonce: 'N-1' }
    return new URLSearchParams({ ...good, ...changes }).toString()
  }

  /** Goes as far as a browser gets with these forms. @returns the last address it was sent to, and the last page */
  async browse(path: string, forms: Fields[]): Promise<{ location: string; page: string }> {
    return this.#walk(await this.send({ method: 'GET', path, headers: { cookie: this.cookie } }), forms)
  }

  /** Sends the form of a page, with its hidden fields, and goes on from there. */
  async press(page: string, fields: Fields): Promise<{ location: string; page: string }> {
    return this.#walk(await this.#post(page, fields), [])
  }

  #post(page: string, fields: Fields): Promise<Answered> {
    const action = /action="([^"]+)"/.exec(page)?.[1] ?? ''
    const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const kept = hidden.map(([, name = '', value = '']): [string, string] => [name, value])
    const given = Array.isArray(fields) ? fields : Object.entries(fields)
    const { pathname, search } = new URL(action, this.bank.issuer)
    return this.form(pathname + search, [...kept, ...given], { cookie: this.cookie })
  }

  async #walk(first: Answered, forms: Fields[]): Promise<{ location: string; page: string }> {
    const left = [...forms]
    let answer = first
    for (let step = 0; step < 20; step += 1) {
      this.#keepCookies(answer)
      const location = String(answer.headers.location ?? '')
      if (location.startsWith(this.url)) return { location, page: '' }
      if (location !== '') {
        const { pathname, search } = new URL(location, this.bank.issuer)
        answer = await this.send({ method: 'GET', path: pathname + search, headers: { cookie: this.cookie } })
        continue
      }
      const refresh = /http-equiv="refresh" content="\d+;url=([^"]+)"/.exec(answer.text)?.[1]?.replaceAll('&amp;', '&')
      if (refresh?.startsWith(this.url)) return { location: refresh, page: answer.text }
      const form = left.shift()
      if (!answer.text.includes('action="') || form === undefined) return { location: '', page: answer.text }
      answer = await this.#post(answer.text, form)
    }
    throw new Error('the browser is led about without an end')
  }

  #keepCookies({ headers }: Answered): void {
    const kept = new Map(
      this.cookie
        .split('; ')
        .filter(Boolean)
        .map((pair) => [pair.split('=')[0], pair]),
    )
    for (const cookie of [headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = cookie.split(';')
      kept.set(pair.split('=')[0], pair)
    }
    this.cookie = [...kept.values()].join('; ')
  }

  /** A fresh code of the person who is signed in, or signs in. */
  async code(): Promise<string> {
    const { location, page } = await this.browse(`/auth?${this.query()}`, [
      { person: 'jana' },
      [
        ['action', 'approve'],
        ['scope', 'profile.name'],
        ['scope', 'offline_access'],
      ],
    ])
    const code = location && new URL(location).searchParams.get('code')
    if (!code) throw new Error(`a good login gave no code: ${location || page.slice(0, 2000)}`)
    return code
  }

  /** What /token gives for a code. */
  async redeem(code: string): Promise<Answered> {
    const form = { grant_type: 'authorization_code', code, redirect_uri: `${this.url}/callback` }
    return this.form('/token', { ...form, ...(await this.assertion('/token')) })
  }

  /** Its connections; those of another browser are its own. */
  async hangUp(): Promise<void> {
    hangUp(this.#agents)
  }

  async close(): Promise<void> {
    await this.hangUp()
    await this.bank.close()
    await this.#service.end()
  }
}
