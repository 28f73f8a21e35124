import { isUrl } from '../../../schemas/is-url.js'
import { declaredFor } from '../../bank/client-metadata.js'
import { type NamedEndpoint, signing, tabled, unnamed } from '../../bank/endpoints.js'
import { notOfKind } from '../../bank/jwt-kind.js'
import { inStep } from '../../bank/steps.js'
import { NoAnswer } from '../../evidence/failure.js'
import { rule, type Tools } from '../../harness/rule.js'
import { toLogIn, toRegister, toSign } from '../../target/needs.js'
import { toHearLogout, toHearUpdates } from '../support/heard-tokens.js'
import {
  callbackTokens,
  logoutTokens,
  notificationTokens,
  resultTokens,
  type SignedToken,
  signedTokens,
  signedTokensOf,
} from '../support/signed-tokens.js'

/** The addresses of endpoints and of the key set in the discovery document, those of other editions too. */
async function declaredAddresses({ bank }: Tools): Promise<{ member: string; address: string }[]> {
  const { json } = (await bank.discovery()).response
  return Object.entries(json as Record<string, unknown>).flatMap(([member, value]) =>
    typeof value === 'string' && (member.endsWith('_endpoint') || member === 'jwks_uri')
      ? [{ member, address: value }]
      : [],
  )
}

export const https = rule({
  id: 'general/https',
  requirement: 'GEN-2',
  places: ['value=right'],
  title: 'Every endpoint is reached over https, and not over http',
  async check(tools) {
    const { bank, expect, note } = tools
    const { response } = await bank.discovery()
    for (const { member, address } of await declaredAddresses(tools)) {
      expect(address, `${member} of the discovery document`, response).toMatch(/^https:/, 'an https address')
    }
    const plain = `${bank.address.replace(/^https:/, 'http:')}/healthcheck`
    try {
      const answer = await bank.send({ method: 'GET', url: plain })
      expect(answer.status, `the status of GET ${plain}`, answer).toBeAtLeast(300)
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      note(`over http the bank ${error.finding.actual}`)
    }
  },
})

/** Paths that are called with a client certificate, and may lie at an address of their own for that alone (AMB-65). */
const certified: readonly string[] = ['/register', '/ros']

/** Whether discovery gives an address here that can be called; that it should is the business of the rules about discovery. */
function isAddress(named: unknown): named is string {
  return typeof named === 'string' && /^https?:/i.test(named) && isUrl(named)
}

/** Whether a declared address is of a path: endpoints may have a query of their own (RFC 6749 sections 3.1 and 3.2). */
function isAt(declared: unknown, address: string): boolean {
  return typeof declared === 'string' && declared.split('?')[0] === address
}

export const tablePaths = rule({
  id: 'general/paths',
  requirement: 'GEN-7',
  places: [
    'auth',
    'token',
    'userinfo',
    'token-info',
    'profile',
    'jwks',
    'register',
    'revoke',
    'healthcheck',
    'ros',
    'authorize',
  ].map((endpoint) => `endpoint=${endpoint}`),
  title: "The paths of the endpoint table answer below the bank's address, and discovery's addresses are those paths",
  async check({ bank, expect, note, reading }) {
    const discovery = await bank.discovery()
    const elsewhere = tabled.filter(({ member, path }) => {
      const declared = discovery.member(member)
      return declared !== undefined && !isAt(declared, `${bank.address}${path}`)
    })
    for (const { member, path } of elsewhere) note(`${member} is ${discovery.member(member)}, and not ${path}`)
    const ask = async ({ method, path, member, step }: NamedEndpoint) => {
      const named = discovery.member(member)
      const request = { method, url: isAddress(named) ? named : `${bank.address}${path}` }
      // Asked once in a run: a bank may refuse to be asked more often.
      if (step === 'health' && request.url === `${bank.address}${path}`) return bank.healthResponse()
      const response = await bank.send(request)
      if (response.status !== 404 || !certified.includes(path)) return response
      return (await bank.sendCertified(request)) ?? response
    }
    const find = (entry: NamedEndpoint) =>
      inStep(entry.step, async () => {
        const response = await ask(entry)
        // A health record may come with 503 (AMB-57).
        const isRecord = entry.step === 'health' && response.member('status') !== undefined
        if (!isRecord) expect(response.status, `the status of ${entry.method} ${entry.path}`, response).toBeAtMost(499)
        return response
      })
    const asDeclared = tabled.filter(({ member, path }) => isAt(discovery.member(member), `${bank.address}${path}`))
    for (const endpoint of [...unnamed, ...asDeclared]) {
      const response = await find(endpoint)
      expect(response.status, `the status of ${endpoint.method} ${endpoint.path}`, response).toSatisfy(
        (status) => status !== 404,
        'any but 404, which says that nothing is there',
      )
    }
    const [ros, authorize] = [await find(signing[0]), await find(signing[1])]
    if (ros.status === 404 && authorize.status === 404) note('there is no signing flow (AMB-38)')
    else {
      const halves = [ros, authorize].filter(({ status }) => status === 404).map(({ request }) => request.url)
      expect(halves, 'what is not found of /ros and /authorize', ros).toEqual([])
    }
    reading('AMB-36', elsewhere.length === 0 ? 'table-paths' : 'other-addresses')
  },
})

