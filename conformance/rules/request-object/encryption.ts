import { generateKeyPair } from 'jose'
import { errorOf, Outline } from '../../bank/authorization-answer.js'
import type { Metadata } from '../../bank/client-metadata.js'
import type { Discovery } from '../../bank/discovery.js'
import { asOwn } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import type { RequestObjectOptions } from '../../bank/request-object.js'
import { rule, type Tools } from '../../harness/rule.js'
import { canEncrypt } from '../../service/algorithms.js'
import { clientKeys, foreignSigner, publishedKeys, type SigningKey } from '../../service/client-keys.js'
import { toSign } from '../../target/needs.js'
import { expectObjectRefused } from '../signing/refusals.js'
import {
  asking,
  claimsFor,
  demandSupport,
  encryptionsOf,
  expectRefused,
  expectServed,
  isTaken,
  toAskByReference,
  withPlace,
  withPlaces,
} from './by-reference.js'

/** Serves a request object that is made as `good` says, and refuses one that differs from it as `others` say, each named. */
async function holdTo(
  { bank, expect, inVariation }: Tools,
  record: Metadata,
  good: RequestObjectOptions,
  others: Readonly<Record<string, RequestObjectOptions>>,
): Promise<void> {
  const place = async (how: string, options: RequestObjectOptions) => {
    const placed = await withPlace(bank, how, { record })
    bank.placeRequestObject(placed.place, await bank.makeRequestObject(claimsFor(bank, placed.client), options))
    return { clientMetadata: placed.clientMetadata, request_uri: placed.place }
  }
  // That an object is served at all is for another rule to say.
  await asking(bank, 'request object of any algorithm', 0)
  const { clientMetadata, request_uri } = await place('request object as registered', good)
  const asked = await bank.authorization.try({ clientMetadata, parameters: { request_uri } })
  await inVariation('a request object as registered', () => expectServed({ bank, expect }, asked))
  for (const [how, options] of Object.entries(others)) {
    await inVariation(`a request object ${how}`, async () => {
      const refusal = { ...(await place(`request object ${how}`, options)), code: 'invalid_request_object' }
      await expectRefused({ bank, expect }, refusal)
    })
  }
}

function declared(discovery: Discovery, list: string): readonly string[] {
  return discovery.declared(`request_object_${list}_values_supported`) ?? []
}

/** How objects can be made here that the bank declares: keys of two algorithms, and an encryption. */
async function waysToMake({ bank, skip }: Tools) {
  const discovery = await bank.discovery()
  demandSupport(discovery, skip)
  const { keys } = await bank.client()
  const [key, other] = Object.values<SigningKey>({ ...keys }).filter(({ alg }) =>
    declared(discovery, 'signing_alg').includes(alg),
  )
  return { key, other, encryption: encryptionsOf(discovery).find(canEncrypt) }
}

/** An alg and an enc of JWE that are not the registered ones. */
function otherAlg(registered: string): string {
  const [one, other] = registered.startsWith('RSA') ? ['RSA-OAEP', 'RSA-OAEP-256'] : ['ECDH-ES', 'ECDH-ES+A256KW']
  return String(registered === one ? other : one)
}

const otherEnc = (registered: string) => (registered === 'A128GCM' ? 'A256GCM' : 'A128GCM')

/** Changes request_object_signing_alg by PUT: objects are then to be signed as the new record has it, and no longer as it was. */
async function expectChanged({ bank, expect }: Tools, before: SigningKey, after: SigningKey): Promise<void> {
  const member = 'request_object_signing_alg'
  const { places, client, clientMetadata } = await withPlaces(bank, 'request object after a PUT', {
    count: 2,
    record: { [member]: before.alg },
  })
  const own = await asOwn(await bank.registration(clientMetadata))
  await bank.replaceRecord(own, replacement(own, { [member]: after.alg }))
  const ask = async (key: SigningKey, place = '') => {
    bank.placeRequestObject(place, await bank.makeRequestObject(claimsFor(bank, client), { key }))
    return bank.authorizationRequest.try({ clientMetadata, parameters: { request_uri: place } })
  }
  const taken = await ask(after, places[0])
  expect(new Outline(taken), `the answer to an object signed with ${after.alg}`, taken).toSatisfy(isTaken, 'a page')
  const refused = await ask(before, places[1])
  expect(errorOf(refused).code, `the error for an object signed with ${before.alg}`, refused).toBe(
    'invalid_request_object',
  )
}

export const registeredAlgorithms = rule({
  id: 'request-object/registered-algorithms',
  requirement: 'REG-23',
  places: ['signing_alg', 'encryption_alg', 'encryption_enc']
    .map((name) => `endpoint=auth member=request_object_${name}`)
    .concat('endpoint=auth use=after-put'),
  title: 'A request object that is not signed and encrypted as the client registered is 302 invalid_request_object',
  needs: toAskByReference,
  async check(tools) {
    const { inVariation, skip } = tools
    const { key, other, encryption } = await waysToMake(tools)
    if (key && other) {
      await holdTo(
        tools,
        { request_object_signing_alg: key.alg },
        { key },
        {
          [`signed with ${other.alg}`]: { key: other },
          ...(encryption && { [`signed with ${other.alg} and encrypted`]: { key: other, encryption } }),
        },
      )
      await inVariation('after a PUT of the other algorithm', () => expectChanged(tools, key, other))
    }
    if (key && encryption) {
      const { alg, enc } = encryption
      const record = { request_object_encryption_alg: alg, request_object_encryption_enc: enc }
      await holdTo(
        tools,
        record,
        { key, encryption },
        {
          'that is not encrypted': { key },
          [`encrypted with ${otherEnc(enc)}`]: { key, encryption: { alg, enc: otherEnc(enc) } },
          [`encrypted by ${otherAlg(alg)}`]: { key, encryption: { alg: otherAlg(alg), enc } },
        },
      )
    } else if (!key || !other) skip('the bank declares one way to make request objects, from which none differs')
  },
})

