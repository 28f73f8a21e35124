import { deviceGrant } from '../../bank/device.js'
import { rule, type Tools } from '../../harness/rule.js'
import { expectNoBeginning, requestLogin } from '../support/login-requests.js'
import { askWhetherThere } from '../support/nothing-there.js'
import { toldByProxies } from '../support/told-by-proxies.js'
import { expectDeclared } from './lists.js'

export const document = rule({
  id: 'discovery/document',
  requirement: 'DISC-1',
  places: ['use=first', 'parameter=accept'],
  title: 'The discovery document is served as JSON without authentication, to who accepts anything too',
  async check({ bank, expect, inVariation }) {
    const response = await bank.discoveryResponse()
    expect(response).toHaveStatus(200)
    expect(response).toHaveMediaType('application/json')
    const found = expect(response.json, 'the discovery document', response).toBeObject()
    for (const member of ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
      expect(found[member], `${member} of the discovery document`, response).toBeText()
    }
    await inVariation('a request that accepts anything', async () => {
      const anything = await bank.send({ method: 'GET', url: response.request.url, headers: { accept: '*/*' } })
      expect(anything).toHaveStatus(200)
      expect(anything.json, 'the discovery document', anything).toHaveMembers(['issuer'])
    })
  },
})

export const issuer = rule({
  id: 'discovery/issuer',
  requirement: 'DISC-2',
  places: ['wrong', 'superset', 'upper-case'].map((value) => `value=${value}`),
  title: 'issuer is the address that the discovery document was read from',
  async check({ bank, expect }) {
    const discovery = await bank.discovery()
    expect(discovery.member('issuer'), 'issuer of the discovery document', discovery.response).toBe(bank.issuer)
  },
})

export const forwardedHost = rule({
  id: 'discovery/forwarded-host',
  requirement: 'DISC-2',
  places: ['value=wrong'],
  title: 'The discovery document takes no address from headers in which proxies tell theirs',
  // The specification says nothing of proxies, so that a bank is warned: who believes anybody may be had to tell foreign addresses, by a cache too.
  async check({ bank, expect, warn }) {
    const good = await bank.discoveryResponse()
    expect(good).toHaveStatus(200)
    const host = 'conformance.invalid'
    const told = await bank.send({
      method: 'GET',
      url: good.request.url,
      headers: { accept: 'application/json', ...toldByProxies(host) },
    })
    if (told.text.includes(host))
      warn('the document takes its addresses from the headers of whoever asks for it (RFC 7239 section 8.1)')
  },
})

/** The address members of the table; of those with a path, a bank that leaves one out has nothing at that path (AMB-35). */
const endpoints: readonly { member: string; leftOut?: { method: 'GET' | 'POST'; path: string } | 'not to be seen' }[] =
  [
    { member: 'authorization_endpoint' },
    { member: 'token_endpoint' },
    { member: 'userinfo_endpoint' },
    { member: 'jwks_uri' },
    { member: 'introspection_endpoint', leftOut: { method: 'POST', path: '/token-info' } },
    { member: 'profile_endpoint', leftOut: { method: 'GET', path: '/profile' } },
    { member: 'end_session_endpoint', leftOut: 'not to be seen' },
  ]

/** Pages for people. */
const pages = ['service_documentation', 'op_policy_uri', 'op_tos_uri']

export const addresses = rule({
  id: 'discovery/addresses',
  requirement: 'DISC-3',
  places: [
    ...endpoints.map(({ member }) => `member=${member}`),
    ...['device_authorization_endpoint', ...pages].map((member) => `member=${member}`),
    ...['authorization_endpoint', 'userinfo_endpoint'].map((member) => `member=${member} value=superset`),
  ],
  title: 'The endpoints and jwks_uri are absolute https addresses, the documents absolute addresses',
  async check(tools) {
    const { bank, expect, reading, note } = tools
    const discovery = await bank.discovery()
    const expectAddress = (member: string, form: RegExp, described: string) =>
      expect(discovery.member(member), `${member} of the discovery document`, discovery.response).toMatch(
        form,
        described,
      )
    const missing: string[] = []
    for (const { member, leftOut } of endpoints) {
      if (discovery.member(member) !== undefined || !leftOut) {
        expectAddress(member, absoluteHttps, 'an absolute https address')
        continue
      }
      missing.push(member)
      if (leftOut === 'not to be seen') continue
      const { method, path } = leftOut
      const { response, there } = await askWhetherThere(tools, method, path)
      if (there) expect(response).toHaveStatus(404)
    }
    for (const member of pages) {
      if (discovery.member(member) === undefined) missing.push(member)
      else expectAddress(member, absolute, 'an absolute address')
    }
    if (missing.length > 0) note(`left out: ${missing.join(', ')}`)
    reading('AMB-35', missing.length > 0 ? 'subset' : 'table')

    if (discovery.member('device_authorization_endpoint') === undefined) return reading('AMB-34', 'undeclared')
    expectAddress('device_authorization_endpoint', absoluteHttps, 'an absolute https address')
    reading('AMB-34', discovery.declared('grant_types_supported')?.includes(deviceGrant) ? 'served' : 'grant-refused')
  },
})

