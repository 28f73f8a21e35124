import { type CompactJWEHeaderParameters, decodeProtectedHeader } from 'jose'
import type { Metadata } from '../../bank/client-metadata.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { byKey, bySecret, canEncrypt } from '../../service/algorithms.js'
import { clientKeys, foreignSigner, publishedKeys } from '../../service/client-keys.js'
import { compactJwe } from '../../service/decryption.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { answerTo } from '../support/refusals.js'

/** Methods by which a client can prove itself here; of any other it is seen alone that it can be registered. */
const methods = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'private_key_jwt']

/** That a client can be registered with what is declared. */
async function expectRegistered({ bank, expect }: Tools, clientMetadata: Metadata, what: string): Promise<void> {
  const response = await answerTo(bank, clientMetadata)
  expect(response.status, `the status of a registration with ${what}, which is declared`, response).toBeAtMost(299)
}

/** The records that use a declared method, one for each algorithm that it can have. */
async function clientsOf({ bank }: Tools, method: string): Promise<Metadata[]> {
  const declared = (await bank.discovery()).declared('token_endpoint_auth_signing_alg_values_supported') ?? []
  const using = (alg?: string) => ({ token_endpoint_auth_method: method, token_endpoint_auth_signing_alg: alg })
  if (method === 'client_secret_jwt') {
    const algs = bySecret.filter((alg) => declared.includes(alg))
    // The table declares none that a secret could sign with (AMB-10).
    return (algs.length > 0 ? algs : ['HS512']).map(using)
  }
  // RFC 8705 section 2.1.2: the method needs the name of the certificate.
  if (method === 'tls_client_auth') return [{ ...using(), tls_client_auth_subject_dn: 'CN=client.example' }]
  if (method !== 'private_key_jwt') return [using()]
  const { signing, encryption } = await clientKeys()
  return Promise.all(
    declared
      .filter((alg) => !bySecret.includes(alg))
      .map(async (alg) => {
        if (['PS512', 'ES512'].includes(alg) || !byKey.includes(alg)) return using(alg)
        const { publicJwk } = await foreignSigner(alg)
        const keys = await bank.hostKeys([publicJwk, signing.publicJwk, encryption.publicJwk])
        return { ...using(alg), jwks_uri: keys.url }
      }),
  )
}

export const authentication = rule({
  id: 'algorithms/authentication',
  requirement: 'DISC-15',
  places: [
    ...['client_secret_post', 'client_secret_jwt', 'private_key_jwt'].map((method) => `client-auth=${method}`),
    'alg=ES512',
    'client-auth=private_key_jwt value=unknown',
    'alg=PS384',
  ],
  title: 'Each declared authentication method and signing algorithm can be registered and works',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { bank, expect, inVariation, note, skip } = tools
    const declared = (await bank.discovery()).declared('token_endpoint_auth_methods_supported') ?? []
    if (declared.length === 0) return skip('the bank declares no authentication method')
    for (const method of declared) {
      for (const clientMetadata of await clientsOf(tools, method)) {
        const alg = clientMetadata.token_endpoint_auth_signing_alg
        const what = alg === undefined ? method : `${method} with ${alg}`
        await inVariation(what, async () => {
          await expectRegistered(tools, clientMetadata, what)
          const client = await bank.client(clientMetadata)
          const isKnown = alg === undefined || [...bySecret, ...byKey].includes(String(alg))
          if (!methods.includes(method) || !isKnown) return note(`${what} cannot be tried beyond its registration`)
          const foreign = typeof alg === 'string' && byKey.includes(alg) && !['PS512', 'ES512'].includes(alg)
          const introspected = await bank.introspection.try({ client, token: 'a-token-of-nobody' }, async () =>
            foreign ? { authentication: { signer: await foreignSigner(String(alg)) } } : {},
          )
          expect(introspected).toHaveStatus(200)
          expect(introspected.member('active'), 'active of an unknown token', introspected).toBe(false)
        })
      }
    }
  },
})

/** Logs in a client with changes of its record, and gives its id_token as it came and what userinfo answers. */
async function read(tools: Tools, clientMetadata: Metadata, what: string) {
  const { bank, expect } = tools
  await expectRegistered(tools, clientMetadata, what)
  const login = await bank.token({ clientMetadata })
  const { response, client } = login
  const reply = await bank.userData.userinfo.try(login)
  expect(reply).toHaveStatus(200)
  const idToken = expect(response.member('id_token'), 'id_token of the token response', response).toBeText()
  return { response, reply, idToken, client }
}

