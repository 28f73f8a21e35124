import { rule } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'
import { doubtAbout } from '../support/error-codes.js'
import { hasRefreshTokens } from '../support/proof-endpoints.js'
import { expectDirectError } from './direct-error.js'
import {
  describedOtherwise,
  doubtAboutIssuer,
  expectErrorForm,
  isDescribedInAscii,
  isToldInFragment,
  oddState,
  redirectsError,
  toldInFragment,
} from './redirected-error.js'

/**
 * What holds of every answer is judged of each that came in the run, in places too that no rule looks at by itself. Whether something is
 * refused, and how it has to be, is the business of the rules that asked.
 */

export const seenDirect = rule({
  id: 'errors/direct-throughout',
  requirement: 'GEN-3',
  places: ['endpoint=auth error=unregistered-response_type', 'endpoint=token grant=refresh error=invalid_client'],
  title: 'Every 400 of /auth, /token and POST /register in the run is a JSON object with error and error_description',
  needs: toLogIn,
  last: true,
  async check(tools) {
    const { bank, warn } = tools
    // None of the response types that discovery may declare for clients of the login flow.
    await bank.authorizationRequest.modified({}, ({ parameters }) => ({
      parameters: { ...parameters, response_type: 'id_token' },
    }))
    const client = await bank.client()
    if (await hasRefreshTokens(tools))
      await bank.refresh.try({ login: { client, refreshToken: 'conformance' } }, () => ({ authentication: 'none' }))
    const discovery = await bank.discovery()
    const endpoints = await Promise.all([
      discovery.endpoint('authorization_endpoint'),
      discovery.endpoint('token_endpoint'),
      discovery.registrationEndpoint(),
    ])
    const paths = endpoints.map((endpoint) => new URL(endpoint).pathname)
    for (const { response } of bank.seenAnswers('direct error')) {
      const doubt = doubtAbout(response.member('error'))
      if (doubt) warn(`${doubt}, at ${new URL(response.request.url).pathname}`)
      if (!paths.includes(new URL(response.request.url).pathname)) continue
      await expectDirectError(tools, response)
    }
  },
})

export const seenRedirected = rule({
  id: 'errors/redirected-throughout',
  requirement: 'GEN-4',
  places: [
    'when=before-person error=registration_not_supported value=encoded',
    ...['before', 'after'].map((when) => `when=${when}-person parameter=error_description`),
  ],
  title: 'Every redirected error in the run is query parameters error, error_description and the unchanged state',
  needs: [...toLogIn, 'redirect'],
  last: true,
  async check({ bank, expect, warn }) {
    const registration = '{"client_name":"conformance"}'
    await bank.authorization.try({ parameters: { registration, state: oddState } })
    await bank.authorizationRequest.modified({}, ({ parameters }) => ({
      parameters: { ...parameters, prompt: 'none' },
    }))
    for (const { response, state, forTokens } of bank.seenAnswers('callback')) {
      if (!redirectsError(response)) continue
      if (forTokens && isToldInFragment(response)) warn(toldInFragment)
      else expectErrorForm(expect, response, state)
      if (!isDescribedInAscii(response)) warn(describedOtherwise)
      const doubt = doubtAbout(new URL(String(response.location)).searchParams.get('error'))
      if (doubt) warn(`${doubt}, at the redirect URI`)
      const otherIssuer = doubtAboutIssuer(response, bank.issuer)
      if (otherIssuer) warn(otherIssuer)
    }
  },
})

export const seenCallbacks = rule({
  id: 'authorization/state-throughout',
  requirement: 'AUTH-1',
  places: ['scope=offline_access'],
  title: 'Every code in the run comes with the unchanged state of its request',
  needs: [...toLogIn, 'redirect'],
  last: true,
  async check(tools) {
    const { bank, expect, warn } = tools
    await ((await hasRefreshTokens(tools)) ? bank.offlineToken() : bank.authorization())
    for (const { response, state } of bank.seenAnswers('callback')) {
      const { searchParams } = new URL(String(response.location))
      if (!searchParams.has('code')) continue
      if (state !== undefined)
        expect([...searchParams.getAll('state')], 'every state in the query of the callback', response).toEqual([state])
      const otherIssuer = doubtAboutIssuer(response, bank.issuer)
      if (otherIssuer) warn(otherIssuer)
    }
  },
})
