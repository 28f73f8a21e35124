import { X509Certificate } from 'node:crypto'
import { NoAnswer } from '../evidence/failure.js'
import { tolerableSkewSeconds } from '../service/assertions.js'
import type { ClientCertificate } from '../target/client-certificate.js'
import { addressOf, type Target } from '../target/target.js'
import { type Check, type Diagnosis, NotChecked, Trouble } from './check.js'
import { type Place, placeOf, reach, resolveName, shakeHands, type TlsSeen } from './network.js'

const name: Check = {
  name: 'name',
  quick: 'always',
  after: [],
  look: ({ target }) => resolved('issuer', placeOf(target.issuer)),
}

const tcp: Check = {
  name: 'TCP',
  quick: 'always',
  after: ['name'],
  look: ({ target }) => connected('issuer', placeOf(target.issuer), target),
}

const tls: Check = {
  name: 'TLS',
  quick: 'always',
  after: ['TCP'],
  look: ({ target }) =>
    trusted(
      'issuer',
      placeOf(target.issuer),
      target,
      target.certificateEverywhere ? target.clientCertificate : undefined,
    ),
}

/**
 * Sees to it that a further address of the target file can be reached from here, over TLS.
 * @param member that names it
 * @throws Trouble
 */
export async function expectReachable(member: string, address: string, target: Target): Promise<void> {
  const place = placeOf(address)
  await resolved(member, place)
  await connected(member, place, target)
  await trusted(member, place, target, target.clientCertificate)
}

async function resolved(member: string, { host }: Place): Promise<string> {
  const addresses = await resolveName(host).catch((error: NodeJS.ErrnoException) => {
    throw new Trouble({
      said: `${host} cannot be resolved (${error.code})`,
      cause: `the name is misspelled in ${member}, or the DNS servers of this machine do not know it`,
      fix: `correct ${member}, or make the name resolvable: a DNS record, the VPN, the hosts file`,
    })
  })
  return `${host} is ${addresses.join(', ')}`
}

async function connected(member: string, place: Place, { timeoutSeconds }: Target): Promise<string> {
  await reach(place, timeoutSeconds).catch((error: NodeJS.ErrnoException) => {
    const refused = error.code === 'ECONNREFUSED'
    throw new Trouble({
      said: `${place.host}:${place.port} ${refused ? 'refuses the connection' : `cannot be reached (${error.code})`}`,
      cause: refused ? 'nothing listens there' : 'a firewall blocks the connection, or the host is down',
      fix: refused
        ? `start the bank, or correct the port of ${member}`
        : 'open the firewall from this machine to that port',
    })
  })
  return `${place.host}:${place.port} accepts the connection`
}

/** @param certificate of a client, shown where the address asks for one */
async function trusted(member: string, place: Place, target: Target, certificate?: ClientCertificate): Promise<string> {
  const { ca, timeoutSeconds } = target
  const seen = await shakeHands(place, { ca, timeoutSeconds, ...certificate }).catch(async (error: Error) => {
    throw new Trouble(await withoutHandshake(member, place, target, { error, certificate }))
  })
  if (seen.distrust) throw new Trouble(distrusted(seen, seen.distrust, member, place.host))
  const { subject, valid_to } = seen.certificate
  return `${seen.protocol} with ${seen.cipher}, certificate of ${subject?.CN ?? place.host}, valid until ${valid_to}`
}

/** Why there was no handshake, which is tried once more with the client certificate where none was shown. */
async function withoutHandshake(
  member: string,
  place: Place,
  { ca, timeoutSeconds, clientCertificate }: Target,
  { error, certificate }: { error: NodeJS.ErrnoException; certificate: ClientCertificate | undefined },
): Promise<Diagnosis> {
  const said = `no TLS handshake with ${place.host}:${place.port} (${error.code ?? error.message})`
  if (!certificate && clientCertificate) {
    const certified = shakeHands(place, { ca, timeoutSeconds, ...clientCertificate })
    if (await certified.then(Boolean, () => false))
      return {
        said: `${said}, but with service.client_certificate there is one`,
        cause: 'the whole host asks for client certificates',
        fix: 'write service.certificate_everywhere: true',
      }
  }
  // What ends a handshake by an alert speaks TLS (RFC 8446 section 6.2).
  if (error.code?.includes('_ALERT_'))
    return {
      said,
      cause: `the server there ${certificate ? 'does not trust the client certificate' : 'asks everybody for a client certificate'}, or has no version or cipher suite in common with this machine`,
      fix: 'have the bank trust the authority of service.client_certificate, which it need not require until then, or offer TLS 1.2 with a cipher suite of the specification',
    }
  return {
    said,
    cause: 'the server there does not speak TLS, or has no version or cipher suite in common with this machine',
    fix: `correct the port of ${member}, or make the bank offer TLS 1.2 with a cipher suite of the specification`,
  }
}

