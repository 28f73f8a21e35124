import type { Authorization } from '../../bank/authorization.js'
import type { Bank } from '../../bank/bank.js'
import type { Metadata } from '../../bank/client-metadata.js'
import { inStep } from '../../bank/steps.js'
import { grantedScopes, type Login } from '../../bank/token.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'

/** That a plain login is told exactly the scopes it asked for: then the scopes told of other logins are the granted ones. */
export async function expectScopesTold({ bank, expect }: Tools): Promise<void> {
  const { authorization, response } = await bank.token()
  const asked = String(authorization.parameters.scope).split(' ')
  await inStep('scopeListed', async () =>
    expect(await grantedScopes(response), 'the scopes of a plain login', response).toBeSetOf(asked),
  )
}

/** A login for scopes of which each is to be granted. */
export async function expectAllGranted(
  tools: Tools,
  { clientMetadata, scope }: { clientMetadata: Metadata; scope: string },
): Promise<Login> {
  const { bank, expect } = tools
  await expectScopesTold(tools)
  const parameters = scope.split(' ').includes('offline_access') ? await bank.offlineParameters() : {}
  const options = { clientMetadata, scope, parameters }
  const { callback } = await bank.authorization(options)
  expect(callback.query.get('error'), `error of /auth for scope ${scope}`, callback.response).toBe(null)
  const login = await bank.token(options)
  const granted = await grantedScopes(login.response)
  const missing = scope.split(' ').filter((one) => !granted.includes(one))
  expect(missing, 'the scopes asked for that were not granted', login.response).toEqual([])
  return login
}

/** Exchanges a code and names scopes, which are named of a code where it is asked for (RFC 6749 sections 4.1.1 and 4.1.3). */
export function exchangeFor(
  bank: Bank,
  authorization: Authorization,
  scopes: readonly string[],
): Promise<HttpResponse> {
  return bank.token.try({ authorization }, ({ form }) => ({ form: { ...form, scope: scopes.join(' ') } }))
}
