import { nextRefreshToken } from '../../bank/refresh.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import type { ClientCertificate } from '../../target/client-certificate.js'
import { forReadableData } from './readable-data.js'

/** An authorized object whose tokens were refreshed with the certificate of the service. */
export interface Refreshed {
  /** What the code gave. */
  first: HttpResponse
  response: HttpResponse
  accessToken: string
  /** A further refresh. */
  refresh(certificate: boolean | ClientCertificate): Promise<HttpResponse>
}

/** @throws Skip where an authorized object leads to nothing that could be refreshed */
export async function refreshedSigning({ bank, skip }: Tools): Promise<Refreshed> {
  const { metadata, redirectUri: redirect_uri } = await bank.client(await bank.signing.metadata())
  const { scope, grant_types } = metadata
  const registered =
    String(scope).split(' ').includes('offline_access') && [grant_types].flat().includes('refresh_token')
  if (!registered) return skip('the bank does not declare grant refresh_token and scope offline_access')
  const { scope: readable } = await forReadableData({ bank })
  const send = await bank.signing.result.variations({ claims: { scope: `${readable} offline_access` } })
  const given = await send()
  const first = given.member('refresh_token')
  if (typeof first !== 'string') return skip('an authorized object gives no refresh token')
  const parameter = await bank.refreshParameter()
  const refreshWith = (token: string, certificate: boolean | ClientCertificate) =>
    send(() => ({ form: { grant_type: 'refresh_token', [parameter]: token, redirect_uri }, certificate }))
  const good = await refreshWith(first, true)
  const accessToken = good.member('access_token')
  if (typeof accessToken !== 'string') return skip('a refresh token of the signing flow gives no access token')
  return {
    first: given,
    response: good,
    accessToken,
    refresh: (certificate) => refreshWith(nextRefreshToken(good, first), certificate),
  }
}