/** Without a fragment, which no request carries (RFC 3986 section 4.3, RFC 6749 section 3). */
const absoluteHttps = /^https:\/\/[^/?#\s]+[^\s#]*$/
const absolute = /^[a-z][a-z0-9+.-]*:[^\s]+$/i

const booleans = [
  'request_parameter_supported',
  'claims_parameter_supported',
  'request_uri_parameter_supported',
  'require_request_uri_registration',
]

export const requestParameters = rule({
  id: 'discovery/request-parameters',
  requirement: 'DISC-4',
  places: booleans.flatMap((member) => ['wrong', 'other-type'].map((value) => `member=${member} value=${value}`)),
  title: 'request and claims are declared unsupported, request_uri supported and to be registered',
  async check({ bank, expect, reading }) {
    const discovery = await bank.discovery()
    const expectMember = (member: string, ...allowed: boolean[]) => {
      const where = `${member} of the discovery document`
      return expect(discovery.member(member), where, discovery.response).toBeOneOf(allowed)
    }
    expectMember('request_parameter_supported', false)
    expectMember('claims_parameter_supported', false)
    const supported = expectMember('request_uri_parameter_supported', true, false)
    // What is not supported need not be registered.
    expectMember('require_request_uri_registration', ...(supported ? [true] : [true, false]))
    reading('AMB-35', supported ? 'table' : 'subset')
  },
})

export const scopes = rule({
  id: 'discovery/scopes',
  requirement: 'DISC-5',
  places: ['scope=openid', 'scope=profile.zoneinfo', 'value=other-type'],
  title: 'scopes_supported holds every scope of the table',
  async check(tools) {
    const { bank, service, note, reading } = tools
    await expectDeclared(tools, ['scopes_supported'])
    const declared = (await bank.discovery()).declared('scopes_supported') ?? []
    const further = ['authorization', 'notification.claims_updated'].filter((scope) => !declared.includes(scope))
    if (further.length === 0) return reading('AMB-16', 'declared')
    note(`used by the specification, but neither in its table nor declared: ${further.join(', ')}`)
    if (!service.signer || !service.server) return
    const { response } = await bank.registration({ scope: `openid ${further.join(' ')}` })
    if (response.status < 300) reading('AMB-16', 'undeclared')
    else if (response.status < 500) note(`they are not taken at registration either`)
  },
})

export const acrValues = rule({
  id: 'discovery/acr-values',
  requirement: 'DISC-6',
  places: ['first', 'last', 'other-type'].map((value) => `value=${value}`),
  title: 'acr_values_supported holds loa2 and loa3',
  check: (tools) => expectDeclared(tools, ['acr_values_supported']),
})

const flowLists = [
  'response_types_supported',
  'response_modes_supported',
  'grant_types_supported',
  'subject_types_supported',
  'claim_types_supported',
  'code_challenge_methods_supported',
]

/** That a method of PKCE that is left out beside one that is declared is refused (AMB-35; RFC 7636 section 4.4.1). */
async function expectChallengesRefused({ bank, service, expect, inVariation }: Tools): Promise<void> {
  const declared = (await bank.discovery()).declared('code_challenge_methods_supported') ?? []
  const left = ['plain', 'S256'].filter((method) => !declared.includes(method))
  if (declared.length === 0 || left.length === 0 || !service.signer || !service.server) return
  const client = await bank.client()
  for (const code_challenge_method of left) {
    await inVariation(`a request by ${code_challenge_method}, which is not declared`, async () => {
      const parameters = { code_challenge: 'c'.repeat(43), code_challenge_method }
      const answer = await requestLogin(bank, client, parameters)
      expectNoBeginning(expect, answer, `a request with the code_challenge_method ${code_challenge_method}`)
    })
  }
}

export const flows = rule({
  id: 'discovery/flows',
  requirement: 'DISC-7',
  places: flowLists.map((member) => `member=${member}`).concat('use=second-call'),
  title: 'Response types and modes, grants, subject types, claim types and PKCE methods are declared as in the table',
  async check(tools) {
    await expectDeclared(tools, flowLists)
    await expectChallengesRefused(tools)
  },
})

const authenticationLists = [
  'token_endpoint_auth_methods_supported',
  'token_endpoint_auth_signing_alg_values_supported',
]

export const clientAuthentication = rule({
  id: 'discovery/client-authentication',
  requirement: 'DISC-8',
  places: authenticationLists.map((member) => `member=${member}`),
  title: 'The methods of client authentication and their algorithms are declared as in the table',
  check: (tools) => expectDeclared(tools, authenticationLists),
})

/** What is signed and encrypted. */
const signedKinds = ['id_token', 'userinfo', 'request_object']

export const signingAlgorithms = rule({
  id: 'discovery/signing-algorithms',
  requirement: 'DISC-9',
  places: signedKinds.map((kind) => `member=${kind}`),
  title: 'The signing algorithms of id_token, userinfo and request object are declared as in the table',
  check: (tools) =>
    expectDeclared(
      tools,
      signedKinds.map((kind) => `${kind}_signing_alg_values_supported`),
    ),
})

export const encryptionAlgorithms = rule({
  id: 'discovery/encryption-algorithms',
  requirement: 'DISC-10',
  places: signedKinds.map((kind) => `member=${kind}`),
  title: 'The encryption of id_token, userinfo and request object is declared as in the table',
  check: (tools) =>
    expectDeclared(
      tools,
      signedKinds.flatMap((kind) => [
        `${kind}_encryption_alg_values_supported`,
        `${kind}_encryption_enc_values_supported`,
      ]),
    ),
})

export const claims = rule({
  id: 'discovery/claims',
  requirement: 'DISC-11',
  places: ['sub', 'addresses.city', 'zoneinfo'].map((claim) => `claim=${claim}`).concat('use=second-call'),
  title: 'claims_supported holds every claim of the table',
  check: (tools) => expectDeclared(tools, ['claims_supported']),
})
