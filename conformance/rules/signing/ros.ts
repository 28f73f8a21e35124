import { isUrl } from '../../../schemas/is-url.js'
import type { Bank } from '../../bank/bank.js'
import { authenticatedBy } from '../../bank/client-metadata.js'
import { dressNow } from '../../bank/dress.js'
import type { RequestObjectOptions } from '../../bank/ros.js'
import { grantedScopes, type Login } from '../../bank/token.js'
import { Skip } from '../../evidence/failure.js'
import { rule, type Tools } from '../../harness/rule.js'
import { clientKeys, foreignSigner } from '../../service/client-keys.js'
import { untrustedCertificate } from '../../service/untrusted.js'
import type { ClientCertificate } from '../../target/client-certificate.js'
import { toSign } from '../../target/needs.js'
import { expectSeconds } from '../support/integers.js'
import { unknownExtension } from '../support/odd-assertions.js'
import { hasRefreshTokens } from '../support/proof-endpoints.js'
import { answerTo, expectBadRequest, unlessHandshakeFails } from '../support/refusals.js'
import { codeIn, expectObjectRefused, isAuthorized } from './refusals.js'
import { expectRegistered } from './registered.js'

export const accepted = rule({
  id: 'signing/request-object',
  requirement: 'SIGN-1',
  places: [
    'member=request_uri value=right',
    'member=exp value=other-type',
    'member=exp value=other-unit',
    'caller=bearer member=exp value=other-unit',
    'member=content-type',
  ],
  title: 'POST /ros takes a request object and answers with a request_uri and exp',
  needs: toSign,
  async check({ bank, expect, inVariation, reading, service }) {
    const { response } = await bank.signing.requestObject()
    expectRegistered({ expect, service }, response)
    const uri = expect(response.member('request_uri'), 'request_uri', response).toBeText()
    expect(uri, 'request_uri', response).toSatisfy((text) => isUrl(text), 'a URI')
    await inVariation('with an access token', async () => {
      const { accessToken: bearer } = await bank.signing.login()
      expectRegistered({ expect, service }, (await bank.signing.requestObject({ bearer })).response)
    })
    reading('AMB-38', 'served')
    reading('AMB-30', bank.signing.named() ? 'in-target-file' : 'as-published')
  },
})

export const expiry = rule({
  id: 'signing/exp-by-max-age',
  requirement: 'SIGN-28',
  places: ['caller=nobody', 'caller=bearer', 'member=documentObject'],
  title: 'exp takes max_age into account: it differs with it, and does not fall short of it',
  needs: toSign,
  async check({ bank, expect, inVariation, service }) {
    const [short, long] = [120, 86_400]
    const { accessToken: bearer } = await bank.signing.login()
    const callers: Record<string, RequestObjectOptions> = {
      'without an access token': {},
      'with one': { bearer },
      'for a document': { kind: 'document' },
    }
    for (const [caller, options] of Object.entries(callers)) {
      await inVariation(caller, async () => {
        const life = async (max_age: number) => {
          const asked = service.clock()
          const { response } = await bank.signing.requestObject.fresh({ claims: { max_age }, ...options })
          const seconds = expectSeconds(expect, response.member('exp'), 'exp', response) - asked
          return expect(seconds, `the time until exp, for a max_age of ${max_age} s`, response).toBeAtLeast(
            max_age - 1,
            's',
          )
        }
        const ofShort = await life(short)
        expect(await life(long), `the seconds until exp, where max_age is ${long} s`).toSatisfy(
          (ofLong) => ofLong > ofShort,
          `more than the ${ofShort} for a max_age of ${short} s`,
        )
      })
    }
  },
})

