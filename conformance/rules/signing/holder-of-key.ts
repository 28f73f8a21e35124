import { userDataEndpoints } from '../../bank/claims.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import type { ClientCertificate } from '../../target/client-certificate.js'
import { toSign } from '../../target/needs.js'
import { type ClientEndpoint, clientEndpoints, expectLive } from '../support/client-endpoints.js'
import { expectHolderOfKey } from '../support/holder-of-key.js'
import { unlessHandshakeFails } from '../support/refusals.js'
import { liveToken, type TokenOfClient } from '../support/token-state.js'
import { forReadableData } from './readable-data.js'
import { expectObjectRefused } from './refusals.js'

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
  const other = await bank.signing.otherCertificate()
  await expectHolderOfKey(tools, other, (certificate) => callAbout(second, certificate))
  if (usesUp) await expectLive(tools, second, 'a token that was not to be revoked')
}

/** The places of SIGN-44 at an endpoint. */
function placesAt(endpoint: string): string[] {
  return ['none', 'untrusted', 'other-of-same-ca'].map(
    (certificate) => `endpoint=${endpoint} certificate=${certificate}`,
  )
}

export const bearerCallers: readonly Rule[] = clientEndpoints.map((endpoint) =>
  rule({
    id: `signing/holder-of-key-at-${endpoint.path.slice(1)}`,
    requirement: 'SIGN-44',
    places: placesAt(endpoint.path.slice(1)),
    title: `An access token of the signing flow authenticates its client at ${endpoint.path} with the client certificate alone`,
    needs: toSign,
    check: (tools) => checkHolderOfKey(tools, endpoint),
  }),
)

export const userDataHolders: readonly Rule[] = userDataEndpoints.map((endpoint) =>
  rule({
    id: endpoint === 'userinfo' ? 'signing/holder-of-key' : `signing/holder-of-key-at-${endpoint}`,
    requirement: 'SIGN-44',
    places: placesAt(endpoint),
    title: `An access token of the signing flow is refused at /${endpoint} with another client certificate, and without one`,
    needs: toSign,
    async check({ bank, expect, inVariation, reading }) {
      const signed = await bank.signing.result({ claims: await forReadableData({ bank }) })
      expect(await bank.signing.userData(endpoint, signed)).toHaveStatus(200)
      const other = await bank.signing.otherCertificate()
      const answered = await expectHolderOfKey({ inVariation, expect }, other, (certificate) =>
        bank.signing.userData(endpoint, signed, certificate),
      )
      reading('AMB-65', bank.signing.ownHost() ? 'own-address' : answered ? 'signing-grants-only' : 'whole-host')
    },
  }),
)

export const holderOfKeyAtRefresh = rule({
  id: 'signing/certificate-at-refresh',
  requirement: 'SIGN-22',
  places: ['none', 'untrusted', 'other-of-same-ca'].map(
    (certificate) => `endpoint=token certificate=${certificate} grant=refresh`,
  ),
  title: 'A refresh token of the signing flow is taken with the client certificate alone',
  needs: toSign,
  async check(tools) {
    const { bank, expect, inVariation, warn } = tools
    const { refresh } = await bank.signing.refreshed.fresh()
    await expectHolderOfKey(tools, undefined, refresh)
    const other = await bank.signing.otherCertificate()
    if (!other) return
    await inVariation("with somebody else's client certificate", async () => {
      const response = await unlessHandshakeFails(expect, () => refresh(other))
      if (!response) return
      // A client whose certificates change within the year of its refresh token proves by its key who it is (RFC 8705 section 7.1).
      if (response.status < 300)
        warn("a refresh token of the signing flow is taken with somebody else's client certificate")
      else expect(response).toHaveStatus(400, 401, 403)
    })
  },
})

export const refreshedHolders = rule({
  id: 'signing/holder-of-key-refreshed',
  requirement: 'SIGN-44',
  places: ['none', 'untrusted', 'other-of-same-ca'].flatMap((certificate) =>
    userDataEndpoints.map((endpoint) => `endpoint=${endpoint} certificate=${certificate} token=access-of-refresh`),
  ),
  title: 'A refreshed access token of the signing flow is refused with another client certificate, and without one',
  needs: toSign,
  async check(tools) {
    const { bank, expect } = tools
    const { accessToken } = await bank.signing.refreshed.fresh()
    const other = await bank.signing.otherCertificate()
    for (const endpoint of userDataEndpoints) {
      expect(await bank.signing.userData(endpoint, { accessToken })).toHaveStatus(200)
      await expectHolderOfKey(tools, other, (certificate) =>
        bank.signing.userData(endpoint, { accessToken }, certificate),
      )
    }
  },
})

export const holderOfKeyAtRos = rule({
  id: 'signing/holder-of-key-at-ros',
  requirement: 'SIGN-44',
  places: ['endpoint=ros certificate=other-of-same-ca'],
  title: "POST /ros refuses an access token of the signing flow with somebody else's client certificate",
  needs: toSign,
  async check({ bank, expect, skip }) {
    const certificate = await bank.signing.otherCertificate()
    if (!certificate) return skip('the target file names no service.other_client_certificate')
    const { accessToken: bearer } = await bank.signing.result()
    expect(await bank.signing.requestObject.try({ bearer })).toHaveStatus(200, 201)
    expectObjectRefused(expect, await bank.signing.submission.modified({ bearer }, () => ({ certificate })))
  },
})
