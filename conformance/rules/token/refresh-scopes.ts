import { nextRefreshToken } from '../../bank/refresh.js'
import { asOwn } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import { inStep } from '../../bank/steps.js'
import type { OfflineLogin } from '../../bank/token.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { expectCode } from '../support/client-refusals.js'
import { parseSpaceDelimited } from '../support/parse-space-delimited.js'
import { grantedOf } from '../user-data/checks.js'

/** The access token of a refresh response, with the scopes that the bank says it has when it is introspected. */
async function grantedBy({ bank, expect }: Tools, { client }: OfflineLogin, response: HttpResponse) {
  expect(response).toHaveStatus(200)
  const accessToken = expect(
    response.member('access_token'),
    'access_token of the refresh response',
    response,
  ).toBeText()
  const introspected = await bank.introspection.fresh({ client, token: accessToken })
  await inStep('introspection', async () =>
    expect(introspected.json, 'the introspection response', introspected).toHaveMembers(['scope']),
  )
  return { accessToken, scopes: parseSpaceDelimited(introspected.member('scope')), introspected }
}

export const narrowed = rule({
  id: 'token/refresh-narrowed',
  requirement: 'TOK-19',
  places: ['value=subset', 'member=scope', 'member=token_type', 'member=expires_in'],
  title: 'A refresh with fewer scopes gives a new access token of exactly those',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, reading } = tools
    const { login, subset, narrowed: response } = await bank.refreshChain()
    const { accessToken, scopes, introspected } = await grantedBy(tools, login, response)
    expect(response.told, 'the refresh response', response).toFitSchema('refresh-response')
    expect(accessToken, 'access_token of the refresh response', response).toDiffer(
      login.accessToken,
      'that of the login',
    )
    expect(scopes, 'the scopes of the new access token', introspected).toBeSetOf(subset)
    const listed = response.member('scope')
    if (listed !== undefined) {
      expect(parseSpaceDelimited(listed), 'scope of the refresh response', response).toBeSetOf(subset)
    }
    reading('AMB-17', listed === undefined ? 'absent' : 'present')
    reading('AMB-67', response.member('id_token') === undefined ? 'absent' : 'when-openid')
  },
})

export const withoutOpenid = rule({
  id: 'token/refresh-without-openid',
  requirement: 'TOK-19',
  places: ['value=suffix'],
  title: 'A refresh for a data scope without openid gives a new access token of exactly that',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, skip, warn } = tools
    const [data] = (await bank.client()).dataScopes
    if (data === undefined) return skip('the bank declares no data scope')
    const login = await bank.offlineToken.fresh()
    const response = await bank.refresh.try({ login, form: { scope: data } })
    if (response.status === 400)
      return warn('a refresh for fewer scopes is refused where openid is not one of them (RFC 6749 section 6)')
    const { accessToken, scopes, introspected } = await grantedBy(tools, login, response)
    expect(scopes, 'the scopes of the new access token', introspected).toBeSetOf([data])
    expect(accessToken, 'access_token of the refresh response', response).toDiffer(
      login.accessToken,
      'that of the login',
    )
  },
})

export const whole = rule({
  id: 'token/refresh-whole',
  requirement: 'TOK-21',
  places: ['value=missing', 'value=empty'],
  title: 'A refresh without scope gives the scopes of the refresh token',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, reading, warn } = tools
    const login = await bank.offlineToken.fresh()
    const response = await bank.refresh.try({ login })
    const { scopes, introspected } = await grantedBy(tools, login, response)
    expect(scopes, 'the scopes of the new access token', introspected).toBeSetOf(login.scopes)
    reading('AMB-67', response.member('id_token') === undefined ? 'absent' : 'when-openid')
    await inVariation('an empty scope', async () => {
      const refreshToken = nextRefreshToken(response, login.refreshToken)
      const empty = await bank.refresh.try({ login, refreshToken, form: { scope: '' } })
      if (empty.status >= 400) return warn('an empty scope is refused (RFC 6749 section 3.1: as one that is left out)')
      const granted = await grantedBy(tools, login, empty)
      expect(granted.scopes, 'the scopes of the new access token', granted.introspected).toBeSetOf(login.scopes)
    })
  },
})