export const outOfBand = rule({
  id: 'signing/out-of-band-lives-longer',
  requirement: 'SIGN-29',
  places: [
    'member=signObject',
    'member=signObject value=long',
    'member=documentObject',
    'member=documentObjects',
    'member=id_token_hint',
    'token=access-of-front-channel value=lower-case',
  ],
  title: 'With one max_age an object without an access token lives longer than one with',
  needs: toSign,
  async check({ bank, expect, inVariation, note, service }) {
    const login = await bank.signing.login()
    const { accessToken } = login
    const lifeOf = async (options: RequestObjectOptions) => {
      const before = service.clock()
      const { response } = await bank.signing.requestObject.fresh(options)
      const exp = expectSeconds(expect, response.member('exp'), 'exp', response)
      return { least: exp - service.clock(), most: exp - before, response }
    }
    const kinds: Record<string, RequestObjectOptions> = {
      text: {},
      'text of a long max_age': { claims: { max_age: 86_400 } },
      document: { kind: 'document' },
      documents: { kind: 'documents' },
      'text with id_token_hint': { claims: { id_token_hint: await bank.hint(login) } },
    }
    for (const [kind, options] of Object.entries(kinds)) {
      await inVariation(kind, async () => {
        const single = await lifeOf({ ...options, bearer: accessToken })
        const remote = await lifeOf(options)
        expect(remote.least, 'the seconds until exp without an access token', remote.response).toSatisfy(
          (least) => least > single.most,
          `more than the ${single.most} of one with an access token`,
        )
      })
    }
    const front = await frontToken(bank)
    if (front === undefined) return note('the bank gives no access token in the front channel')
    await inVariation('text, with an access token of the front channel by another spelling of Bearer', async () => {
      const remote = await lifeOf({})
      const headers = { authorization: `bearer ${front}` }
      const response = await bank.signing.requestObject.modified({}, () => ({ headers }))
      // Who reads no scheme but Bearer tells so (RFC 9110 section 11.1 has it otherwise).
      if (response.status >= 400) return note('a scheme in small letters is not taken at POST /ros')
      const exp = expectSeconds(expect, response.member('exp'), 'exp', response)
      expect(exp - service.clock(), 'the seconds until exp with an access token', response).toSatisfy(
        (single) => single < remote.most,
        `less than the ${remote.most} of one without an access token`,
      )
    })
  },
})

export const bearerTaken = rule({
  id: 'signing/bearer-taken',
  requirement: 'SIGN-48',
  places: [
    'value=right',
    'value=wrong',
    'value=prefix',
    'value=superset',
    'token=access-of-signing',
    'token=access-of-refresh',
    'token=access-of-front-channel',
    'token=id-of-code',
    'token=code',
    'use=after-revocation',
  ],
  title: 'POST /ros takes a Bearer access token, of a login, a refresh and the signing flow, and refuses what is none',
  needs: toSign,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const { accessToken, response: login } = await bank.signing.login()
    const signed = await bank.signing.result()
    const ended = await loginToBeEnded(tools)
    const front = await frontToken(bank)
    const good = {
      'of a login': accessToken,
      'of the signing flow': signed.accessToken,
      ...(ended.refreshed !== undefined && { 'of a refresh': ended.refreshed }),
      ...(front !== undefined && { 'of the front channel': front }),
    }
    for (const [whose, bearer] of Object.entries(good)) {
      await inVariation(`an access token ${whose}`, async () =>
        expect(await bank.signing.requestObject.modified({}, () => ({ bearer }))).toHaveStatus(200, 201),
      )
    }
    const bad = {
      'an access token with another end': `${accessToken.slice(0, -4)}none`,
      'an access token without its last letter': accessToken.slice(0, -1),
      'an access token with a letter more': `${accessToken}a`,
      'an id_token': String(login.member('id_token')),
      'a used code': signed.code,
    }
    const taken = await bank.revocation.try({ client: ended.client, token: ended.accessToken })
    const revoked = taken.status < 300 && { 'a revoked access token': ended.accessToken }
    for (const [what, bearer] of Object.entries({ ...bad, ...revoked })) {
      await inVariation(what, async () =>
        expectObjectRefused(expect, await bank.signing.submission.modified({}, () => ({ bearer }))),
      )
    }
  },
})

/** A login of a signing client, and the access token of a refresh of it where the bank gives refresh tokens. */
async function loginToBeEnded(tools: Tools): Promise<Pick<Login, 'client' | 'accessToken'> & { refreshed?: string }> {
  const { bank } = tools
  const clientMetadata = await bank.signing.metadata()
  const scope = 'openid authorization'
  if (!(await hasRefreshTokens(tools, clientMetadata)))
    return bank.token.fresh({ clientMetadata, scope, person: 'full' })
  const { client, accessToken, refreshToken } = await bank.offlineToken.fresh({
    clientMetadata,
    scope: `${scope} offline_access`,
    person: 'full',
  })
  // What a refresh without scope gives is for other rules to say.
  const response = await bank.refresh.try({ login: { client, refreshToken }, form: { scope } })
  const refreshed = response.member('access_token')
  return { client, accessToken, ...(typeof refreshed === 'string' && { refreshed }) }
}

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
    const granted = await grantedScopes(response, 'signedScopes')
    expect(granted, 'the scopes of the token response', response).toLack('authorization')
  },
})

