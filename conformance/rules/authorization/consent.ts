import { parameterOf } from '../../bank/authorization.js'
import { claimsOf, scopesOfBoth, userDataEndpoints } from '../../bank/claims.js'
import { asOwn, type Client } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import type { SessionRequest } from '../../bank/session.js'
import { inStep } from '../../bank/steps.js'
import { grantedScopes } from '../../bank/token.js'
import { rule } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { claimsFor, demandSupport, toAskByReference, withPlace } from '../request-object/by-reference.js'
import { twoBoxes } from '../support/consent-boxes.js'
import { expectScopesTold } from '../support/granted-scopes.js'
import { implicitClient } from '../support/implicit-client.js'
import { declaresFrontChannel } from '../support/known-tokens.js'
import { withOfflineAccess } from '../support/offline-access.js'
import { claimsBeyond } from '../user-data/checks.js'

/** A client of a rule's own, so that no other rule's consent is in its way. */
const own = (name: string) => ({ client_name: `Conformance ${name}` })

/** Has a client that may sign by any algorithm do so by another of its keys than it does by itself; of others as it is. */
function anotherSigner({ metadata, keys: { signing, ecSigning } }: Client, declared: readonly string[]) {
  const isFree = metadata.token_endpoint_auth_method === 'private_key_jwt' && !metadata.token_endpoint_auth_signing_alg
  const takesBoth = ecSigning && [signing.alg, ecSigning.alg].every((alg) => declared.includes(alg))
  return isFree && takesBoth ? { signer: ecSigning } : {}
}

/** What prompt=none ends in where a bank has something to ask first, whatever the scopes. */
const askingFirst = ['login_required', 'interaction_required', 'account_selection_required', 'consent_required']

const tooFew = 'the bank declares fewer than two data scopes'

export const fewerScopes = rule({
  id: 'consent/fewer-scopes',
  requirement: 'CONS-1',
  title: 'A request for fewer scopes than granted skips the consent screen',
  needs: [...toLogIn, 'page-detection'],
  async check({ bank, expect, skip }) {
    const clientMetadata = own('fewer scopes')
    const [first, second] = (await bank.client(clientMetadata)).dataScopes
    if (!first || !second) return skip(tooFew)
    const session = bank.session({ clientMetadata })
    await session.signIn({ scope: `openid ${first} ${second}` })
    const { callback } = await session.ask({ scope: `openid ${first}` })
    expect(callback.pages, 'the pages shown', callback.response).toLack('consent')
  },
})

export const furtherScope = rule({
  id: 'consent/further-scope',
  requirement: 'CONS-2',
  places: [
    'use=session-login',
    ...['id_token_hint', 'prompt', 'max_age'].map((parameter) => `parameter=${parameter}`),
    ...['required', 'offline_access', 'other'].map((scope) => `scope=${scope}`),
    'use=second-call',
  ],
  title: 'A request with a scope not yet consented shows consent, also where that scope is required, or offline_access',
  needs: [...toLogIn, 'page-detection'],
  async check({ bank, expect, inVariation, skip }) {
    const { metadata, dataScopes } = await bank.client()
    const [first, second, third] = dataScopes
    if (!first || !second) return skip(tooFew)
    const offline = withOfflineAccess(await bank.discovery(), metadata)
    const clientMetadata = {
      ...own('further scope'),
      ...offline,
      ...(third !== undefined && { required_scope: third }),
    }
    const session = bank.session({ clientMetadata })
    const hint = await bank.hint(await session.signIn({ scope: `openid ${first}` }))
    const further: Record<string, SessionRequest> = {
      'the id_token of the session': { scope: `openid ${first} ${second}`, parameters: { id_token_hint: hint } },
      ...(third !== undefined && { 'a scope that is required': { scope: `openid ${first} ${third}` } }),
      'no scope of those approved': { scope: `openid ${second}` },
      // Each has the person sign in anew, which approves nothing.
      'prompt login': { scope: `openid ${first} ${second}`, parameters: { prompt: 'login' } },
      'a max_age of 0': { scope: `openid ${first} ${second}`, parameters: { max_age: '0' } },
      // Where offline_access is asked for with prompt=consent alone, consent is shown for that.
      ...('scope' in offline &&
        !(await bank.offlineParameters()).prompt && { offline_access: { scope: `openid ${first} offline_access` } }),
    }
    for (const [what, asked] of Object.entries(further)) {
      await inVariation(`a further scope, with ${what}`, async () => {
        const { pages, response } = await session.look(asked, 'consent')
        expect(pages, 'the pages shown', response).toContain('consent')
      })
    }
    const { callback } = await session.ask({ scope: `openid ${first} ${second}` })
    expect(callback.pages, 'the pages shown', callback.response).toContain('consent')
    if (third !== undefined)
      await inVariation('a scope whose page was open when that of another was approved', async () => {
        const { pages, response } = await session.look({ scope: `openid ${third}` }, 'consent')
        expect(pages, 'the pages shown', response).toContain('consent')
      })
  },
})

