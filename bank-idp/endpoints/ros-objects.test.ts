import fc from 'fast-check'
import jose from 'node-jose'
import { bankForFile, bankForTest } from '../testing/banks.js'
import { documentObject, documentObjects, requestClaims, signObject } from '../testing/request-objects.js'

const { JWE, JWK, JWS } = jose

const { service, client } = await bankForFile({}, { scope: 'openid authorization' })

const claims = () =>
  requestClaims(client, { structured_scope: { documentObjects: documentObjects(2), signObject: signObject() } })

const send = (body: string) =>
  service.http('post', '/ros', { mutualTls: true }).set('content-type', 'application/jwe').send(body)

test('a request object that another JOSE implementation signed and encrypted is taken', async () => {
  const signer = await JWK.asKey(service.requestKey)
  const signed = await JWS.createSign({ format: 'compact', fields: { alg: 'ES256' } }, signer)
    .update(JSON.stringify(claims()), 'utf8')
    .final()
  const bank = await JWK.asKey(await service.bankEncryptionKey())
  const fields = { alg: 'RSA-OAEP-256', cty: 'JWT' }
  const encrypted = await JWE.createEncrypt({ format: 'compact', contentAlg: 'A256GCM', fields }, bank)
    .update(String(signed))
    .final()
  const { status, body } = await send(encrypted)
  expect([status, body]).toEqual([201, { request_uri: expect.any(String), exp: expect.any(Number) }])
})

test.each([
  ['http://service.example/contract', 'is not https'],
  ['javascript:alert(1)', 'is not an absolute URI'],
  ['https://user:password@service.example/contract', 'must not have a user or a password'],
])('a document at %s, where the bank cannot show it, is refused', async (document_uri, problem) => {
  const { documents, ...envelope } = documentObjects(2)
  const structured_scope = {
    documentObjects: { ...envelope, documents: [documents[0], { ...documents[1], document_uri }] },
  }
  const { status, body } = await service.registerRequestObject({ ...claims(), structured_scope })
  const error_description = `document_uri: ${document_uri} ${problem}`
  expect([status, body]).toEqual([400, { error: 'invalid_request_object', error_description }])
})

test('a document at an http address is taken by the other reading of AMB-71', async () => {
  const other = await bankForTest({ readings: { 'AMB-71': 'http-too' } })
  const owner = await other.service.client({ scope: 'openid authorization' })
  const at = (document_uri: string) => {
    const structured_scope = { documentObject: { ...documentObject(), document_uri } }
    return other.service.registerRequestObject(requestClaims(owner, { structured_scope }))
  }
  expect((await at('http://service.example/contract')).status).toBe(201)
  expect((await at('ftp://service.example/contract')).body).toEqual({
    error: 'invalid_request_object',
    error_description: 'document_uri: ftp://service.example/contract is not https or http',
  })
})

describe('a mutated request object is refused without a server error', () => {
  const seed = 20_260_131
  const character = fc.string({ maxLength: 4 })

  function changed(text: string, at: number, character: string): string {
    const place = at % text.length
    return text.slice(0, place) + character + text.slice(place + 1)
  }

  test('in one of its claims', async () => {
    const scopeMembers = ['signObject', 'documentObjects', 'documentObject']
    const junk = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<unknown>(undefined, '', '\u0000', 'x'.repeat(5000), -1, 1e308, [], {}, [[]], { length: 3 }),
    )
    const members = fc.constantFrom(...Object.keys(claims()), ...scopeMembers)
    await fc.assert(
      fc.asyncProperty(members, junk, async (member, value) => {
        const good = claims()
        const scope = { ...(good.structured_scope as object), [member]: value }
        const bad = scopeMembers.includes(member) ? { structured_scope: scope } : { [member]: value }
        const { status } = await service.registerRequestObject({ ...good, ...bad })
        expect([201, 400]).toContain(status)
      }),
      { numRuns: 400, seed },
    )
  })

  test('in its signature, header or text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), character, async (at, text) => {
        const signed = await service.signRequestObject(claims())
        const { status } = await send(await service.encryptToBank(changed(signed, at, text)))
        expect([201, 400]).toContain(status)
      }),
      { numRuns: 300, seed },
    )
  })

  test('in its encryption', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), character, async (at, text) => {
        const { status } = await send(changed(await service.signAndEncryptRequestObject(claims()), at, text))
        expect([201, 400, 413]).toContain(status)
      }),
      { numRuns: 300, seed },
    )
  })
})
