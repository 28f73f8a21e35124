import { parameterOf } from '../../bank/authorization.js'
import { type UserData, userDataEndpoints } from '../../bank/claims.js'
import { dressNow } from '../../bank/dress.js'
import { nextRefreshToken } from '../../bank/refresh.js'
import type { Login } from '../../bank/token.js'
import type { UserDataRequest } from '../../bank/user-data.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'
import { expectTokenRefused } from '../support/bearer-refusal.js'
import { givesRefreshTokens } from '../support/known-tokens.js'

/** "Authorization Bearer with a valid end-user access_token" ("Authentication" 5): what else is refused. */

/** What is sent in place of a good Authorization header, and the place that it is at. */
const replacements: readonly {
  what: string
  place: string
  replace: (token: string) => string
  /** Left out where tokens are of one case alone, such as hexadecimal digits: to whom case means nothing, it is the same token. */
  unlessOneCase?: true
}[] = [
  { what: 'Bearer without a token', place: 'value=empty', replace: () => 'Bearer' },
  {
    what: 'a token of nobody',
    place: 'value=unknown',
    replace: () => 'Bearer nobody-has-issued-this-access-token-0123456789',
  },
  // As long as tokens get that say all by themselves.
  { what: 'a token of 2000 characters', place: 'value=long', replace: () => `Bearer ${'x'.repeat(2000)}` },
  { what: 'a token with a character less', place: 'value=prefix', replace: (token) => `Bearer ${token.slice(0, -1)}` },
  {
    what: 'the first half of a token',
    place: 'value=prefix',
    replace: (token) => `Bearer ${token.slice(0, token.length / 2)}`,
  },
  {
    what: 'a token without its first character',
    place: 'value=suffix',
    replace: (token) => `Bearer ${token.slice(1)}`,
  },
  { what: 'a token with a character more', place: 'value=superset', replace: (token) => `Bearer ${token}x` },
  { what: 'two words after Bearer', place: 'value=both', replace: (token) => `Bearer x ${token}` },
  { what: 'a word behind a token', place: 'value=both', replace: (token) => `Bearer ${token} x` },
  {
    what: 'a token in lower case',
    place: 'value=lower-case',
    replace: (token) => `Bearer ${token.toLowerCase()}`,
    unlessOneCase: true,
  },
  { what: 'a token under another scheme', place: 'parameter=scheme value=wrong', replace: (token) => `Basic ${token}` },
  { what: 'a token without a scheme', place: 'parameter=scheme value=missing', replace: (token) => token },
]

/** The same request with another Authorization header; without one where it is undefined. */
function withHeader({ headers }: UserDataRequest, authorization: string | undefined): Pick<UserDataRequest, 'headers'> {
  const { authorization: _good, ...others } = headers
  return { headers: { ...others, ...(authorization !== undefined && { authorization }) } }
}

const tokenOf = ({ headers }: UserDataRequest) => String(headers.authorization).replace('Bearer ', '')

async function checkRefusals(tools: Tools, endpoint: UserData) {
  const { bank, inVariation } = tools
  const userData = bank.userData[endpoint]
  // What holds nothing of the client is the same request in the dress that changes the client alone.
  const isSameAgain = dressNow() === 'a third dress'
  if (!isSameAgain)
    await inVariation('no token', async () => {
      expectTokenRefused(tools, await userData.modified({}, (good) => withHeader(good, undefined)), 'missing')
    })
  const { accessToken } = await bank.token()
  for (const { what, replace, unlessOneCase } of replacements) {
    if (unlessOneCase && !(/[a-z]/.test(accessToken) && /[A-Z]/.test(accessToken))) continue
    if (isSameAgain && replace(accessToken) === replace('another')) continue
    await inVariation(what, async () => {
      const refusal = await userData.modified({}, (good) => withHeader(good, replace(tokenOf(good))))
      expectTokenRefused(tools, refusal, 'unknown')
    })
  }
  for (const [what, value] of await othersOfTheClient(tools)) {
    await inVariation(what, async () => {
      const refusal = await userData.modified({}, (good) => withHeader(good, `Bearer ${value}`))
      // The bank knows it: it may call it insufficient.
      expectTokenRefused(tools, refusal, 'expired')
    })
  }
}

/** Values that the bank knows and gave for another use: the code of a login, the token and the secret of a registration. */
async function othersOfTheClient({ bank, service }: Tools): Promise<[what: string, value: string][]> {
  const { authorization } = await bank.token()
  const code = parameterOf(authorization, 'code')
  const found: [string, string][] = code === null ? [] : [['the code of a login', code]]
  if (!service.signer || !service.server) return found
  const { response } = await bank.registration()
  for (const member of ['registration_access_token', 'client_secret']) {
    const given = response.member(member)
    if (typeof given === 'string') found.push([`the ${member} of a registration`, given])
  }
  return found
}

/** What RFC 6750 and RFC 9110 ask of the header, and the specification does not. */
async function judgeHeader({ bank, inVariation, warn }: Tools, endpoint: UserData) {
  const userData = bank.userData[endpoint]
  await inVariation('the scheme in lower case', async () => {
    const { status } = await userData.modified({}, (good) => withHeader(good, `bearer ${tokenOf(good)}`))
    if (status !== 200) warn(`${endpoint} does not take the scheme in lower case (RFC 9110 section 11.1)`)
  })
  await inVariation('the token in the query', async () => {
    const response = await userData.modified({}, (good) => {
      const url = new URL(good.url)
      url.searchParams.set('access_token', tokenOf(good))
      return { ...withHeader(good, undefined), url: url.href }
    })
    if (response.status === 200) warn(`${endpoint} takes the access token in the query (RFC 6750 section 2.3)`)
  })
}

