import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { compactDecrypt } from 'jose'
import type { Conversation } from '../bank/conversation.js'
import { discover } from '../bank/discovery.js'
import type { JwtKind } from '../bank/jwt-kind.js'
import type { Evidence } from '../evidence/evidence.js'
import { BankFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { assertionClaims, assertionType, recordAssertion, signAssertion } from '../service/assertions.js'
import type { ClientKeys } from '../service/client-keys.js'
import { compactJwe } from '../service/decryption.js'
import { addressOf } from '../target/target.js'
import { clientAt, type Provider } from './client.js'
import type { ClientEntry, Journal } from './journal.js'
import { outage, type Peer } from './peer.js'

/** What a person asks the service for. */
export interface LoginRequest {
  provider: Provider
  /** Without openid, which is always asked for. */
  scopes: readonly string[]
  /** Identifier of the service provider's organization, when it is an SLA customer. */
  sepId?: string
}

/** A login under way: the person is at the bank. */
interface Pending {
  peer: Peer
  conversation: Conversation
  client: ClientEntry
  state: string
  nonce: string
  scope: string
  began: number
}

/** A person who is logged in. */
export interface LoggedIn {
  peer: Peer
  client: ClientEntry
  sub: string
  /** The bank's name of the browser session, when it gave one. */
  sid?: string
  idToken: string
  accessToken: string
  conversation: Conversation
}

/** How a login ended at the service. */
export interface LoginOutcome {
  /** Present when it succeeded. */
  loggedIn?: LoggedIn
  /** What the service provider gets to know, by where it comes from. */
  claims: Record<string, unknown>
  problem?: string
  /** All that was said between the service and the bank, masked. */
  evidence: readonly Evidence[]
}

/** How long a person may take at the bank, in milliseconds. */
const longestLoginMs = 3_600_000

/** Logins by the service's rules: always in the authorization-code flow, whatever the client registered. */
export class Logins {
  readonly #pending = new Map<string, Pending>()

  constructor(
    private readonly journal: Journal,
    private readonly keys: ClientKeys,
    /** Address of the service. */
    private readonly base: string,
  ) {}

  /**
   * Begins a login: registers the client where the bank does not know it yet.
   * @returns the address at the bank, and the state that has to come back by the same browser
   * @throws Outage, or BankFailure
   */
  async begin(peer: Peer, { provider, scopes, sepId }: LoginRequest): Promise<{ url: string; state: string }> {
    const { failing, reason } = await peer.health.outage()
    if (failing.has('oidc-core')) throw outage('log nobody in', reason)
    const conversation = await peer.conversation(sepId)
    const { journal, base } = this
    const client = await clientAt(peer, conversation, provider, { journal, base })
    const discovery = await discover(conversation)
    const state = secret()
    const nonce = secret()
    const scope = [...new Set(['openid', ...scopes])].join(' ')
    const url = new URL(await discovery.endpoint('authorization_endpoint'))
    const parameters = {
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      scope,
      state,
      nonce,
      ...(sepId !== undefined && { sep_id: sepId }),
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    this.#forgetOld()
    this.#pending.set(state, { peer, conversation, client, state, nonce, scope, began: performance.now() })
    return { url: url.href, state }
  }

  /**
   * Ends a login with the redirect that the bank sent.
   * @throws BankFailure when the redirect belongs to no login, or the bank does not keep to the protocol
   */
  async finish(query: URLSearchParams): Promise<LoginOutcome> {
    const state = query.get('state') ?? ''
    const pending = this.#pending.get(state)
    if (!pending) throw new BankFailure({ sentence: 'the state of the redirect belongs to no login in progress' })
    this.#pending.delete(state)
    const { conversation, peer, client } = pending
    const { evidence } = conversation.run
    const error = query.get('error')
    if (error !== null) {
      const problem = `${error}: ${query.get('error_description') ?? 'without a description'}`
      return { claims: {}, problem, evidence: evidence.masked() }
    }
    const code = query.get('code')
    if (!code) throw new BankFailure({ sentence: 'the redirect carries neither code nor error' })
    const tokens = await this.#redeem(pending, code)
    const claims = await this.#userData(pending, tokens)
    this.#record(peer, client, claims)
    const { sub, sid } = claims.id_token
    const loggedIn = {
      peer,
      client,
      conversation,
      ...tokens,
      sub: String(sub),
      ...(typeof sid === 'string' && { sid }),
    }
    return { loggedIn, claims, evidence: evidence.masked() }
  }

  /**
   * Logs a person out at the service: revokes the access token, unless the bank says that revocation is down.
   * @returns where the person is logged out at the bank; undefined when the bank declares no such address
   */
  async logOut({ peer, conversation, client, idToken, accessToken }: LoggedIn): Promise<string | undefined> {
    const { failing } = await peer.health.outage()
    if (!failing.has('revoke')) {
      await this.#post(conversation, client, `${addressOf(peer)}/revoke`, { token: accessToken })
    }
    const discovery = await discover(conversation)
    if (discovery.value('end_session_endpoint') === undefined) return undefined
    const url = new URL(await discovery.endpoint('end_session_endpoint'))
    url.searchParams.set('id_token_hint', idToken)
    if (discovery.value('frontchannel_logout_supported') === true) {
      url.searchParams.set('post_logout_redirect_uri', `${this.base}/`)
    }
    return url.href
  }

  async #redeem({ conversation, client, peer }: Pending, code: string) {
    const endpoint = await (await discover(conversation)).endpoint('token_endpoint')
    const { clientId, redirectUri } = client
    const response = await this.#post(conversation, client, endpoint, {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: redirectUri,
    })
    const accessToken = response.member('access_token')
    const idToken = response.member('id_token')
    if (typeof accessToken !== 'string' || typeof idToken !== 'string') {
      if (response.member('error') === 'invalid_client') {
        // The bank may have forgotten the client: the next login registers it anew.
        this.journal.append({ kind: 'client-gone', issuer: peer.issuer, clientId })
      }
      const reason = response.member('error_description') ?? response.member('error') ?? `status ${response.status}`
      throw new BankFailure({ sentence: `POST /token returned no tokens: ${reason}` })
    }
    return { accessToken, idToken: await decrypted(idToken, this.keys) }
  }

  /** POST with the client's client assertion. */
  async #post(conversation: Conversation, { clientId }: ClientEntry, url: string, form: Record<string, string>) {
    const { clock } = conversation.run.service
    const claims = assertionClaims({ iss: clientId, sub: clientId, aud: url }, clock())
    const assertion = await signAssertion(claims, this.keys.signing)
    recordAssertion(assertion, conversation.evidence)
    return conversation.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({
        ...form,
        client_assertion: assertion,
        client_assertion_type: assertionType,
      }).toString(),
    })
  }

  async #userData(pending: Pending, { accessToken, idToken }: { accessToken: string; idToken: string }) {
    const { peer, conversation, client, nonce, scope } = pending
    const id_token = await this.#verified(peer, 'id_token', idToken, client.clientId)
    if (id_token.iss !== peer.issuer) throw new BankFailure({ sentence: 'iss of the id_token is not the bank' })
    if (id_token.nonce !== nonce)
      throw new BankFailure({ sentence: 'nonce of the id_token is not that of the request' })
    const discovery = await discover(conversation)
    const get = async (member: string) =>
      conversation.send({
        method: 'GET',
        url: await discovery.endpoint(member),
        headers: { accept: 'application/jwt', authorization: `Bearer ${accessToken}` },
      })
    const open = async (what: 'userinfo' | 'profile', response: HttpResponse) => {
      if (response.status !== 200) throw new BankFailure({ sentence: `${what} is answered with ${response.status}` })
      const claims = await this.#verified(peer, what, await decrypted(response.text.trim(), this.keys))
      // OpenID Connect Core section 5.3.2: where it names them.
      const { iss = peer.issuer, aud = client.clientId } = claims
      if (iss !== peer.issuer) throw new BankFailure({ sentence: `iss of ${what} is not the bank` })
      if (![aud].flat().includes(client.clientId))
        throw new BankFailure({ sentence: `aud of ${what} is not the client` })
      if (claims.sub !== id_token.sub) throw new BankFailure({ sentence: `sub of ${what} is not that of the id_token` })
      return claims
    }
    const userinfo = await open('userinfo', await get('userinfo_endpoint'))
    const kycIsDown = (await peer.health.outage()).failing.has('kyc')
    const wantsProfile = scope !== 'openid' && discovery.value('profile_endpoint') !== undefined
    const profile = wantsProfile && !kycIsDown ? await open('profile', await get('profile_endpoint')) : undefined
    return { id_token, userinfo, ...(profile && { profile }) }
  }

  async #verified(peer: Peer, kind: JwtKind, jws: string, audience?: string): Promise<Record<string, unknown>> {
    return peer.verify(jws, kind, audience === undefined ? {} : { audience }).catch((cause: Error) => {
      const what = kind === 'id_token' ? 'the id_token' : kind
      throw new BankFailure({ sentence: `${what} cannot be verified: ${cause.message}` })
    })
  }

  #record(
    peer: Peer,
    client: ClientEntry,
    { id_token, userinfo }: Record<'id_token' | 'userinfo', Record<string, unknown>>,
  ): void {
    const { issuer } = peer
    const idpSub = String(id_token.sub)
    const person = personOf(issuer, idpSub, userinfo)
    const before = this.journal.of('login').find((login) => login.person === person)
    const txn = typeof userinfo.txn === 'string' ? userinfo.txn : undefined
    const sid = typeof id_token.sid === 'string' ? id_token.sid : undefined
    // First, so that a crash in between leaves no login that is counted as another's usage.
    if (client.own && txn !== undefined) this.journal.append({ kind: 'own-usage', issuer, txn })
    this.journal.append({
      kind: 'login',
      at: new Date().toISOString(),
      issuer,
      clientId: client.clientId,
      idpSub,
      sepSub: before?.sepSub ?? randomUUID(),
      person,
      ...(txn !== undefined && { txn }),
      ...(sid !== undefined && { sid }),
    })
  }

  #forgetOld(): void {
    for (const [state, { began }] of this.#pending) {
      if (performance.now() - began > longestLoginMs) this.#pending.delete(state)
    }
  }
}

/** What the bank encrypted to a client; a JWT that it did not encrypt is given back as it is. */
export async function decrypted(jwt: string, { encryption }: Pick<ClientKeys, 'encryption'>): Promise<string> {
  if (!compactJwe.test(jwt)) return jwt
  const { plaintext } = await compactDecrypt(jwt, encryption.privateKey)
  return new TextDecoder().decode(plaintext)
}

/** What nobody can guess. */
export function secret(): string {
  return randomBytes(32).toString('base64url')
}

/** One person is who has the same name and date of birth at whatever bank; where these are not told, the bank's sub. */
function personOf(
  issuer: string,
  sub: string,
  { given_name, family_name, birthdate }: Record<string, unknown>,
): string {
  const known = [given_name, family_name, birthdate].every((value) => typeof value === 'string')
  const reason = known ? [given_name, family_name, birthdate] : [issuer, sub]
  return createHash('sha256').update(JSON.stringify(reason)).digest('base64url')
}
