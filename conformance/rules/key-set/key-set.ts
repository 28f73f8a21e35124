import { createPublicKey, X509Certificate } from 'node:crypto'
import { privateMembers } from '../../bank/key-set.js'
import { inStep } from '../../bank/steps.js'
import type { Expect } from '../../harness/expect.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn, toSign } from '../../target/needs.js'
import { toHearLogout, toHearUpdates } from '../support/heard-tokens.js'
import { askWhetherThere } from '../support/nothing-there.js'
import {
  callbackTokens,
  logoutTokens,
  notificationTokens,
  resultTokens,
  type SignedToken,
  signedTokens,
} from '../support/signed-tokens.js'

export const document = rule({
  id: 'key-set/document',
  requirement: 'JWKS-1',
  places: ['everywhere', 'parameter=accept'],
  title:
    'The key set is served as {keys: […]} without authentication, at its path and at jwks_uri, to who accepts anything too',
  async check(tools) {
    const { bank, expect, inVariation, note } = tools
    const path = '/.well-known/jwks.json'
    const declared = await (await bank.discovery()).endpoint('jwks_uri')
    const elsewhere = declared !== `${bank.address}${path}`
    const atPath = elsewhere
      ? await askWhetherThere(tools, 'GET', path)
      : { response: await bank.get(path), there: true }
    if (atPath.there) expectKeySet(expect, atPath.response)
    else note(`jwks_uri is ${declared}, and nothing is at ${path} (see GEN-7)`)
    if (elsewhere) expectKeySet(expect, await bank.get(declared))
    await inVariation('requests that accept anything', async () => {
      const ask = { method: 'GET', url: declared, headers: { accept: '*/*' } } as const
      for (const response of [await bank.send(ask), await bank.send(ask)]) expectKeySet(expect, response)
    })
  },
})

function expectKeySet(expect: Expect, response: HttpResponse): void {
  expect(response).toHaveStatus(200)
  expect(response).toHaveMediaType('application/json', 'application/jwk-set+json')
  const { keys } = expect(response.json, 'the key set', response).toHaveMembers(['keys'])
  const found = expect(keys, 'keys of the key set', response).toBeFilledArray()
  for (const [i, key] of found.entries()) {
    const { kty } = expect(key, `keys[${i}] of the key set`, response).toBeObject()
    expect(kty, `kty of keys[${i}] of the key set`, response).toBeText()
  }
}

/** One published key as it is, and how it is called in messages. */
interface PublishedKey {
  jwk: Record<string, unknown>
  where: string
  response: HttpResponse
}

/** @throws StepFailure when there is no key set */
async function publishedKeys({ bank, expect }: Tools): Promise<PublishedKey[]> {
  const response = await bank.keySetResponse()
  const keys = await inStep('keySet', async () =>
    expect(response.member('keys'), 'keys of the key set', response).toBeFilledArray(),
  )
  return keys.map((jwk, i) => ({
    jwk: typeof jwk === 'object' && jwk !== null ? (jwk as Record<string, unknown>) : {},
    where: `keys[${i}] of the key set`,
    response,
  }))
}

/** Operations by use (RFC 7517 sections 4.2 and 4.3); of a public key, as of its private half. */
const operations: Record<string, readonly string[]> = {
  sig: ['sign', 'verify'],
  enc: ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey', 'deriveKey', 'deriveBits'],
}

/** The type of the keys of some algorithms (RFC 7518 sections 3.1 and 4.1). */
const typesOfAlgorithms: readonly (readonly [RegExp, string])[] = [
  [/^(RS|PS)\d{3}$|^RSA/, 'RSA'],
  [/^ES\d{3}$/, 'EC'],
]

export const members = rule({
  id: 'key-set/members',
  requirement: 'JWKS-2',
  places: [
    ...['kid', 'kty', 'use', 'alg', 'key_ops'].map((member) => `member=${member}`),
    'member=alg value=wrong',
    'use=second-call',
  ],
  title: 'Each key has kid, kty, use and alg; its alg fits its kty, and its key_ops the use',
  async check(tools) {
    const { expect } = tools
    for (const { jwk, where, response } of await publishedKeys(tools)) {
      for (const member of ['kid', 'kty', 'alg']) expect(jwk[member], `${member} of ${where}`, response).toBeText()
      const type = typesOfAlgorithms.find(([algorithm]) => algorithm.test(String(jwk.alg)))?.[1]
      if (type !== undefined) expect(jwk.kty, `kty of ${where}, of the alg ${jwk.alg}`, response).toBe(type)
      const use = expect(jwk.use, `use of ${where}`, response).toBeOneOf(Object.keys(operations))
      if (jwk.key_ops === undefined) continue
      const fitting = operations[String(use)] ?? []
      const given = expect(jwk.key_ops, `key_ops of ${where}`, response).toBeFilledArray()
      for (const operation of given) {
        expect(operation, `an operation of key_ops of ${where} with use ${use}`, response).toBeOneOf(fitting)
      }
    }
  },
})

