import { runChecks } from '../checks.js'
import { dataScopes } from '../claims.js'
import type { RegistrationRecord } from '../client.js'
import type { PresetClient } from '../config.js'
import type { BankContext } from '../context.js'
import { BankError, UsageError } from '../errors.js'
import { addressOfKeys } from '../keys/told-keys.js'
import type { Clients } from '../store/clients.js'
import { candidate, registrationChecks } from './registration-checks.js'
import { accepted } from './registration-record.js'

/** What nobody has to say who begins: a client that proves itself by its secret needs no keys. */
function recordOf({ client_id, client_secret: _, ...given }: PresetClient): Record<string, unknown> {
  return {
    client_name: client_id,
    scope: ['openid', 'offline_access', ...dataScopes].join(' '),
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_post',
    jwks_uri: addressOfKeys([]),
    ...given,
  }
}

/**
 * Puts the clients of the configuration into the store, by the checks of POST /register. Who was changed there since gets the record of the
 * configuration back; what was granted to them stays.
 *
 * @throws {UsageError} naming the client and what is wrong with its record
 */
export async function putPresetClients(
  { config, outbound, policy, seams }: Pick<BankContext, 'config' | 'outbound' | 'policy' | 'seams'>,
  clients: Clients,
): Promise<void> {
  for (const preset of config.clients) {
    const record = recordOf(preset)
    try {
      await runChecks(registrationChecks, candidate(record, policy, outbound), seams)
    } catch (error) {
      if (!(error instanceof BankError)) throw error
      throw new UsageError(`client ${preset.client_id}: ${error.message}`, { cause: error })
    }
    const kept: RegistrationRecord = accepted(record, policy)
    await clients.put(preset.client_id, kept, preset.client_secret)
  }
}
