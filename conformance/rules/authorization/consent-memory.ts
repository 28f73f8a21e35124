import { parameterOf } from '../../bank/authorization.js'
import { authenticatedBy, undeclaredMethods } from '../../bank/client-metadata.js'
import { inLeastDress } from '../../bank/dress.js'
import { rule, type Tools } from '../../harness/rule.js'
import { type Need, toLogIn, toRegister } from '../../target/needs.js'
import { claimsFor, isSupported, withPlace } from '../request-object/by-reference.js'
import { twoBoxes } from '../support/consent-boxes.js'
import { implicitClient } from '../support/implicit-client.js'

/** Whose consent a bank remembers, for whom, and to what: as it was given, and not a word more. */

const toSeePages: readonly Need[] = [...toLogIn, ...toRegister, 'page-detection']

/** A client of a rule's own, so that no other rule's consent is in its way. */
const own = (name: string) => ({ client_name: `Conformance ${name}` })

/** Two data scopes. @throws Skip where there are fewer */
async function scopesOf({ bank, skip }: Tools): Promise<[string, string]> {
  const [first, second] = (await bank.client()).dataScopes
  return first && second ? [first, second] : skip('the bank declares fewer than two data scopes')
}

export const firstTime = rule({
  id: 'consent/first-time',
  requirement: 'CONS-2',
  places: [
    'use=first',
    'use=second-client',
    'grant=implicit',
    'token=request-object',
    'client-auth=client_secret_post',
    'client-auth=client_secret_jwt',
  ],
  title: 'The first request of a client shows consent, also where the person consented to the same for another client',
  needs: toSeePages,
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    const [first] = (await bank.client()).dataScopes
    if (first === undefined) return skip('the bank declares no data scope')
    // Of the sector of the one that is to come by secret, so that there is one sub for both.
    const redirectUris = (await bank.client()).metadata.redirect_uris
    const ofSector = {
      redirect_uris: redirectUris,
      sector_identifier_uri: await bank.sectorDocument(redirectUris),
    }
    const session = bank.session({ clientMetadata: { ...own('consented'), ...ofSector } })
    const scope = `openid ${first}`
    await inVariation('a person who consented to nothing', async () => {
      const { pages, response } = await session.look({ scope }, 'consent')
      expect(pages, 'the pages shown', response).toContain('consent')
    })
    if (inLeastDress()) return
    await session.signIn({ scope })
    await inVariation('another client, after the consent for one', async () => {
      const { pages, response } = await session.look({ scope, clientMetadata: own('not yet consented') }, 'consent')
      expect(pages, 'the pages shown', response).toContain('consent')
    })
    const discovery = await bank.discovery()
    if (undeclaredMethods(discovery, 'client_secret_post') === undefined) {
      await inVariation('another client, of client_secret_post', async () => {
        const bySecret = authenticatedBy('client_secret_post')
        const clientMetadata = { ...own('by secret, not yet consented'), ...ofSector, ...bySecret }
        const { pages, response } = await session.look({ scope, clientMetadata }, 'consent')
        expect(pages, 'the pages shown', response).toContain('consent')
      })
    }
    if (undeclaredMethods(discovery, 'client_secret_jwt') === undefined) {
      await inVariation('another client, of client_secret_jwt and public subjects', async () => {
        const isPublic = discovery.declared('subject_types_supported')?.includes('public')
        const clientMetadata = {
          ...own('by secret JWT, not yet consented'),
          ...authenticatedBy('client_secret_jwt'),
          ...(isPublic && { subject_type: 'public' }),
        }
        const { pages, response } = await session.look({ scope, clientMetadata }, 'consent')
        expect(pages, 'the pages shown', response).toContain('consent')
      })
    }
    if (discovery.declared('response_types_supported')?.includes('token')) {
      await inVariation('another client, by response_type token', async () => {
        const clientMetadata = { ...implicitClient, ...own('implicit, not yet consented') }
        const asked = { scope, clientMetadata, parameters: { response_type: 'token' } }
        const { pages, response } = await session.look(asked, 'consent')
        expect(pages, 'the pages shown', response).toContain('consent')
      })
    }
    if (isSupported(discovery)) {
      await inVariation('another client, by request_uri', async () => {
        const { place, clientMetadata, client } = await withPlace(bank, 'request_uri, not yet consented')
        bank.placeRequestObject(
          place,
          await bank.makeRequestObject(claimsFor(bank, client), { key: client.keys.signing }),
        )
        const { pages, response } = await session.look(
          { clientMetadata, parameters: { request_uri: place } },
          'consent',
        )
        expect(pages, 'the pages shown', response).toContain('consent')
      })
    }
  },
})

