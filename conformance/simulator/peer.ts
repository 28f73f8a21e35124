import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { compactVerify, createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose'
import { isObject } from '../bank/claims.js'
import { Conversation, type Run } from '../bank/conversation.js'
import { discover } from '../bank/discovery.js'
import { type JwtKind, notOfKind } from '../bank/jwt-kind.js'
import { PlacedRequestObjects } from '../bank/placed-request-objects.js'
import { RegistrationLedger } from '../bank/registration-ledger.js'
import { SeenAnswers } from '../bank/seen-answers.js'
import { SeenTokens } from '../bank/seen-tokens.js'
import { formsEndUser } from '../end-user/forms.js'
import { EvidenceLog } from '../evidence/evidence.js'
import { Masking } from '../evidence/masking.js'
import { SuspendDetector } from '../evidence/suspend-detector.js'
import { createHttpClient, type HttpClient, type HttpResponse } from '../http/http.js'
import { registrationSigner } from '../service/assertions.js'
import { bankTime } from '../service/clock.js'
import { addressOf, type Target } from '../target/target.js'
import { HealthMonitor } from './health.js'

/** What banks sign with towards the service. Specification: "Discovery document". */
const algorithms = ['PS512', 'ES512']

/** How far two clocks may differ, in seconds. */
export const clockSkewSeconds = 60

type Claims = { [name: string]: unknown } & JWTPayload

/** What it signs with in the signing flow; both readings of AMB-12. */
export const signingFlowAlgorithms = ['PS256', 'ES256', ...algorithms]

/** The bank said that what a person asks for is down. */
export class Outage extends Error {}

export function outage(what: string, reason: string | undefined): Outage {
  return new Outage(`The bank reports that it can ${what} now${reason === undefined ? '' : `: ${reason}`}.`)
}

/** A bank, as the service deals with it. */
export class Peer {
  readonly issuer: string
  readonly idpId: string | undefined
  /** Where it takes people to: its own, and that of its signing pages when it is another. */
  readonly origins: readonly string[]
  readonly health: HealthMonitor
  readonly #target: Target
  readonly #http: HttpClient
  readonly #ending = new AbortController()
  readonly #suspendDetector = new SuspendDetector()
  #keys: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined

  constructor(target: Target) {
    this.issuer = target.issuer
    this.idpId = target.idpId
    this.origins = [target.issuer, target.signing?.authorize ?? target.issuer].map((address) => new URL(address).origin)
    this.#target = target
    this.#http = createHttpClient({
      ca: target.ca,
      clientCertificate: target.clientCertificate,
      certificateEverywhere: target.certificateEverywhere,
      timeoutSeconds: target.timeoutSeconds,
    })
    this.health = new HealthMonitor(() => this.#get(`${addressOf(this)}/healthcheck`))
  }

  /** The time at the bank, in Unix seconds; the service's own where the bank's is not told. */
  async now(): Promise<number> {
    const { control } = this.#target
    const { clock } = await bankTime(control ? { control } : {}).catch(() => bankTime({}))
    return clock()
  }

  /**
   * What the service says to the bank from here on, recorded and masked.
   * @param sepId identifier of an SLA customer's organization, which every direct call then carries (specification: "Endpoints")
   */
  async conversation(sepId?: string): Promise<Conversation> {
    const { keys } = this.#target
    const http: HttpClient = {
      send: (request, context) =>
        this.#http.send(
          sepId === undefined ? request : { ...request, headers: { ...request.headers, 'x-sep-identifier': sepId } },
          context,
        ),
      close: () => this.#http.close(),
    }
    const now = await this.now()
    const run: Run = {
      target: this.#target,
      seed: randomBytes(16).toString('hex'),
      http,
      service: {
        clock: () => now,
        wait: (milliseconds) => setTimeout(milliseconds),
        ...(keys && { signer: await registrationSigner(keys) }),
      },
      endUser: formsEndUser(this.#target),
      evidence: new EvidenceLog(new Masking()),
      registrations: new RegistrationLedger(),
      accessTokens: [],
      seen: new SeenAnswers(),
      seenTokens: new SeenTokens(),
      requestObjects: new PlacedRequestObjects(),
      signal: this.#ending.signal,
      shared: new Map(),
      begun: new Map(),
      suspendDetector: this.#suspendDetector,
    }
    return new Conversation(run, 'service', this.#ending.signal)
  }

  /**
   * Verifies a JWT with the keys that the bank publishes now, and that it was made for what it is taken for.
   * @param audience what `aud` has to name; not looked at when left out
   * @throws errors.JOSEError when the JWT is at fault, another error when the key set cannot be read
   */
  async verify(
    jwt: string,
    kind: JwtKind,
    { audience, allowed = algorithms }: { audience?: string; allowed?: readonly string[] } = {},
  ): Promise<Claims> {
    const { payload, protectedHeader } = await jwtVerify(jwt, await this.#publishedKeys(), {
      algorithms: [...allowed],
      ...(audience !== undefined && { audience }),
      clockTolerance: clockSkewSeconds,
      currentDate: new Date((await this.now()) * 1000),
    })
    expectKind(kind, protectedHeader, payload)
    return payload
  }

  /**
   * Verifies the signature, and that the JWT was made for what it is taken for; the other claims are for the caller to judge. Throws as
   * {@link verify} does.
   */
  async verifySignature(jws: string, kind: JwtKind): Promise<unknown> {
    const { payload, protectedHeader } = await compactVerify(jws, await this.#publishedKeys(), { algorithms })
    const claims = fromJson(new TextDecoder().decode(payload))
    expectKind(kind, protectedHeader, isObject(claims) ? claims : {})
    return claims
  }

  async close(): Promise<void> {
    this.#ending.abort()
    this.#suspendDetector.close()
    await this.#http.close()
  }

  #publishedKeys() {
    this.#keys ??= this.#keySet().catch((error: unknown) => {
      this.#keys = undefined
      throw error
    })
    return this.#keys
  }

  async #keySet() {
    const uri = await (await discover(await this.conversation())).endpoint('jwks_uri')
    return createRemoteJWKSet(new URL(uri), {
      cacheMaxAge: 60_000,
      cooldownDuration: 5_000,
      [customFetch]: async (url) => {
        const { status, text } = await this.#get(url)
        return new Response(text, { status, headers: { 'content-type': 'application/json' } })
      },
    })
  }

  async #get(url: string): Promise<HttpResponse> {
    return (await this.conversation()).send({ method: 'GET', url, headers: { accept: 'application/json' } })
  }
}

function expectKind(kind: JwtKind, header: { typ?: string }, claims: Record<string, unknown>): void {
  const otherKind = notOfKind(kind, header, claims)
  if (otherKind !== undefined) throw new errors.JWTInvalid(`the JWT was made for another purpose: ${otherKind}`)
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new errors.JWTInvalid('the payload is not JSON', { cause })
  }
}

/** Whether an error says that a JWT is at fault, and not that its keys could not be read. */
export function isJwtAtFault(error: unknown): error is errors.JOSEError {
  if (!(error instanceof errors.JOSEError)) return false
  const unread = [errors.JWKSTimeout, errors.JWKSInvalid, errors.JWKSMultipleMatchingKeys]
  return !unread.some((kind) => error instanceof kind) && error.code !== 'ERR_JOSE_GENERIC'
}
