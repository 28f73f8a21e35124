import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sendClientRequest } from '../bank/client-request.js'
import type { Conversation } from '../bank/conversation.js'
import type { Client } from '../bank/registration.js'
import {
  authorizeAddress,
  encryptionKey,
  type RegisteredObject,
  type RosRequest,
  requestObject,
  rosAddress,
} from '../bank/ros.js'
import { prepareSignedExchange } from '../bank/signing.js'
import type { Evidence } from '../evidence/evidence.js'
import { BankFailure } from '../evidence/failure.js'
import { documentObject, pdf, signObject } from '../service/request-objects.js'
import { clientAt, type Provider, type ServiceKeys } from './client.js'
import type { ClientEntry, Journal } from './journal.js'
import { decrypted, secret } from './login.js'
import { outage, type Peer, signingFlowAlgorithms } from './peer.js'

/** What a person is asked to authorize. */
export interface SigningRequest {
  provider: Provider
  kind: 'text' | 'document'
  /** What the text says, or the title of the document. */
  text: string
  /** Whoever authorized something before, by the id of {@link Signings.signers}; anybody when left out. */
  signer?: string
}

/** A signing under way: the person is at the bank. */
interface Pending {
  peer: Peer
  entry: ClientEntry
  conversation: Conversation
  object: RegisteredObject
  began: number
}

/** A person who authorized something. */
interface SignerKnown {
  peer: Peer
  client: ClientEntry
  sub: string
  accessToken: string
}

/** How a signing ended at the service. */
export interface SigningOutcome {
  /** Present when it succeeded. */
  signer?: SignerKnown
  /** The result, by where it comes from. */
  claims: Record<string, unknown>
  problem?: string
  /** All that was said between the service and the bank, masked. */
  evidence: readonly Evidence[]
}

/** How many documents are kept for their persons to read. */
const mostDocuments = 100

/** How long the person is waited for, in seconds (max_age). */
const longestSigningSeconds = 1800

/** Authorization of texts and documents. Specification: "Signing / request-object flow". */
export class Signings {
  readonly #pending = new Map<string, Pending>()
  readonly #signers = new Map<string, SignerKnown>()
  readonly #documents = new Map<string, string>()

  constructor(
    private readonly journal: Journal,
    private readonly keys: ServiceKeys,
    /** Address of the service. */
    private readonly base: string,
  ) {}

  /** Who authorized something before, and can be asked again: id, and who it is where. */
  signers(): { id: string; who: string }[] {
    return [...this.#signers].map(([id, { sub, client }]) => ({ id, who: `${sub} at ${client.name}` }))
  }

  /** A document that is to be authorized: a PDF. */
  document(id: string): string | undefined {
    return this.#documents.get(id)
  }

  /** Whether a redirect of the bank's belongs to a signing. */
  awaits(state: string): boolean {
    return this.#pending.has(state)
  }

  /**
   * Registers what is to be authorized at the bank.
   * @returns the address at the bank, and the state that has to come back by the same browser
   * @throws Outage, or BankFailure
   */
  async begin(at: Peer, { kind, text, signer, ...asked }: SigningRequest): Promise<{ url: string; state: string }> {
    const known = signer === undefined ? undefined : this.#signers.get(signer)
    const peer = known?.peer ?? at
    const { failing, reason } = await peer.health.outage()
    if (failing.has('oidc-core')) throw outage('have nothing authorized', reason)
    const conversation = await peer.conversation()
    const { journal, base } = this
    const provider = { ...asked.provider, signs: true }
    const entry = known?.client ?? (await clientAt(peer, conversation, provider, { journal, base }))
    const { clientId, redirectUri } = entry
    const metadata = { token_endpoint_auth_method: 'private_key_jwt', redirect_uris: [redirectUri] }
    const client = { clientId, redirectUri, metadata, dataScopes: [], keys: this.keys }
    const request = await this.#request(conversation, client, { kind, text })
    const object = await register(conversation, { ...request, ...(known && { bearer: known.accessToken }) })
    const state = String(request.claims.state)
    this.#forgetOld()
    this.#pending.set(state, { peer, entry, conversation, object, began: performance.now() })
    return { url: authorizeAddress(conversation, object), state }
  }

  /**
   * Ends a signing with the redirect that the bank sent.
   * @throws BankFailure when the bank does not keep to the protocol, or gives back something else than was to be authorized
   */
  async finish(query: URLSearchParams): Promise<SigningOutcome> {
    const state = query.get('state') ?? ''
    const pending = this.#pending.get(state)
    if (!pending) throw new BankFailure({ sentence: 'the state of the redirect belongs to no signing in progress' })
    this.#pending.delete(state)
    const { conversation, peer, entry, object } = pending
    const { client, claims: sent } = object.request
    const { evidence } = conversation.run
    const error = query.get('error')
    if (error !== null) {
      const problem = `${error}: ${query.get('error_description') ?? 'without a description'}`
      return { claims: {}, problem, evidence: evidence.masked() }
    }
    const code = query.get('code')
    if (!code) throw new BankFailure({ sentence: 'the redirect carries neither code nor error' })
    const exchange = await prepareSignedExchange(conversation, { client, code, object })
    const response = await sendClientRequest(conversation, exchange)
    const idToken = response.member('id_token')
    const accessToken = response.member('access_token')
    if (typeof idToken !== 'string' || typeof accessToken !== 'string') {
      throw new BankFailure({ sentence: `POST /token returned no result (status ${response.status})` })
    }
    const result = await this.#verified(peer, idToken, client.clientId)
    if (result.iss !== peer.issuer) throw new BankFailure({ sentence: 'iss of the result is not the bank' })
    if (result.nonce !== sent.nonce)
      throw new BankFailure({ sentence: 'nonce of the result is not that of the request' })
    if (!isDeepStrictEqual(result.structured_scope, sent.structured_scope)) {
      throw new BankFailure({ sentence: 'the result is about something else than what had to be authorized' })
    }
    const signer = { peer, client: entry, sub: String(result.sub), accessToken }
    this.#remember(signer)
    return { signer, claims: { id_token: result }, evidence: evidence.masked() }
  }

  /** Keeps the newest access token of each person at each client. */
  #remember(signer: SignerKnown): void {
    const before = [...this.#signers].find(
      ([, { client, sub }]) => client.clientId === signer.client.clientId && sub === signer.sub,
    )
    this.#signers.set(before?.[0] ?? secret(), signer)
  }

