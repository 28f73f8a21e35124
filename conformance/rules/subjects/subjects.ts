import type { LoginOptions } from '../../bank/authorization.js'
import type { Bank } from '../../bank/bank.js'
import { authenticatedBy, type Metadata, undeclaredMethods } from '../../bank/client-metadata.js'
import { dressNow } from '../../bank/dress.js'
import { nextRefreshToken } from '../../bank/refresh.js'
import { replacement } from '../../bank/registration-management.js'
import type { Login } from '../../bank/token.js'
import { rule, type Tools } from '../../harness/rule.js'
import { toComparePeople, toLogIn, toRegister, toSign } from '../../target/needs.js'
import { toHearLogout, toHearUpdates } from '../support/heard-tokens.js'
import { tokenOfFrontChannel } from '../support/known-tokens.js'
import { hasRefreshTokens } from '../support/proof-endpoints.js'
import { answerTo, expectBadRequest } from '../support/refusals.js'
import { change, demandPairwise, first, second, subAt, toCompare } from '../support/sectors.js'
import { forEveryone, loginForAll } from '../user-data/checks.js'

/** Members of a record that the sub has nothing to do with: a client has them beside another of its sector that does not. */
const bystanders: Metadata = {
  client_name: 'Conformance in other words',
  contacts: ['conformance@example.org', 'another@example.org'],
  notification_uri: 'https://first.conformance.example/notify',
  required_scope: 'openid',
  default_max_age: 4321,
}

/** The same, authenticated by secret, and id_tokens by another of the algorithms that the bank declares than clients have by default. */
async function bystandersAt(bank: Bank): Promise<Metadata> {
  const { metadata } = await bank.client()
  const discovery = await bank.discovery()
  const declared = discovery.declared('id_token_signing_alg_values_supported') ?? []
  const own = metadata.id_token_signed_response_alg
  const other = declared.find((alg) => ['ES512', 'PS512'].includes(alg) && alg !== own)
  return {
    ...bystanders,
    ...(undeclaredMethods(discovery, 'client_secret_post') === undefined && authenticatedBy('client_secret_post')),
    ...(other !== undefined && { id_token_signed_response_alg: other }),
  }
}

export const bySector = rule({
  id: 'subjects/by-sector',
  requirement: 'SUB-1',
  places: ['everywhere', 'value=prefix'],
  title: 'A pairwise subject differs from sector to sector, whatever their hosts have in common',
  needs: toCompare,
  async check({ bank, expect, inVariation, reading, skip }) {
    await demandPairwise({ bank, skip })
    const here = await subAt(bank, { redirect_uris: [first] })
    for (const [what, uri] of Object.entries({
      'a host below the first': first.replace('https://', 'https://www.'),
      'a host that begins as the first does': first.replace('.example/', '.example.org/'),
    })) {
      await inVariation(what, async () => {
        const there = await subAt(bank, { redirect_uris: [uri] })
        expect(there, 'sub of a person at a client of another sector').toDiffer(
          here,
          'that of the same person at the first',
        )
      })
    }
    const unsaid = await subAt(bank, { redirect_uris: [first], subject_type: undefined })
    reading('AMB-40', unsaid === here ? 'pairwise-by-default' : 'public-by-default')
  },
})

export const sectorIdentifierHost = rule({
  id: 'subjects/sector-identifier-host',
  requirement: 'SUB-2',
  places: ['use=first', 'client-auth=client_secret_post'],
  title: 'With sector_identifier_uri its host is the sector, whatever the host of the redirect URI',
  needs: toCompare,
  async check({ bank, expect, inVariation, skip }) {
    await demandPairwise({ bank, skip })
    const person = bank.preferably('foreigner')
    const sector = await bank.sectorDocument([first])
    const named = await subAt(bank, { redirect_uris: [first], sector_identifier_uri: sector }, person)
    const { hostname } = new URL(sector)
    // The host of an address has no port (RFC 3986 section 3.2).
    const onThatHost = await subAt(bank, { redirect_uris: [`https://${hostname}/callback`] }, person)
    expect(named, `the sub at a client of sector ${hostname}`).toBe(onThatHost)
    await inVariation('a client that is otherwise unlike the first', async () => {
      const record = { ...(await bystandersAt(bank)), redirect_uris: [first], sector_identifier_uri: sector }
      expect(await subAt(bank, record, person), `the sub at another client of sector ${hostname}`).toBe(onThatHost)
    })
  },
})

