import { type Parameters, parameterOf } from '../../bank/authorization.js'
import { errorOf } from '../../bank/authorization-answer.js'
import { matchesRedirectUri } from '../../end-user/redirect.js'
import { rule } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { expectNothingThere, unregisteredAddress } from '../support/unregistered-address.js'
import { twoRedirectUris } from './identification-rows.js'

export const secondRegistered = rule({
  id: 'authorization/second-redirect-uri',
  requirement: 'AUTH-1',
  places: ['parameter=redirect_uri value=second', 'use=session-login parameter=redirect_uri value=second'],
  title: 'A request with the second of two registered redirect URIs is answered there',
  needs: [...toLogIn, ...toRegister, 'redirect'],
  async check({ bank, expect, inVariation }) {
    const clientMetadata = await twoRedirectUris(bank)
    const [, redirect_uri = ''] = [(await bank.client(clientMetadata)).metadata.redirect_uris].flat().map(String)
    const session = bank.session({ clientMetadata })
    for (const how of ['a login', 'a request in its session']) {
      await inVariation(how, async () => {
        const asked = await session.ask({ parameters: { redirect_uri } })
        const { response, query } = asked.callback
        expect(parameterOf(asked, 'code'), 'code of the callback', response).toBeText()
        expect([...query.getAll('state')], 'every state in the query of the callback', response).toEqual([
          asked.parameters.state,
        ])
        expect(response.location ?? response.request.url, 'where the code is sent', response).toSatisfy(
          (location) => matchesRedirectUri(location, redirect_uri),
          `the redirect_uri of the request, ${redirect_uri}`,
        )
      })
    }
  },
})

/** What else is wrong with a request, by the error that it would get. A client that is not told is in doubt as well (AMB-1, AMB-2). */
const otherMistakes: Record<string, Parameters> = {
  invalid_scope: { scope: 'conformance.unsupported' },
  invalid_request: { nonce: undefined },
  login_required: { prompt: 'none' },
  unsupported_response_type: { response_type: 'conformance' },
  registration_not_supported: { registration: '{"client_name":"conformance"}' },
  invalid_request_uri: { request_uri: 'https://unregistered.example.com/request-object' },
  unauthorized_client: { client_id: '00000000-0000-4000-8000-000000000000' },
}

export const anotherMistake = rule({
  id: 'authorization/redirect-uri-and-another-mistake',
  requirement: 'AUTH-3',
  places: [
    ...Object.keys(otherMistakes).map((error) => `error=${error}`),
    ...['client_id', 'state', 'scope'].map((parameter) => `parameter=${parameter} value=missing`),
  ],
  title: 'Nothing is redirected to an address that is not registered, whatever else is wrong with the request',
  needs: toLogIn,
  async check({ bank, expect, inVariation }) {
    for (const [error, mistake] of Object.entries({
      ...otherMistakes,
      'that of no client_id': { client_id: undefined },
      'that of no state': { state: undefined },
      'that of no scope': { scope: undefined },
    })) {
      await inVariation(`a request with an unregistered redirect_uri that would be ${error} too`, async () => {
        const response = await bank.authorizationRequest.modified({}, ({ parameters }) => ({
          parameters: { ...parameters, ...mistake, redirect_uri: unregisteredAddress },
        }))
        expectNothingThere(expect, response)
      })
    }
  },
})

export const inSession = rule({
  id: 'authorization/redirect-uri-not-registered-in-session',
  requirement: 'AUTH-3',
  places: [
    ...['use=session-login', 'use=session-login parameter=prompt'],
    ...['trailing-slash', 'query'].map((member) => `use=session-login member=${member}`),
  ],
  title: 'Nothing is redirected to an address that is not registered, for who is signed in no more than for others',
  needs: [...toLogIn, 'redirect'],
  async check({ bank, expect, inVariation }) {
    const session = await bank.sharedSession()
    const { redirectUri } = await bank.client({ client_name: 'Conformance sessions' })
    for (const [how, parameters] of Object.entries<Parameters>({
      'a request': {},
      'a request with prompt none': { prompt: 'none' },
    })) {
      for (const [what, redirect_uri] of Object.entries({
        'an unregistered redirect_uri': unregisteredAddress,
        'the redirect_uri with a slash after it': `${redirectUri}/`,
        'the redirect_uri with a query': `${redirectUri}?unregistered=1`,
      })) {
        await inVariation(`${how} to ${what}`, async () => {
          expectNothingThere(expect, await session.answer({ parameters: { ...parameters, redirect_uri } }))
        })
      }
    }
  },
})

export const deletedClient = rule({
  id: 'authorization/client-deleted',
  requirement: 'AUTH-5',
  places: ['method=DELETE'],
  title: 'A request of a client that was deleted is unauthorized_client, as one of an unknown client',
  needs: [...toLogIn, ...toRegister],
  async check({ bank, expect }) {
    const own = await bank.readableClient()
    const { clientId, redirectUri } = own
    const ask = () =>
      bank.authorizationRequest.modified({}, ({ parameters }) => ({
        client: own,
        parameters: { ...parameters, client_id: clientId, redirect_uri: redirectUri },
      }))
    const before = await ask()
    expect(before.member('error'), 'error of the answer before the client is deleted', before).toBe(undefined)
    await bank.manage('DELETE', own)
    const response = await ask()
    // AMB-2: how an unknown client is told is the business of authorization/client-id-unknown.
    expect(errorOf(response).code, 'the error of the answer', response).toBeOneOf(['unauthorized_client', 'not_found'])
  },
})
