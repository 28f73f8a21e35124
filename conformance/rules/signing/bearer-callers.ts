import { type Rule, rule, type Tools } from '../../harness/rule.js'
import type { ClientCertificate } from '../../target/client-certificate.js'
import { toSign } from '../../target/needs.js'
import { type ClientEndpoint, clientEndpoints, expectLive } from '../support/client-endpoints.js'
import { expectHolderOfKey } from '../support/holder-of-key.js'
import { liveToken, type TokenOfClient } from '../support/token-state.js'

/** An access token of the signing flow as what authenticates the client at an endpoint (AMB-47). */
async function checkHolderOfKey(tools: Tools, { topic, usesUp, login, expectDone }: ClientEndpoint): Promise<void> {
  const { bank, reading } = tools
  const signed = await bank.signing.result()
  const clientMetadata = await bank.signing.metadata()
  const own = async () => liveToken(bank, await login(bank, { clientMetadata }))
  const callAbout = ({ token }: TokenOfClient, certificate: boolean | ClientCertificate) =>
    bank.signing.callAsBearer(signed, topic, token, certificate)
  const first = await own()
  const good = await callAbout(first, true)
  if (good.status === 400 || good.status === 401) return reading('AMB-47', 'credentials-only')
  await expectDone(tools, first, good)
  reading('AMB-47', 'access-token-too')
  const second = usesUp ? await own() : first
  await expectHolderOfKey(tools, (certificate) => callAbout(second, certificate))
  if (usesUp) await expectLive(tools, second, 'a token that was not to be revoked')
}

export const bearerCallers: readonly Rule[] = clientEndpoints.map((endpoint) =>
  rule({
    id: `signing/holder-of-key-at-${endpoint.path.slice(1)}`,
    requirement: 'SIGN-44',
    title: `An access token of the signing flow authenticates its client at ${endpoint.path} with the client certificate alone`,
    needs: toSign,
    check: (tools) => checkHolderOfKey(tools, endpoint),
  }),
)
