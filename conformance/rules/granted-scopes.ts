import type { Metadata } from '../bank/application-metadata.js'
import { inStep } from '../bank/steps.js'
import { grantedScopes, type Login } from '../bank/token.js'
import type { Tools } from '../harness/rule.js'

/** A login for scopes of which each is to be granted, after a plain login was seen to list its own. */
export async function expectAllGranted(
  { bank, expect }: Tools,
  options: { client: Metadata; scope: string },
): Promise<Login> {
  const expectListed = async ({ authorization, response }: Login) => {
    const granted = await grantedScopes(response)
    const asked = String(authorization.parameters.scope).split(' ')
    const missing = asked.filter((one) => !granted.includes(one))
    expect(missing, 'the scopes asked for that were not granted', response).toEqual([])
  }
  const plain = await bank.login()
  await inStep('scopeListed', () => expectListed(plain))
  const { callback } = await bank.authorization(options)
  expect(callback.query.get('error'), `error of /auth for scope ${options.scope}`, callback.response).toBe(null)
  const login = await bank.login(options)
  await expectListed(login)
  return login
}
