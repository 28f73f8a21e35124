import type { Exchange } from '../evidence/evidence.js'

/** A word as a POSIX shell takes it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./*-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** What a request shows of a secret, or of a body that was too long to keep. */
const incomplete = /‹[0-9a-f]{8}›|… \[of \d+ characters\]/

/**
 * The curl line that sends a request again; undefined when it carries something that is masked, or that only the harness can
 * make: whoever repeats it would not send the same.
 * @param ca file of the authorities to trust
 */
export function curlLine({ direction, request, tls }: Exchange, ca?: string): string | undefined {
  const { method, url, headers, body } = request
  if (direction !== 'sent' || tls?.clientCertificate || incomplete.test(JSON.stringify(request))) return undefined
  const options = [
    ...(ca === undefined ? [] : ['--cacert', ca]),
    ...(method === 'GET' ? [] : ['-X', method]),
    ...Object.entries(headers).flatMap(([name, value]) => [value].flat().flatMap((one) => ['-H', `${name}: ${one}`])),
    ...(body === undefined ? [] : ['--data-raw', body]),
  ]
  return ['curl', '-i', ...options, url].map(quoted).join(' ')
}
