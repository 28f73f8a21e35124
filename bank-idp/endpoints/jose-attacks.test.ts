import { createHmac, createPublicKey, type JsonWebKey, randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { bankForFile } from '../testing/banks.js'
import { clientKeyPairs } from '../testing/client-key-pairs.js'
import { requestClaims } from '../testing/request-objects.js'

const { bank, service, client } = await bankForFile(
  {},
  { scope: 'openid authorization', token_endpoint_auth_method: 'private_key_jwt' },
)

const part = (value: object | Buffer) =>
  Buffer.from(Buffer.isBuffer(value) ? value : JSON.stringify(value)).toString('base64url')

/** A JWE whose header says this, with whatever in its other parts. */
const jwe = (header: object, content = randomBytes(64)) =>
  [part(header), part(randomBytes(256)), part(randomBytes(12)), part(content), part(randomBytes(16))].join('.')

/** What /ros answers, and in how many milliseconds. */
async function ros(body: string) {
  const began = performance.now()
  const answer = await service
    .http('post', '/ros', { mutualTls: true })
    .set('content-type', 'application/jwe')
    .send(body)
  return { status: answer.status, error: answer.body.error, milliseconds: performance.now() - began }
}

const refused = { status: 400, error: 'invalid_request_object' }

describe('a request object', () => {
  test.each(['PBES2-HS256+A128KW', 'PBES2-HS512+A256KW'])(
    'encrypted by a password that is to be hashed 10^9 times (%s) is refused at once',
    async (alg) => {
      const { milliseconds, ...answer } = await ros(jwe({ alg, enc: 'A256GCM', p2c: 1e9, p2s: part(randomBytes(16)) }))
      expect(answer).toEqual(refused)
      // To hash it takes minutes.
      expect(milliseconds).toBeLessThan(4_000)
    },
  )

  test('that is to be unpacked is refused', async () => {
    const { kid } = await service.bankEncryptionKey()
    const bomb = deflateRawSync(Buffer.alloc(16 * 1024 * 1024))
    const { milliseconds: _, ...answer } = await ros(
      jwe({ alg: 'RSA-OAEP-256', enc: 'A256GCM', zip: 'DEF', kid }, bomb),
    )
    expect(answer).toEqual(refused)
  })

  test('whose signature is made with the public key of its client as a secret is refused', async () => {
    const data = [part({ alg: 'HS256' }), part(requestClaims(client))].join('.')
    const key = createPublicKey({ key: service.requestKey as JsonWebKey, format: 'jwk' })
    for (const secret of [
      key.export({ type: 'spki', format: 'pem' }),
      key.export({ type: 'spki', format: 'der' }),
      JSON.stringify(key.export({ format: 'jwk' })),
    ]) {
      const signed = `${data}.${createHmac('sha256', secret).update(data).digest('base64url')}`
      const { milliseconds: _, ...answer } = await ros(await service.encryptToBank(signed))
      expect(answer).toEqual(refused)
    }
  })
})

test.each(['HS256', 'HS384', 'HS512'])(
  'a client assertion signed with the public key of its client as a secret (%s) is no proof of who it is',
  async (alg) => {
    for (const jwk of Object.values(clientKeyPairs)) {
      const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
      const now = Math.floor(Date.now() / 1000)
      const { client_id } = client
      const claims = {
        iss: client_id,
        sub: client_id,
        aud: `${bank.issuer}/token-info`,
        jti: part(randomBytes(8)),
        iat: now,
        exp: now + 60,
      }
      const data = [part({ alg }), part(claims)].join('.')
      for (const secret of [key.export({ type: 'spki', format: 'pem' }), key.export({ type: 'spki', format: 'der' })]) {
        const signature = createHmac(alg.replace('HS', 'sha'), secret).update(data).digest('base64url')
        const { status, body } = await service
          .http('post', '/token-info')
          .type('form')
          .send({
            client_id,
            client_assertion: `${data}.${signature}`,
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
            token: 't',
          })
        expect([status, body.error]).toEqual([401, 'invalid_client'])
      }
    }
  },
)