/** Scopes of which the consent to the one is easily taken for one to the other. */
const akin: Readonly<Record<string, string>> = {
  'profile.name': 'profile.titles',
  'profile.birthdate': 'profile.birthnumber',
  'profile.email': 'profile.phonenumber',
  'profile.addresses': 'profile.idcards',
  'profile.locale': 'profile.zoneinfo',
  'profile.gender': 'profile.maritalstatus',
  'profile.legalstatus': 'profile.verification',
  'profile.updatedat': 'profile.birthplaceNationality',
}

/** Scopes in two halves, neither of them empty, those akin to each other in different ones. */
function inHalves(dataScopes: readonly string[]): string[][] {
  const others = Object.values(akin)
  const byKin = [false, true].map((isOther) => dataScopes.filter((scope) => others.includes(scope) === isOther))
  if (byKin.every((half) => half.length > 0)) return byKin
  return [0, 1].map((half) => dataScopes.filter((_scope, at) => at % 2 === half))
}

export const eachScope = rule({
  id: 'consent/each-scope',
  requirement: 'CONS-2',
  places: ['scope=other value=prefix', 'scope=other value=equivalent'],
  title: 'A request with any scope shows consent to a person who consented to others, however near their names are',
  needs: toSeePages,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    await scopesOf(tools)
    const { dataScopes } = await bank.client()
    const halves = inHalves(dataScopes)
    for (const [i, consented] of halves.entries()) {
      const session = bank.session({ clientMetadata: own(`each scope, ${i + 1} of ${halves.length}`) })
      await session.signIn({ scope: ['openid', ...consented].join(' ') })
      for (const scope of dataScopes.filter((one) => !consented.includes(one))) {
        await inVariation(`${scope}, after the consent to ${consented.join(' ')}`, async () => {
          const { pages, response } = await session.look({ scope: `openid ${scope}` }, 'consent')
          expect(pages, 'the pages shown', response).toContain('consent')
        })
      }
    }
  },
})

/** That somebody else's first request is shown consent, after one person approved everything for the client. */
async function checkOtherPerson(tools: Tools, name: string, scopeOf: (dataScopes: readonly string[]) => string) {
  const { bank, expect } = tools
  await scopesOf(tools)
  const clientMetadata = own(name)
  const { dataScopes } = await bank.client(clientMetadata)
  await bank.token({ clientMetadata, scope: ['openid', ...dataScopes].join(' ') })
  const session = bank.session({ clientMetadata, person: bank.somebodyElse() })
  const { pages, response } = await session.look({ scope: scopeOf(dataScopes) }, 'consent')
  expect(pages, 'the pages shown', response).toContain('consent')
}

export const withoutData = rule({
  id: 'consent/further-scope-without-data',
  requirement: 'CONS-2',
  places: ['authorization', 'notification.claims_updated'].map((scope) => `scope=${scope}`),
  title:
    'A request with authorization or notification.claims_updated, not yet consented, shows consent as with a scope of data',
  needs: toSeePages,
  async check(tools) {
    const { bank, expect, inVariation, warn } = tools
    const [first, ofData] = await scopesOf(tools)
    // A bank without a signing flow has no use for its scope.
    const further = [...(bank.signing.offered() ? ['authorization'] : []), 'notification.claims_updated']
    const scope = ['openid', first, ofData, ...further].join(' ')
    const session = bank.session({ clientMetadata: { ...own('further scopes without data'), scope } })
    await session.signIn({ scope: `openid ${first}` })
    const look = (one: string) => session.look({ scope: `openid ${first} ${one}` }, 'consent')
    await inVariation(ofData, async () => {
      const { pages, response } = await look(ofData)
      expect(pages, 'the pages shown', response).toContain('consent')
    })
    for (const one of further) {
      await inVariation(one, async () => {
        const { pages } = await look(one)
        // Whether a person is to approve of what leads to no data is not said of each (AMB-66).
        if (!pages.includes('consent')) warn(`a request with ${one}, to which nobody consented, shows no consent`)
      })
    }
  },
})

