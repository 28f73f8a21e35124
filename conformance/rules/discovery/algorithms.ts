import type { Metadata } from '../../bank/client-metadata.js'
import { compactJwe } from '../../bank/user-data.js'
import { rule, type Tools } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'

/** The declared values of a list that are in `known`; others cannot be tried, which is told. */
async function declaredAmong({ bank, note }: Tools, member: string, known: readonly string[]): Promise<string[]> {
  const declared = (await bank.discovery()).declared(member) ?? []
  const untried = declared.filter((value) => !known.includes(value))
  if (untried.length > 0) note(`${untried.join(', ')} of ${member} cannot be tried`)
  return declared.filter((value) => known.includes(value))
}

/** The algorithms with which each method proves a client; undefined for one that signs nothing. */
const assertionAlgs: Record<string, readonly (string | undefined)[]> = {
  client_secret_post: [undefined],
  client_secret_jwt: ['HS256', 'HS384', 'HS512'],
  private_key_jwt: ['PS512', 'ES512'],
}

export const authentication = rule({
  id: 'algorithms/authentication',
  requirement: 'DISC-15',
  title: 'Each declared authentication method and signing algorithm works',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    const methods = await declaredAmong(tools, 'token_endpoint_auth_methods_supported', Object.keys(assertionAlgs))
    const known = Object.values(assertionAlgs).flatMap((algs) => algs.filter((alg) => alg !== undefined))
    const algs = await declaredAmong(tools, 'token_endpoint_auth_signing_alg_values_supported', known)
    if (methods.length === 0) return skip('the bank declares no authentication method')
    for (const method of methods) {
      const usable = (assertionAlgs[method] ?? []).filter((alg) => alg === undefined || algs.includes(alg))
      for (const alg of usable) {
        const clientMetadata = { token_endpoint_auth_method: method, token_endpoint_auth_signing_alg: alg }
        await inVariation(alg === undefined ? method : `${method} with ${alg}`, async () => {
          const client = await bank.client(clientMetadata)
          const introspected = await bank.introspection.try({ client, token: 'a-token-of-nobody' })
          expect(introspected).toHaveStatus(200)
          expect(introspected.member('active'), 'active of an unknown token', introspected).toBe(false)
        })
      }
    }
  },
})

/** Logs in a client with changes of its record, and gives the headers of what it reads. */
async function read({ bank, expect }: Tools, clientMetadata: Metadata) {
  const login = await bank.token({ clientMetadata })
  const { response, client } = login
  const idToken = await bank.idToken(response, client)
  const reply = await bank.userData.userinfo.try(login)
  expect(reply).toHaveStatus(200)
  const opened = await bank.open('userinfo', reply, client)
  return { response, reply, idToken, opened, client }
}

export const signing = rule({
  id: 'algorithms/signing',
  requirement: 'DISC-16',
  title: 'Each declared id_token and userinfo signing algorithm is used when registered',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    const ofIdToken = await declaredAmong(tools, 'id_token_signing_alg_values_supported', ['ES512', 'PS512', 'none'])
    const ofUserinfo = await declaredAmong(tools, 'userinfo_signing_alg_values_supported', ['ES512', 'PS512'])
    if (ofIdToken.length + ofUserinfo.length === 0) return skip('the bank declares no signing algorithm')
    for (const alg of new Set([...ofIdToken, ...ofUserinfo])) {
      const clientMetadata = {
        ...(ofIdToken.includes(alg) && { id_token_signed_response_alg: alg }),
        ...(ofUserinfo.includes(alg) && { userinfo_signed_response_alg: alg }),
      }
      await inVariation(`alg ${alg}`, async () => {
        const { response, reply, idToken, opened } = await read(tools, clientMetadata)
        if (ofIdToken.includes(alg)) expect<unknown>(idToken.header.alg, 'alg of the id_token', response).toBe(alg)
        if (!ofUserinfo.includes(alg)) return
        const { header } = bank.read(opened.content, 'userinfo', reply)
        expect<unknown>(header.alg, 'alg of the signed userinfo', reply).toBe(alg)
      })
    }
  },
})

export const encryption = rule({
  id: 'algorithms/encryption',
  requirement: 'DISC-17',
  title: 'Each declared id_token and userinfo encryption alg and enc is used when registered',
  needs: toLogIn,
  async check(tools) {
    const { expect, inVariation, skip } = tools
    const kinds = ['id_token', 'userinfo'] as const
    let tried = 0
    for (const kind of kinds) {
      const algs = await declaredAmong(tools, `${kind}_encryption_alg_values_supported`, ['RSA-OAEP-256', 'RSA-OAEP'])
      const encs = await declaredAmong(tools, `${kind}_encryption_enc_values_supported`, [
        'A256GCM',
        'A128GCM',
        'A192GCM',
        'A128CBC-HS256',
        'A256CBC-HS512',
      ])
      for (const [alg, enc] of algs.flatMap((one) => encs.map((other) => [one, other] as const))) {
        tried += 1
        const clientMetadata = { [`${kind}_encrypted_response_alg`]: alg, [`${kind}_encrypted_response_enc`]: enc }
        await inVariation(`${kind} with ${alg} and ${enc}`, async () => {
          const { response, reply, idToken, opened } = await read(tools, clientMetadata)
          const text = kind === 'id_token' ? String(response.member('id_token')) : reply.text.trim()
          const seenIn = kind === 'id_token' ? response : reply
          expect(text, kind, seenIn).toMatch(compactJwe, 'a compact JWE')
          const header = kind === 'id_token' ? idToken.encryption : opened.encryption
          expect([header?.alg, header?.enc], `alg and enc of ${kind}`, seenIn).toEqual([alg, enc])
        })
      }
    }
    if (tried === 0) return skip('the bank declares no encryption')
  },
})
