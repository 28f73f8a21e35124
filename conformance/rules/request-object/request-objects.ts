import { createHash } from 'node:crypto'
import { parameterOf } from '../../bank/authorization.js'
import { errorOf, Outline } from '../../bank/authorization-answer.js'
import { asOwn } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import { rule } from '../../harness/rule.js'
import { canEncrypt } from '../../service/algorithms.js'
import type { SigningKey } from '../../service/client-keys.js'
import {
  claimsFor,
  demandSupport,
  encryptionsOf,
  expectServed,
  isSupported,
  isTaken,
  toAskByReference,
  withPlace,
} from './by-reference.js'

export const served = rule({
  id: 'request-object/served',
  requirement: 'AUTH-24',
  places: ['part=signature', 'part=encryption', 'member=nonce'],
  title: 'A registered request_uri with a valid signed request object is served, encrypted too where that is declared',
  needs: toAskByReference,
  async check({ bank, expect, inVariation, skip }) {
    const discovery = await bank.discovery()
    demandSupport(discovery, skip)
    for (const encryption of [undefined, ...encryptionsOf(discovery).filter(canEncrypt).slice(0, 1)]) {
      const how = encryption ? 'with an encrypted request object' : 'with a signed request object'
      await inVariation(how, async () => {
        const { place, clientMetadata, client } = await withPlace(bank, how)
        const object = await bank.makeRequestObject(claimsFor(bank, client), {
          key: client.keys.signing,
          ...(encryption && { encryption }),
        })
        bank.placeRequestObject(place, object)
        const asked = await bank.authorization.try({ clientMetadata, parameters: { request_uri: place } })
        await expectServed({ bank, expect }, asked)
      })
    }
  },
})

export const fragment = rule({
  id: 'request-object/hash-fragment',
  requirement: 'AUTH-46',
  places: ['value=right', 'value=upper-case'],
  title: 'A request_uris entry with a hash fragment matches a request_uri with that fragment, and no other',
  needs: toAskByReference,
  async check({ bank, expect, inVariation, skip }) {
    demandSupport(await bank.discovery(), skip)
    // The hash is known once the object is, which names the client: the entry comes by PUT (OpenID Connect Core section 6.2).
    const { place, clientMetadata } = await withPlace(bank, 'request_uri with a fragment')
    const client = await asOwn(await bank.registration(clientMetadata))
    const object = await bank.makeRequestObject(claimsFor(bank, client), { key: client.keys.signing })
    bank.placeRequestObject(place, object)
    const request_uri = `${place}#${createHash('sha256').update(object).digest('base64url')}`
    await bank.replaceRecord(client, replacement(client, { request_uris: [request_uri] }))
    const asked = await bank.authorization.try({ clientMetadata, parameters: { request_uri } })
    await expectServed({ bank, expect }, asked)
    await inVariation('a request_uri with the hash in capitals', async () => {
      const inCapitals = request_uri.replace(/#.*/, (hash) => hash.toUpperCase())
      const response = await bank.authorizationRequest.try({ clientMetadata, parameters: { request_uri: inCapitals } })
      // By which error it is refused, request-object/uri-invalid says.
      expect(new Outline(response), 'the answer to the request', response).toSatisfy(
        (answer) => !isTaken(answer),
        'a refusal',
      )
    })
  },
})

export const kind = rule({
  id: 'request-object/kind',
  requirement: 'AUTH-22',
  places: ['part=typ'],
  title: 'A JWT that says that it was made for another purpose is not taken as a request object',
  needs: toAskByReference,
  // That typ tells one kind of JWT from another is RFC 8725's, so that a bank is warned.
  async check({ bank, expect, skip, warn }) {
    demandSupport(await bank.discovery(), skip)
    const { place, clientMetadata, client } = await withPlace(bank, 'request object, typ')
    const { signing: key } = client.keys
    const object = await bank.makeRequestObject(claimsFor(bank, client), { key, typ: 'logout+jwt' })
    bank.placeRequestObject(place, object)
    const asked = await bank.authorization.try({ clientMetadata, parameters: { request_uri: place } })
    const error = parameterOf(asked, 'error')
    if (error === null) warn('a JWT of typ logout+jwt is taken as a request object (RFC 8725 section 3.11)')
    else {
      const codes = ['invalid_request_object', 'invalid_request_uri']
      expect(error, 'error of the callback', asked.callback.response).toBeOneOf(codes)
    }
  },
})

export const support = rule({
  id: 'request-object/support',
  requirement: 'AUTH-23',
  title: 'request_uri_not_supported is answered by a bank whose discovery says so, and by no other',
  needs: toAskByReference,
  async check({ bank, expect }) {
    const supported = isSupported(await bank.discovery())
    const { clientMetadata, place, client } = await withPlace(bank, 'request_uri')
    bank.placeRequestObject(place, await bank.makeRequestObject(claimsFor(bank, client), { key: client.keys.signing }))
    const response = await bank.authorizationRequest.try({ clientMetadata, parameters: { request_uri: place } })
    if (!supported) {
      const { status, code } = errorOf(response)
      expect(status, 'the status of the answer to a request_uri', response).toBe(302)
      expect(code, 'the error of the answer to a request_uri', response).toBe('request_uri_not_supported')
    } else {
      expect(response.status, 'the status of the answer to a request_uri', response).toBeAtMost(499)
      expect(response.location, 'location of the answer to a request_uri', response).toSatisfy(
        (location) => !location?.includes('request_uri_not_supported'),
        'an address without request_uri_not_supported',
      )
    }
  },
})

export const algorithms = rule({
  id: 'request-object/algorithms',
  requirement: 'DISC-18',
  places: ['everywhere', 'use=session-login'],
  title: 'A request object with each declared signing and encryption algorithm is taken, in a session too',
  needs: toAskByReference,
  async check({ bank, expect, inVariation, note, skip }) {
    const discovery = await bank.discovery()
    demandSupport(discovery, skip)
    const encryptions = encryptionsOf(discovery).filter(canEncrypt)
    for (const { alg, enc } of encryptionsOf(discovery).filter((one) => !canEncrypt(one)))
      note(`nothing can be encrypted with ${alg} and ${enc} here`)
    const { keys } = await bank.client()
    const algs = discovery.declared('request_object_signing_alg_values_supported') ?? []
    const session = bank.session()
    for (const alg of algs.filter((one) => one !== 'none')) {
      const key = Object.values<SigningKey>({ ...keys }).find((one) => one.alg === alg)
      if (!key) note(`no key of the client signs with ${alg}`)
      for (const encryption of key ? [undefined, ...encryptions] : []) {
        const how = `signed with ${alg}${encryption ? `, encrypted with ${encryption.alg} and ${encryption.enc}` : ''}`
        await inVariation(`a request object ${how}`, async () => {
          const { place, clientMetadata, client } = await withPlace(bank, how)
          const options = { key: key ?? client.keys.signing, ...(encryption && { encryption }) }
          bank.placeRequestObject(place, await bank.makeRequestObject(claimsFor(bank, client), options))
          const parameters = { request_uri: place }
          // The last algorithm is asked by in one browser, in which people sign in anew for each.
          const asked =
            alg === algs.at(-1) && bank.hasBrowsers()
              ? await session.ask({ clientMetadata, parameters: { ...parameters, prompt: 'login' } })
              : await bank.authorization.try({ clientMetadata, parameters })
          const { response } = asked.callback
          expect(parameterOf(asked, 'error'), 'error of the callback', response).toBe(null)
          expect(parameterOf(asked, 'code'), 'code of the callback', response).toBeText()
        })
      }
    }
  },
})