  async #request(
    conversation: Conversation,
    client: Client,
    { kind, text }: Pick<SigningRequest, 'kind' | 'text'>,
  ): Promise<RosRequest> {
    const { target, service } = conversation.run
    const now = service.clock()
    const claims = {
      txn: randomUUID(),
      iss: client.clientId,
      aud: target.issuer,
      iat: now,
      exp: now + 60,
      jti: randomUUID(),
      client_id: client.clientId,
      nonce: secret(),
      state: secret(),
      // A document is signed at loa3; for a text loa2 is enough.
      acr_values: kind === 'document' ? 'loa3' : 'loa2',
      response_type: 'code',
      max_age: longestSigningSeconds,
      scope: 'openid authorization',
      redirect_uri: client.redirectUri,
      structured_scope: kind === 'document' ? this.#document(text) : textObject(text),
    }
    return {
      endpoint: rosAddress(target),
      client,
      claims,
      signer: this.keys.es256,
      encryption: await encryptionKey(conversation),
      certificate: true,
    }
  }

  #document(title: string) {
    const [id, content] = [secret(), pdf(title)]
    this.#documents.set(id, content)
    const [oldest] = this.#documents.keys()
    if (this.#documents.size > mostDocuments && oldest !== undefined) this.#documents.delete(oldest)
    return { documentObject: documentObject(title, content, `${this.base}/documents/${id}`) }
  }

  async #verified(peer: Peer, idToken: string, clientId: string): Promise<Record<string, unknown>> {
    const jws = await decrypted(idToken, this.keys)
    return peer
      .verify(jws, 'id_token', { audience: clientId, allowed: signingFlowAlgorithms })
      .catch((cause: Error) => {
        throw new BankFailure({ sentence: `the result cannot be verified: ${cause.message}` })
      })
  }

  #forgetOld(): void {
    for (const [state, { began }] of this.#pending) {
      if (performance.now() - began > longestSigningSeconds * 1000) this.#pending.delete(state)
    }
  }
}

function textObject(text: string) {
  return { signObject: signObject([{ key: 'Text', value: text, priority: 1 }]) }
}

/** @throws BankFailure with what the bank says when it does not take the object */
async function register(conversation: Conversation, request: RosRequest): Promise<RegisteredObject> {
  const response = await requestObject.send(conversation, request)
  const requestUri = response.member('request_uri')
  if (response.status < 300 && typeof requestUri === 'string') return { request, response, requestUri }
  const reason = response.member('error_description') ?? response.member('error') ?? `status ${response.status}`
  throw new BankFailure({ sentence: `the bank did not accept the request to authorize: ${reason}` })
}
