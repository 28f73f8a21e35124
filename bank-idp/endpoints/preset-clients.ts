import { runChecks } from '../checks.js'
import { dataScopes } from '../claims.js'
import type { RegistrationRecord } from '../client.js'
import type { PresetClient } from '../config.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { addressOfKeys } from '../keys/told-keys.js'
import { OptionError } from '../option-error.js'
import type { Clients } from '../store/clients.js'
import { sameSubjects } from '../subjects.js'
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

/** The first member by which a client needs keys of its own, where it says nowhere what they are: nothing it got could be used. */
function lacksKeysFor(preset: PresetClient): string | undefined {
  if (preset.jwks_uri !== undefined) return undefined
  if (preset.token_endpoint_auth_method === 'private_key_jwt') return 'token_endpoint_auth_method'
  return Object.keys(preset).find((member) => member.endsWith('_encrypted_response_alg'))
}

/**
 * Puts the clients of the configuration into the store, by the checks of POST /register. Who was changed there since gets the record of the
 * configuration back; what was granted to them stays.
 *
 * @throws {OptionError} naming the client and what is wrong with its record
 */
export async function putPresetClients(
  { config, outbound, policy, seams }: Pick<BankContext, 'config' | 'outbound' | 'policy' | 'seams'>,
  clients: Clients,
): Promise<void> {
  for (const [i, preset] of config.clients.entries()) {
    const lacking = lacksKeysFor(preset)
    if (lacking !== undefined) {
      const problem = `is missing: ${lacking} needs keys of the client, at an https address`
      throw new OptionError('clients', { place: `[${i}].jwks_uri`, problem })
    }
    const record = recordOf(preset)
    try {
      await runChecks(registrationChecks, candidate(record, policy, outbound), seams)
    } catch (error) {
      if (!(error instanceof BankError)) throw error
      // Each refusal of a registration begins with the name of the member.
      const [, member, problem] = /^(\w+):? (.*)$/s.exec(error.message) ?? []
      const found =
        member === undefined || problem === undefined
          ? { place: `[${i}]`, problem: error.message }
          : { place: `[${i}].${member}`, problem }
      throw new OptionError('clients', found, { cause: error })
    }
    const kept: RegistrationRecord = accepted(record, policy)
    const before = await clients.find(preset.client_id)
    const endsGrants = before !== undefined && !sameSubjects(before.record, kept)
    await clients.put(preset.client_id, kept, preset.client_secret, endsGrants)
  }
}