export const oneAfterTheOther = rule({
  id: 'consent/one-after-the-other',
  requirement: 'CONS-2',
  places: ['scope=other value=second'],
  title: 'Whatever was consented to before, each further scope shows consent',
  needs: [...toLogIn, 'page-detection'],
  async check({ bank, expect, inVariation, skip }) {
    const { dataScopes } = await bank.client(own('one after the other'))
    if (dataScopes.length < 2) return skip(tooFew)
    // Each is asked for after each other in one of the two.
    for (const order of [dataScopes, [...dataScopes].reverse()]) {
      const [first = '', ...others] = order
      const session = bank.session({ clientMetadata: own(`one after the other, ${first}`) })
      await session.signIn({ scope: `openid ${first}` })
      for (const [index, scope] of others.entries()) {
        const before = order.slice(0, index + 1)
        await inVariation(`${scope} after ${before.join(', ')}`, async () => {
          const { callback } = await session.ask({ scope: `openid ${scope}` })
          expect(callback.pages, 'the pages shown', callback.response).toContain('consent')
        })
      }
    }
  },
})

export const openidAlone = rule({
  id: 'consent/openid-alone',
  requirement: 'CONS-3',
  places: ['use=session-login', 'value=subset'],
  title: 'A request for only openid shows consent unless every registered scope has been consented',
  needs: [...toLogIn, 'page-detection'],
  async check({ bank, expect, note, skip }) {
    const clientMetadata = own('openid alone')
    const { dataScopes } = await bank.client(clientMetadata)
    if (dataScopes.length < 2) return skip(tooFew)
    const session = bank.session({ clientMetadata })
    await session.signIn({ scope: ['openid', ...dataScopes.slice(0, -1)].join(' ') })
    const { callback } = await session.ask({ scope: 'openid' })
    expect(callback.pages, 'the pages shown', callback.response).toContain('consent')
    const again = await session.ask({ scope: 'openid' })
    note(`with every scope consented, consent is ${again.callback.pages.includes('consent') ? 'shown' : 'skipped'}`)
  },
})

export const openidAloneScopes = rule({
  id: 'consent/openid-alone-scopes',
  requirement: 'CONS-9',
  places: ['use=first'],
  title: 'The access token of a request for only openid receives all scopes registered for the client',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, reading } = tools
    await expectScopesTold(tools)
    const { metadata, dataScopes } = await bank.client()
    const clientMetadata = { ...own('openid alone, scopes'), ...withOfflineAccess(await bank.discovery(), metadata) }
    const { response } = await bank.token({ clientMetadata, scope: 'openid' })
    const scopes = await grantedScopes(response)
    if (scopes.length === 1 && scopes[0] === 'openid') return reading('AMB-33', 'sub-and-txn')
    reading('AMB-33', 'all-registered')
    const offline = response.member('refresh_token') !== undefined
    const registered = dataScopes.filter((scope) => scope !== 'offline_access')
    const expected = ['openid', ...registered, ...(offline ? ['offline_access'] : [])]
    expect(scopes, 'the scopes of the token response', response).toBeSetOf(expected)
    reading('AMB-45', offline ? 'offline-access-too' : 'data-scopes-only')
  },
})

