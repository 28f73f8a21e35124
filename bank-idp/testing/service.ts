import { randomUUID } from 'node:crypto'
import { Agent } from 'node:https'
import { CompactEncrypt, compactDecrypt, importJWK, type JWK, type JWTPayload } from 'jose'
import request, { type Response } from 'supertest'
import { publicJwk } from '../keys/jwk.js'
import { assertionType } from '../provider/assertion.js'
import { clientKeyPairs, sign } from './client-key-pairs.js'
import { serveHttps, type TestServer } from './https-server.js'
import type { KnownBank } from './known-bank.js'
import { type Browsing, type Cookies, type Form, walkPages } from './pages.js'

export interface TestClient {
  client_id: string
  redirect_uri: string
  registration_access_token: string
  record: Record<string, unknown>
}

/** What the bank posted to the service. */
export interface Posted {
  path: string
  form: URLSearchParams
}

export interface Callback {
  code?: string
  state?: string
  error?: string
  error_description?: string
}

/** Plays the federated service towards one bank: hosts a client's keys, registers it, logs people in. For tests. */
export class TestService {
  readonly bank: KnownBank
  /** Where the last person was sent back to. */
  lastCallback?: URL
  /** What the key set of clients waits for. */
  beforeKeys: () => Promise<void> = async () => {}
  readonly #server: TestServer
  /** Keep connections to the bank: a handshake for each request would cost more than most of them. */
  readonly #withCertificate: Agent
  readonly #withoutCertificate: Agent
  /** In the order it came. */
  readonly posted: Posted[]

  private constructor(bank: KnownBank, server: TestServer, posted: Posted[]) {
    this.bank = bank
    this.posted = posted
    this.#server = server
    const { authority, service } = bank.identity
    const kept = { ca: authority.cert, keepAlive: true, maxFreeSockets: 4 }
    this.#withoutCertificate = new Agent(kept)
    this.#withCertificate = new Agent({ ...kept, ...service.certificate })
  }

  static async start(bank: KnownBank): Promise<TestService> {
    const posted: Posted[] = []
    const server = await serveHttps(bank.identity.service.certificate, async (req, res) => {
      if (req.method === 'POST') {
        const chunks: Buffer[] = []
        for await (const chunk of req) chunks.push(chunk)
        posted.push({ path: String(req.url), form: new URLSearchParams(Buffer.concat(chunks).toString()) })
      }
      await service.beforeKeys()
      res.setHeader('content-type', 'application/json')
      res.end(JSON.stringify({ keys: Object.values(clientKeyPairs).map(publicJwk) }))
    })
    const service = new TestService(bank, server, posted)
    return service
  }

