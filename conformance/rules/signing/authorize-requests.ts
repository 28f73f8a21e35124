import { rule } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
import { oneLevel } from '../support/acr-levels.js'
import { expectError, isError } from './refusals.js'

export const withoutRequestUri = rule({
  id: 'signing/without-request-uri',
  requirement: 'SIGN-33',
  places: ['value=missing', 'value=empty'],
  title: 'GET /authorize without request_uri, or with an empty one, is refused with invalid_request',
  needs: toSign,
  async check({ bank, expect, inVariation, reading }) {
    for (const [how, request_uri] of Object.entries({ 'no request_uri': undefined, 'an empty request_uri': '' })) {
      await inVariation(how, async () => {
        const response = await bank.signing.getAuthorize(await bank.signing.requestObject(), { request_uri })
        const { location } = response
        if (location === undefined) expect(response).toBeError(400, 'invalid_request')
        else {
          const error = new URL(location).searchParams.get('error')
          expect(error, 'error of the redirect', response).toBe('invalid_request')
        }
        reading('AMB-54', location === undefined ? 'page' : 'redirect')
      })
    }
  },
})

/** The same URI in another form (RFC 3986 section 6.2.2.2), which what stands before a bank may know as the same: a bank that takes it is warned. */
const encoded = 'a request_uri with a letter encoded'

/** What is like a request_uri that POST /ros returned, and is none. */
const unlike: Record<string, (right: string) => string> = {
  'a request_uri with another end': (right) =>
    right.replace(/.{6}$/, (end) => [...end].reverse().join('').replace(/^./, '-')),
  'a request_uri without its last letter': (right) => right.slice(0, -1),
  'a request_uri with a letter more': (right) => `${right}a`,
  'the same request_uri at another host': (right) => {
    const url = new URL(right)
    url.host = 'evil.example'
    return url.href
  },
  'the same request_uri at another port': (right) => {
    const url = new URL(right)
    url.port = url.port === '8443' ? '9443' : '8443'
    return url.href
  },
  'the same request_uri by http': (right) => right.replace(/^https:/, 'http:'),
  'a request_uri with a query more': (right) => `${right}?more=1`,
  'a request_uri with a fragment more': (right) => `${right}#more`,
  'a request_uri with a slash more': (right) => `${right}/`,
  [encoded]: (right) => right.replace(/.$/, (end) => `%${end.charCodeAt(0).toString(16)}`),
  'a request_uri whose path is in capitals but for its last part': (right) =>
    right.replace(/(?<=^https:\/\/[^/]+)\/.*(?=\/)/, (path) => path.toUpperCase()),
  // Where all letters are of one case, the last part may be hexadecimal, and the same in both.
  'a request_uri whose last part is in small letters': (right) =>
    right.replace(/[^/:]*$/, (id) => (id === id.toUpperCase() ? id : id.toLowerCase())),
  'the last part of a request_uri alone': (right) => right.replace(/^.*[/:](?=.)/, ''),
}

export const unknownRequestUri = rule({
  id: 'signing/unknown-request-uri',
  requirement: 'SIGN-34',
  places: [
    'value=unknown',
    'value=prefix',
    'value=superset',
    'value=wrong',
    'value=suffix',
    'value=encoded',
    'value=upper-case',
    'value=lower-case',
    'caller=bearer part=exp',
  ],
  title: 'GET /authorize with a request_uri that /ros did not return, or past its exp, is an error',
  needs: [...toSign, 'redirect'],
  waits: true,
  async check({ bank, expect, inVariation, note, reading, service, warn }) {
    const oneAlone = (await oneLevel(bank)) !== undefined
    for (const [i, [how, change]] of Object.entries(unlike).entries()) {
      // One of its own: which was authorized once is not to be what the next fails by. Every other one asks for either of two levels.
      const acr_values = i % 2 === 0 && !oneAlone ? 'loa3 loa2' : 'loa3'
      const object = await bank.signing.requestObject.fresh({ claims: { acr_values } })
      const request_uri = change(object.requestUri)
      // A URN has no host.
      if (request_uri === object.requestUri) continue
      await inVariation(how, async () => {
        const visit = await bank.signing.tryAuthorize(object, { query: { request_uri } })
        if (how !== encoded) expectError(expect, visit)
        else if (!isError(visit)) warn(`${how} is taken`)
      })
    }
    const right = await bank.signing.getAuthorize(await bank.signing.requestObject.fresh())
    // Whether that is a redirect is for SIGN-8 to say.
    expect(right).toHaveStatus(200, 302, 303, 307)
    const { accessToken } = await bank.signing.login()
    const short = await bank.signing.requestObject.fresh({ bearer: accessToken, claims: { max_age: 1 } })
    const left = Number(short.response.member('exp')) + 1 - service.clock()
    if (!(left <= 5)) return note(`an object with a max_age of one second lives ${left} s: its end was not waited for`)
    await service.wait(left * 1000)
    const late = await bank.signing.tryAuthorize(short)
    expectError(expect, late)
    reading('AMB-76', late.callback ? 'redirect' : 'page')
  },
})
