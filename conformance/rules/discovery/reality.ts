import { isUrl } from '../../../schemas/is-url.js'
import { claimNames, covers, publishedClaimsOf } from '../../bank/claims.js'
import { authenticatedBy } from '../../bank/client-metadata.js'
import { NoAnswer } from '../../evidence/failure.js'
import { rule, type Tools } from '../../harness/rule.js'
import { clientKeys, foreignSigner, publishedKeys } from '../../service/client-keys.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { declaresMethod } from '../support/client-methods.js'
import { expectAllGranted } from '../support/granted-scopes.js'
import { expectBeginning, requestLogin } from '../support/login-requests.js'
import { refuseEach } from '../support/proof-endpoints.js'
import { answerTo } from '../support/refusals.js'
import { expectUndeclaredRefused } from './undeclared-values.js'

const toLogInAtOwn = [...toRegister, ...toLogIn]

/** How an endpoint that is there answers a call that nobody is authenticated for, or that asks for nothing. */
interface Probe {
  method: 'GET' | 'POST'
  statuses: readonly number[]
  mediaTypes?: readonly string[]
}

const json = ['application/json']
const asksForClient: Probe = { method: 'POST', statuses: [400, 401], mediaTypes: json }
const asksForToken: Probe = { method: 'GET', statuses: [400, 401, 403] }

const probes: Record<string, Probe> = {
  // A bank may lead on to an address of its own first.
  authorization_endpoint: { method: 'GET', statuses: [302, 303, 307, 308, 400] },
  token_endpoint: asksForClient,
  introspection_endpoint: asksForClient,
  revocation_endpoint: { ...asksForClient, statuses: [200, 400, 401] },
  device_authorization_endpoint: asksForClient,
  userinfo_endpoint: asksForToken,
  profile_endpoint: asksForToken,
  end_session_endpoint: { method: 'GET', statuses: [200, 302, 303, 307, 308, 400] },
  jwks_uri: { method: 'GET', statuses: [200], mediaTypes: ['application/json', 'application/jwk-set+json'] },
}

/** Pages for people, at the bank or elsewhere. */
const pages = ['service_documentation', 'op_policy_uri', 'op_tos_uri']

/** That a declared page is there: what is asked for a login first is, and of what lies elsewhere a network may show nothing. */
async function expectPage({ bank, expect, note }: Tools, url: string): Promise<void> {
  // Addresses of pages may be of another scheme than https, which is not spoken here.
  if (!url.startsWith('https:')) return note(`${url} is not asked for`)
  try {
    const response = await bank.send({ method: 'GET', url })
    const asksForLogin = [401, 403].includes(response.status) && response.mediaType !== 'application/json'
    if (!asksForLogin) expect(response).toHaveStatus(200, 301, 302, 303, 307, 308)
  } catch (error) {
    if (!(error instanceof NoAnswer) || url.startsWith(`${new URL(bank.issuer).origin}/`)) throw error
    note(`${url} cannot be reached from here`)
  }
}

export const endpoints = rule({
  id: 'discovery/endpoints-answer',
  requirement: 'DISC-12',
  places: [...Object.keys(probes), ...pages]
    .filter((member) => member !== 'revocation_endpoint')
    .map((member) => `member=${member}`)
    .concat('value=repeated'),
  title: 'Each declared endpoint answers as what it is declared to be',
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const discovery = await bank.discovery()
    for (const member of pages) {
      const url = discovery.value(member)
      // Whether it is an address is for the rule about addresses to say.
      if (typeof url === 'string' && isUrl(url)) await inVariation(member, () => expectPage(tools, url))
    }
    const known = new Map<string, string>()
    for (const [member, { method, statuses, mediaTypes }] of Object.entries(probes)) {
      if (discovery.value(member) === undefined) continue
      await inVariation(member, async () => {
        const url = await discovery.endpoint(member)
        // The endpoint table has a path for each: what answers as one of them is not another.
        if (known.size > 0) {
          expect(known.get(url), `which member has the address of ${member} too`, discovery.response).toBe(undefined)
        }
        known.set(url, member)
        const response = await bank.send({
          method,
          url,
          headers: { ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }) },
          ...(method === 'POST' && { body: '' }),
        })
        // Who may ask it is for other rules to say (INTR-10).
        const isIntrospection = member === 'introspection_endpoint' && response.member('active') !== undefined
        if (!isIntrospection) expect(response).toHaveStatus(...statuses)
        if (mediaTypes && response.text !== '') expect(response).toHaveMediaType(...mediaTypes)
        if (member === 'jwks_uri') expect(response.member('keys'), 'keys at jwks_uri', response).toBeFilledArray()
      })
    }
  },
})

