import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { untrustedCertificate } from '../../service/untrusted.js'
import type { ClientCertificate } from '../../target/client-certificate.js'
import { unlessHandshakeFails } from './refusals.js'

/**
 * Expects a call with an access token of the signing flow to be refused with another client certificate, and without one.
 *
 * @param other a certificate that the bank trusts, of somebody else; undefined where the target file names none
 * @returns whether a call without a certificate got so far as to be answered: a handshake that fails is a refusal too
 */
export async function expectHolderOfKey(
  { inVariation, expect }: Pick<Tools, 'inVariation' | 'expect'>,
  other: ClientCertificate | undefined,
  call: (certificate: false | ClientCertificate) => Promise<HttpResponse>,
): Promise<boolean> {
  let answered = false
  const refused = async (certificate: false | ClientCertificate) => {
    const response = await unlessHandshakeFails(expect, () => call(certificate))
    if (response) expect(response).toHaveStatus(400, 401, 403)
    return response !== undefined
  }
  const untrusted = await untrustedCertificate()
  await inVariation('without a client certificate', async () => {
    answered = await refused(false)
  })
  if (other) await inVariation("with somebody else's client certificate", () => refused(other))
  await inVariation('with a client certificate of an unknown authority', () => refused(untrusted))
  return answered
}