const placesAt = (endpoint: UserData) =>
  ['value=missing', 'client-auth=registration-access-token', ...new Set(replacements.map(({ place }) => place))].map(
    (place) =>
      // The dimensions stand in the order of dimensions.yaml.
      `endpoint=${endpoint} ${place}`,
  )

export const needsToken: readonly Rule[] = userDataEndpoints.map((endpoint) =>
  rule({
    id: `user-data/${endpoint}-needs-token`,
    requirement: 'DATA-7',
    places: placesAt(endpoint),
    title: `${endpoint} without a token, or with a malformed or unknown one, is refused`,
    needs: toLogIn,
    async check(tools) {
      await checkRefusals(tools, endpoint)
      await judgeHeader(tools, endpoint)
    },
  }),
)

/** Has a token of a client revoked, after it was good at both endpoints, and holds that both refuse it then. */
async function expectRevokedRefused(tools: Tools, token: Pick<Login, 'client' | 'accessToken'>) {
  const { bank, inVariation, skip } = tools
  for (const endpoint of userDataEndpoints) await bank.userData[endpoint](token)
  const revocation = await bank.revocation.try({ client: token.client, token: token.accessToken })
  if (revocation.status >= 300) skip(`/revoke answers ${revocation.status} (see REV-1)`)
  for (const endpoint of userDataEndpoints) {
    await inVariation(endpoint, async () =>
      expectTokenRefused(tools, await bank.userData[endpoint].try(token), 'expired'),
    )
  }
}

const atBoth = (place: string) => userDataEndpoints.map((endpoint) => `endpoint=${endpoint} ${place}`)

export const revokedRefused = rule({
  id: 'user-data/revoked-refused',
  requirement: 'DATA-18',
  places: atBoth('token=access-of-code'),
  title: 'A revoked access token is refused at userinfo and profile',
  needs: toLogIn,
  check: async (tools) => expectRevokedRefused(tools, await tools.bank.token.fresh()),
})

export const revokedRefreshedRefused = rule({
  id: 'user-data/revoked-refreshed-refused',
  requirement: 'DATA-18',
  places: [...atBoth('token=access-of-refresh'), ...atBoth('use=second-refresh token=access-of-refresh')],
  title: 'A revoked access token of a refresh is refused at userinfo and profile',
  needs: toLogIn,
  async check(tools) {
    const { bank, skip } = tools
    const login = await bank.offlineToken.fresh()
    const response = await bank.refresh.try({ login })
    const accessToken = response.member('access_token')
    if (typeof accessToken !== 'string') return skip(`the refresh gives no access token (see TOK-19)`)
    const refreshToken = nextRefreshToken(response, login.refreshToken)
    const form = { scope: login.scopes.slice(0, 2).join(' ') }
    const narrowed = (await bank.refresh.try({ login, refreshToken, form })).member('access_token')
    if (typeof narrowed === 'string')
      await tools.inVariation('of a narrowed refresh', () =>
        expectRevokedRefused(tools, { client: login.client, accessToken: narrowed }),
      )
    // With the later one a bank may have taken back this one, which is refused all the same.
    const known = await bank.introspection.try({ client: login.client, token: accessToken })
    if (known.member('active') === true) await expectRevokedRefused(tools, { client: login.client, accessToken })
  },
})

/** Holds that what is no access token is refused at both endpoints. */
async function expectNoAccessToken(tools: Tools, token: string, whose = '') {
  const { bank, inVariation } = tools
  for (const endpoint of userDataEndpoints) {
    await inVariation(`${endpoint}${whose && `, with one${whose}`}`, async () => {
      const refusal = await bank.userData[endpoint].modified({}, (good) => withHeader(good, `Bearer ${token}`))
      expectTokenRefused(tools, refusal, 'unknown')
    })
  }
}

export const refreshTokenRefused = rule({
  id: 'user-data/refresh-token-refused',
  requirement: 'DATA-19',
  places: [...atBoth('token=refresh'), ...atBoth('use=second-refresh token=refresh')],
  title: 'A refresh token in place of an access token is refused, also one that a refresh gave',
  needs: toLogIn,
  async check(tools) {
    const { bank } = tools
    await expectNoAccessToken(tools, (await bank.offlineToken()).refreshToken)
    const { refreshTokens } = await bank.refreshChain()
    for (const token of refreshTokens.slice(-1)) await expectNoAccessToken(tools, token, ' of a refresh')
  },
})

export const idTokenRefused = rule({
  id: 'user-data/id-token-refused',
  requirement: 'DATA-19',
  places: [...atBoth('token=id-of-code'), ...atBoth('token=id-of-refresh')],
  title: 'An id_token in place of an access token is refused, of a code and of a refresh',
  needs: toLogIn,
  async check(tools) {
    const { bank, skip } = tools
    const { response } = await bank.token()
    const idToken = response.member('id_token')
    if (idToken === undefined) skip('the token response has no id_token (see TOK-1)')
    await expectNoAccessToken(tools, String(idToken))
    if (!(await givesRefreshTokens(bank))) return
    // Whether a refresh gives one is the bank's choice (AMB-67).
    const ofRefresh = (await bank.refreshChain()).whole.member('id_token')
    if (typeof ofRefresh === 'string') await expectNoAccessToken(tools, ofRefresh, ' of a refresh')
  },
})
