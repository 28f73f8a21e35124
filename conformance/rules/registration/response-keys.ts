import { compactDecrypt, decodeProtectedHeader, exportJWK, importJWK } from 'jose'
import type { Bank } from '../../bank/bank.js'
import { asOwn } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import { idTokenOf, type Login } from '../../bank/token.js'
import { type Expect, format } from '../../harness/expect.js'
import { rule } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { clientKeys, publishedKeys, type SigningKey, withNextEncryptionKey } from '../../service/client-keys.js'
import { compactJwe } from '../../service/decryption.js'
import { toLogIn, toRegister } from '../../target/needs.js'

/** What is encrypted for a client, and where discovery declares it; profile has no list of its own (AMB-49). */
const replies = [
  { name: 'id_token', list: 'id_token' },
  { name: 'userinfo', list: 'userinfo' },
  { name: 'profile', list: 'userinfo' },
] as const

type Reply = (typeof replies)[number]['name']

/** A reply as it came, and what carried it. */
async function replyOf(bank: Bank, reply: Reply, login: Login): Promise<{ text: string; response: HttpResponse }> {
  if (reply === 'id_token') return { text: await idTokenOf(login.response), response: login.response }
  const response = await bank.userData[reply].try(login)
  return { text: response.text.trim(), response }
}

/** Whether a key opens a JWE, by whatever alg: that it is the registered one is the business of the rules about each reply. */
async function opens(text: string, { privateKey }: SigningKey): Promise<boolean> {
  try {
    const { alg } = decodeProtectedHeader(text)
    await compactDecrypt(text, await importJWK(await exportJWK(privateKey), String(alg)))
    return true
  } catch {
    return false
  }
}

/** That a reply is encrypted to the key that is at jwks_uri. */
async function expectOpened(
  expect: Expect,
  { text, response, name }: { text: string; response: HttpResponse; name: Reply },
  key: SigningKey,
): Promise<void> {
  const seen = { header: headerOf(text), isOpened: await opens(text, key) }
  expect(seen, `the JWE header of ${name}, and whether the key at jwks_uri opens it,`, response).toSatisfy(
    ({ isOpened }) => isOpened,
    `a JWE that the key at jwks_uri opens, whose kid is ${format(key.kid)}`,
  )
}

/** The header of a JWE; of what is none, the text. */
function headerOf(text: string): unknown {
  try {
    return decodeProtectedHeader(text)
  } catch {
    return text
  }
}

export const responseKeys = rule({
  id: 'registration/response-keys',
  requirement: 'REG-31',
  places: [
    ...['id-of-code', 'id-of-refresh', 'userinfo', 'profile'].map((token) => `token=${token}`),
    ...['id-of-code', 'userinfo', 'profile'].map((token) => `use=after-put token=${token}`),
  ],
  title:
    'id_token, userinfo and profile are encrypted to the key at jwks_uri, after a change to the new one, and after a PUT to that of the new address',
  needs: [...toRegister, ...toLogIn],
  async check({ bank, expect, inVariation, skip, warn }) {
    const discovery = await bank.discovery()
    const declared = (list: string) => discovery.declared(`${list}_values_supported`)
    const encrypted = replies.filter(
      ({ name, list }) =>
        declared(`${list}_encryption_alg`)?.includes('RSA-OAEP-256') &&
        (declared(`${list}_encryption_enc`)?.includes('A256GCM') ?? true) &&
        (name !== 'profile' || discovery.value('profile_endpoint') !== undefined),
    )
    if (encrypted.length === 0) return skip('the bank declares no encryption with RSA-OAEP-256 and A256GCM')

    const keys = await clientKeys()
    const { encryption: next } = await withNextEncryptionKey(keys)
    // To which nothing is to be encrypted, though nothing but its use says so.
    const { alg: _, ...signing } = { ...keys.signing.publicJwk, kid: `${keys.signing.kid}-of-any-alg` }
    const hosted = bank.hostKeys([signing, ...publishedKeys({ ...keys, encryption: next })])
    const clientMetadata = {
      client_name: 'Conformance keys to encrypt to',
      jwks_uri: hosted.url,
      ...Object.fromEntries(
        encrypted.flatMap(({ name }) => [
          [`${name}_encrypted_response_alg`, 'RSA-OAEP-256'],
          [`${name}_encrypted_response_enc`, 'A256GCM'],
        ]),
      ),
    }
    const before = await bank.token({ clientMetadata })
    for (const { name } of encrypted) {
      const { text, response } = await replyOf(bank, name, before)
      expect(text, name, response).toMatch(compactJwe, 'a compact JWE')
      await expectOpened(expect, { text, response, name }, next)
    }

    // To a key that it was not encrypted to before: a bank may keep the first.
    const elsewhere = bank.hostKeys([...publishedKeys(keys), signing])
    const client = await asOwn(await bank.registration(clientMetadata))
    await bank.replaceRecord(client, replacement(client, { jwks_uri: elsewhere.url }))
    const moved = await bank.token.fresh({ clientMetadata })
    for (const { name } of encrypted) {
      await inVariation(`${name}, after a PUT`, async () =>
        expectOpened(expect, { ...(await replyOf(bank, name, moved)), name }, keys.encryption),
      )
    }

    elsewhere.replace([signing, ...publishedKeys({ ...keys, encryption: next })])
    const { metadata } = await bank.client(clientMetadata)
    const offline = String(metadata.scope).split(' ').includes('offline_access')
    const login = offline ? await bank.offlineToken.fresh({ clientMetadata }) : undefined
    const after = login ?? (await bank.token.fresh({ clientMetadata }))
    // Where the bank keeps keys that are not to be kept, they may do for the refresh too.
    let isKept = false
    for (const { name } of encrypted) {
      const { text, response } = await replyOf(bank, name, after)
      const isOld = await opens(text, keys.encryption)
      if (isOld)
        warn(
          `${name} is encrypted to a key that jwks_uri no longer holds, whose answer is not to be kept (RFC 9111 section 5.2.2.4)`,
        )
      else await expectOpened(expect, { text, response, name }, next)
      if (name === 'id_token') isKept = isOld
    }
    if (login && encrypted.some(({ name }) => name === 'id_token')) {
      const response = await bank.refresh.try({ login })
      // Whether a refresh gives an id_token is the bank's choice (OpenID Connect Core section 12.2).
      const text = response.member('id_token')
      if (typeof text === 'string' && !(isKept && (await opens(text, keys.encryption))))
        await expectOpened(expect, { text, response, name: 'id_token' }, next)
    }
  },
})