export const undeclaredAlgorithm = rule({
  id: 'discovery/undeclared-algorithm',
  requirement: 'DISC-13',
  places: [
    ...['PS256', 'PS384', 'ES256', 'ES384'].map((alg) => `endpoint=token-info alg=${alg}`),
    'endpoint=revoke alg=PS256',
    ...['id_token', 'userinfo', 'profile', 'request_object'].map((kind) => `endpoint=register member=${kind}`),
    'endpoint=register member=token_endpoint_auth_signing_alg',
    'endpoint=token alg=PS256',
    'endpoint=register method=PUT',
  ],
  title: 'An algorithm that is not declared is refused at registration and in use',
  needs: toLogInAtOwn,
  async check(tools) {
    const { bank } = tools
    await expectUndeclaredRefused(tools, ['algorithm'])
    // One of each member: that each value is refused by PUT too is REG-15's.
    await expectUndeclaredRefused(tools, ['algorithm'], 'PUT', 1)
    const declared = (await bank.discovery()).declared('token_endpoint_auth_signing_alg_values_supported')
    const undeclared = ['PS256', 'PS384', 'ES256', 'ES384'].filter((one) => !declared?.includes(one))
    if (undeclared.length === 0 || !(await declaresMethod(tools, 'private_key_jwt'))) return
    const others = await Promise.all(undeclared.map((alg) => foreignSigner(alg)))
    const published = [...others.map(({ publicJwk }) => publicJwk), ...publishedKeys(await clientKeys())]
    const clientMetadata = {
      ...authenticatedBy('private_key_jwt'),
      jwks_uri: (await bank.hostKeys(published)).url,
    }
    const flaws = Object.fromEntries(others.map((signer) => [`signed with ${signer.alg}`, { signer }]))
    await refuseEach(tools, () => flaws, { clientMetadata, at: ['/token', '/token-info', '/revoke'] })
  },
})

export const undeclaredAuthentication = rule({
  id: 'discovery/undeclared-authentication',
  requirement: 'DISC-22',
  places: [
    ...['endpoint=register', 'endpoint=register method=PUT'],
    ...['client_secret_basic', 'none'].map((method) => `endpoint=token member=${method}`),
  ],
  title: 'A client authentication method that is not declared is refused at registration and at /token',
  needs: toLogInAtOwn,
  async check(tools) {
    const { bank, expect, inVariation, warn } = tools
    await expectUndeclaredRefused(tools, ['authentication'])
    // That each value is refused by PUT too is REG-15's.
    await expectUndeclaredRefused(tools, ['authentication'], 'PUT', 1)
    const declared = (await bank.discovery()).declared('token_endpoint_auth_methods_supported') ?? []
    const clientMetadata = declared.includes('client_secret_post') ? authenticatedBy('client_secret_post') : {}
    for (const method of ['client_secret_basic', 'none'].filter((one) => !declared.includes(one))) {
      const sendVariation = await bank.token.variations({ clientMetadata })
      await inVariation(`authentication by ${method}`, async () => {
        const refusal = await sendVariation(({ client }) => ({
          client: { ...client, metadata: { ...client.metadata, token_endpoint_auth_method: method } },
        }))
        expect(refusal).toHaveStatus(400, 401)
        expect(refusal.told, 'the refusal of POST /token', refusal).toFitSchema('error')
        const challenge = refusal.header('www-authenticate') ?? ''
        if (method === 'client_secret_basic' && refusal.status === 401 && !/(^|,\s*)Basic\b/i.test(challenge)) {
          warn(
            'HTTP Basic is refused with 401, but without a Basic challenge in WWW-Authenticate (RFC 6749 section 5.2)',
          )
        }
      })
    }
  },
})