/** Leaves members of the record out by PUT: an object is then taken that is made otherwise than they had it. */
async function expectNoLonger(
  { bank, expect, note }: Pick<Tools, 'bank' | 'expect' | 'note'>,
  record: Metadata,
  good: RequestObjectOptions,
  otherwise: RequestObjectOptions,
): Promise<void> {
  const members = Object.keys(record)
  const { place, client, clientMetadata } = await withPlace(bank, `${members[0]} left out`, { record })
  const ask = async (options: RequestObjectOptions) => {
    bank.placeRequestObject(place, await bank.makeRequestObject(claimsFor(bank, client), options))
    return bank.authorizationRequest.try({ clientMetadata, parameters: { request_uri: place } })
  }
  // What a bank knows of a client it may keep from its first use on.
  if (!isTaken(await ask(good))) return note('the bank takes no object made as registered (see REG-23)')
  const own = await asOwn(await bank.registration(clientMetadata))
  await bank.replaceRecord(own, replacement(own, Object.fromEntries(members.map((name) => [name, undefined]))))
  const read = await bank.manage('GET', own)
  if (members.some((name) => read.member(name) !== undefined))
    return note(`the bank fills in ${members.join(' and ')} itself`)
  const taken = await ask(otherwise)
  const what = `the answer to an object made otherwise than ${members[0]} had it, which a PUT left out`
  expect(new Outline(taken), what, taken).toSatisfy(isTaken, 'a page')
}

export const leftOut = rule({
  id: 'request-object/left-out-algorithms',
  requirement: 'REG-11',
  places: ['request_object_signing_alg', 'request_object_encryption_alg'].map(
    (member) => `use=after-put member=${member}`,
  ),
  title: 'After a PUT that leaves out how request objects are made, those are taken that the bank declares',
  needs: toAskByReference,
  async check(tools) {
    const { inVariation, skip } = tools
    const { key, other, encryption } = await waysToMake(tools)
    if (!key) return skip('the bank declares no algorithm that a key of the client signs by')
    if (!other && !encryption) return skip('the bank declares one way to make request objects, from which none differs')
    if (other) {
      await inVariation('request_object_signing_alg', () =>
        expectNoLonger(tools, { request_object_signing_alg: key.alg }, { key }, { key: other }),
      )
    }
    if (encryption) {
      const { alg, enc } = encryption
      const record = { request_object_encryption_alg: alg, request_object_encryption_enc: enc }
      await inVariation('request_object_encryption_alg', () =>
        expectNoLonger(tools, record, { key, encryption }, { key }),
      )
    }
  },
})

export const keysAtJwksUri = rule({
  id: 'request-object/keys-at-jwks-uri',
  requirement: 'REG-18',
  places: ['token=request-object'],
  title: 'Request objects are verified by the keys at jwks_uri, and by no other',
  needs: toAskByReference,
  async check(tools) {
    const { bank, skip } = tools
    const discovery = await bank.discovery()
    demandSupport(discovery, skip)
    const keys = await clientKeys()
    const algs = ['ES512', keys.signing.alg]
    const alg = algs.find((one) => declared(discovery, 'signing_alg').includes(one))
    if (!alg) return skip(`the bank declares neither of ${algs.join(' and ')}`)
    // One that no other client has, so that nothing but this jwks_uri tells of it.
    const own = await foreignSigner(alg)
    const { url } = bank.hostKeys([own.publicJwk, ...publishedKeys(keys)])
    const { privateKey } = await generateKeyPair(alg, { modulusLength: 2048 })
    await holdTo(
      tools,
      { jwks_uri: url },
      { key: own },
      { 'signed by an untrusted key under the kid of a key at jwks_uri': { key: { ...own, privateKey } } },
    )
  },
})

export const signingFlowAlgorithm = rule({
  id: 'signing/registered-algorithm',
  requirement: 'REG-23',
  places: ['endpoint=ros member=request_object_signing_alg'],
  title: 'In the signing flow too a request object that is not signed by the registered algorithm is refused',
  needs: toSign,
  async check({ bank, expect, inVariation, skip }) {
    const clientMetadata = { request_object_signing_alg: 'ES256' }
    const { response } = await bank.registration(await bank.signing.metadata(clientMetadata))
    const isDeclared = declared(await bank.discovery(), 'signing_alg').includes('ES256')
    if (response.status === 400 && !isDeclared) skip('the bank declares no ES256, and does not let it be registered')
    const { ps256 } = await clientKeys()
    const replace = () => ({ ...(ps256 && { signer: ps256 }) })
    await inVariation('PS256 in place of ES256', async () =>
      expectObjectRefused(expect, await bank.signing.submission.modified({ clientMetadata, alg: 'ES256' }, replace)),
    )
  },
})