/** The members of a public key that are octets, by its type (RFC 7518 sections 6.2.1 and 6.3.1). */
const octetMembers: Readonly<Record<string, readonly string[]>> = { EC: ['x', 'y'], RSA: ['n', 'e'] }

/** The octets of a coordinate, by its curve (RFC 7518 section 6.2.1.2). */
const coordinateLengths: Readonly<Record<string, number>> = { 'P-256': 32, 'P-384': 48, 'P-521': 66 }

export const encoding = rule({
  id: 'key-set/encoding',
  requirement: 'JWKS-1',
  places: ['member=x', 'member=n', 'member=n value=long'],
  title:
    'The numbers of each key are base64url without padding, a coordinate as long as its curve has it, a modulus without a zero in front',
  async check(tools) {
    const { expect } = tools
    for (const { jwk, where, response } of await publishedKeys(tools)) {
      for (const member of octetMembers[String(jwk.kty)] ?? []) {
        const what = `${member} of ${where}`
        const text = expect(jwk[member], what, response).toMatch(/^[\w-]+$/, 'base64url without padding')
        const octets = Buffer.from(text, 'base64url')
        const length = jwk.kty === 'EC' ? coordinateLengths[String(jwk.crv)] : undefined
        if (length !== undefined) expect(octets.length, `the octets of ${what}`, response).toBe(length)
        // RFC 7518 section 6.3.1.1: some libraries put one in front.
        if (jwk.kty === 'RSA') expect(octets[0], `the first octet of ${what}`, response).toDiffer(0, 'zero')
      }
    }
  },
})

export const publicOnly = rule({
  id: 'key-set/public-only',
  requirement: 'JWKS-3',
  places: ['d', 'k', 'p'].map((member) => `member=${member}`),
  title: 'No private member of a key is published',
  async check(tools) {
    for (const { jwk, where, response } of await publishedKeys(tools)) {
      const published = privateMembers.filter((member) => jwk[member] !== undefined)
      tools.expect(published, `the private members in ${where}`, response).toEqual([])
    }
  },
})

export const signatures = rule({
  id: 'key-set/signatures',
  requirement: 'JWKS-4',
  places: ['id-of-code', 'id-of-refresh', 'userinfo', 'profile'].map((token) => `token=${token}`).concat('part=alg'),
  title: 'id_token, userinfo and profile verify with the published key that their kid names, by the alg that it names',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect } = tools
    const tokens = await signedTokens(tools)
    const published = new Map((await publishedKeys(tools)).map(({ jwk }) => [jwk.kid, jwk]))
    await checkSignatures(tools, tokens)
    for (const { what, jwt, response } of tokens) {
      const { header } = bank.read(jwt, what, response)
      const { alg } = published.get(header.kid) ?? {}
      // A key that names an algorithm is for that alone (RFC 7517 section 4.4).
      if (header.alg !== 'none' && typeof alg === 'string')
        expect<unknown>(header.alg, `alg of ${what}, whose key names one,`, response).toBe(alg)
    }
  },
})

export const logoutSignatures = rule({
  id: 'key-set/logout-signatures',
  requirement: 'JWKS-4',
  places: ['token=logout-token'],
  title: 'logout_token verifies with the published key that its kid names',
  needs: [...toHearLogout, 'redirect'],
  check: async (tools) => checkSignatures(tools, await logoutTokens(tools)),
})

export const notificationSignatures = rule({
  id: 'key-set/notification-signatures',
  requirement: 'JWKS-4',
  places: ['token=notification-token'],
  title: 'notification_token verifies with the published key that its kid names',
  needs: toHearUpdates,
  check: async (tools) => checkSignatures(tools, await notificationTokens(tools)),
})