export const redirectHost = rule({
  id: 'subjects/redirect-host',
  requirement: 'SUB-3',
  places: ['everywhere', 'use=after-put'],
  title:
    'Without sector_identifier_uri two clients on one host get the same sub, whichever host one was on before a PUT',
  needs: toCompare,
  async check({ bank, expect, inVariation, skip }) {
    await demandPairwise({ bank, skip })
    const person = bank.preferably('second')
    const one = await subAt(bank, { redirect_uris: [first] }, person)
    const others = {
      'another path': {
        ...(await bystandersAt(bank)),
        redirect_uris: [new URL('/of-another/callback?of=another', first).href, `${first}/too`],
      },
      // The host of an address has no port (RFC 3986 section 3.2).
      'another port': { redirect_uris: [first.replace('.example/', '.example:8443/')] },
      // Nor does its host know upper and lower case (RFC 3986 section 3.2.2).
      'the host in capitals': { redirect_uris: [first.replace('first.conformance', 'FIRST.Conformance')] },
    }
    for (const [what, clientMetadata] of Object.entries(others)) {
      await inVariation(what, async () => {
        const other = await subAt(bank, clientMetadata, person)
        expect(other, 'the sub at another client on the same host').toBe(one)
      })
    }
    await inVariation('a client that a PUT moved to the host', async () => {
      const clientMetadata = { client_name: 'Conformance moved', redirect_uris: [second] }
      // A bank may remember of which sector a client was.
      await subAt(bank, clientMetadata, person)
      const redirect_uris = [first]
      await change(bank, clientMetadata, { redirect_uris })
      const authorization = await bank.authorization.try(
        { clientMetadata, scope: 'openid', person },
        ({ client, parameters }) => ({
          client: { ...client, metadata: { ...client.metadata, redirect_uris }, redirectUri: first },
          parameters: { ...parameters, redirect_uri: first },
        }),
      )
      const moved = await bank.subjectInUserinfo(await bank.token.fresh({ authorization }))
      expect(moved, 'the sub at a client that a PUT moved to the same host').toBe(one)
    })
  },
})

export const sharedSector = rule({
  id: 'subjects/shared-sector',
  requirement: 'SUB-6',
  places: [
    'everywhere',
    'member=redirect_uris value=both',
    'method=POST use=after-change',
    'method=PUT use=after-change',
  ],
  title:
    'Clients that share a sector_identifier_uri get the same sub, also one whose redirect URI came to be listed there',
  needs: toCompare,
  async check({ bank, expect, inVariation, skip }) {
    await demandPairwise({ bank, skip })
    const person = bank.preferably('second')
    const document = bank.ownSectorDocument([first])
    const sector_identifier_uri = document.url
    const one = await subAt(bank, { redirect_uris: [first], sector_identifier_uri }, person)
    const growing = await bank.client.fresh({ redirect_uris: [first], sector_identifier_uri })
    // Whether a PUT is taken at all is another rule's business.
    await bank.replaceRecord(growing, replacement(growing, { client_name: 'Conformance on one host' }))
    const both = [first, second]
    document.list(both)
    const later = { redirect_uris: [second], sector_identifier_uri }
    await inVariation('a client whose redirect URI came to be listed', async () => {
      const answer = await answerTo(bank, later)
      expect(answer.status, 'the status of its registration', answer).toBeAtMost(299)
      const other = await subAt(bank, later, person)
      expect(other, 'the sub at another client of the same sector_identifier_uri').toBe(one)
    })
    await inVariation('a PUT of a redirect URI that came to be listed', async () => {
      const record = replacement(growing, { redirect_uris: both })
      const answer = await bank.manage('PUT', growing, () => ({ record }))
      expect(answer.status, 'the status of the PUT', answer).toBeAtMost(299)
    })
    await inVariation('a client of both hosts', async () => {
      const clientMetadata = { ...(await bystandersAt(bank)), redirect_uris: both, sector_identifier_uri }
      const ofBoth = await subAt(bank, clientMetadata, person)
      expect(ofBoth, 'the sub at a client of the same sector_identifier_uri and of both hosts').toBe(one)
    })
  },
})

