import type { Parameters } from '../../bank/authorization.js'
import type { Tools } from '../../harness/rule.js'
import { hasRefreshTokens } from './proof-endpoints.js'

/** The id_token of a refresh as a hint, where the bank gives one (AMB-67): it is as good as that of the login. */
export async function hintOfRefresh(tools: Tools): Promise<Record<string, Parameters>> {
  const { bank } = tools
  if (!(await hasRefreshTokens(tools))) return {}
  const { login, whole: response } = await bank.refreshChain()
  if (typeof response.member('id_token') !== 'string') return {}
  return { 'the id_token of a refresh as id_token_hint': { id_token_hint: await bank.hint({ ...login, response }) } }
}