export const droppedScope = rule({
  id: 'token/refresh-dropped-scope',
  requirement: 'TOK-21',
  places: ['use=after-put', 'value=long'],
  title:
    'A refresh without scope gives all scopes of the refresh token, however many; one that a PUT dropped since may be missing',
  needs: [...toRegister, ...toLogIn],
  async check(tools) {
    const { bank, expect, reading, skip } = tools
    const clientMetadata = { client_name: 'Conformance with a scope that is dropped' }
    const { dataScopes } = await bank.client(clientMetadata)
    const scope = ['openid', ...dataScopes, 'offline_access'].join(' ')
    const login = await bank.offlineToken.fresh({ clientMetadata, scope })
    const dropped = login.scopes.findLast((scope) => login.client.dataScopes.includes(scope))
    if (dropped === undefined) return skip('the bank declares no data scope')
    const client = await asOwn(await bank.registration(clientMetadata))
    const kept = parseSpaceDelimited(client.metadata.scope).filter((scope) => scope !== dropped)
    await bank.replaceRecord(client, replacement(client, { scope: kept.join(' ') }))
    const response = await bank.refresh.try({ login })
    const { scopes, introspected } = await grantedBy(tools, login, response)
    const given = scopes.includes(dropped)
    expect(scopes, 'the scopes of the new access token', introspected).toBeSetOf(
      login.scopes.filter((scope) => given || scope !== dropped),
    )
    reading('AMB-79', given ? 'refresh-token' : 'registered')
  },
})

export const widenedAgain = rule({
  id: 'token/refresh-widened-again',
  requirement: 'TOK-43',
  places: ['value=missing', 'value=right'],
  title: 'After a narrowed refresh a later one has all scopes of the refresh token again',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const { login, reordered, whole } = await bank.refreshChain()
    for (const [what, response] of Object.entries({ 'every scope asked for': reordered, 'without scope': whole })) {
      await inVariation(what, async () => {
        const { scopes, introspected } = await grantedBy(tools, login, response)
        expect(scopes, 'the scopes of the new access token', introspected).toBeSetOf(login.scopes)
      })
    }
  },
})

export const reordered = rule({
  id: 'token/refresh-reordered',
  requirement: 'TOK-19',
  places: ['value=right', 'value=reordered', 'use=second-refresh'],
  title: 'A refresh with equal scopes, in whatever order, and each in a row, gives a new access token of exactly those',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const { login, least, reordered, whole } = await bank.refreshChain()
    const further = await bank.offlineToken.fresh()
    const same = await bank.refresh.try({ login: further, form: { scope: further.scopes.join(' ') } })
    const answers = [
      { what: 'equal scopes', response: same, scopes: further.scopes, client: further },
      { what: 'a second refresh, for openid', response: least, scopes: ['openid'], client: login },
      { what: 'the scopes in another order', response: reordered, scopes: login.scopes, client: login },
    ]
    for (const { what, response, scopes, client } of answers) {
      await inVariation(what, async () => {
        const granted = await grantedBy(tools, client, response)
        expect(response.told, 'the refresh response', response).toFitSchema('refresh-response')
        expect(granted.scopes, 'the scopes of the new access token', granted.introspected).toBeSetOf(scopes)
        // One of other scopes is another one.
        if (scopes.length < client.scopes.length) return
        expect(granted.accessToken, 'access_token of the refresh response', response).toDiffer(
          client.accessToken,
          'that of the login',
        )
      })
    }
    expect(reordered.member('access_token'), 'access_token of a further refresh', reordered).toDiffer(
      whole.member('access_token'),
      'that of the refresh before',
    )
  },
})

export const scopeListed = rule({
  id: 'token/refresh-scope-listed',
  requirement: 'TOK-2',
  places: ['grant=refresh', 'grant=refresh member=space', 'grant=refresh value=repeated'],
  title: 'Where a refresh response lists scopes, they are those that the access token has, space-separated, each once',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, note, skip } = tools
    const { login, subset, narrowed, least, reordered, repeated, whole } = await bank.refreshChain()
    // RFC 6749 section 3.3 does not say what a scope that is named twice means.
    const isTaken = repeated.status < 300
    if (!isTaken) note('a refresh that names a scope twice is refused')
    const listing = Object.entries({ narrowed, least, reordered, whole, ...(isTaken && { repeated }) }).filter(
      ([, response]) => response.member('scope') !== undefined,
    )
    if (listing.length === 0) return skip('refresh responses list no scopes (AMB-17)')
    for (const [what, response] of listing) {
      await inVariation(`a refresh, ${what}`, async () => {
        const { scopes, introspected } = await grantedBy(tools, login, response)
        const isRepeated = response === repeated
        if (isRepeated)
          expect([...new Set(scopes)], 'the scopes of the new access token', introspected).toBeSetOf(subset)
        const scope = expect(response.member('scope'), 'scope of the refresh response', response).toBeText()
        expect(scope.split(' '), 'the scopes of the refresh response', response).toBeSetOf(isRepeated ? subset : scopes)
      })
    }
  },
})

/** Scopes, of which one at least the refresh token does not have, by what they are. @param held, unheld scopes that the client registers */
function widerScopes(held: readonly string[], unheld: string): Readonly<Record<string, string>> {
  const data = held.find((scope) => scope.startsWith('profile.')) ?? 'openid'
  return {
    'a scope that was not asked for': unheld,
    'a held scope, then one that was not asked for': `openid ${unheld}`,
    'a scope that was not asked for, then a held one': `${unheld} openid`,
    'every held scope and one more': [...held, unheld].join(' '),
    'a scope that nobody has': `openid ${data}.x`,
    'the beginning of a held scope': `openid ${data.slice(0, -1)}`,
    'a held scope in upper case': `openid ${data.toUpperCase()}`,
  }
}

