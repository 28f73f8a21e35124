import { isDeepStrictEqual } from 'node:util'
import { isObject, userDataEndpoints } from '../../bank/claims.js'
import { askedTooSoon, isAskedTooSoon } from '../../bank/health.js'
import { inStep } from '../../bank/steps.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn, toRegister, toSign } from '../../target/needs.js'
import { hasRefreshTokens } from '../support/proof-endpoints.js'
import { otherIdentifiers, type SlaIdentifier, slaIdentifiers } from '../support/sla-identifiers.js'
import { expectDead, expectTaken, liveToken } from '../support/token-state.js'

/** The kind of identifier with which each kind of endpoint is looked at closely. */
const identifiers = {
  documents: 'words',
  registration: 'signs',
  'user data': 'uuid',
  'token endpoint': 'hash',
  'token state': 'hash',
  'request objects': 'vat',
} as const satisfies Record<string, SlaIdentifier>

type Endpoints = keyof typeof identifiers

const slaAt = (endpoints: Endpoints) => ({ 'x-sep-identifier': slaIdentifiers[identifiers[endpoints]] })

/** The places of identifiers of digits alone, and of signs. */
const ofOthers = (...endpoints: readonly string[]) =>
  endpoints.flatMap((one) => ['other-type', 'encoded'].map((value) => `endpoint=${one} value=${value}`))

/** Asks with each other kind of identifier: whether a request is served does not go by what it is made of. */
async function withOthers(
  { expect, inVariation }: Pick<Tools, 'expect' | 'inVariation'>,
  endpoints: Endpoints,
  what: string,
  without: HttpResponse,
  ask: (headers: Record<string, string>) => Promise<HttpResponse>,
): Promise<void> {
  for (const [kind, identifier] of otherIdentifiers(identifiers[endpoints]))
    await inVariation(`${what} with an identifier of ${kind}`, async () => {
      const response = await ask({ 'x-sep-identifier': identifier })
      expect(response).toHaveStatus(without.status)
      if (without.status < 400) return
      expect(response.member('error'), 'error of the answer with X-Sep-identifier', response).toBe(
        without.member('error'),
      )
    })
}

/** A document with its lists in one order: that of keys, and of what is declared, says nothing. */
function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(inOneOrder(one))).sort()
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inOneOrder(member)]))
}

/** Picks the members that two answers have alike; others, such as the number of an answer, are new in each. */
function membersAlike(one: HttpResponse, other: HttpResponse) {
  const inOrder = ({ json }: HttpResponse) => new Map(Object.entries(Object(inOneOrder(json))))
  const differs = (name: string) =>
    inOrder(other).has(name) && !isDeepStrictEqual(inOrder(one).get(name), inOrder(other).get(name))
  return (answer: HttpResponse) => Object.fromEntries([...inOrder(answer)].filter(([name]) => !differs(name)))
}

export const documents = rule({
  id: 'general/sep-identifier-documents',
  requirement: 'GEN-5',
  places: [...ofOthers('discovery', 'jwks'), ...['discovery', 'jwks', 'healthcheck'].map((one) => `endpoint=${one}`)],
  title: 'Discovery document, key set and health record are served to a request with X-Sep-identifier as without it',
  async check(tools) {
    const { bank, expect, inVariation, note } = tools
    const health = await bank.healthRecord()
    const documents = [
      ['discovery', `${bank.address}/.well-known/openid-configuration`, 'issuer'],
      ['keySet', await (await bank.discovery()).endpoint('jwks_uri'), 'keys'],
      ['health', health.request.url, 'status'],
    ] as const
    for (const [step, url, member] of documents) {
      await inVariation(`GET ${url}`, async () => {
        const headers = { accept: 'application/json' }
        const without = await inStep(step, async () => {
          if (step === 'health') return health
          const response = await bank.send({ method: 'GET', url, headers })
          expect(response.json, 'the answer', response).toHaveMembers([member])
          return response
        })
        const response = await bank.send({ method: 'GET', url, headers: { ...headers, ...slaAt('documents') } })
        if (step === 'health' && isAskedTooSoon(response)) return note(askedTooSoon)
        expect(response).toHaveStatus(without.status)
        if (step !== 'health') {
          const again = await bank.send({ method: 'GET', url, headers })
          const lasting = membersAlike(without, again)
          expect(lasting(response), 'the answer with X-Sep-identifier', response).toEqual(lasting(without))
        } else {
          const members = Object.keys(Object(without.json))
          expect(response.json, 'the answer with X-Sep-identifier', response).toHaveMembers(members)
        }
      })
      // The health record is not to be had so often.
      if (step === 'health') continue
      const ask = (headers: Record<string, string>) => bank.send({ method: 'GET', url, headers })
      await withOthers(tools, 'documents', `GET ${url}`, await ask({}), ask)
    }
  },
})

