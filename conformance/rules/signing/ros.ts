import { authenticatedBy } from '../../bank/client-metadata.js'
import { rule } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
import { expectInteger } from '../support/integers.js'
import { parseSpaceDelimited } from '../support/parse-space-delimited.js'
import { unlessHandshakeFails } from '../support/refusals.js'
import { codeIn, expectObjectRefused, isAuthorized } from './refusals.js'

export const accepted = rule({
  id: 'signing/request-object',
  requirement: 'SIGN-1',
  title: 'POST /ros takes a request object and answers with a request_uri and exp',
  needs: toSign,
  async check({ bank, expect, reading }) {
    const { response } = await bank.signing.requestObject()
    expect(response).toHaveStatus(200, 201)
    expect(response).toHaveMediaType('application/json')
    const uri = expect(response.member('request_uri'), 'request_uri', response).toBeText()
    expect(uri, 'request_uri', response).toSatisfy((text) => URL.canParse(text), 'a URI')
    expect(response.member('exp'), 'exp', response).toSatisfy(
      (exp) => Number.isInteger(exp) && Number(exp) > 1e9,
      'Unix seconds: an integer above 1000000000',
    )
    reading('AMB-38', 'served')
    reading('AMB-30', bank.signing.named() ? 'in-target-file' : 'as-published')
  },
})

export const expiry = rule({
  id: 'signing/exp-by-max-age',
  requirement: 'SIGN-28',
  title: 'exp takes max_age into account: it differs with it, and does not fall short of it',
  needs: toSign,
  async check({ bank, expect, inVariation, service }) {
    const [short, long] = [120, 86_400]
    const lives: number[] = []
    for (const max_age of [short, long]) {
      await inVariation(`max_age ${max_age}`, async () => {
        const asked = service.clock()
        const { response } = await bank.signing.requestObject({ claims: { max_age } })
        const life = expectInteger(expect, response.member('exp'), 'exp', response) - asked
        expect(life, 'the time until exp', response).toBeAtLeast(max_age - 1, 's')
        lives.push(life)
      })
    }
    const [ofShort = 0, ofLong = 0] = lives
    expect(ofLong, `the seconds until exp, where max_age is ${long} s,`).toSatisfy(
      (life) => life > ofShort,
      `more than the ${ofShort} for a max_age of ${short} s`,
    )
  },
})

export const outOfBand = rule({
  id: 'signing/out-of-band-lives-longer',
  requirement: 'SIGN-29',
  title: 'With one max_age an object without an access token lives longer than one with',
  needs: toSign,
  async check({ bank, expect, inVariation, service }) {
    const { accessToken } = await bank.signing.login()
    const lifeOf = async (bearer: { bearer?: string }) => {
      const before = service.clock()
      const { response } = await bank.signing.requestObject.fresh(bearer)
      const exp = expectInteger(expect, response.member('exp'), 'exp', response)
      return { least: exp - service.clock(), most: exp - before, response }
    }
    const single = await inVariation('with an access token', () => lifeOf({ bearer: accessToken }))
    const remote = await inVariation('without an access token', () => lifeOf({}))
    expect(remote.least, 'the seconds until exp of an object without an access token', remote.response).toSatisfy(
      (least) => least > single.most,
      `more than the ${single.most} of one with an access token`,
    )
  },
})

export const bearerTaken = rule({
  id: 'signing/bearer-taken',
  requirement: 'SIGN-48',
  title: 'POST /ros takes a Bearer access token, and refuses one that is not valid',
  needs: toSign,
  async check({ bank, expect }) {
    const { accessToken } = await bank.signing.login()
    const response = await bank.signing.requestObject.modified({}, () => ({ bearer: accessToken }))
    expect(response).toHaveStatus(200, 201)
    expectObjectRefused(
      expect,
      await bank.signing.submission.modified({}, () => ({ bearer: `${accessToken.slice(0, -4)}none` })),
    )
  },
})

export const unregisteredScope = rule({
  id: 'signing/unregistered-scope',
  requirement: 'AUTH-12',
  places: ['grant=signing'],
  title: 'An object that asks for a scope which its client did not register is refused, or gets a result without it',
  needs: toSign,
  async check({ bank, expect }) {
    const registered = String((await bank.client()).metadata.scope).split(' ')
    const scope = registered.filter((one) => one !== 'authorization').join(' ')
    const request = await bank.signing.requestObject.prepare({
      clientMetadata: { client_name: 'Conformance without authorization', scope },
    })
    const outcome = await bank.signing.submission.modified({}, () => request)
    const code = outcome.accepted && codeIn(outcome.accepted.visit)
    if (!outcome.accepted || !code) return expectObjectRefused(expect, outcome)
    const response = await bank.signing.exchangeCode(outcome.accepted.object, code)
    const granted = parseSpaceDelimited(String(response.member('scope') ?? ''))
    expect(granted, 'the scopes of the token response', response).toLack('authorization')
  },
})

export const kind = rule({
  id: 'signing/request-object-kind',
  requirement: 'SIGN-42',
  title: 'POST /ros takes no JWT that says that it was made for another purpose than a request object',
  needs: toSign,
  // That typ tells one kind of JWT from another is RFC 8725's, so that a bank is warned.
  async check({ bank, expect, warn }) {
    const outcome = await bank.signing.submission.modified({}, () => ({ typ: 'logout+jwt' }))
    if (isAuthorized(outcome)) warn('a JWT of typ logout+jwt is taken as a request object (RFC 8725 section 3.11)')
    else expectObjectRefused(expect, outcome)
  },
})

export const certificateRequired = rule({
  id: 'signing/certificate-required',
  requirement: 'SIGN-43',
  title: 'POST /ros without a client certificate is refused',
  needs: toSign,
  async check({ bank, expect, reading }) {
    // A handshake that fails for want of a certificate is a refusal too.
    const response = await unlessHandshakeFails(() =>
      bank.signing.requestObject.modified({}, () => ({ certificate: false })),
    )
    if (response) expect(response).toHaveStatus(400, 401, 403)
    reading('AMB-65', bank.signing.ownHost() ? 'own-address' : response ? 'signing-grants-only' : 'whole-host')
  },
})

export const privateKeyJwt = rule({
  id: 'signing/private-key-jwt-only',
  requirement: 'SIGN-22',
  title: 'A client that authenticates by a secret is refused',
  needs: toSign,
  async check({ bank, expect, inVariation, note }) {
    const declared = (await bank.discovery()).declared('token_endpoint_auth_methods_supported') ?? []
    for (const method of ['client_secret_post', 'client_secret_jwt'].filter((one) => declared.includes(one))) {
      const clientMetadata = authenticatedBy(method)
      const registration = await bank.registration(await bank.signing.metadata(clientMetadata))
      if (registration.response.status >= 400) {
        note(`${method} cannot be registered`)
        continue
      }
      await inVariation(`a client of ${method}`, async () => {
        const request = await bank.signing.requestObject.prepare({ clientMetadata })
        const outcome = await bank.signing.submission.modified({}, () => request)
        const code = outcome.accepted && codeIn(outcome.accepted.visit)
        if (!outcome.accepted || !code) return expectObjectRefused(expect, outcome)
        // It is at POST /token that a client authenticates.
        await bank.signing.result()
        const refusal = await bank.signing.exchangeCode(outcome.accepted.object, code)
        expect(refusal).toHaveStatus(400, 401)
      })
    }
  },
})