export const sameEverywhere = rule({
  id: 'subjects/same-everywhere',
  requirement: 'SUB-7',
  places: ['token=id-of-code', 'token=userinfo', 'token=profile', 'endpoint=token-info', 'use=second-login'],
  title: 'sub is the same in id_token, userinfo, profile and introspection, and at each login',
  needs: toLogIn,
  async check({ bank, expect }) {
    const login = await bank.token()
    const sub = await bank.subjectInUserinfo(login)
    const introspected = await bank.introspection({ client: login.client, token: login.accessToken })
    const told = introspected.member('sub')
    // What is missing altogether is INTR-1's.
    const found = { ...(await bank.subjects(login)), ...(told !== undefined && { introspection: told }) }
    for (const [source, one] of Object.entries(found)) {
      expect(one, `sub in ${source}, which is ${JSON.stringify(sub)} in userinfo`, login.response).toBe(sub)
    }
    const again = await bank.token.fresh()
    const { claims, response } = await bank.userData.userinfo(again)
    expect<unknown>(claims.sub, 'sub after another login', response).toBe(sub)
    expect((await bank.idTokenClaims(again)).sub, 'sub in the id_token of another login', again.response).toBe(sub)
  },
})

/** That every place tells one sub of the person who logged in, and which. */
async function expectSameEverywhere({ bank, expect, inVariation }: Tools, login: Login): Promise<string> {
  const sub = await bank.subjectInUserinfo(login)
  const introspected = await bank.introspection({ client: login.client, token: login.accessToken })
  const found = { ...(await bank.subjects(login)), introspection: introspected.member('sub') }
  for (const [source, one] of Object.entries(found)) {
    // What is missing altogether is INTR-1's.
    if (one === undefined) continue
    await inVariation(source, async () => expect<unknown>(one, `sub in ${source}`, login.response).toBe(sub))
  }
  return sub
}

/**
 * The same of a login that is refreshed, and of the id_token of the refresh.
 * @returns the login as it is then; undefined where the client has no refresh tokens, and in a dress, where the login alone is looked at
 */
async function expectSameWhenRefreshed(
  tools: Tools,
  asked: LoginOptions,
): Promise<{ login: Login; sub: string } | undefined> {
  const { bank, expect, inVariation } = tools
  if (dressNow() !== undefined || !(await hasRefreshTokens(tools, asked.clientMetadata ?? {}))) {
    await expectSameEverywhere(tools, await bank.token({ ...asked, scope: 'openid' }))
    return undefined
  }
  const begun = await bank.offlineToken.fresh(asked)
  const sub = await expectSameEverywhere(tools, begun)
  const response = await bank.refresh.try({ login: begun })
  const login = { ...begun, response, accessToken: String(response.member('access_token')) }
  // Whether a refresh gives an id_token is the bank's choice (OpenID Connect Core section 12.2).
  if (response.member('id_token') !== undefined)
    await inVariation('the id_token of a refresh', async () =>
      expect((await bank.idTokenClaims(login)).sub, 'sub in the id_token of a refresh', response).toBe(sub),
    )
  return { login, sub }
}

export const frontChannelEverywhere = rule({
  id: 'subjects/same-everywhere-of-implicit',
  requirement: 'SUB-7',
  places: ['token=access-of-front-channel'],
  title: 'sub is the same in userinfo, profile and introspection of a token that came by response_type token',
  needs: [...toLogIn, ...toRegister],
  async check({ bank, expect, inVariation, skip }) {
    const issued = await tokenOfFrontChannel(bank)
    if (!issued) return skip('the bank does not declare response_type token')
    const { client, token, subjects } = issued
    const [sub] = subjects
    await inVariation('profile', async () => {
      const { claims, response } = await bank.userData.profile({ client, accessToken: token })
      expect<unknown>(claims.sub, 'sub in profile', response).toBe(sub)
    })
    await inVariation('introspection', async () => {
      const introspected = await bank.introspection.try(issued)
      const told = introspected.member('sub')
      // What is missing altogether is INTR-1's.
      if (told !== undefined) expect<unknown>(told, 'sub in the introspection', introspected).toBe(sub)
    })
  },
})

export const publicEverywhere = rule({
  id: 'subjects/same-everywhere-public',
  requirement: 'SUB-7',
  places: ['endpoint=token-info member=subject_type', 'token=profile member=subject_type'],
  title: 'A public sub is the same in id_token, userinfo, profile and introspection',
  needs: toCompare,
  async check(tools) {
    const subject_type = 'public'
    if (!(await tools.bank.discovery()).declared('subject_types_supported')?.includes(subject_type))
      return tools.skip('the bank does not declare subject_type public')
    const clientMetadata = { redirect_uris: [first], subject_type }
    await expectSameEverywhere(tools, await tools.bank.token({ clientMetadata, person: 'full', scope: 'openid' }))
  },
})

