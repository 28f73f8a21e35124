import { createHash, X509Certificate } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { CompactSign } from 'jose'
import { schema } from '../../schemas/index.js'
import type { Waiver } from '../harness/result.js'
import type { Results } from '../harness/results.js'
import { eventSecondsOf, type Target } from '../target/target.js'
import { canonicalJson } from './canonical-json.js'
import type { CertifierKey } from './certifier-key.js'
import { type Outcome, verdictsOf } from './verdicts.js'

/** The files of a bundle that tell what the others are, and who says so. */
export const manifestFile = 'manifest.json'
export const signatureFile = 'manifest.jws'

/** The two files of a bundle by which others are judged. */
export const verdictsFile = 'verdicts.json'
export const reportFile = 'report.json'

/** JOSE header parameter `typ` of the signature. */
export const bundleType = 'conformance-bundle'

/** As schemas/manifest.schema.json has it. */
export interface Manifest {
  schema: string
  issuer: string
  /** Id of the edition of the specification. */
  edition: string
  outcome: Outcome
  /** SHA-256 of verdicts.json. */
  verdicts: string
  /** ISO 8601. */
  started: string
  signed: string
  versions: { harness: string; node: string }
  files: { name: string; sha256: string; bytes: number }[]
}

/** What goes into a bundle. */
export interface BundleContents {
  results: Results
  /** The report in its forms, by file name. */
  reports: Readonly<Record<string, string>>
  target: Target
  waivers: readonly Waiver[]
}

export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/**
 * Writes a bundle: the reports, the verdicts, what the bank attested, the waivers, the target without its secrets, and a manifest of
 * their SHA-256 with a detached JWS over its bytes (RFC 7515 appendix F). The signature is written last: a bundle without one is none.
 */
export async function writeBundle(directory: string, contents: BundleContents, key: CertifierKey): Promise<Manifest> {
  const { results, reports, target, waivers } = contents
  const verdicts = verdictsOf(results)
  const files = new Map<string, string | Buffer>([
    ...Object.entries(reports),
    [verdictsFile, canonicalJson(verdicts)],
    ['attestations.json', canonicalJson(target.attestations)],
    ['waivers.json', canonicalJson(waivers)],
    ['target.json', canonicalJson(withoutSecrets(target))],
    ...[...(target.attachments ?? [])].map(([{ file, sha256: hash }, content]): [string, Buffer] => [
      `attachments/${hash}${/^\.[A-Za-z0-9]{1,8}$/.exec(extname(file)) ?? ''}`,
      content,
    ]),
  ])
  const manifest: Manifest = {
    schema: String(schema('manifest').$id),
    issuer: results.issuer,
    edition: results.edition,
    outcome: verdicts.outcome,
    verdicts: sha256(canonicalJson(verdicts)),
    started: results.started,
    signed: new Date().toISOString(),
    versions: { harness: results.harness.version, node: process.version },
    files: [...files].map(([name, content]) => ({
      name,
      sha256: sha256(content),
      bytes: Buffer.byteLength(content),
    })),
  }
  for (const [name, content] of files) {
    await mkdir(dirname(join(directory, name)), { recursive: true })
    await writeFile(join(directory, name), content)
  }
  const text = canonicalJson(manifest)
  await writeFile(join(directory, manifestFile), text)
  await writeFile(join(directory, signatureFile), await detachedSignature(text, key))
  return manifest
}

/** A JWS over a manifest, without it. */
export async function detachedSignature(
  text: string,
  { alg, jwk, thumbprint, privateKey }: CertifierKey,
): Promise<string> {
  const jws = await new CompactSign(new TextEncoder().encode(text))
    .setProtectedHeader({ alg, typ: bundleType, kid: thumbprint, jwk })
    .sign(privateKey)
  const [header, , signature] = jws.split('.')
  return `${header}..${signature}`
}

/** What the target file said, but for passwords, tokens, private keys, and what is known of its people. */
function withoutSecrets(target: Target) {
  const { issuer, mutualTls, idpId, ca, control, keys, clientCertificate, server, client, signing, people, pages } =
    target
  const { edition, mutualTlsAudience, otherClient, otherClientCertificate, certificateEverywhere, login } = target
  const { notExamined, concurrency, timeoutSeconds } = target
  return {
    issuer,
    ...(edition !== undefined && { edition }),
    ...(mutualTls !== undefined && { mutual_tls: mutualTls }),
    ...(mutualTlsAudience !== undefined && { mutual_tls_audience: mutualTlsAudience }),
    ...(idpId !== undefined && { idp_id: idpId }),
    ...(ca && { ca: fingerprint(ca) }),
    control: control !== undefined,
    service: {
      keys: keys?.map(({ kid, alg, use }) => ({ kid, alg, use })) ?? [],
      ...(clientCertificate && { client_certificate: fingerprint(clientCertificate.cert) }),
      ...(otherClientCertificate && { other_client_certificate: fingerprint(otherClientCertificate.cert) }),
      certificate_everywhere: certificateEverywhere ?? false,
      ...(server && { server: server.url }),
    },
    ...(client && { client: client.clientId }),
    ...(otherClient && { other_client: otherClient.clientId }),
    ...(signing && { signing }),
    people: people.map(({ kinds }) => ({ kinds })),
    login: login?.by ?? 'forms',
    pages: [...pages.keys()],
    not_examined: notExamined ?? [],
    concurrency,
    timeout_seconds: timeoutSeconds,
    event_seconds: eventSecondsOf(target),
  }
}

/** SHA-256 fingerprint of the first certificate. */
function fingerprint(pem: string): string {
  return new X509Certificate(pem).fingerprint256
}