export const openidAloneAgain = rule({
  id: 'consent/openid-alone-again',
  requirement: 'CONS-9',
  places: ['use=session-login', 'use=session-login parameter=prompt'],
  title: 'A later request for only openid receives all scopes registered for the client as the first one did',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, reading } = tools
    await expectScopesTold(tools)
    const session = bank.session({ clientMetadata: own('openid alone, again') })
    const { response: first } = await session.signIn({ scope: 'openid' })
    const scopes = await grantedScopes(first)
    if (scopes.length === 1) return reading('AMB-33', 'sub-and-txn')
    reading('AMB-33', 'all-registered')
    const { response } = await bank.token.fresh({ authorization: await session.ask({ scope: 'openid' }) })
    expect(await grantedScopes(response), 'the scopes of the second token response', response).toBeSetOf(scopes)
    await inVariation('prompt none', async () => {
      const authorization = await session.ask({ scope: 'openid', parameters: { prompt: 'none' } })
      // That consent is skipped is a may (AMB-46).
      if (parameterOf(authorization, 'code') === null) return
      const silent = await bank.token.fresh({ authorization })
      const told = await grantedScopes(silent.response)
      expect(told, 'the scopes of the token response', silent.response).toBeSetOf(scopes)
    })
  },
})

export const openidAloneInside = rule({
  id: 'consent/openid-alone-in-request-object',
  requirement: 'CONS-9',
  places: ['token=request-object'],
  title: 'Only openid in a request object receives all scopes registered for the client, as in the query',
  needs: [...toAskByReference, 'browsers'],
  async check(tools) {
    const { bank, expect, reading, skip } = tools
    demandSupport(await bank.discovery(), skip)
    await expectScopesTold(tools)
    const { place, clientMetadata, client } = await withPlace(bank, 'openid alone, inside')
    const session = bank.session({ clientMetadata })
    const { response: first } = await session.signIn({ scope: 'openid' })
    const scopes = await grantedScopes(first)
    if (scopes.length === 1) return reading('AMB-33', 'sub-and-txn')
    reading('AMB-33', 'all-registered')
    const claims = { ...claimsFor(bank, client), scope: 'openid' }
    bank.placeRequestObject(place, await bank.makeRequestObject(claims, { key: client.keys.signing }))
    const authorization = await session.ask({ parameters: { request_uri: place } })
    const { response } = await bank.token.fresh({ authorization })
    expect(await grantedScopes(response), 'the scopes of the token response', response).toBeSetOf(scopes)
  },
})

export const openidAloneAfterPut = rule({
  id: 'consent/openid-alone-scopes-after-put',
  requirement: 'CONS-9',
  places: ['use=after-put', 'use=after-put value=subset'],
  title: 'A request for only openid receives all scopes that are registered by then, once a PUT changed them',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { bank, expect, inVariation, reading, skip } = tools
    await expectScopesTold(tools)
    const [first, second] = (await bank.client()).dataScopes
    if (!first || !second) return skip(tooFew)
    const clientMetadata = { ...own('openid alone, scopes changed'), scope: `openid ${first}` }
    const client = await asOwn(await bank.registration(clientMetadata))
    const session = bank.session({ clientMetadata })
    const { response: before } = await session.signIn({ scope: 'openid' })
    if ((await grantedScopes(before)).length === 1) return reading('AMB-33', 'sub-and-txn')
    reading('AMB-33', 'all-registered')
    for (const [what, scopes] of Object.entries({ added: ['openid', first, second], removed: ['openid', second] })) {
      await inVariation(`a scope was ${what}`, async () => {
        await bank.replaceRecord(client, replacement(client, { scope: scopes.join(' ') }))
        const { response } = await bank.token.fresh({ authorization: await session.ask({ scope: 'openid' }) })
        expect(await grantedScopes(response), 'the scopes of the token response', response).toBeSetOf(scopes)
      })
    }
  },
})

export const dataOfLaterConsent = rule({
  id: 'consent/data-of-later-consent',
  requirement: 'CONS-6',
  places: userDataEndpoints.map((endpoint) => `endpoint=${endpoint} use=second-login token=access-of-code`),
  title: 'What the end-user approves at a later login is not returned for a token of an earlier one',
  needs: toLogIn,
  async check({ bank, expect, inVariation }) {
    const { earliest } = await bank.laterLogins()
    const scopes = earliest.scopes.filter((scope) => scope !== 'openid' && scope !== 'offline_access')
    for (const endpoint of userDataEndpoints) {
      await inVariation(endpoint, async () => {
        const { claims, response } = await bank.userData[endpoint](earliest.login)
        const { unknown } = claimsBeyond(endpoint, scopes, claims)
        expect(unknown, `the claims that do not belong to ${scopes.join(' ')}`, response).toEqual([])
      })
    }
  },
})

