import { isIP } from 'node:net'
import { type ConnectionOptions, connect, getCiphers, type TLSSocket } from 'node:tls'
import type { Recorder } from '../evidence/evidence.js'
import { NoAnswer, Unreachable } from '../evidence/failure.js'
import type { Target } from '../target/target.js'

/** The suites that may be used, by their OpenSSL names. Specification: "Authentication" 8. */
export const permittedSuites = {
  'DHE-RSA-AES128-GCM-SHA256': 'TLS_DHE_RSA_WITH_AES_128_GCM_SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256': 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'DHE-RSA-AES256-GCM-SHA384': 'TLS_DHE_RSA_WITH_AES_256_GCM_SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384': 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
} as const

/** Every suite of TLS 1.2 and below that the local library can name and that is not permitted, by OpenSSL names. */
export const otherSuites: readonly string[] = getCiphers()
  .map((name) => name.toUpperCase())
  .filter((name) => !name.startsWith('TLS_') && !(name in permittedSuites))

/** Whatever the library knows beyond what it names by default: suites without encryption or authentication, and rare ciphers. */
export const unnamedSuites = [
  'ALL',
  'COMPLEMENTOFALL',
  ...[...Object.keys(permittedSuites), ...otherSuites].map(not),
].join(':')

/** Every suite that the library knows. */
export const allSuites = 'ALL:COMPLEMENTOFALL'

function not(suite: string): string {
  return `!${suite}`
}

/** What one handshake offers. */
export interface Offer {
  version: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'
  /** An OpenSSL cipher list; of TLS 1.3, names of its suites. */
  suites: string
}

/** What came of one handshake: agreed by both sides, refused by the bank, or nothing that the local TLS library can offer. */
export interface Handshake {
  offer: Offer
  outcome: 'agreed' | 'refused' | 'not offered'
  /** The suite agreed on, by its name of the registry (RFC 8447 section 3). */
  suite?: string
}

/** Errors by which the local library says that it cannot make the offer. */
const cannotOffer = ['ERR_SSL_NO_CIPHERS_AVAILABLE', 'ERR_SSL_NO_CIPHER_MATCH', 'ERR_SSL_NO_PROTOCOLS_AVAILABLE']

/** Errors by which the bank, once connected, turns an offer down: an alert, or the end of the connection. */
const refusals = /^(ERR_SSL_|ECONNRESET$|EPIPE$|EPROTO$)/

/** Who tries handshakes, and with whom: a conversation has all of it. */
export interface Party {
  run: { target: Pick<Target, 'issuer' | 'mutualTls' | 'clientCertificate' | 'timeoutSeconds'> }
  evidence: Recorder
  signal: AbortSignal
}

/**
 * Tries handshakes with the bank, each on a connection of its own and with the service's client certificate where there is one; all
 * that was offered is evidence.
 * @param address whose host is meant; the issuer when left out
 * @throws NoAnswer when the bank cannot be connected to or does not end a handshake in time
 * @throws Unreachable when it agrees with nobody now
 */
export async function shakeHands(
  party: Party,
  offers: readonly Offer[],
  address = party.run.target.issuer,
): Promise<Handshake[]> {
  const { host } = new URL(address)
  const record = party.evidence.handshakes(host)
  const handshakes: Handshake[] = []
  for (const offer of offers) {
    party.signal.throwIfAborted()
    const handshake = await shakeHand(party, offer, address).catch(({ message }: Error) => {
      throw new NoAnswer({ sentence: `${host}: the bank ${message}`, actual: message, evidence: record.id })
    })
    record.add({ ...offer, outcome: handshake.suite ?? handshake.outcome })
    handshakes.push({ offer, ...handshake })
  }
  if (handshakes.every(({ outcome }) => outcome !== 'agreed')) await expectHeard(party, address, record.id)
  return handshakes
}

/** That a bank which agreed on nothing turned down what was offered, and not whoever came: it agrees on something with a usual client. */
async function expectHeard(party: Party, address: string, evidence: string): Promise<void> {
  const { outcome } = await shakeHand(party, undefined, address).catch(() => ({ outcome: 'refused' }))
  if (outcome === 'agreed') return
  throw new Unreachable({ sentence: `${new URL(address).host}: the bank refuses every TLS handshake now`, evidence })
}

/** The addresses of the bank's hosts: of the issuer, and of where it asks for a client certificate (AMB-65). */
export function hostsOf({ run: { target } }: Party): string[] {
  return [target.issuer, ...(target.mutualTls === undefined ? [] : [target.mutualTls])]
}

/** @throws Error when the local library cannot make the offer, with a code of {@link cannotOffer} */
function openConnection(
  { clientCertificate, timeoutSeconds }: Party['run']['target'],
  offer: Offer | undefined,
  address: string,
): TLSSocket {
  const { hostname, port } = new URL(address)
  const host = hostname.replace(/^\[|\]$/g, '')
  return connect({
    host,
    ...(!isIP(host) && { servername: host }),
    port: Number(port || 443),
    ...(offer && offering(offer)),
    // Only what is agreed on is looked at here; every other connection of the run verifies the certificate.
    rejectUnauthorized: false,
    ...clientCertificate,
    timeout: timeoutSeconds * 1000,
  })
}

function offering({ version, suites }: Offer): ConnectionOptions {
  const older = version !== 'TLSv1.3'
  return {
    minVersion: version,
    maxVersion: version,
    // Level 0 of OpenSSL keeps back nothing that the library still knows.
    ciphers: older ? `${suites}:@SECLEVEL=0` : suites,
    // Without a pre-shared key to show the library would leave out the suites that ask for one.
    ...(older && { pskCallback: () => ({ psk: Buffer.from('00', 'hex'), identity: 'conformance' }) }),
  }
}

/** @param offer what a usual client offers when left out */
function shakeHand(
  { run, signal }: Party,
  offer: Offer | undefined,
  address: string,
): Promise<Omit<Handshake, 'offer'>> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      const code = String(error.code)
      if (cannotOffer.includes(code)) resolve({ outcome: 'not offered' })
      else if (refusals.test(code)) resolve({ outcome: 'refused' })
      else reject(new Error(`cannot be connected to (${code})`, { cause: error }))
    }
    let socket: TLSSocket
    try {
      socket = openConnection(run.target, offer, address)
    } catch (error) {
      failed(error as NodeJS.ErrnoException)
      return
    }
    const abort = () => socket.destroy(new Error('given up by the harness'))
    signal.addEventListener('abort', abort, { once: true })
    socket
      .once('secureConnect', () => {
        resolve({ outcome: 'agreed', suite: socket.getCipher().standardName })
        socket.destroy()
      })
      .once('timeout', () => {
        reject(new Error('did not complete the handshake in time'))
        socket.destroy()
      })
      .once('error', failed)
      // After every other event: a connection that just ends is a refusal too.
      .once('close', () => {
        signal.removeEventListener('abort', abort)
        resolve({ outcome: 'refused' })
      })
  })
}

/** Of handshakes, the offers that both sides agreed on, in words. */
export function agreed(handshakes: readonly Handshake[]): string[] {
  return handshakes.flatMap(({ offer, suite }) => (suite === undefined ? [] : [`${offer.version} ${suite}`]))
}
