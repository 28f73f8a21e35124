import { rule } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
import { expectError } from './refusals.js'

export const withoutRequestUri = rule({
  id: 'signing/without-request-uri',
  requirement: 'SIGN-33',
  title: 'GET /authorize without request_uri is refused with invalid_request',
  needs: toSign,
  async check({ bank, expect, reading }) {
    const response = await bank.signing.getAuthorize(await bank.signing.requestObject(), { request_uri: undefined })
    const { location } = response
    if (location === undefined) expect(response).toBeError(400, 'invalid_request')
    else {
      const error = new URL(location).searchParams.get('error')
      expect(error, 'error of the redirect', response).toBe('invalid_request')
    }
    reading('AMB-54', location === undefined ? 'page' : 'redirect')
  },
})

export const unknownRequestUri = rule({
  id: 'signing/unknown-request-uri',
  requirement: 'SIGN-34',
  title: 'GET /authorize with a request_uri that /ros did not return, or past its exp, is an error',
  needs: toSign,
  waits: true,
  async check({ bank, expect, note, reading, service }) {
    const { object } = await bank.signing.result()
    const unknown = object.requestUri.replace(/.{6}$/, (end) => [...end].reverse().join('').replace(/^./, '-'))
    expectError(expect, await bank.signing.tryAuthorize(object, { query: { request_uri: unknown } }))
    const { accessToken } = await bank.signing.login()
    const short = await bank.signing.requestObject.fresh({ bearer: accessToken, claims: { max_age: 1 } })
    const left = Number(short.response.member('exp')) + 1 - service.clock()
    if (!(left <= 5)) return note(`an object with a max_age of one second lives ${left} s: its end was not waited for`)
    await new Promise((resolve) => setTimeout(resolve, left * 1000))
    const late = await bank.signing.tryAuthorize(short)
    expectError(expect, late)
    reading('AMB-76', late.callback ? 'redirect' : 'page')
  },
})