export const sectorEverywhere = rule({
  id: 'subjects/same-everywhere-of-sector',
  requirement: 'SUB-7',
  places: ['token=id-of-code', 'token=id-of-refresh', 'token=profile', 'endpoint=token-info'].map(
    (place) => `${place} member=sector_identifier_uri`,
  ),
  title:
    'The sub of a client with a sector_identifier_uri is the same in id_token, userinfo, profile and introspection, and after a refresh',
  needs: toCompare,
  async check(tools) {
    const { bank } = tools
    await demandPairwise(tools)
    const sector_identifier_uri = await bank.sectorDocument([first])
    const clientMetadata = { redirect_uris: [first], sector_identifier_uri }
    await expectSameWhenRefreshed(tools, { clientMetadata, person: 'full' })
  },
})

export const accountEverywhere = rule({
  id: 'subjects/same-everywhere-of-account',
  requirement: 'SUB-7',
  places: [
    ...['id-of-code', 'id-of-refresh', 'access-of-refresh', 'profile'].map(
      (token) => `person=several-accounts token=${token}`,
    ),
    'endpoint=token-info person=several-accounts',
  ],
  title:
    'The sub of who chose one of several accounts is the same in id_token, userinfo, profile and introspection, and after a refresh',
  needs: [...toLogIn, 'person:several-accounts'],
  async check(tools) {
    const refreshed = await expectSameWhenRefreshed(tools, { person: 'several-accounts' })
    if (!refreshed) return
    const { login, sub } = refreshed
    await tools.inVariation('userinfo with the access token of a refresh', async () => {
      const { claims, response } = await tools.bank.userData.userinfo(login)
      tools.expect(claims.sub, 'sub in userinfo', response).toBe(sub)
    })
  },
})

export const sameAfterRefresh = rule({
  id: 'subjects/same-after-refresh',
  requirement: 'SUB-7',
  places: [
    'token=id-of-refresh',
    // Where clients have public subjects, as in one of the dresses.
    'token=id-of-refresh member=subject_type',
    'token=access-of-refresh',
    'endpoint=token-info token=refresh',
    'endpoint=token-info use=second-refresh token=access-of-refresh',
  ],
  title: 'sub stays the same when a login is refreshed: in id_token, userinfo, profile and introspection',
  needs: toLogIn,
  async check({ bank, expect, inVariation }) {
    // One of its own: what others do with theirs may end it before it is looked at.
    const login = await bank.offlineToken.fresh()
    const last = await bank.refresh.try({ login })
    const { sub } = await bank.idTokenClaims(login)
    const accessToken = String(last.member('access_token'))
    const refreshed = { client: login.client, accessToken, response: last, authorization: login.authorization }
    await inVariation('userinfo with the access token of a refresh', async () => {
      const { claims, response } = await bank.userData.userinfo(refreshed)
      expect(claims.sub, 'sub in userinfo', response).toBe(sub)
    })
    // Whether a refresh gives an id_token is the bank's choice (OpenID Connect Core section 12.2).
    const sources = last.member('id_token') === undefined ? {} : await bank.subjects(refreshed)
    const tokens = { 'the access token': accessToken, 'the refresh token': nextRefreshToken(last, login.refreshToken) }
    for (const [what, token] of Object.entries(tokens)) {
      const introspected = await bank.introspection.try({ client: login.client, token })
      expect(introspected.status, `the status of the introspection of ${what}`, introspected).toBeAtMost(499)
      const found = introspected.member('sub')
      // What an introspection has to say is the business of the rules about it.
      if (found !== undefined) Object.assign(sources, { [`the introspection of ${what}`]: found })
    }
    await inVariation('the introspection of the access token of a refresh narrowed to openid', async () => {
      const refreshToken = nextRefreshToken(last, login.refreshToken)
      const narrowed = await bank.refresh.try({ login, refreshToken, form: { scope: 'openid' } })
      const token = narrowed.member('access_token')
      if (typeof token !== 'string') return
      const introspected = await bank.introspection.try({ client: login.client, token })
      const found = introspected.member('sub')
      if (found !== undefined)
        expect<unknown>(found, 'sub in the introspection of a narrowed token', introspected).toBe(sub)
    })
    for (const [source, one] of Object.entries(sources))
      expect(one, `sub in ${source} after a refresh, which was ${JSON.stringify(sub)}`, last).toBe(sub)
  },
})

