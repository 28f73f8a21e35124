import { parameterOf, verifierOf } from '../../bank/authorization.js'
import { errorOf } from '../../bank/authorization-answer.js'
import type { Bank } from '../../bank/bank.js'
import type { Metadata } from '../../bank/client-metadata.js'
import { deviceGrant } from '../../bank/device.js'
import type { Discovery } from '../../bank/discovery.js'
import { rule } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { codeAndImplicitClient, implicitClient } from '../support/implicit-client.js'
import { answerTo } from '../support/refusals.js'

/** The access token that response_type token gives, in the fragment of the callback (AMB-11). */
async function tokenFlow(bank: Bank, clientMetadata: Record<string, unknown>) {
  return bank.authorization.try({ clientMetadata, parameters: { response_type: 'token' } })
}

export const implicitToken = rule({
  id: 'authorization/token',
  requirement: 'AUTH-38',
  places: ['member=access_token', 'member=token_type', 'member=state', 'use=session-login', 'endpoint=userinfo'],
  title: 'response_type token, where declared, is served to a client that registered it',
  needs: [...toLogIn, ...toRegister, 'redirect'],
  async check({ bank, expect, inVariation, reading }) {
    const declared = (await bank.discovery()).declared('response_types_supported') ?? []
    if (!declared.includes('token')) {
      const refusal = await bank.authorizationRequest.modified({}, ({ parameters }) => ({
        parameters: { ...parameters, response_type: 'token' },
      }))
      expect(errorOf(refusal).code, 'the error of a request for response_type token', refusal).toBeText()
      return reading('AMB-11', 'refused')
    }
    const session = bank.session({ clientMetadata: codeAndImplicitClient })
    for (const how of ['a login', 'a request in its session']) {
      await inVariation(how, async () => {
        const { client, callback, parameters } = await session.ask({ parameters: { response_type: 'token' } })
        const { response, fragment, query } = callback
        expect(response).toHaveStatus(302)
        const given = fragment.get('access_token')
        const accessToken = expect(given, 'access_token in the fragment of the callback', response).toBeText()
        expect(String(fragment.get('token_type')).toLowerCase(), 'token_type in the fragment', response).toBe('bearer')
        expect([...fragment.getAll('state')], 'every state in the fragment', response).toEqual([parameters.state])
        expect(query.get('access_token'), 'access_token in the query of the callback', response).toBe(null)
        expect(await bank.userData.userinfo.try({ client, accessToken })).toHaveStatus(200)
      })
    }
    reading('AMB-11', 'served')
  },
})

export const implicitOnly = rule({
  id: 'authorization/code-not-registered',
  requirement: 'AUTH-7',
  places: ['grant=code'],
  title: 'A client that registered the implicit flow alone is refused when it asks for a code, or served to the end',
  needs: [...toLogIn, ...toRegister],
  async check({ bank, expect, reading, skip }) {
    const declared = (await bank.discovery()).declared('response_types_supported') ?? []
    if (!declared.includes('token')) return skip('the bank declares no response type but code')
    const response = await bank.authorizationRequest.try({ clientMetadata: implicitClient })
    if (response.location !== undefined || response.status >= 400) {
      expect(errorOf(response).code, 'the error of the answer', response).toBe('unsupported_response_type')
      return reading('AMB-53', 'refused')
    }
    // A bank that serves the code serves it to the end.
    const asked = await bank.authorization.try({ clientMetadata: implicitClient })
    const code = expect(parameterOf(asked, 'code'), 'code of the callback', asked.callback.response).toBeText()
    const tokens = await bank.exchangeCode(asked.client, code, verifierOf(asked))
    expect(tokens).toHaveStatus(200)
    expect(tokens.member('access_token'), 'access_token of the answer of POST /token', tokens).toBeText()
    reading('AMB-53', 'served')
  },
})

/** The part of a callback in which the answer is, by the response mode that asks for it. */
const modes: Readonly<Record<string, 'query' | 'fragment' | 'posted'>> = {
  query: 'query',
  fragment: 'fragment',
  form_post: 'posted',
}

/** What a client has to register beside a grant that it registers. */
const besideGrant: Readonly<Record<string, (discovery: Pick<Discovery, 'declared'>) => Metadata>> = {
  // OpenID Connect CIBA Core 1.0 section 4.
  'urn:openid:params:grant-type:ciba': (discovery) => {
    const modes = discovery.declared('backchannel_token_delivery_modes_supported') ?? ['poll']
    return {
      backchannel_token_delivery_mode: modes.includes('poll') ? 'poll' : modes[0],
      ...(!modes.includes('poll') && {
        backchannel_client_notification_endpoint: 'https://service.example/backchannel',
      }),
    }
  },
}