export const registration = rule({
  id: 'general/sep-identifier-registration',
  requirement: 'GEN-5',
  places: ['endpoint=register', ...ofOthers('register')],
  title: 'A client is registered and read with X-Sep-identifier as without it',
  needs: toRegister,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const client = await bank.readableClient()
    const headers = slaAt('registration')
    await inVariation('POST', async () => {
      const { status } = client.response
      const response = await bank.registration.modified({}, () => ({ headers }))
      expect(response).toHaveStatus(status)
      expect(response.json, 'the answer with X-Sep-identifier', response).toHaveMembers(['client_id', 'redirect_uris'])
    })
    await inVariation('GET', async () => {
      const response = await bank.manage('GET', client, () => ({ headers }))
      expect(response).toHaveStatus(200)
      expect(response.member('client_id'), 'client_id of the record', response).toBe(client.clientId)
    })
    const ask = (further: Record<string, string>) => bank.manage('GET', client, () => ({ headers: further }))
    await withOthers(tools, 'registration', 'GET', await ask({}), ask)
  },
})

export const userData = rule({
  id: 'general/sep-identifier-user-data',
  requirement: 'GEN-5',
  places: ['endpoint=userinfo', 'endpoint=profile', ...ofOthers(...userDataEndpoints)],
  title: 'userinfo and profile are served to a request with X-Sep-identifier as without it',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const login = await bank.token()
    for (const endpoint of userDataEndpoints) {
      const { response: plain } = await bank.userData[endpoint](login)
      const ask = (further: Record<string, string>) =>
        bank.userData[endpoint].try(login, ({ headers }) => ({ headers: { ...headers, ...further } }))
      await withOthers(tools, 'user data', `/${endpoint}`, plain, ask)
      await inVariation(endpoint, async () => {
        const without = await bank.userData[endpoint](login)
        const asked = async (further: Record<string, string>) => {
          const response = await bank.userData[endpoint].try(login, ({ headers }) => ({
            headers: { ...headers, ...further },
          }))
          expect(response).toHaveStatus(without.response.status)
          expect(response).toHaveMediaType(without.response.mediaType)
          const { content } = await bank.open(endpoint, response, login.client)
          return { response, claims: bank.read(content, endpoint, response).payload }
        }
        const { response, claims } = await asked(slaAt('user data'))
        // What is new in each answer, such as txn, tells nothing of the header. Asked once more after it: nor does what goes by the time (iat).
        const again = await inStep(endpoint, () => asked({}))
        const lasting = (all: Record<string, unknown>) =>
          Object.fromEntries(
            Object.entries(all).filter(([name]) => isDeepStrictEqual(without.claims[name], again.claims[name])),
          )
        expect(lasting(claims), 'the claims with X-Sep-identifier', response).toEqual(lasting(without.claims))
      })
    }
  },
})

export const token = rule({
  id: 'general/sep-identifier-token',
  requirement: 'GEN-5',
  places: ['endpoint=token', 'endpoint=token grant=refresh', 'endpoint=token value=subset', ...ofOthers('token')],
  title: 'A code and a refresh token are exchanged with X-Sep-identifier as without it',
  needs: toLogIn,
  async check(tools) {
    const { bank, inVariation } = tools
    // Whose code is unknown is told so, whoever pays for the request.
    const { authorization: known } = await bank.token()
    const refused = (headers: Record<string, string>) =>
      bank.token.try({ authorization: known }, ({ form }) => ({
        form: { ...form, code: 'a-code-of-nobody' },
        headers,
      }))
    await withOthers(tools, 'token endpoint', 'an unknown code', await refused({}), refused)
    if (!(await hasRefreshTokens(tools))) {
      const { response: without } = await bank.token()
      return expectSameTokens(
        tools,
        await bank.token.modified({}, () => ({ headers: slaAt('token endpoint') })),
        without,
      )
    }
    // One that gives a refresh token: a bank may keep that back alone.
    const { response: without, scopes } = await bank.offlineToken()
    const authorization = await bank.authorization.fresh({
      scope: scopes.join(' '),
      parameters: await bank.offlineParameters(),
    })
    const { client } = authorization
    const response = await bank.token.try({ authorization }, () => ({ headers: slaAt('token endpoint') }))
    await inVariation('a code', async () => expectSameTokens(tools, response, without))
    await inVariation('a refresh token', async () => {
      const refreshToken = response.member('refresh_token')
      const login = typeof refreshToken === 'string' ? { client, refreshToken } : await bank.offlineToken.fresh()
      const { whole } = await bank.refreshChain()
      expectSameTokens(tools, await bank.refresh.try({ login }, () => ({ headers: slaAt('token endpoint') })), whole)
    })
  },
})