export const resultSignatures = rule({
  id: 'key-set/result-signatures',
  requirement: 'JWKS-4',
  places: ['token=id-of-signing'],
  title: 'The id_token of an authorized object verifies with the published key that its kid names',
  needs: toSign,
  check: async (tools) => checkSignatures(tools, await resultTokens(tools)),
})

export const callbackSignatures = rule({
  id: 'key-set/callback-signatures',
  requirement: 'JWKS-4',
  places: ['token=id-of-front-channel'],
  title: 'The id_token of a callback verifies with the published key that its kid names',
  needs: [...toSign, 'redirect'],
  check: async (tools) => checkSignatures(tools, await callbackTokens(tools)),
})

async function checkSignatures({ bank, expect, note }: Tools, tokens: readonly SignedToken[]): Promise<void> {
  for (const { what, jwt, response } of tokens) {
    const { header } = bank.read(jwt, what, response)
    if (header.alg === 'none') {
      note(`${what} is not signed`)
      continue
    }
    expect(header.kid, `kid of ${what}`, response).toBeText()
    await bank.verify(jwt, what, response)
  }
}

export const certificates = rule({
  id: 'key-set/certificates',
  requirement: 'JWKS-9',
  places: ['wrong', 'other-type', 'second'].map((value) => `value=${value}`),
  title: "x5c holds DER certificates in base64, the first with the key's own public key",
  async check(tools) {
    const { expect, skip, note } = tools
    const keys = (await publishedKeys(tools)).filter(({ jwk }) => jwk.x5c !== undefined)
    if (keys.length === 0) skip('no key has x5c')
    for (const { jwk, where, response } of keys) {
      const chain = expect(jwk.x5c, `x5c of ${where}`, response).toBeFilledArray()
      for (const [i, element] of chain.entries()) {
        const der = expect(element, `x5c[${i}] of ${where}`, response).toMatch(base64, 'base64, not base64url')
        expect(der, `x5c[${i}] of ${where}`, response).toSatisfy(
          (text) => certificateOf(text) !== undefined,
          'a DER certificate',
        )
      }
      // A key of another type is none to compare (RFC 7517 section 5).
      if (jwk.kty !== 'RSA' && !curves.includes(String(jwk.crv))) {
        note(`x5c of ${where} is not compared with its key, of a type that is not known here`)
        continue
      }
      const what = `the public key in the first certificate of x5c of ${where}`
      expect(publicKeyOf(String(chain[0])), what, response).toBe(publicKeyOfJwk(jwk))
    }
  },
})

const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Curves whose keys can be read. */
const curves = ['P-256', 'P-384', 'P-521', 'secp256k1', 'Ed25519', 'Ed448', 'X25519', 'X448']

/** Undefined when it is no certificate. */
function certificateOf(der: string): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(der, 'base64'))
  } catch {
    return undefined
  }
}

/** The public key in a certificate as text that can be compared; undefined when it is of a type that is not known here. */
function publicKeyOf(der: string): string | undefined {
  try {
    return certificateOf(der)?.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  } catch {
    return undefined
  }
}

function publicKeyOfJwk(jwk: Record<string, unknown>): string | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString()
  } catch {
    return undefined
  }
}

export const uniqueKids = rule({
  id: 'key-set/unique-kids',
  requirement: 'JWKS-10',
  title: 'No two keys have one kid',
  async check(tools) {
    const keys = await publishedKeys(tools)
    const kids = keys.flatMap(({ jwk }) => (typeof jwk.kid === 'string' ? [jwk.kid] : []))
    const repeated = kids.filter((kid, i) => kids.indexOf(kid) !== i)
    tools.expect(repeated, 'the kids of several keys in the key set', keys[0]?.response).toEqual([])
  },
})

export const encryptionKey = rule({
  id: 'key-set/encryption-key',
  requirement: 'JWKS-11',
  title: 'Where the encryption of request objects is declared, a key for it is published',
  async check(tools) {
    const { bank, expect, skip } = tools
    const declared = (await bank.discovery()).declared('request_object_encryption_alg_values_supported') ?? []
    if (declared.length === 0) return skip('the bank declares no encryption of request objects')
    const keys = await publishedKeys(tools)
    const published = keys.map(({ jwk: { kid, use, alg } }) => ({ kid, use, alg }))
    for (const wanted of declared) {
      expect(published, 'the keys of the key set', keys[0]?.response).toSatisfy(
        (list) => list.some(({ use, alg }) => use === 'enc' && (alg ?? wanted) === wanted),
        `a list with a key of use enc for ${wanted}`,
      )
    }
  },
})