export const openidAlonePart = rule({
  id: 'consent/openid-alone-part',
  requirement: 'CONS-9',
  places: ['value=subset'],
  title: 'A request for only openid receives the registered scopes as far as the user approved them',
  needs: [...toLogIn, 'deny-scopes'],
  async check(tools) {
    const { bank, expect, reading } = tools
    await expectScopesTold(tools)
    const clientMetadata = own('openid alone, in part')
    const { dataScopes } = await bank.client(clientMetadata)
    const [refused, ...others] = twoBoxes(tools, dataScopes)
    const approved = others.flat()
    const { response: whole } = await bank.token({ clientMetadata, scope: 'openid', person: 'full' })
    if ((await grantedScopes(whole)).length === 1) return reading('AMB-33', 'sub-and-txn')
    reading('AMB-33', 'all-registered')
    const part = own('openid alone, in part, refused')
    const asked = await bank.authorization.try({ clientMetadata: part, scope: 'openid', denyScopes: refused })
    const { response } = await bank.token.fresh({ authorization: asked })
    const scopes = (await grantedScopes(response)).filter((scope) => scope !== 'offline_access')
    expect(
      scopes,
      `the scopes of the token of a request for only openid without ${refused.join(' ')}`,
      response,
    ).toBeSetOf(['openid', ...approved])
  },
})

export const requiredScope = rule({
  id: 'consent/required-scope',
  requirement: 'CONS-7',
  places: [
    'value=missing',
    'value=superset',
    'member=scope',
    'use=session-login',
    'use=session-login parameter=prompt',
    'grant=refresh',
    'endpoint=userinfo',
    'endpoint=profile',
    'value=right',
  ],
  title: 'required_scope is not a demand on a request: one without the scope is served, and does not gain it',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, note, skip } = tools
    const [first, second] = scopesOfBoth((await bank.client()).dataScopes)
    if (!first || !second) return skip(tooFew)
    const session = bank.session({ clientMetadata: { ...own('required scope'), required_scope: second } })
    const others = (await bank.client()).dataScopes.filter((scope) => scope !== second)
    for (const [how, scopes] of Object.entries({
      'a login': [first],
      'a request in its session for all others': others,
    })) {
      await inVariation(how, async () => {
        const asked = await session.ask({ scope: ['openid', ...scopes].join(' ') })
        const { response: callback } = asked.callback
        expect(parameterOf(asked, 'error'), `error of the callback to a request without ${second}`, callback).toBe(null)
        const login = await bank.token.fresh({ authorization: asked })
        const granted = await grantedScopes(login.response)
        expect(granted, `the scopes of the token of a request without ${second}`, login.response).toLack(second)
        for (const endpoint of userDataEndpoints) {
          const { claims, response } = await bank.userData[endpoint](login)
          const { unknown } = claimsBeyond(endpoint, scopes, claims)
          expect(unknown, `the claims at ${endpoint} that do not belong to ${scopes.join(' ')}`, response).toEqual([])
        }
      })
    }
    await expectScopesTold(tools)
    const both = await bank.token.fresh({
      authorization: await session.ask({ scope: `openid ${first} ${second}` }),
    })
    const all = await grantedScopes(both.response)
    expect(all, 'the scopes of the token with everything approved', both.response).toBeSetOf(['openid', first, second])
    await inVariation('prompt none, once the scope was approved', async () => {
      const asked = await session.ask({ scope: `openid ${first}`, parameters: { prompt: 'none' } })
      // That fewer scopes skip consent is a may (CONS-1), and so is a session.
      const error = parameterOf(asked, 'error')
      expect(error, 'error of the callback', asked.callback.response).toBeOneOf([null, ...askingFirst])
      if (error !== null) return
      const { response } = await bank.token.fresh({ authorization: asked })
      expect(await grantedScopes(response), 'the scopes of the token of a request with prompt none', response).toLack(
        second,
      )
    })
    const { metadata } = await bank.client()
    const offline = withOfflineAccess(await bank.discovery(), metadata)
    if (!('scope' in offline)) return note('the bank does not declare grant refresh_token and scope offline_access')
    await inVariation('a refresh that is narrowed', async () => {
      const algs = (await bank.discovery()).declared('token_endpoint_auth_signing_alg_values_supported') ?? []
      const byAnyKey = { token_endpoint_auth_signing_alg: undefined }
      const record = { ...own('required scope, refreshed'), ...offline, ...byAnyKey, required_scope: second }
      const login = await bank.offlineToken.fresh({ clientMetadata: record })
      const response = await bank.refresh.try({ login, form: { scope: 'openid' } }, () => ({
        authentication: anotherSigner(login.client, algs),
      }))
      expect(response).toHaveStatus(200)
      const token = expect(response.member('access_token'), 'access_token of the refresh', response).toBeText()
      const introspected = await bank.introspection.fresh({ client: login.client, token })
      // That scope is told at all is another rule's (INTR-1).
      const scope = await inStep('introspection', async () =>
        expect(introspected.member('scope'), 'scope of the introspection', introspected).toBeText(),
      )
      expect(scope.split(' '), 'the scopes of the token of a refresh for openid', introspected).toLack(second)
    })
  },
})