export const kind = rule({
  id: 'signing/request-object-kind',
  requirement: 'SIGN-42',
  places: ['part=typ value=wrong'],
  title: 'POST /ros takes no JWT that says that it was made for another purpose than a request object',
  needs: toSign,
  // That typ tells one kind of JWT from another is RFC 8725's, so that a bank is warned.
  async check({ bank, expect, warn }) {
    const outcome = await bank.signing.submission.modified({}, () => ({ header: { typ: 'logout+jwt' } }))
    if (isAuthorized(outcome)) warn('a JWT of typ logout+jwt is taken as a request object (RFC 8725 section 3.11)')
    else expectObjectRefused(expect, outcome)
  },
})

/** Claims of a JWT by which it is no request object for this bank now. `now` is in Unix seconds. */
const untimely: Record<string, (now: number) => Record<string, unknown>> = {
  'exp an hour ago': (now) => ({ iat: now - 7200, exp: now - 3600 }),
  'nbf in an hour': (now) => ({ nbf: now + 3600, exp: now + 7200 }),
  'aud of another bank': () => ({ aud: 'https://another-bank.example.com' }),
  'iss of another client': () => ({ iss: '00000000-0000-4000-8000-000000000000' }),
}

export const registeredClaims = rule({
  id: 'signing/request-object-claims',
  requirement: 'SIGN-42',
  places: [
    ...['exp', 'nbf', 'aud', 'iss'].flatMap((part) => [`part=${part}`, `caller=bearer part=${part}`]),
    'part=signature member=crit',
  ],
  title: 'POST /ros takes no JWT that has expired, does not hold yet, is for another bank or from another client',
  needs: toSign,
  // These claims are RFC 7519's and RFC 9101's, not the specification's: a bank is warned.
  async check({ bank, expect, inVariation, service, warn }) {
    const { accessToken: bearer } = await bank.signing.login()
    for (const [beside, good] of Object.entries({ '': {}, ' beside an access token': { bearer } })) {
      for (const [how, changes] of Object.entries(untimely)) {
        await inVariation(`a request object with ${how}${beside}`, async () => {
          const outcome = await bank.signing.submission.modified(good, ({ claims }) => ({
            claims: { ...claims, ...changes(service.clock()) },
          }))
          if (isAuthorized(outcome)) warn(`a request object with ${how}${beside} is taken`)
          else expectObjectRefused(expect, outcome)
        })
      }
    }
    if (dressNow() !== undefined) return
    const { critical, what } = unknownExtension
    await inVariation(`a request object ${what}`, async () => {
      const outcome = await bank.signing.submission.modified({}, ({ signer }) =>
        typeof signer === 'string' ? {} : { signer: { ...signer, critical } },
      )
      if (isAuthorized(outcome)) warn(`a request object ${what} is taken`)
      else expectObjectRefused(expect, outcome)
    })
  },
})

export const keyOfAnother = rule({
  id: 'signing/key-of-another-client',
  requirement: 'SIGN-42',
  // Of documents in a third dress.
  places: ['caller=other-client part=signature', 'part=signature member=documentObjects'],
  title: 'A request object that is signed by a key of another client is refused',
  needs: toSign,
  async check({ bank, expect }) {
    const { encryption } = await clientKeys()
    const signer = await foreignSigner('ES256', `${(await foreignSigner('ES256')).kid}-of-another`)
    const keys = await bank.hostKeys([{ ...signer.publicJwk, kid: signer.kid }, encryption.publicJwk])
    const clientMetadata = { jwks_uri: keys.url, client_name: 'Conformance another signer of objects' }
    if ((await bank.signing.signedBy()) === 'client') {
      // The bank is seen to know the key.
      await bank.signing.requestObject.expectBaseline()
      const known = await bank.signing.requestObject.try({ clientMetadata }, () => ({ signer }))
      expect(known).toHaveStatus(200, 201)
    }
    expectObjectRefused(expect, await bank.signing.submission.modified({}, () => ({ signer })))
  },
})

