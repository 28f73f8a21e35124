import { rule } from '../../harness/rule.js'
import { toRegister } from '../../target/needs.js'
import { codeAndImplicitClient } from '../support/implicit-client.js'
import { declaresFrontChannel } from '../support/known-tokens.js'
import { recordTrials } from '../support/record-trials.js'
import { answerTo, expectBadRequest, recordMethods } from '../support/refusals.js'
import { atMethods } from '../support/registration-calls.js'

/** Redirect URIs on hosts of their own; nobody has to be there, since nobody logs in. */
const first = 'https://first.conformance.example/callback'
const second = 'https://second.conformance.example/callback'

/** Redirect URIs on several hosts. */
const onSeveralHosts = {
  'on two hosts': [first, second],
  'of which the last is on another host': [first, `${first}/too`, second],
  'of which one is on a host below the other': [first, first.replace('first.', 'www.first.')],
  'of which one is on a host that begins as the other does': [first, first.replace('.example/', '.example.org/')],
}

export const severalHosts = rule({
  id: 'subjects/several-hosts',
  requirement: 'SUB-4',
  places: atMethods(recordMethods, 'value=both', 'value=last', 'value=superset').concat(
    'method=PUT use=after-put',
    'value=right',
    'member=port',
  ),
  title:
    'Redirect URIs on several hosts, not on several ports, need a sector_identifier_uri when subjects are pairwise, and are taken with one',
  needs: toRegister,
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    const types = (await bank.discovery()).declared('subject_types_supported')
    if (types && !types.includes('pairwise')) return skip('the bank does not declare subject_type pairwise')
    const trials = recordTrials(tools)
    const ofTokens = (await declaresFrontChannel(bank)) ? codeAndImplicitClient : {}
    for (const [what, redirect_uris] of Object.entries(onSeveralHosts)) {
      // Some of them for response_type token too.
      const record = { ...(redirect_uris.at(-1) === second && ofTokens), redirect_uris, subject_type: 'pairwise' }
      await inVariation(`redirect URIs ${what}, with a sector_identifier_uri`, async () => {
        const sector_identifier_uri = await bank.sectorDocument(redirect_uris)
        const answer = await answerTo(bank, { ...record, sector_identifier_uri })
        expect(answer.status, 'the status of the registration', answer).toBeAtMost(299)
      })
      for (const method of recordMethods) {
        await inVariation(`${method} of redirect URIs ${what}`, async () =>
          expectBadRequest(expect, await trials[method](record)),
        )
      }
    }
    await inVariation('POST of redirect URIs on one host, of several ports', async () => {
      // The host of an address has no port (RFC 3986 section 3.2).
      const redirect_uris = [first, first.replace('.example/', '.example:8443/')]
      const answer = await answerTo(bank, { redirect_uris, subject_type: 'pairwise' })
      expect(answer.status, 'the status of the registration', answer).toBeAtMost(299)
    })
    const redirect_uris = [first, second]
    const sector_identifier_uri = await bank.sectorDocument(redirect_uris)
    await inVariation('PUT that leaves out the sector_identifier_uri of redirect URIs on two hosts', async () => {
      const named = await trials.PUT({ redirect_uris, subject_type: 'pairwise', sector_identifier_uri })
      expect(named.status, 'the status of a PUT that names it', named).toBeAtMost(299)
      expectBadRequest(expect, await trials.PUT({ redirect_uris, subject_type: 'pairwise' }))
    })
    await trials.expectKept()
  },
})

export const severalHostsByDefault = rule({
  id: 'subjects/several-hosts-by-default',
  requirement: 'SUB-4',
  places: ['method=POST value=missing'],
  title: 'Redirect URIs on several hosts need a sector_identifier_uri where subjects are pairwise by default',
  needs: toRegister,
  async check({ bank, expect }) {
    const record = { redirect_uris: [first, second], subject_type: undefined }
    await bank.client({ ...record, sector_identifier_uri: await bank.sectorDocument(record.redirect_uris) })
    const response = await answerTo(bank, record)
    // Public when left out is another reading of AMB-40.
    if (response.status >= 300) expectBadRequest(expect, response)
    else
      expect(response.member('subject_type'), 'subject_type of the record', response).toBeOneOf(['public', undefined])
  },
})

/** Redirect URIs with documents of sector_identifier_uri that do not list all of them. */
const unlisted: Readonly<Record<string, readonly [redirectUris: readonly string[], document: readonly string[]]>> = {
  'that is not listed': [[first], [second]],
  'that is not listed, after one that is': [[first, second], [first]],
  'that is not listed, before one that is': [[second, first], [first]],
  'that begins as a listed one does': [[`${first}/more`], [first]],
  'that a listed one begins with': [[first], [`${first}/more`]],
  'that is listed in another case': [[`${first}/Of`], [`${first}/of`]],
  'that is listed with another query': [[`${first}?of=another`], [`${first}?of=one`]],
}

export const unlistedRedirect = rule({
  id: 'subjects/unlisted-redirect',
  requirement: 'SUB-5',
  places: atMethods(
    recordMethods,
    'value=wrong',
    'value=first',
    'value=last',
    'value=prefix',
    'value=superset',
    'member=query',
  ),
  title: 'A redirect URI that its sector_identifier_uri does not list is refused, at POST and PUT',
  needs: toRegister,
  async check(tools) {
    const { bank, expect, inVariation, reading } = tools
    const trials = recordTrials(tools)
    for (const method of recordMethods) {
      for (const [what, [redirect_uris, document]] of Object.entries(unlisted)) {
        const sector_identifier_uri = await bank.sectorDocument(document)
        const answer = await trials[method]({ redirect_uris, sector_identifier_uri })
        if (answer.status < 300) return reading('AMB-41', 'host-only')
        await inVariation(`${method} of a redirect URI ${what}`, async () => expectBadRequest(expect, answer))
      }
    }
    await trials.expectKept()
    reading('AMB-41', 'fetched')
  },
})

export const unreadableSector = rule({
  id: 'subjects/unreadable-sector',
  requirement: 'SUB-11',
  places: atMethods(recordMethods, 'value=missing', 'value=other-type', 'value=unknown'),
  title: 'A sector_identifier_uri that cannot be read, or is not a JSON array of strings, is refused, at POST and PUT',
  needs: toRegister,
  async check(tools) {
    const { bank, expect, inVariation, reading } = tools
    const trials = recordTrials(tools)
    const good = await bank.sectorDocument([first])
    const documents = {
      'no document': `${good}.missing`,
      // Reserved for names that there are not (RFC 6761 section 6.4).
      'a host that there is not': 'https://sector.conformance.invalid/sector.json',
      'an address that is not fetched by http': 'ftp://first.conformance.example/sector.json',
      'an HTML document': await bank.sectorDocument('<!doctype html><title>Sector</title>'),
      'an object': await bank.sectorDocument({ redirect_uris: [first] }),
      'a text': await bank.sectorDocument(JSON.stringify(first)),
      'an array with a number': await bank.sectorDocument([first, 42]),
      'a list at an address where nothing is': await bank.sectorDocument([first], 404),
    }
    for (const method of recordMethods) {
      for (const [what, sector_identifier_uri] of Object.entries(documents)) {
        const answer = await trials[method]({ redirect_uris: [first], sector_identifier_uri })
        if (answer.status < 300) return reading('AMB-41', 'host-only')
        await inVariation(`${method} with ${what} at sector_identifier_uri`, async () =>
          expectBadRequest(expect, answer),
        )
      }
    }
    await trials.expectKept()
    reading('AMB-41', 'fetched')
  },
})