export const undeclaredFlow = rule({
  id: 'discovery/undeclared-flow',
  requirement: 'DISC-23',
  places: ['endpoint=register', 'endpoint=register method=PUT', 'endpoint=token', 'endpoint=auth'],
  title: 'A response type or grant that is not declared is refused at registration and in use',
  needs: toLogInAtOwn,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    await expectUndeclaredRefused(tools, ['flow'])
    await expectUndeclaredRefused(tools, ['flow'], 'PUT', 2)
    const discovery = await bank.discovery()
    const grants = discovery.declared('grant_types_supported') ?? []
    const sendVariation = await bank.token.variations()
    for (const grant_type of ['password', 'client_credentials'].filter((one) => !grants.includes(one))) {
      const form = { grant_type, username: 'somebody', password: 'something', scope: 'openid' }
      await inVariation(`grant_type ${grant_type}`, async () => {
        const refusal = await sendVariation(() => ({ form }))
        expect(refusal).toHaveStatus(400, 401)
        expect(refusal.member('error'), 'error of POST /token', refusal).toBeOneOf([
          'unsupported_grant_type',
          'unauthorized_client',
          'invalid_request',
        ])
      })
    }
    await expectUndeclaredResponseType(tools)
  },
})

async function expectUndeclaredResponseType({ bank, expect, inVariation }: Tools): Promise<void> {
  const discovery = await bank.discovery()
  const responseTypes = discovery.declared('response_types_supported') ?? []
  for (const response_type of ['id_token', 'code token'].filter((one) => !responseTypes.includes(one))) {
    await inVariation(`response_type ${response_type}`, async () => {
      const answer = await bank.authorizationRequest.try({}, ({ parameters }) => ({
        parameters: { ...parameters, scope: 'openid', response_type },
      }))
      const redirected = answer.location === undefined ? undefined : new URL(answer.location)
      const redirectedError =
        redirected?.searchParams.get('error') ?? new URLSearchParams(redirected?.hash.slice(1)).get('error')
      expect(redirectedError ?? answer.member('error'), 'error of /auth', answer).toBeOneOf([
        'unsupported_response_type',
        'invalid_request',
        'unauthorized_client',
      ])
    })
  }
}

export const declaredScopes = rule({
  id: 'discovery/declared-scopes',
  requirement: 'DISC-21',
  places: [
    ...['register', 'auth', 'token', 'userinfo', 'profile'].map((one) => `endpoint=${one}`),
    'scope=authorization',
    'scope=notification.claims_updated',
  ],
  title:
    'Each declared scope can be registered, requested and granted, and claims_supported holds every claim returned',
  needs: toLogInAtOwn,
  async check(tools) {
    const { bank, expect, inVariation, note, skip } = tools
    const discovery = await bank.discovery()
    const declared = discovery.declared('scopes_supported')
    const claims = discovery.declared('claims_supported')
    if (!declared || !claims) return skip('the bank does not declare its scopes and claims')
    const scope = declared.join(' ')
    const refresh = discovery.declared('grant_types_supported')?.includes('refresh_token')
    const clientMetadata = { scope, grant_types: ['authorization_code', ...(refresh ? ['refresh_token'] : [])] }
    const registered = await answerTo(bank, clientMetadata)
    expect(registered.status, 'the status of a registration with every declared scope', registered).toBeAtMost(299)
    const login = await expectAllGranted(tools, { clientMetadata, scope })
    for (const one of declared.filter((name) => name.startsWith('profile.'))) {
      await inVariation(`${one} beside openid alone`, async () => {
        const answer = await requestLogin(bank, login.client, { scope: `openid ${one}` })
        expectBeginning(expect, answer, `a request for openid and ${one}`)
      })
    }

    const hasProfile = discovery.value('profile_endpoint') !== undefined
    for (const endpoint of hasProfile ? (['userinfo', 'profile'] as const) : (['userinfo'] as const)) {
      const { claims: returned, response } = await bank.userData[endpoint](login)
      const undeclared = claimNames(returned).filter((name) => !ofJwts.includes(name) && !covers(claims, name))
      // What the published interface serves besides (AMB-50), and the other name of email_verified (AMB-6).
      const published = [...publishedClaimsOf(endpoint, ['openid', ...declared]), 'verified_email']
      const unknown = undeclared.filter((name) => !covers(published, name))
      expect(unknown, `the claims of ${endpoint} that claims_supported lacks`, response).toEqual([])
      if (undeclared.length > 0) note(`${endpoint} has claims beyond claims_supported: ${undeclared.join(', ')}`)
    }
  },
})

/** Members of every JWT (RFC 7519 section 4.1), which are no claims about a person. */
const ofJwts = ['iss', 'aud', 'iat', 'exp', 'nbf', 'jti']
