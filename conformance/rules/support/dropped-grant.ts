import { nextRefreshToken } from '../../bank/refresh.js'
import { asOwn } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import type { Tools } from '../../harness/rule.js'
import { expectRefusal } from './client-refusals.js'
import { parseSpaceDelimited } from './parse-space-delimited.js'

/**
 * That a refresh token which was good is refused once a PUT took its grant out of the client's record.
 * @param client_name of a client that nothing else uses
 */
export async function expectDroppedGrantRefused({ bank, expect, note }: Tools, client_name: string): Promise<void> {
  const clientMetadata = { client_name }
  const login = await bank.offlineToken.fresh({ clientMetadata })
  const good = await bank.refresh.try({ login })
  expect(good).toHaveStatus(200)
  const client = await asOwn(await bank.registration(clientMetadata))
  const scope = parseSpaceDelimited(client.metadata.scope).filter((one) => one !== 'offline_access')
  const changes = { grant_types: ['authorization_code'], scope: scope.join(' ') }
  await bank.replaceRecord(client, replacement(client, changes))
  const refusal = await bank.refresh.try({ login, refreshToken: nextRefreshToken(good, login.refreshToken) })
  const error = refusal.member('error')
  // The PUT may have ended the token, too.
  if (error !== 'unauthorized_client') note(`the bank answers ${error}`)
  expectRefusal(expect, refusal, 400, 'unauthorized_client', 'unsupported_grant_type', 'invalid_grant')
}