/** That a JWT is signed with an algorithm, by a key that the bank publishes where it is not signed with the client's secret. */
async function expectSigned(
  { bank, expect, note }: Tools,
  jwt: string,
  what: string,
  alg: string,
  response: HttpResponse,
) {
  const { header } = bank.read(jwt, what, response)
  expect<unknown>(header.alg, `alg of ${what}`, response).toBe(alg)
  if (byKey.includes(alg)) await bank.verify(jwt, what, response)
  else if (alg !== 'none') note(`the signature of ${what} with ${alg} cannot be verified here`)
}

export const signing = rule({
  id: 'algorithms/signing',
  requirement: 'DISC-16',
  places: ['id-of-code', 'userinfo'].flatMap((token) => [
    ...['signature', 'alg'].map((part) => `token=${token} part=${part} alg=ES512`),
    `token=${token} value=unknown`,
  ]),
  title: 'Each declared id_token and userinfo signing algorithm is used when registered, with a published key',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { bank, inVariation, skip } = tools
    const discovery = await bank.discovery()
    const ofIdToken = discovery.declared('id_token_signing_alg_values_supported') ?? []
    const ofUserinfo = discovery.declared('userinfo_signing_alg_values_supported') ?? []
    if (ofIdToken.length + ofUserinfo.length === 0) return skip('the bank declares no signing algorithm')
    for (const alg of new Set([...ofIdToken, ...ofUserinfo])) {
      const clientMetadata = {
        ...(ofIdToken.includes(alg) && { id_token_signed_response_alg: alg }),
        ...(ofUserinfo.includes(alg) && { userinfo_signed_response_alg: alg }),
      }
      await inVariation(`alg ${alg}`, async () => {
        const { response, reply, idToken, client } = await read(tools, clientMetadata, `the algorithm ${alg}`)
        if (ofIdToken.includes(alg)) await expectSigned(tools, idToken, 'the id_token', alg, response)
        if (!ofUserinfo.includes(alg)) return
        const { content } = await bank.open('userinfo', reply, client)
        await expectSigned(tools, content, 'userinfo', alg, reply)
      })
    }
  },
})

/** The header of a JWE, which is judged before anything is decrypted: what is encrypted otherwise could not be. */
function jweHeader(text: string): Partial<CompactJWEHeaderParameters> {
  return compactJwe.test(text) ? decodeProtectedHeader(text) : {}
}

/** What the key of a client can decrypt. */
const decryptable = 'RSA-OAEP-256'

/** The jwks_uri of a client that has a key for another algorithm of RSA too. */
async function keysFor({ bank }: Tools, alg: string): Promise<Metadata> {
  if (alg === decryptable) return {}
  const own = await clientKeys()
  const { publicJwk } = own.encryption
  // Beside the one for what is registered with it.
  const other = { ...publicJwk, alg, kid: `${publicJwk.kid} for ${alg}` }
  return { jwks_uri: (await bank.hostKeys([...publishedKeys(own), other])).url }
}

export const encryption = rule({
  id: 'algorithms/encryption',
  requirement: 'DISC-17',
  places: ['id-of-code', 'userinfo'].flatMap((token) =>
    ['part=alg', 'part=encryption', 'value=unknown'].map((what) => `token=${token} ${what}`),
  ),
  title: 'Each declared id_token and userinfo encryption alg and enc is used when registered',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { bank, expect, inVariation, note, skip } = tools
    const discovery = await bank.discovery()
    const declared = (list: string) => discovery.declared(`${list}_values_supported`) ?? []
    let tried = 0
    for (const kind of ['id_token', 'userinfo'] as const) {
      for (const alg of declared(`${kind}_encryption_alg`)) {
        for (const enc of declared(`${kind}_encryption_enc`)) {
          tried += 1
          await inVariation(`${kind} with ${alg} and ${enc}`, async () => {
            const clientMetadata = {
              [`${kind}_encrypted_response_alg`]: alg,
              [`${kind}_encrypted_response_enc`]: enc,
              ...(alg.startsWith('RSA') && (await keysFor(tools, alg))),
            }
            if (!alg.startsWith('RSA')) {
              await expectRegistered(tools, clientMetadata, `${alg} and ${enc}`)
              return note(`${alg} of ${kind} cannot be tried beyond its registration`)
            }
            const { response, reply, idToken, client } = await read(tools, clientMetadata, `${alg} and ${enc}`)
            const [text, seenIn] = kind === 'id_token' ? [idToken, response] : [reply.text.trim(), reply]
            const header = jweHeader(text)
            expect([header.alg, header.enc], `alg and enc of ${kind}`, seenIn).toEqual([alg, enc])
            if (alg !== decryptable || !canEncrypt({ alg, enc }))
              return note(`${kind} with ${alg} and ${enc} was not decrypted`)
            if (kind === 'id_token') await bank.idToken(response, client)
            else await bank.open('userinfo', reply, client)
          })
        }
      }
    }
    if (tried === 0) return skip('the bank declares no encryption')
  },
})
