import { errorOf } from '../../bank/authorization-answer.js'
import type { Metadata } from '../../bank/client-metadata.js'
import { rule } from '../../harness/rule.js'
import {
  asking,
  claimsFor,
  demandSupport,
  expectRefused,
  isTaken,
  toAskByReference,
  withPlace,
} from './by-reference.js'

/** What is registered for a client, and what is named in its place. */
interface Reference {
  how: string
  clientMetadata: Metadata
  request_uri: string
}

export const uriInvalid = rule({
  id: 'request-object/uri-invalid',
  requirement: 'AUTH-21',
  places: [
    ...['wrong', 'prefix', 'suffix', 'superset', 'upper-case'].map((value) => `member=registered value=${value}`),
    ...['wrong', 'missing', 'superset', 'prefix'].map((value) => `member=fragment value=${value}`),
    'member=trailing-slash',
    'member=scheme',
    'member=host value=upper-case',
    'use=second-client',
  ],
  title: 'A request_uri that does not equal a registered one of the client is 302 invalid_request_uri',
  needs: toAskByReference,
  async check({ bank, expect, inVariation, skip }) {
    demandSupport(await bank.discovery(), skip)
    const { place, clientMetadata, client } = await withPlace(bank, 'another request_uri')
    const object = await bank.makeRequestObject(claimsFor(bank, client), { key: client.keys.signing })
    const hashed = await withPlace(bank, 'another fragment', { fragment: '#registered' })
    const ofHashed = await bank.makeRequestObject(claimsFor(bank, hashed.client), { key: client.keys.signing })
    const another = await withPlace(bank, 'request_uri of another client')
    const named = (how: string, request_uri: string): Reference => ({ how, clientMetadata, request_uri })
    const references: Reference[] = [
      named('a request_uri that is not registered', bank.placeForRequestObject()),
      named('a request_uri that goes on where the registered one ends', `${place}/more`),
      named('a request_uri with a query', `${place}?more=1`),
      named('a request_uri cut short', place.slice(0, -1)),
      named('a request_uri with something before its last part', place.replace(/\/(?=[^/]*$)/, '/more/')),
      named('a request_uri with a slash after it', `${place}/`),
      named('a request_uri with another scheme', place.replace(/^https:/, 'http:')),
      named(
        'a request_uri with its host in capitals',
        place.replace(/^https:..[^/:]+/, (start) => `https://${start.slice('https://'.length).toUpperCase()}`),
      ),
      named(
        'a request_uri in another case',
        place.replace(/[a-z](?=[^a-z]*$)/, (letter) => letter.toUpperCase()),
      ),
      named('the request_uri of another client', another.place),
      ...Object.entries({
        'a request_uri with another fragment': '#other',
        'a request_uri without its fragment': '',
        'a request_uri with a fragment that goes on': '#registered2',
        'a request_uri with its fragment cut short': '#register',
      }).map(([how, fragment]) => ({
        how,
        clientMetadata: hashed.clientMetadata,
        request_uri: hashed.place.replace(/#.*/, fragment),
      })),
    ]
    for (const { how, ...reference } of references) {
      await inVariation(how, async () => {
        // A good object lies everywhere: nothing but the address can be what the bank objects to.
        bank.placeRequestObject(reference.request_uri, reference.clientMetadata === clientMetadata ? object : ofHashed)
        await expectRefused({ bank, expect }, { ...reference, code: 'invalid_request_uri' })
      })
    }
  },
})

export const contentInvalid = rule({
  id: 'request-object/content-invalid',
  requirement: 'AUTH-21',
  places: ['member=status', 'member=content value=wrong', 'member=content value=empty'],
  title: 'A registered request_uri that cannot be retrieved, or has invalid content, is 302 invalid_request_uri',
  needs: toAskByReference,
  async check({ bank, expect, inVariation, skip }) {
    demandSupport(await bank.discovery(), skip)
    const code = 'invalid_request_uri'
    await inVariation('a request_uri where nothing lies', async () => {
      const { place, clientMetadata } = await withPlace(bank, 'no answer')
      await expectRefused({ bank, expect }, { clientMetadata, request_uri: place, code })
    })
    await inVariation('a request object that is served with status 404', async () => {
      const { place, clientMetadata, client } = await withPlace(bank, 'an object that is not there')
      const object = await bank.makeRequestObject(claimsFor(bank, client), { key: client.keys.signing })
      bank.placeRequestObject(place, object, 404)
      await expectRefused({ bank, expect }, { clientMetadata, request_uri: place, code })
    })
    for (const content of ['no request object', '']) {
      await inVariation(`a request_uri where '${content}' lies`, async () => {
        const { place, clientMetadata } = await withPlace(bank, `content of ${content.length} characters`)
        bank.placeRequestObject(place, content)
        await expectRefused({ bank, expect }, { clientMetadata, request_uri: place, code })
      })
    }
  },
})

export const besideSepId = rule({
  id: 'request-object/beside-sep-id',
  requirement: 'GEN-10',
  places: ['token=request-object'],
  title: 'A request_uri beside sep_id is read as without it',
  needs: toAskByReference,
  async check({ bank, expect, skip }) {
    demandSupport(await bank.discovery(), skip)
    const { ask } = await asking(bank, 'request object, sep_id', 2)
    const without = await ask({ prompt: 'none' })
    if (isTaken(without)) return skip('prompt none inside of a request object is not answered with an error')
    const response = await ask({ prompt: 'none' }, { parameters: { sep_id: 'conformance-sla' } })
    expect(errorOf(response), 'the answer to prompt none inside, beside sep_id', response).toEqual(errorOf(without))
  },
})