/** That a token response is what the bank gives for another code or refresh token, save for what is new in each. */
function expectSameTokens({ expect }: Tools, response: HttpResponse, without: HttpResponse): void {
  expect(response).toHaveStatus(without.status)
  expect(response.json, 'the token response with X-Sep-identifier', response).toHaveMembers(
    Object.keys(Object(without.json)),
  )
  // How long they live is another rule's: a bank may count what is left, which one answer later is a second less.
  expect(response.member('token_type'), 'token_type of the token response', response).toBe(without.member('token_type'))
}

export const tokenState = rule({
  id: 'general/sep-identifier-token-state',
  requirement: 'GEN-5',
  places: [
    ...['endpoint=token-info', 'endpoint=revoke', 'endpoint=token-info value=subset', 'endpoint=revoke value=wrong'],
    ...ofOthers('token-info', 'revoke'),
  ],
  title: 'A token is looked into and taken back with X-Sep-identifier as without it',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const live = await liveToken(bank)
    const of = async (headers: Record<string, string>) => bank.introspection.try(live, () => ({ headers }))
    await inVariation('/token-info', async () => {
      const without = await of({})
      const introspected = await of(slaAt('token state'))
      // Asked once more after it: what is counted down in between is told apart.
      const lasting = membersAlike(without, await of({}))
      expect(introspected).toHaveStatus(200)
      expect(lasting(introspected), 'the introspection with X-Sep-identifier', introspected).toEqual(lasting(without))
    })
    await withOthers(tools, 'token state', '/token-info', await of({}), of)
    const { client } = live
    const unknown = { client, token: 'a-token-of-nobody' }
    const take = (headers: Record<string, string>) => bank.revocation.try(unknown, () => ({ headers }))
    // A bank may answer an unknown token with an error (RFC 7009 has it otherwise).
    await withOthers(tools, 'token state', '/revoke', await take({}), take)
    await inVariation('/revoke', async () => {
      await bank.revocation.expectBaseline()
      expectTaken(expect, await bank.revocation.try(live, () => ({ headers: slaAt('token state') })))
      await expectDead(tools, live, 'a token revoked with X-Sep-identifier')
    })
  },
})

export const ros = rule({
  id: 'general/sep-identifier-request-object',
  requirement: 'GEN-5',
  places: ['endpoint=ros', 'endpoint=authorize', ...ofOthers('ros')],
  title: 'A request object is taken at /ros with X-Sep-identifier, and shown at /authorize, as without it',
  needs: toSign,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const object = await bank.signing.requestObject()
    const { response: without } = object
    const response = await bank.signing.requestObject.modified({}, () => ({ headers: slaAt('request objects') }))
    expect(response).toHaveStatus(without.status)
    expect(response.json, 'the answer to POST /ros with X-Sep-identifier', response).toHaveMembers(
      Object.keys(Object(without.json)),
    )
    await inVariation('GET /authorize of what was posted with it', async () => {
      const shownOf = async (requestUri: string) => {
        const answer = await bank.signing.getAuthorize({ ...object, requestUri })
        return { answer, refused: answer.location === undefined || new URL(answer.location).searchParams.has('error') }
      }
      // That /authorize takes any object is signing/authorize's.
      if ((await shownOf(object.requestUri)).refused) return
      const { answer, refused } = await shownOf(String(response.member('request_uri')))
      expect(refused, 'whether GET /authorize refuses an object that was posted with X-Sep-identifier', answer).toBe(
        false,
      )
    })
    const ask = (headers: Record<string, string>) => bank.signing.requestObject.modified({}, () => ({ headers }))
    await withOthers(tools, 'request objects', '/ros', without, ask)
  },
})
