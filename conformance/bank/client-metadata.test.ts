import { defaultMetadata, undeclaredMethods } from './client-metadata.js'

type Lists = Readonly<Record<string, readonly string[]>>

const bankThat = (lists: Lists) => ({ declared: (list: string) => lists[list] })
const registeredAt = (lists: Lists) => defaultMetadata(bankThat(lists), 'https://service.example', 'seed')

const methods = 'token_endpoint_auth_methods_supported'
const algorithms = 'token_endpoint_auth_signing_alg_values_supported'

describe('the record of a client', () => {
  test.each<[string, Lists, string, string | undefined]>([
    ['nothing', {}, 'private_key_jwt', 'PS512'],
    ['every method', { [methods]: ['client_secret_post', 'private_key_jwt'] }, 'private_key_jwt', 'PS512'],
    ['ES512 alone', { [methods]: ['private_key_jwt'], [algorithms]: ['ES512'] }, 'private_key_jwt', 'ES512'],
    ['client_secret_jwt', { [methods]: ['client_secret_post', 'client_secret_jwt'] }, 'client_secret_jwt', 'HS512'],
    ['HS256', { [methods]: ['client_secret_jwt'], [algorithms]: ['PS512', 'HS256'] }, 'client_secret_jwt', 'HS256'],
    [
      'no algorithm for secrets (AMB-10)',
      { [methods]: ['client_secret_jwt'], [algorithms]: ['PS512'] },
      'client_secret_jwt',
      undefined,
    ],
    ['client_secret_post alone', { [methods]: ['client_secret_post'] }, 'client_secret_post', undefined],
    ['client_secret_basic alone', { [methods]: ['client_secret_basic'] }, 'client_secret_basic', undefined],
  ])('of a bank that declares %s', (_what, lists, method, alg) => {
    expect(registeredAt(lists)).toMatchObject({ token_endpoint_auth_method: method })
    expect(registeredAt(lists).token_endpoint_auth_signing_alg).toBe(alg)
  })

  test('has the scopes that the bank declares, and the grant of offline_access with it alone', () => {
    const scopes_supported = ['openid', 'profile.name', 'offline_access', 'email']
    expect(registeredAt({ scopes_supported })).toMatchObject({
      scope: 'openid profile.name',
      grant_types: ['authorization_code'],
    })
    expect(registeredAt({ scopes_supported, grant_types_supported: ['refresh_token'] })).toMatchObject({
      scope: 'openid profile.name offline_access',
      grant_types: ['authorization_code', 'refresh_token'],
    })
    expect(registeredAt({ scopes_supported: ['openid'] }).scope).toBe('openid')
  })

  test('has an enc beside each encryption alg, also where the bank declares none', () => {
    const record = registeredAt({ userinfo_encryption_alg_values_supported: ['RSA-OAEP-256'] })
    expect(record).toMatchObject({
      userinfo_encrypted_response_alg: 'RSA-OAEP-256',
      userinfo_encrypted_response_enc: 'A256GCM',
      profile_encrypted_response_enc: 'A256GCM',
    })
    expect(Object.keys(registeredAt({})).filter((member) => member.includes('encrypted'))).toEqual([])
  })
})

test('methods that a bank does not declare are told with those that it declares', () => {
  const bank = bankThat({ [methods]: ['client_secret_post'] })
  expect(undeclaredMethods(bank, 'private_key_jwt', 'client_secret_jwt')).toBe(
    'token_endpoint_auth_methods_supported has client_secret_post, not private_key_jwt or client_secret_jwt',
  )
  expect(undeclaredMethods(bank, 'private_key_jwt', 'client_secret_post')).toBeUndefined()
  expect(undeclaredMethods(bankThat({}), 'private_key_jwt')).toBeUndefined()
})