export const stable = rule({
  id: 'subjects/stable',
  requirement: 'SUB-7',
  places: ['session-login', 'after-put', 'after-revocation']
    .map((use) => `use=${use}`)
    .concat('use=after-put member=redirect_uris'),
  title:
    'sub stays the same in a login by session, after a PUT that leaves the sector as it is, and once tokens were revoked',
  needs: [...toCompare, 'page-detection'],
  async check({ bank, expect, note }) {
    const clientMetadata = { client_name: 'Conformance same sub', redirect_uris: [first] }
    const session = bank.session({ clientMetadata })
    const sub = await bank.subjectInUserinfo(await session.signIn())
    const asked = async () => bank.subjectInUserinfo(await bank.token.fresh({ authorization: await session.ask({}) }))
    expect(await asked(), 'sub after a login by session').toBe(sub)
    await change(bank, clientMetadata, {
      client_name: 'Conformance same sub, renamed',
      redirect_uris: [`${first}/too`, first],
    })
    const login = await bank.token.fresh({ authorization: await session.ask({}) })
    const renamed = await bank.subjectInUserinfo(login)
    expect(renamed, 'sub after a PUT of another name and a further redirect URI, before the first').toBe(sub)
    const revoked = await bank.revocation.try({ client: login.client, token: login.accessToken })
    if (revoked.status >= 300)
      return note('the bank does not revoke the access token: sub was not looked at after that')
    expect(await asked(), 'sub after an access token of the client was revoked').toBe(sub)
  },
})

export const afterChange = rule({
  id: 'subjects/same-after-change',
  requirement: 'SUB-7',
  places: ['use=after-change'],
  title: 'sub stays the same in a login after what the bank knows of the person was changed',
  needs: toHearUpdates,
  async check({ bank, expect, skip }) {
    const { notApproved, loggedInLater } = await bank.claimUpdate()
    if (!loggedInLater) return skip('nobody could log in again while the person was changed')
    const { login, subjects } = loggedInLater
    for (const sub of subjects)
      expect(sub, 'sub of a login after the change', login.response).toBeOneOf(notApproved.subjects)
  },
})

export const afterLogout = rule({
  id: 'subjects/same-after-logout',
  requirement: 'SUB-7',
  places: ['use=after-logout'],
  title: 'sub stays the same in a login after a logout in another browser',
  needs: [...toHearLogout, 'redirect', 'browsers'],
  async check({ bank, expect, skip }) {
    const { loggedInLater } = await bank.logout()
    if (!loggedInLater) return skip('no session of the person went on after the logout')
    const { sub, subjects, response } = loggedInLater
    expect(sub, 'sub of the id_token of a login after the logout', response).toBeOneOf(subjects)
  },
})

export const inCallback = rule({
  id: 'subjects/same-in-callback',
  requirement: 'SUB-7',
  places: ['token=id-of-front-channel'],
  title: 'sub is the same in the id_token of the callback and in that of the code beside it',
  needs: [...toSign, 'redirect'],
  async check({ bank, expect, skip }) {
    const { client, fragment, response, redeemed } = await bank.hybrid()
    if (redeemed?.member('id_token') === undefined) return skip('the code of the callback gave no id_token')
    const { claims } = await bank.examineIdToken(response, client, String(fragment.get('id_token')))
    const { claims: ofCode } = await bank.signing.idToken({ client, response: redeemed })
    expect<unknown>(claims.sub, 'sub in the id_token of the callback', response).toBe(ofCode.sub)
  },
})

/** The sub of a person who comes back to the last of a client's redirect URIs. */
async function subByLast(bank: Bank, clientMetadata: Metadata, person: string): Promise<string> {
  const authorization = await bank.authorization.try(
    { clientMetadata, person, scope: 'openid' },
    ({ client, parameters }) => {
      const redirect_uri = String([client.metadata.redirect_uris].flat().at(-1))
      return { client: { ...client, redirectUri: redirect_uri }, parameters: { ...parameters, redirect_uri } }
    },
  )
  return bank.subjectInUserinfo(await bank.token.fresh({ authorization }))
}

