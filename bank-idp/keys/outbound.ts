import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { TransformStream } from 'node:stream/web'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { Agent, RequestInit, Response } from 'undici'
import { deadline } from '../../schemas/deadline.js'
import type { Network } from '../networks.js'
import { keysOfAddress } from './told-keys.js'

export interface OutboundPolicy {
  /** PEM certificates trusted besides the well-known authorities. */
  ca: string[]
  networks: readonly Network[]
  /** The largest answer, in bytes, once what is compressed is unpacked. Default: 256 KiB. */
  bytes?: number
  /** What tells the addresses of a host: asked once for each connection. Default: the machine's resolver. */
  resolve?: typeof lookup
  /** Whether addresses are read that tell a key set themselves (told-keys.ts). */
  toldKeys?: boolean
}

const limits = { bytes: 256 * 1024, milliseconds: 5_000 }

/** IPv6 addresses that stand for one of IPv4 and are used no more (RFC 4291 section 2.5.5.1). */
const compatible = ipaddr.IPv6.parseCIDR('::/96')

function networkOf(address: string): Network | 'refused' {
  const parsed = ipaddr.process(address)
  const range = parsed.range()
  if (range === 'unicast' && parsed instanceof ipaddr.IPv6 && parsed.match(compatible)) return 'refused'
  if (range === 'loopback') return 'loopback'
  if (range === 'private' || range === 'uniqueLocal' || range === 'carrierGradeNat') return 'private'
  return range === 'unicast' ? 'public' : 'refused'
}

/** Loaded when something is fetched first: that costs a start as much as the store does. */
const undici = () => import('./undici.js')

/** The answer, whose body fails at its first byte too many. Counted behind decompression: a few bytes may unpack to gigabytes. */
async function bounded(response: Response, bytes: number): Promise<Response> {
  if (!response.body) return response
  const { Response } = await undici()
  let seen = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      seen += chunk.byteLength
      if (seen > bytes) throw new Error(`the answer is larger than ${bytes} bytes`)
      controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers })
}

/** By the PEM certificates trusted besides the well-known authorities: more than a hundred to read, once for the banks of a process. */
const trust = new LRUCache<string, SecureContext>({
  max: 10,
  memoMethod: (ca) => createSecureContext({ ca: [...rootCertificates, ca] }),
})

/**
 * All that the bank fetches from addresses which others name goes through here: https with a trusted certificate, no redirects, 256 KiB
 * (where the policy says no other size) and 5 seconds at most, and only to networks that the configuration allows (link-local, multicast and
 * reserved addresses never).
 */
export class Outbound {
  readonly #policy: OutboundPolicy
  #made: Promise<Agent> | undefined

  constructor(policy: OutboundPolicy) {
    this.#policy = policy
  }

  /** Made when something is fetched first, since it costs a start as much as the store does. */
  get #agent(): Promise<Agent> {
    this.#made ??= this.#make()
    return this.#made
  }

  async #make(): Promise<Agent> {
    const { Agent } = await undici()
    return new Agent({
      headersTimeout: limits.milliseconds,
      bodyTimeout: limits.milliseconds,
      connect: {
        secureContext: trust.memo(this.#policy.ca.join('\n')),
        timeout: limits.milliseconds,
        lookup: this.#lookup,
      },
    })
  }

  /** @throws {Error} when the policy forbids the address or the peer does not keep to the limits */
  readonly fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input)
    if (url.protocol !== 'https:') throw new Error(`${url.origin} is not https`)
    const { fetch, Response } = await undici()
    const told = this.#policy.toldKeys ? keysOfAddress(url) : undefined
    if (told !== undefined) return new Response(told, { headers: { 'content-type': 'application/json' } })
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host)) this.#allow(host, host)
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      dispatcher: await this.#agent,
      signal: deadline(limits.milliseconds, ...(init.signal ? [init.signal] : [])),
    })
    return bounded(response, this.#policy.bytes ?? limits.bytes)
  }

  async close(): Promise<void> {
    await (await this.#made)?.destroy()
  }

  #allow(host: string, address: string): void {
    const network = networkOf(address)
    if (network === 'refused' || !this.#policy.networks.includes(network)) {
      throw new Error(`${host} leads to ${address}, which the option fetch-networks does not allow`)
    }
  }

  readonly #lookup: LookupFunction = (hostname, options, callback) => {
    const { resolve = lookup } = this.#policy
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '')
      try {
        for (const { address } of addresses) this.#allow(hostname, address)
      } catch (refusal) {
        return callback(refusal as NodeJS.ErrnoException, '')
      }
      // What was judged is what is connected to: nobody is asked again, who may say something else by then.
      return callback(null, addresses)
    })
  }
}
