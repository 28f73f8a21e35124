import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeProtectedHeader, exportJWK, generateKeyPair, jwtVerify } from 'jose'
import { Agent, request } from 'undici'
import { EvidenceLog } from '../harness/evidence.js'
import { Masking } from '../harness/masking.js'
import { certificates } from '../testing/certificates.js'
import { assertionClaims, registrationSigner, signAssertion } from './assertions.js'
import { bankClock } from './clock.js'
import { startServer } from './server.js'

const recorder = () => new EvidenceLog(new Masking()).recorder()

describe('an assertion', () => {
  test('has the claims of its table row, times in Unix seconds and a fresh jti', () => {
    const claims = assertionClaims({ aud: 'https://bank.example/register' }, 1_700_000_000)
    expect(claims).toEqual({
      aud: 'https://bank.example/register',
      iat: 1_700_000_000,
      exp: 1_700_000_060,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(assertionClaims({ aud: 'x' }, 0).jti).not.toBe(assertionClaims({ aud: 'x' }, 0).jti)
  })

  test('is signed as its key says, and what it says is evidence', async () => {
    const { privateKey, publicKey } = await generateKeyPair('PS512')
    const evidence = recorder()
    const now = Math.floor(Date.now() / 1000)
    const claims = assertionClaims({ aud: 'https://bank.example/token', iss: 'c', sub: 'c' }, now)
    const jwt = await signAssertion(claims, { alg: 'PS512', kid: 'k', privateKey }, evidence)
    expect((await jwtVerify(jwt, publicKey)).payload).toEqual(claims)
    expect(decodeProtectedHeader(jwt)).toEqual({ alg: 'PS512', typ: 'JWT', kid: 'k' })
    expect(evidence.all()).toEqual([
      expect.objectContaining({ kind: 'opened', what: 'client_assertion', payload: claims }),
    ])
  })

  test('for registration is signed with the first signing key of the service, by its own alg or the one of its type', async () => {
    const jwkOf = async (alg: string) => exportJWK((await generateKeyPair(alg, { extractable: true })).privateKey)
    const ec = await jwkOf('ES512')
    const rsa = await jwkOf('PS256')
    expect(
      await registrationSigner([
        { ...rsa, use: 'enc' },
        { ...ec, kid: 'b' },
      ]),
    ).toMatchObject({ alg: 'ES512', kid: 'b' })
    expect(await registrationSigner([rsa])).toMatchObject({ alg: 'PS512' })
    expect(await registrationSigner([{ ...rsa, alg: 'PS256' }])).toMatchObject({ alg: 'PS256' })
  })
})

describe('the clock', () => {
  async function door(answer: (authorization: string | undefined) => string) {
    const server = createServer((req, res) => res.end(answer(req.headers.authorization)))
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
  }

  test('is ours without a control door', async () => {
    expect((await bankClock(undefined))() - Math.floor(Date.now() / 1000)).toBeLessThanOrEqual(1)
  })

  test('is the bank’s by the offset that the control door tells', async () => {
    const { url, close } = await door((authorization) =>
      JSON.stringify(authorization === 'Bearer t' ? { offset_seconds: 86_400 } : {}),
    )
    const clock = await bankClock({ url, token: 't' })
    expect(Math.abs(clock() - Math.floor(Date.now() / 1000) - 86_400)).toBeLessThanOrEqual(1)
    await expect(bankClock({ url, token: 'other' })).rejects.toThrow(
      `control.url: ${url}/clock does not tell offset_seconds; is control.token_file the bank's?`,
    )
    close()
  })

  test('is a mistake of the target file when nobody is at the door', async () => {
    const { url, close } = await door(() => '')
    close()
    await expect(bankClock({ url, token: 't' })).rejects.toThrow(`control.url: ${url}/clock does not answer`)
  })
})

describe('the server of the service', () => {
  const settings = async (url: string) => ({
    host: 'localhost',
    port: 0,
    url,
    certificate: (await certificates()).localhost,
  })

  test('serves what is hosted, below the path of its address too, and records who fetched it', async () => {
    const server = await startServer(await settings('https://localhost:{port}/svc'))
    const evidence = recorder()
    const address = server.host('/app/jwks.json', {
      contentType: 'application/jwk-set+json',
      body: '{"keys":[]}',
      evidence,
    })
    expect(address).toMatch(/^https:\/\/localhost:\d+\/svc\/app\/jwks\.json$/)
    const dispatcher = new Agent({ connect: { ca: (await certificates()).ca } })
    for (const url of [address, address.replace('/svc', '')]) {
      const { statusCode, headers, body } = await request(url, { dispatcher })
      expect([statusCode, headers['content-type'], await body.text()]).toEqual([
        200,
        'application/jwk-set+json',
        '{"keys":[]}',
      ])
    }
    expect((await request(`${server.url}/app/none`, { dispatcher })).statusCode).toBe(404)
    await dispatcher.close()
    await server.close()
    expect(evidence.all()).toEqual([
      expect.objectContaining({
        direction: 'received',
        request: expect.objectContaining({ method: 'GET', url: address }),
      }),
      expect.objectContaining({ direction: 'received', response: expect.objectContaining({ status: 200 }) }),
    ])
  })

  test('says when it cannot listen', async () => {
    const server = await startServer(await settings('https://localhost:{port}'))
    const port = Number(new URL(server.url).port)
    await expect(startServer({ ...(await settings('https://x')), port })).rejects.toThrow(
      `service.server.listen: cannot listen on localhost:${port} (`,
    )
    await server.close()
  })
})