export const approvedAlone = rule({
  id: 'consent/approved-data',
  requirement: 'CONS-6',
  places: ['endpoint=userinfo', 'endpoint=profile', 'endpoint=profile scope=other'],
  title: 'Returned data is limited to the scopes that the end-user approved',
  needs: [...toLogIn, 'deny-scopes'],
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    const { dataScopes } = await bank.client(own('approved data'))
    // Each with some that lead to data at either endpoint.
    const all = scopesOfBoth(dataScopes)
      .concat(dataScopes)
      .filter((scope, at, both) => both.indexOf(scope) === at)
    if (scopesOfBoth(dataScopes).length < 2) return skip(tooFew)
    const boxes = twoBoxes(tools, all)
    for (const [half, name] of ['approved data', 'approved data, the other half'].entries()) {
      const refused = boxes.filter((_box, at) => at % 2 !== half).flat()
      const approved = all.filter((scope) => !refused.includes(scope))
      const asked = await bank.authorization.try({
        clientMetadata: own(name),
        scope: ['openid', ...all].join(' '),
        denyScopes: refused,
      })
      const login = await bank.token.fresh({ authorization: asked })
      for (const endpoint of userDataEndpoints) {
        await inVariation(`${endpoint} with ${approved.join(', ')}`, async () => {
          const { claims, response } = await bank.userData[endpoint](login)
          const { unknown } = claimsBeyond(endpoint, approved, claims)
          expect(unknown, `the claims that belong to ${refused.join(', ')}, not approved`, response).toEqual([])
        })
      }
    }
  },
})

export const approvedOfImplicit = rule({
  id: 'consent/approved-data-of-implicit',
  requirement: 'CONS-6',
  places: ['grant=implicit'],
  title: 'Returned data is limited to the scopes that the end-user approved for response_type token too',
  needs: [...toLogIn, ...toRegister, 'deny-scopes'],
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    if (!(await declaresFrontChannel(bank))) return skip('the bank does not declare response_type token')
    const clientMetadata = { ...implicitClient, ...own('implicit, approved data') }
    const [approved, refused] = twoBoxes(tools, scopesOfBoth((await bank.client(clientMetadata)).dataScopes))
    const { client, callback } = await bank.authorization.try({
      clientMetadata,
      scope: ['openid', ...approved, ...refused].join(' '),
      parameters: { response_type: 'token' },
      denyScopes: refused,
    })
    const accessToken = await inStep('frontChannel', async () =>
      expect(callback.fragment.get('access_token'), 'access_token of the callback', callback.response).toBeText(),
    )
    for (const endpoint of userDataEndpoints) {
      await inVariation(endpoint, async () => {
        const { claims, response } = await bank.userData[endpoint]({ client, accessToken })
        const ofRefused = claimsOf(endpoint, refused).filter((claim) => !claimsOf(endpoint, approved).includes(claim))
        const unapproved = Object.keys(claims).filter((claim) => ofRefused.includes(claim))
        expect(unapproved, `the claims that belong to ${refused.join(' ')}, not approved`, response).toEqual([])
      })
    }
  },
})