export const declaredFlows = rule({
  id: 'authorization/declared-flows',
  requirement: 'DISC-19',
  places: [
    'grant=code',
    'grant=implicit',
    ...['response_mode', 'grant_type', 'response_type'].map((name) => `parameter=${name} value=unknown`),
  ],
  title: 'Each declared response type and response mode works, and with them the grants',
  needs: [...toLogIn, ...toRegister],
  async check({ bank, expect, inVariation, note }) {
    const discovery = await bank.discovery()
    const types = discovery.declared('response_types_supported') ?? ['code']
    const grants = discovery.declared('grant_types_supported') ?? ['authorization_code']
    if (types.includes('code') && grants.includes('authorization_code')) {
      for (const mode of discovery.declared('response_modes_supported') ?? ['query']) {
        const part = modes[mode]
        if (!part) {
          note(`response_mode ${mode} is declared in addition, and not tried`)
          continue
        }
        await inVariation(`response_mode ${mode}`, async () => {
          const asked = await bank.authorization.try({ parameters: { response_mode: mode } })
          const { response } = asked.callback
          expect(asked.callback[part].get('code'), `code in the ${mode} of the callback`, response).toBeText()
          await bank.token.fresh({ authorization: asked })
        })
      }
    }
    if (types.includes('token') && grants.includes('implicit')) {
      const asked = await tokenFlow(bank, implicitClient)
      const { response } = asked.callback
      expect(parameterOf(asked, 'access_token'), 'access_token of response_type token', response).toBeText()
    }
    const known = ['authorization_code', 'implicit', 'refresh_token', deviceGrant]
    // What is declared in addition can at least be registered.
    const others: Metadata[] = [
      ...grants
        .filter((one) => !known.includes(one))
        .map((one) => ({ grant_types: ['authorization_code', one], ...besideGrant[one]?.(discovery) })),
      ...types
        .filter((one) => !['code', 'token'].includes(one))
        .map((one) => ({
          response_types: ['code', one],
          grant_types: ['authorization_code', ...grants.filter((grant) => grant === 'implicit')],
        })),
    ]
    for (const changes of others) {
      const what = Object.values(changes)[0]
      const response = await answerTo(bank, changes)
      expect(response.status, `the status of a registration with ${what}, which is declared`, response).toBeAtMost(299)
      note(`${what} is declared in addition, and was registered alone`)
    }
  },
})

export const deviceUnknownParameter = rule({
  id: 'authorization/device-unknown-parameter',
  requirement: 'TOK-46',
  places: ['grant=device'],
  title: 'device_authorization_endpoint, where the grant is declared, ignores a parameter that it does not know',
  needs: toRegister,
  async check({ bank, expect, skip }) {
    const declared = (await bank.discovery()).declared('grant_types_supported') ?? []
    if (!declared.includes(deviceGrant)) return skip('the device authorization grant is not declared')
    const good = await bank.deviceCodes({ scope: 'openid' })
    if (good.status !== 200) return skip('device_authorization_endpoint gave no codes (see DISC-19)')
    const codes = await bank.deviceCodes({ scope: 'openid', conformance_unknown: 'x' })
    expect(codes).toHaveStatus(200)
    expect(codes.member('device_code'), 'device_code of the answer', codes).toBeText()
  },
})

export const deviceGrantWorks = rule({
  id: 'authorization/device-grant',
  requirement: 'DISC-19',
  places: [
    'grant=device',
    'grant=device use=second-call',
    ...['interval', 'expires_in'].map((one) => `grant=device member=${one}`),
  ],
  title: 'The device authorization grant, where it is declared, leads to tokens',
  needs: [...toLogIn, ...toRegister, 'page-detection'],
  async check({ bank, expect, skip }) {
    const declared = (await bank.discovery()).declared('grant_types_supported') ?? []
    if (!declared.includes(deviceGrant)) return skip('the device authorization grant is not declared')
    await bank.token()
    const { codes, tokens } = await bank.deviceLogin('openid')
    for (const member of ['user_code', 'verification_uri']) {
      expect(codes.member(member), `${member} of the answer of device_authorization_endpoint`, codes).toBeText()
    }
    // RFC 8628 section 3.2: seconds.
    for (const member of ['expires_in', 'interval']) {
      const seconds = codes.member(member)
      if (seconds !== undefined || member === 'expires_in')
        expect(seconds, `${member} of the answer of device_authorization_endpoint`, codes).toSatisfy(
          (value) => typeof value === 'number' && value > 0,
          'a number of seconds',
        )
    }
    // What else is in the answer, the rules of the code flow say.
    expect(tokens.member('access_token'), 'access_token of the device authorization grant', tokens).toBeText()
  },
})