export const otherPerson = rule({
  id: 'consent/other-person',
  requirement: 'CONS-2',
  places: ['use=second-person'],
  title: 'A request shows consent to a person who consented to nothing, though another consented to everything',
  needs: [...toSeePages, 'person:second'],
  check: (tools) => checkOtherPerson(tools, 'consent of another', ([first]) => `openid ${first}`),
})

export const openidOtherPerson = rule({
  id: 'consent/openid-alone-other-person',
  requirement: 'CONS-3',
  places: ['use=second-person'],
  title: 'A request for only openid shows consent to a person who consented to nothing, though another consented',
  needs: [...toSeePages, 'person:second'],
  check: (tools) => checkOtherPerson(tools, 'consent of another, openid alone', () => 'openid'),
})

export const refusedAgain = rule({
  id: 'consent/refused-asked-again',
  requirement: 'CONS-2',
  places: ['use=after-refusal'],
  title: 'A request with a scope that the person refused before shows consent',
  needs: [...toSeePages, 'deny-scopes'],
  async check(tools) {
    const { bank, expect } = tools
    const [[first], [second = '']] = twoBoxes(tools, (await bank.client()).dataScopes)
    const session = bank.session({ clientMetadata: own('refused before') })
    const scope = `openid ${first} ${second}`
    await session.signIn({ scope, denyScopes: [second] })
    const { pages, response } = await session.look({ scope }, 'consent')
    expect(pages, 'the pages shown', response).toContain('consent')
  },
})

export const declinedAgain = rule({
  id: 'consent/declined-asked-again',
  requirement: 'CONS-2',
  places: ['use=after-refusal scope=everything', 'use=after-refusal parameter=prompt'],
  title: 'A request after the person declined consent shows consent, and by prompt=none gives no code',
  needs: [...toSeePages, 'action:consent/refuse'],
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const { session, scope } = await bank.declinedLogin()
    await inVariation('prompt none', async () => {
      const silent = await session.ask({ scope, parameters: { prompt: 'none' } })
      // Which error says so is AUTH-26's.
      expect(parameterOf(silent, 'code'), 'code without consent', silent.callback.response).toBe(null)
    })
    await inVariation('the same request again', async () => {
      // To its end, so that what comes back after a refusal is seen as well: that it is this request's own is AUTH-1's.
      const { pages, response } = (await session.ask({ scope })).callback
      expect(pages, 'the pages shown', response).toContain('consent')
    })
  },
})

/** That a request is shown consent once a PUT registered a further scope, after the person approved all that was registered before. */
async function checkAfterPut({ bank, expect, inVariation }: Tools, name: string, scopeOf: (further: string) => string) {
  const { session, further } = await bank.furtherScope(name)
  const scope = scopeOf(further)
  const { pages, response } = await session.look({ scope }, 'consent')
  expect(pages, 'the pages shown', response).toContain('consent')
  await inVariation('prompt none', async () => {
    const silent = await session.ask({ scope, parameters: { prompt: 'none' } })
    // Which error says so is AUTH-26's.
    expect(parameterOf(silent, 'code'), 'code without consent', silent.callback.response).toBe(null)
  })
}

export const furtherAfterPut = rule({
  id: 'consent/further-scope-after-put',
  requirement: 'CONS-2',
  places: ['use=after-put', 'use=after-put parameter=prompt'],
  title: 'A scope that a PUT registered shows consent, though the person consented to all that was registered before',
  needs: toSeePages,
  check: (tools) => checkAfterPut(tools, 'further scope', (further) => `openid ${further}`),
})

export const openidAfterPut = rule({
  id: 'consent/openid-alone-after-put',
  requirement: 'CONS-3',
  places: ['use=after-put', 'use=after-put parameter=prompt', 'use=after-put value=equivalent'],
  title:
    'A request for only openid shows consent again once a PUT registered a further scope, or another in place of one',
  needs: toSeePages,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    await checkAfterPut(tools, 'openid alone', () => 'openid')
    const { session, exchange } = await bank.furtherScope('openid alone')
    await exchange()
    await inVariation('as many scopes are registered as were approved, and not the same', async () => {
      const { pages, response } = await session.look({ scope: 'openid' }, 'consent')
      expect(pages, 'the pages shown', response).toContain('consent')
    })
  },
})