  stop(): Promise<void> {
    for (const agent of this.#agents()) agent.destroy()
    return this.#server.close()
  }

  /** Ends the connections to the bank over which nothing is asked: one that stops waits a while for what may still come. */
  hangUp(): void {
    const idle = this.#agents().flatMap(({ freeSockets }) => Object.values(freeSockets).flat())
    for (const socket of idle) socket?.destroy()
  }

  #agents(): Agent[] {
    return [this.#withCertificate, this.#withoutCertificate]
  }

  get url(): string {
    return this.#server.url
  }

  /** A request to the bank; with the service's client certificate when asked for. */
  http(method: 'get' | 'post' | 'put' | 'delete' | 'options', path: string, { mutualTls = false } = {}) {
    const agent = mutualTls ? this.#withCertificate : this.#withoutCertificate
    return request(this.bank.issuer)[method](path).agent(agent).redirects(0)
  }

  /** Resolves once the bank has posted this many things. */
  async heard(count: number): Promise<Posted[]> {
    for (let tries = 0; this.posted.length < count; tries += 1) {
      if (tries > 500) throw new Error(`${this.posted.length} of ${count} things were posted in 5 s`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return this.posted
  }

  /** A registration record that the bank takes. */
  record(changes: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      redirect_uris: [`${this.url}/callback`],
      client_name: 'Test client',
      jwks_uri: `${this.url}/jwks.json`,
      scope: 'openid profile.name profile.birthdate',
      userinfo_encrypted_response_alg: 'RSA-OAEP-256',
      ...changes,
    }
  }

  /** Claims of a good RegistrationAuthJWT. */
  registrationClaims(): JWTPayload {
    const now = Math.floor(Date.now() / 1000)
    return { aud: `${this.bank.issuer}/register`, jti: randomUUID(), iat: now, exp: now + 60 }
  }

  async registrationHeaders(claims = this.registrationClaims()): Promise<Record<string, string>> {
    const [key] = this.bank.identity.service.jwks.keys
    return { client_assertion: await sign(claims, key as JWK), client_assertion_type: assertionType }
  }

  async register(changes: Record<string, unknown> = {}): Promise<Response> {
    const headers = await this.registrationHeaders()
    return this.http('post', '/register', { mutualTls: true }).set(headers).send(this.record(changes))
  }

  /** GET /register/{client_id}. */
  async readRegistration({
    client_id,
    registration_access_token,
  }: Pick<TestClient, 'client_id' | 'registration_access_token'>): Promise<Response> {
    return this.http('get', `/register/${client_id}`, { mutualTls: true })
      .set(await this.registrationHeaders())
      .set('authorization', `Bearer ${registration_access_token}`)
  }

  /** PUT /register/{client_id} with this body. */
  async replaceRegistration(
    { client_id, registration_access_token }: Pick<TestClient, 'client_id' | 'registration_access_token'>,
    record: Record<string, unknown>,
  ): Promise<Response> {
    return this.http('put', `/register/${client_id}`, { mutualTls: true })
      .set(await this.registrationHeaders())
      .set('authorization', `Bearer ${registration_access_token}`)
      .send(record)
  }

  async client(changes: Record<string, unknown> = {}): Promise<TestClient> {
    const { body, status } = await this.register(changes)
    if (status !== 200) throw new Error(`registration answered ${status}: ${JSON.stringify(body)}`)
    return { ...body, record: body, redirect_uri: body.redirect_uris[0] }
  }

  /**
   * Goes through /auth and the pages as a browser would.
   *
   * @param forms the fields sent at each page, in order
   */
  async authorize(
    client: TestClient,
    scope: string,
    forms: Form[],
    parameters: Record<string, string> = {},
    cookies: Cookies = new Map(),
  ): Promise<Callback> {
    this.lastCallback = new URL(await this.callbackLocation(client, scope, forms, parameters, cookies))
    return Object.fromEntries(this.lastCallback.searchParams)
  }

  /** The same; gives the address that the bank answers with, as it is. */
  async callbackLocation(
    { client_id, redirect_uri }: TestClient,
    scope: string,
    forms: Form[],
    parameters: Record<string, string> = {},
    cookies: Cookies = new Map(),
  ): Promise<string> {
    const query = { client_id, redirect_uri, response_type: 'code', scope, state: 'S-1', nonce: 'N-1', ...parameters }
    const first = await this.http('get', '/auth')
      .query(query)
      .set('cookie', [...cookies.values()].join('; '))
    return this.followToCallback(first, redirect_uri, forms, { cookies })
  }

  /**
   * Goes on from an answer of the bank as a browser would.
   *
   * @param forms the fields sent at each page, in order
   * @param browser its cookies, and what is given each page
   */
  async follow(
    first: Response,
    redirect_uri: string,
    forms: Form[],
    browser: Omit<Browsing, 'until'> = {},
  ): Promise<Callback> {
    this.lastCallback = new URL(await this.followToCallback(first, redirect_uri, forms, browser))
    return Object.fromEntries(this.lastCallback.searchParams)
  }

  private async followToCallback(
    first: Response,
    redirect_uri: string,
    forms: Form[],
    browser: Omit<Browsing, 'until'>,
  ): Promise<string> {
    const [address] = redirect_uri.split('?')
    const until = (location: string) => location.startsWith(String(address))
    const answer = await this.walk(first, forms, { ...browser, until })
    const location = answer.get('location')
    if (location) return location
    throw new Error(`stuck at ${answer.status}: ${answer.text.replace(/<style>.*<\/style>/s, '').slice(0, 4000)}`)
  }

  /** {@link walkPages} */
  walk(first: Response, forms: Form[], browser?: Browsing): Promise<Response> {
    return walkPages((method, path) => this.http(method, path), this.bank.issuer, first, forms, browser)
  }

  async clientAssertion(
    client_id: string,
    changes: JWTPayload = {},
    endpoint = '/token',
  ): Promise<Record<string, string>> {
    const claims = this.assertionClaims(client_id, endpoint)
    return {
      client_assertion: await sign({ ...claims, ...changes }, clientKeyPairs.signing),
      client_assertion_type: assertionType,
    }
  }

  private assertionClaims(client_id: string, endpoint = '/token'): JWTPayload {
    const now = Math.floor(Date.now() / 1000)
    return {
      iss: client_id,
      sub: client_id,
      aud: this.bank.issuer + endpoint,
      jti: randomUUID(),
      iat: now,
      exp: now + 60,
    }
  }

  /** A form sent by a client that authenticates by private_key_jwt. */
  async post(
    { client_id }: TestClient,
    endpoint: '/token' | '/token-info' | '/revoke' | '/device_authorization',
    form: Record<string, string>,
  ): Promise<Response> {
    const assertion = await this.clientAssertion(client_id, {}, endpoint)
    return this.http('post', endpoint)
      .type('form')
      .send({ ...form, ...assertion })
  }

  async redeem(client: TestClient, code: string): Promise<Response> {
    const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirect_uri }
    return this.post(client, '/token', form)
  }

  async refresh(client: TestClient, refresh_token: string, scope?: string): Promise<Response> {
    return this.post(client, '/token', { grant_type: 'refresh_token', refresh_token, ...(scope && { scope }) })
  }

  /** Signs a person in, agrees to everything, and redeems the code. */
  async login(client: TestClient, scope: string, person = 'jana'): Promise<Response> {
    const consent = { action: 'approve', scope: scope.split(' ') }
    const { code } = await this.authorize(client, scope, [{ person }, consent])
    return this.redeem(client, String(code))
  }

  /** Signs a request object as the client, and encrypts it to the bank. */
  async signAndEncryptRequestObject(claims: Record<string, unknown>): Promise<string> {
    return this.encryptToBank(await this.signRequestObject(claims))
  }

  signRequestObject(claims: Record<string, unknown>): Promise<string> {
    return sign(claims, clientKeyPairs.requests)
  }

  /** A JWE of some text (RSA-OAEP-256, A256GCM). @param named whether its header names the key */
  async encryptToBank(content: string, { named = true } = {}): Promise<string> {
    const key = await this.bankEncryptionKey()
    return new CompactEncrypt(new TextEncoder().encode(content))
      .setProtectedHeader({ alg: String(key.alg), enc: 'A256GCM', ...(named && { kid: key.kid }), cty: 'JWT' })
      .encrypt(await importJWK(key, String(key.alg)))
  }

  /** The key that the bank publishes to encrypt to. */
  async bankEncryptionKey(): Promise<JWK> {
    const { body } = await this.http('get', '/.well-known/jwks.json')
    const key = (body.keys as JWK[]).find(({ use }) => use === 'enc')
    if (!key) throw new Error('the bank publishes no key to encrypt to')
    return key
  }

  /** The private key by which clients sign request objects: ES256. */
  get requestKey(): JWK {
    return clientKeyPairs.requests
  }

  /** POST /ros over mutual TLS. */
  async registerRequestObject(
    claims: Record<string, unknown>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const body = await this.signAndEncryptRequestObject(claims)
    return this.http('post', '/ros', { mutualTls: true })
      .set({ 'content-type': 'application/jwe', ...headers })
      .send(body)
  }

  /** What the service answers at every address: the clients' keys. */
  async publishedKeys(): Promise<JWK[]> {
    return Object.values(clientKeyPairs).map(publicJwk)
  }

  /** GET /authorize and the pages behind it. */
  async authorizeObject(
    requestUri: string,
    redirect_uri: string,
    forms: Form[],
    browser: Omit<Browsing, 'until'> = {},
  ): Promise<Callback> {
    const first = await this.http('get', '/authorize').query({ request_uri: requestUri, redirect_uri })
    return this.follow(first, redirect_uri, forms, browser)
  }

  /** POST /token as the signing flow asks it: over mutual TLS, with an assertion by ES256. */
  async redeemSigned(client: TestClient, code: string, { mutualTls = true } = {}): Promise<Response> {
    const { client_id, redirect_uri } = client
    const assertion = await sign(this.assertionClaims(client_id), clientKeyPairs.requests)
    return this.http('post', '/token', { mutualTls }).type('form').send({
      grant_type: 'authorization_code',
      code,
      redirect_uri,
      client_assertion: assertion,
      client_assertion_type: assertionType,
    })
  }

  async decrypt(jwe: string): Promise<string> {
    const { plaintext } = await compactDecrypt(jwe, await importJWK(clientKeyPairs.encryption, 'RSA-OAEP-256'))
    return new TextDecoder().decode(plaintext)
  }
}