export const noVersionInPaths = rule({
  id: 'general/no-version-in-paths',
  requirement: 'GEN-8',
  title: "The paths below the bank's address carry no version segment",
  async check(tools) {
    const { bank, expect } = tools
    const { response } = await bank.discovery()
    for (const { member, address } of await declaredAddresses(tools)) {
      if (!address.startsWith(`${bank.address}/`)) continue
      const segments = new URL(address).pathname.slice(new URL(bank.address).pathname.length).split('/')
      const versions = segments.filter((segment) => /^(v\d+([._-]\d+)*|\d+([._]\d+)+)$/i.test(segment))
      expect(versions, `the version segments of ${member}`, response).toEqual([])
    }
  },
})

export const issuerOfTokens = rule({
  id: 'general/issuer-of-tokens',
  requirement: 'DISC-14',
  places: ['id-of-code', 'id-of-refresh', 'userinfo', 'profile'].map((token) => `token=${token}`),
  title: 'iss of what the bank signs is the issuer',
  needs: toLogIn,
  check: async (tools) => checkIssuer(tools, await signedTokens(tools)),
})

export const issuerByOtherAlgorithms = rule({
  id: 'general/issuer-of-tokens-es512',
  requirement: 'DISC-14',
  places: ['userinfo', 'profile'].map((token) => `token=${token} alg=ES512`),
  title: 'iss of what the bank signs with ES512 is the issuer too',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { bank, skip } = tools
    const discovery = await bank.discovery()
    const declares = (list: string) => discovery.declared(`${list}_signing_alg_values_supported`)?.includes('ES512')
    const clientMetadata = {
      client_name: 'Conformance issuer by ES512',
      ...(declares('id_token') && { id_token_signed_response_alg: 'ES512' }),
      ...(declares('userinfo') && { userinfo_signed_response_alg: 'ES512' }),
      ...(declaredFor(discovery, 'profile', 'signing_alg')?.includes('ES512') && {
        profile_signed_response_alg: 'ES512',
      }),
    }
    if (Object.keys(clientMetadata).length === 1) return skip('the bank does not declare ES512')
    await checkIssuer(tools, await signedTokensOf(tools, await bank.token({ clientMetadata })))
  },
})

export const issuerOfResults = rule({
  id: 'general/issuer-of-results',
  requirement: 'DISC-14',
  places: ['token=id-of-signing'],
  title: 'iss of the id_token of an authorized object is the issuer',
  needs: toSign,
  check: async (tools) => checkIssuer(tools, await resultTokens(tools)),
})

export const issuerOfCallbackTokens = rule({
  id: 'general/issuer-of-callback-tokens',
  requirement: 'DISC-14',
  places: ['token=id-of-front-channel'],
  title: 'iss of the id_token of a callback is the issuer',
  needs: [...toSign, 'redirect'],
  check: async (tools) => checkIssuer(tools, await callbackTokens(tools)),
})

export const issuerOfLogoutTokens = rule({
  id: 'general/issuer-of-logout-tokens',
  requirement: 'DISC-14',
  places: ['token=logout-token'],
  title: 'iss of logout_token is the issuer',
  needs: [...toHearLogout, 'redirect'],
  check: async (tools) => checkIssuer(tools, await logoutTokens(tools)),
})

export const issuerOfNotificationTokens = rule({
  id: 'general/issuer-of-notification-tokens',
  requirement: 'DISC-14',
  places: ['token=notification-token'],
  title: 'iss of notification_token is the issuer',
  needs: toHearUpdates,
  check: async (tools) => checkIssuer(tools, await notificationTokens(tools)),
})

export const kindOfTokens = rule({
  id: 'general/kind-of-tokens',
  requirement: 'TOK-34',
  places: ['token=id-of-code part=typ'],
  title: 'What the bank signs for a login shows no mark of another kind of JWT',
  needs: toLogIn,
  check: async (tools) => checkKind(tools, await signedTokens(tools)),
})

export const kindOfLogoutTokens = rule({
  id: 'general/kind-of-logout-tokens',
  requirement: 'LOGOUT-5',
  places: ['part=typ'],
  title: 'A logout_token shows no mark of another kind of JWT',
  needs: [...toHearLogout, 'redirect'],
  check: async (tools) => checkKind(tools, await logoutTokens(tools)),
})

export const kindOfNotificationTokens = rule({
  id: 'general/kind-of-notification-tokens',
  requirement: 'EVT-2',
  places: ['part=typ'],
  title: 'A notification_token shows no mark of another kind of JWT',
  needs: toHearUpdates,
  check: async (tools) => checkKind(tools, await notificationTokens(tools)),
})

/** That who gets a JWT of the bank's can tell what it is for is RFC 8725's: sections 3.11 (typ) and 3.12 (claims). */
async function checkKind({ bank, expect, inVariation, warn }: Tools, tokens: readonly SignedToken[]): Promise<void> {
  for (const { what, kind, jwt, response } of tokens) {
    await inVariation(what, async () => {
      const { header, payload } = bank.read(jwt, what, response)
      expect(header.typ ?? 'JWT', `typ of ${what}`, response).toBeText()
      const otherKind = notOfKind(kind, header, payload)
      if (otherKind !== undefined)
        warn(`${what} can be taken for another kind of JWT: ${otherKind} (RFC 8725 sections 3.11 and 3.12)`)
    })
  }
}

/** Userinfo and profile need not name their issuer: that is said of the other tokens alone. */
async function checkIssuer({ bank, expect, note }: Tools, tokens: readonly SignedToken[]): Promise<void> {
  for (const { what, jwt, response } of tokens) {
    const { iss } = bank.read(jwt, what, response).payload
    if (iss === undefined && ['userinfo', 'profile'].includes(what)) note(`${what} names no issuer`)
    else expect(iss, `iss of ${what}`, response).toBe(bank.issuer)
  }
}