/** The access token that stood beside a code in front of the person; undefined where the bank gives none there (AMB-13, AMB-61). */
async function frontToken(bank: Bank): Promise<string | undefined> {
  const hybrid = await bank.hybrid().catch((error: unknown) => {
    if (error instanceof Skip) return undefined
    throw error
  })
  return hybrid?.fragment.get('access_token') ?? undefined
}

export const certificateRequired = rule({
  id: 'signing/certificate-required',
  requirement: 'SIGN-43',
  places: [
    ...['', 'caller=bearer '].flatMap((caller) => ['none', 'untrusted'].map((one) => `${caller}certificate=${one}`)),
    'certificate=none token=access-of-front-channel',
  ],
  title: 'POST /ros without a client certificate, or with one of an unknown authority, is refused',
  needs: toSign,
  async check({ bank, expect, inVariation, reading }) {
    // A handshake that fails for want of a certificate is a refusal too.
    const refused = async (
      certificate: false | ClientCertificate,
      options: RequestObjectOptions = {},
      certificateTold = false,
    ) => {
      const response = await unlessHandshakeFails(expect, () =>
        bank.signing.requestObject.modified(options, () => ({ certificate, certificateTold })),
      )
      if (response) expect(response).toHaveStatus(400, 401, 403)
      return response
    }
    const untrusted = await untrustedCertificate()
    await inVariation('a certificate of an unknown authority', () => refused(untrusted))
    await inVariation('no certificate', async () => {
      const response = await refused(false)
      reading('AMB-65', bank.signing.ownHost() ? 'own-address' : response ? 'signing-grants-only' : 'whole-host')
    })
    await inVariation('no certificate, but one told in headers', () => refused(false, {}, true))
    const { accessToken: bearer } = await bank.signing.login()
    await inVariation('a certificate of an unknown authority, with an access token', () =>
      refused(untrusted, { bearer }),
    )
    await inVariation('no certificate, with an access token', () => refused(false, { bearer }))
    const front = await frontToken(bank)
    if (front !== undefined)
      await inVariation('no certificate, with an access token of the front channel', () =>
        refused(false, { bearer: front }),
      )
  },
})

export const privateKeyJwt = rule({
  id: 'signing/private-key-jwt-only',
  requirement: 'SIGN-22',
  places: [
    'endpoint=ros client-auth=client_secret_post',
    'endpoint=ros client-auth=client_secret_jwt',
    'endpoint=ros caller=bearer client-auth=client_secret_post',
    'endpoint=ros caller=bearer client-auth=client_secret_jwt',
  ],
  title: 'A client that authenticates by a secret is refused',
  needs: toSign,
  async check({ bank, expect, inVariation }) {
    for (const method of ['client_secret_post', 'client_secret_jwt']) {
      const clientMetadata = authenticatedBy(method)
      const registered = await answerTo(bank, await bank.signing.metadata(clientMetadata))
      await inVariation(`a client of ${method}`, async () => {
        if (registered.status >= 400) return expectBadRequest(expect, registered)
        const request = await bank.signing.requestObject.prepare({ clientMetadata })
        const outcome = await bank.signing.submission.modified({}, () => request)
        const code = outcome.accepted && codeIn(outcome.accepted.visit)
        if (!outcome.accepted || !code) return expectObjectRefused(expect, outcome)
        // It is at POST /token that a client authenticates.
        await bank.signing.result()
        const refusal = await bank.signing.exchangeCode(outcome.accepted.object, code)
        expect(refusal).toHaveStatus(400, 401)
      })
      if (registered.status >= 400) continue
      await inVariation(`a client of ${method}, with an access token`, async () => {
        const whole = await bank.signing.metadata(clientMetadata)
        const { accessToken } = await bank.token({
          clientMetadata: whole,
          scope: 'openid authorization',
          person: 'full',
        })
        const request = await bank.signing.requestObject.prepare({ clientMetadata, bearer: accessToken })
        expectObjectRefused(expect, await bank.signing.submission.modified({}, () => request))
      })
    }
  },
})