/** A data scope that the client registers and the login did not ask for. */
function unheldBy({ client, scopes }: OfflineLogin): string | undefined {
  return client.dataScopes.find((scope) => !scopes.includes(scope))
}

/** A refresh for each of them, by one refresh token. */
async function refreshWider(
  { bank, inVariation, skip }: Tools,
  login: OfflineLogin,
  look: (refusal: HttpResponse) => Promise<void> | void,
  refreshToken = login.refreshToken,
): Promise<void> {
  await bank.refresh.expectBaseline()
  const unheld = unheldBy(login)
  if (!unheld) return skip('the client has no scope beyond those of the login')
  for (const [what, scope] of Object.entries(widerScopes(login.scopes, unheld))) {
    await inVariation(what, async () => look(await bank.refresh.try({ login, refreshToken, form: { scope } })))
  }
}

export const widened = rule({
  id: 'token/refresh-widened',
  requirement: 'TOK-20',
  places: [
    ...['wrong', 'second', 'first', 'superset', 'unknown', 'prefix', 'upper-case'].map((value) => `value=${value}`),
    'use=second-refresh value=wrong',
  ],
  title: 'A refresh with a scope that the refresh token does not have is refused, also once it was refreshed',
  needs: toLogIn,
  async check(tools) {
    const { bank, inVariation, note } = tools
    const login = await bank.offlineToken.fresh()
    await refreshWider(tools, login, (refusal) => expectNotWidened(tools, refusal))
    const refreshed = await bank.refresh.try({ login, form: { scope: 'openid' } })
    // That a refused refresh leaves the refresh token usable is TOK-45.
    if (refreshed.status >= 300)
      return note(
        'no refresh was taken after those that are refused (see TOK-45): none that a refresh gave was widened',
      )
    const refreshToken = nextRefreshToken(refreshed, login.refreshToken)
    await inVariation('a scope that was not asked for, once it was refreshed', async () => {
      const scope = unheldBy(login)
      expectNotWidened(tools, await bank.refresh.try({ login, refreshToken, form: { scope } }))
    })
  },
})

/** TOK-20 */
function expectNotWidened({ expect, warn }: Tools, refusal: HttpResponse): void {
  expect(refusal).toHaveStatus(400)
  const { error } = expect(refusal.json, 'the refusal', refusal).toHaveMembers(['error'])
  const documented = ['invalid_request', 'invalid_grant', 'invalid_client', 'unauthorized_client']
  if (documented.includes(String(error))) warn(`the error is ${error}, where invalid_scope tells what is wrong`)
  else expectCode(expect, refusal, 'invalid_scope')
}

export const widenedKeeps = rule({
  id: 'token/refresh-widened-keeps',
  requirement: 'TOK-45',
  places: ['use=first', 'use=second-refresh', 'member=active', 'member=scope', 'member=exp'],
  title: 'A refresh refused for its scope leaves the refresh token usable, with its scopes and its expiry',
  needs: toLogIn,
  async check(tools) {
    const { bank, inVariation } = tools
    // Of whom the bank knows neither address nor number, which are asked for.
    const login = await bank.offlineToken.fresh({ person: bank.preferably('no-contact') })
    const again = await expectKept(tools, login, login.refreshToken)
    // Used for the scopes by name, where the first was used for them without a word.
    await inVariation('a refresh token that was refreshed', () =>
      expectKept(tools, login, nextRefreshToken(again, login.refreshToken), grantedOf(login, login.scopes).join(' ')),
    )
  },
})

/** That a refresh token is what it was after refreshes that are refused, and then good for one. @returns that one's answer */
async function expectKept(tools: Tools, login: OfflineLogin, token: string, scope?: string): Promise<HttpResponse> {
  const { bank, expect, skip } = tools
  const { client } = login
  // A bank may grant nobody what it knows nothing of.
  const held = grantedOf(login, login.scopes)
  const before = await bank.introspection.fresh({ client, token })
  let refused = 0
  await refreshWider(
    tools,
    login,
    (refusal) => {
      if (refusal.status >= 400) refused += 1
    },
    token,
  )
  if (refused === 0) return skip('no wider refresh was refused (see TOK-20)')
  const after = await bank.introspection.try({ client, token })
  for (const member of ['active', 'scope', 'exp']) {
    expect(after.member(member), `${member} of the refresh token`, after).toBe(before.member(member))
  }
  const again = await bank.refresh.try({ login, refreshToken: token, ...(scope !== undefined && { form: { scope } }) })
  const { scopes, introspected } = await grantedBy(tools, login, again)
  expect(scopes, 'the scopes of the new access token', introspected).toBeSetOf(held)
  return again
}