export const publicSubject = rule({
  id: 'subjects/public',
  requirement: 'SUB-8',
  places: [
    'everywhere',
    'member=sector_identifier_uri',
    'member=redirect_uris value=last',
    'use=after-put',
    'use=after-put member=subject_type',
  ],
  title: 'A public subject does not depend on the sector, where sector_identifier_uri names one and after a PUT too',
  needs: toCompare,
  async check({ bank, expect, inVariation, reading }) {
    const subject_type = 'public'
    if (!(await bank.discovery()).declared('subject_types_supported')?.includes(subject_type)) {
      expectBadRequest(expect, await answerTo(bank, { subject_type }))
      return reading('AMB-40', 'public-refused')
    }
    const person = bank.preferably('second')
    const one = await subAt(bank, { redirect_uris: [first], subject_type }, person)
    const elsewhere = { ...(await bystandersAt(bank)), redirect_uris: [`${second}/too`, second], subject_type }
    const other = await subByLast(bank, elsewhere, person)
    expect(other, 'the public sub at a client of another sector').toBe(one)
    const sector_identifier_uri = await bank.sectorDocument([first])
    const named = await subAt(bank, { redirect_uris: [first], subject_type, sector_identifier_uri }, person)
    expect(named, 'the public sub at a client with a sector_identifier_uri').toBe(one)
    await inVariation('after a PUT', async () => {
      const clientMetadata = { client_name: 'Conformance public subject', redirect_uris: [second], subject_type }
      await change(bank, clientMetadata, { client_name: 'Conformance public subject, renamed' })
      expect(await subAt(bank, clientMetadata, person), 'the public sub at a client that a PUT renamed').toBe(one)
      const declared = (await bank.discovery()).declared('subject_types_supported')
      if (declared && !declared.includes('pairwise')) return
      await change(bank, clientMetadata, { subject_type: 'pairwise' })
      const authorization = await bank.authorization.try({ clientMetadata, scope: 'openid', person })
      const paired = await bank.subjectInUserinfo(await bank.token.fresh({ authorization }))
      const pairwise = await subAt(bank, { redirect_uris: [second], subject_type: 'pairwise' }, person)
      expect(paired, 'the sub at a client that a PUT gave subject_type pairwise').toBe(pairwise)
    })
  },
})

export const byPerson = rule({
  id: 'subjects/by-person',
  requirement: 'SUB-9',
  places: ['everywhere', 'member=subject_type', 'value=long'],
  title: 'Two people have different subs at one client, pairwise or public',
  needs: [...toLogIn, 'person:second'],
  async check({ bank, expect, inVariation }) {
    const ofTwo = async (clientMetadata: Metadata) => {
      const [one, other] = [await subAt(bank, clientMetadata), await subAt(bank, clientMetadata, 'second')]
      expect(other, 'sub of another person at the same client').toDiffer(one, 'that of the first person')
    }
    await inVariation('at a client as it is', () => ofTwo({}))
    await inVariation('at a client on a host of a long name', () => ofTwo({ redirect_uris: [first] }))
    if (!(await bank.discovery()).declared('subject_types_supported')?.includes('public')) return
    await inVariation('at a client of public subjects', () => ofTwo({ redirect_uris: [first], subject_type: 'public' }))
  },
})

export const ofEveryone = rule({
  id: 'subjects/everyone',
  requirement: 'SUB-9',
  places: ['person=any'],
  title: 'No two of all the people have one sub at one client',
  needs: toComparePeople,
  async check(tools) {
    const { bank, expect } = tools
    const known = new Map([[(await bank.idTokenClaims(await loginForAll(tools))).sub, 'full']])
    await forEveryone(tools, async (login, _claims, kind) => {
      const { sub } = await bank.idTokenClaims(login)
      // That there is one, other rules say (TOK-34).
      if (sub === undefined) return
      expect(known.get(sub), 'whose the sub of this person is already', login.response).toBe(undefined)
      known.set(sub, kind)
    })
  },
})

export const hostAlone = rule({
  id: 'subjects/host-alone',
  requirement: 'SUB-10',
  places: ['everywhere', 'value=upper-case'],
  title: 'Two sector_identifier_uri that differ in path, query and the case of the host alone are one sector',
  needs: toCompare,
  async check({ bank, expect, skip }) {
    await demandPairwise({ bank, skip })
    const person = bank.preferably('foreigner')
    const [plain, longer] = [await bank.sectorDocument([first]), await bank.sectorDocument([first, second])]
    // Nor does a host know upper and lower case (RFC 3986 section 3.2.2).
    const inCapitals = longer.replace(/^https:\/\/[^/:]+/, (origin) => `https://${origin.slice(8).toUpperCase()}`)
    const sectors = [plain, `${inCapitals}?of=another`]
    const [one, other] = await Promise.all(
      sectors.map((sector_identifier_uri) => subAt(bank, { redirect_uris: [first], sector_identifier_uri }, person)),
    )
    expect(other, 'the sub with a sector_identifier_uri of another path, its host in capitals,').toBe(one)
  },
})
