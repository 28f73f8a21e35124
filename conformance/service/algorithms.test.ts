import { describe, expect, test } from '@jest/globals'
import { canEncrypt, encryptsTo, isKeyFor } from './algorithms.js'
import { clientKeys } from './client-keys.js'

describe('what can be encrypted with', () => {
  test.each([
    { alg: 'RSA-OAEP-256', enc: 'A256GCM' },
    { alg: 'ECDH-ES', enc: 'A128CBC-HS256' },
  ])('$alg and $enc', (jwe) => {
    expect(canEncrypt(jwe)).toBe(true)
  })

  test.each([
    { alg: 'RSA-OAEP-999', enc: 'A256GCM' },
    { alg: 'RSA1_5', enc: 'A256GCM' },
    { alg: 'dir', enc: 'A256GCM' },
    { alg: 'RSA-OAEP-256', enc: 'XC20P' },
  ])('is not $alg and $enc', (jwe) => {
    expect(canEncrypt(jwe)).toBe(false)
  })
})

describe('a key', () => {
  test('is for the algorithms of its kind', () => {
    expect(isKeyFor({ kty: 'RSA', alg: 'RSA-OAEP-256' }, 'RSA-OAEP')).toBe(true)
    expect(isKeyFor({ kty: 'RSA' }, 'RSA-OAEP')).toBe(true)
    expect(isKeyFor({ kty: 'RSA' }, 'ECDH-ES')).toBe(false)
    expect(isKeyFor({ kty: 'RSA', alg: 'PS512' }, 'RSA-OAEP')).toBe(false)
  })

  test('that is broken takes nothing', async () => {
    const { encryption } = await clientKeys()
    expect(await encryptsTo(encryption.publicJwk, 'RSA-OAEP-256')).toBe(true)
    expect(await encryptsTo({ ...encryption.publicJwk, n: 'AQAB' }, 'RSA-OAEP-256')).toBe(false)
  })
})