function distrusted({ certificate }: TlsSeen, code: string, member: string, host: string) {
  const { issuer, subjectaltname, valid_from, valid_to } = certificate
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return {
        said: `the bank's certificate expired on ${valid_to}`,
        cause: 'it was not renewed, or the clock of this machine is wrong',
        fix: 'install a renewed certificate at the bank',
      }
    case 'CERT_NOT_YET_VALID':
      return {
        said: `the bank's certificate is valid only from ${valid_from}`,
        cause: 'the clock of this machine is behind, or the certificate is not valid yet',
        fix: 'set the clock, or wait',
      }
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        said: `the bank's certificate is issued to ${subjectaltname || 'no host'}, not to ${host}`,
        cause: `${member} names the bank by another name than its certificate does`,
        fix: `use a name of the certificate in ${member}, or add this one to the certificate`,
      }
    default:
      return {
        said: `the bank's certificate is not trusted (${code}); its issuer is ${issuer?.CN ?? 'unknown'}`,
        cause:
          'the authority that signed it is not among those trusted here, or the bank does not send intermediate certificates',
        fix: "name the authority's PEM file (as `ca` in the target file; to conformance init with --ca FILE), or make the bank send the whole chain",
      }
  }
}

const clientCertificate: Check = {
  name: 'client certificate',
  quick: 'always',
  after: ['TLS'],
  async look({ target, conversation }) {
    if (!target.clientCertificate) throw new NotChecked('the target file names no service.client_certificate')
    const { subject, validTo } = new X509Certificate(target.clientCertificate.cert)
    const named = subject.replaceAll('\n', ', ')
    if (Date.parse(validTo) < Date.now()) {
      throw new Trouble({
        said: `the client certificate of ${named} expired on ${validTo}`,
        cause: 'it was not renewed',
        fix: 'renew it, and name the new one as service.client_certificate',
      })
    }
    const url = `${addressOf(target)}/.well-known/openid-configuration`
    await conversation.send({ method: 'GET', url, certificate: true }).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error
      throw new Trouble({
        said: `with the client certificate of ${named} the bank ${error.finding.actual}`,
        cause: 'the bank does not trust the authority that signed it, and closes the connection',
        fix: "add the certificate's authority to those that the bank trusts, or use a certificate that it knows",
      })
    })
    return `the bank accepts connections with the certificate of ${named}; the check client shows whether it trusts the certificate`
  },
}

const clock: Check = {
  name: 'clock',
  quick: 'always',
  after: ['TLS'],
  async look({ target, conversation }) {
    const url = `${addressOf(target)}/.well-known/openid-configuration`
    const { run } = conversation
    const before = run.service.clock()
    const response = await conversation.send({ method: 'GET', url }).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error
      throw new Trouble({
        said: `GET ${url}: the bank ${error.finding.actual}`,
        ...withoutAnswer(String(error.finding.actual)),
      })
    })
    // A time that is moved on purpose need not show in the header; the door tells it.
    if (target.control) return "the bank's control door gives its time"
    const dateHeader = Date.parse(response.header('date')) / 1000
    if (Number.isNaN(dateHeader)) throw new NotChecked('the bank sends no Date header')
    const skew = dateHeader < before - 1 ? dateHeader - before : Math.max(0, dateHeader - run.service.clock())
    if (Math.abs(skew) > tolerableSkewSeconds) {
      const differs = `${Math.round(Math.abs(skew))} s ${skew > 0 ? 'ahead of' : 'behind'}`
      throw new Trouble({
        said: `by its Date header the bank's clock is ${differs} ours`,
        cause: 'the clock of one of the machines is wrong, and assertions and tokens depend on it',
        fix: "set both clocks (NTP); if the bank's time is moved on purpose, name its control door under `control`",
      })
    }
    return 'the clocks agree'
  },
}

/** Why there is no whole answer, by what was seen. */
function withoutAnswer(seen: string): Pick<Diagnosis, 'cause' | 'fix'> {
  if (seen.startsWith('did not')) {
    return {
      cause: 'the bank accepts connections but does not answer in HTTP: it hangs, or another service listens there',
      fix: "read the bank's log; if the bank is only slow, raise timeout_seconds",
    }
  }
  if (seen.startsWith('sent')) {
    return {
      cause: 'another service listens there, or a part of the path is missing: this is no discovery document',
      fix: 'correct issuer; a browser has to show a JSON document at the address above',
    }
  }
  return {
    cause:
      'the bank, or a proxy before it, ended the connection before its answer: it was restarted, or rejects this machine',
    fix: "read the bank's log, and the proxy's",
  }
}

/** From the name to a whole answer. */
export const connectionChecks: readonly Check[] = [name, tcp, tls, clientCertificate, clock]
