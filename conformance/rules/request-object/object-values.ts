import { errorOf, redirectedError } from '../../bank/authorization-answer.js'
import { dressNow } from '../../bank/dress.js'
import type { Client } from '../../bank/registration.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { canEncrypt } from '../../service/algorithms.js'
import type { Signer } from '../../service/assertions.js'
import { foreignSigner, type SigningKey } from '../../service/client-keys.js'
import { unknownExtension } from '../support/odd-assertions.js'
import { unregisteredAddress } from '../support/unregistered-address.js'
import { asking, type Changes, demandSupport, encryptionsOf, isTaken, toAskByReference } from './by-reference.js'

/** Ways in which parameters inside of a request object are wrong, as in a query. */
const wrongParameters: Readonly<Record<string, (client: Client) => Changes>> = {
  'the client_id of another client': () => ({ client_id: '00000000-0000-4000-8000-000000000000' }),
  'another response_type than the query': () => ({ response_type: 'token' }),
  'a redirect_uri that is not registered': () => ({ redirect_uri: unregisteredAddress }),
  'an unknown scope': () => ({ scope: 'openid conformance.unsupported' }),
  'a scope without openid': ({ dataScopes }) => ({ scope: dataScopes[0] ?? 'profile.name' }),
  'an unknown display': () => ({ display: 'hologram' }),
  'an unknown prompt': () => ({ prompt: 'dance' }),
  'prompt none beside login': () => ({ prompt: 'none login' }),
  'an unknown acr value': () => ({ acr_values: 'loa9' }),
  'a word as max_age': () => ({ max_age: 'hour' }),
  'a negative max_age': () => ({ max_age: -1 }),
  'a fraction as max_age': () => ({ max_age: 0.5 }),
  'an unknown response_mode': () => ({ response_mode: 'conformance' }),
  'symbols as ui_locales': () => ({ ui_locales: '!!!' }),
  'an object as nonce': () => ({ nonce: { value: 'conformance' } }),
  'an object as state': () => ({ state: { value: 'conformance' } }),
}

/** Values that are not text, as a query would have them: a bank that reads members as text takes them for it, and is warned. */
const notText: Readonly<Record<string, Changes>> = {
  'a number as state': { state: 7 },
  'a list as scope': { scope: ['openid'] },
  'a list as display': { display: ['page'] },
}

/** Errors by which a bank may answer a request whose client, or whose way back, is in doubt. */
const inDoubt = ['invalid_request_object', 'invalid_request', 'unauthorized_client']

/**
 * That a value in a request object is refused at the redirect URI, as that of an object, or by the error that its parameter has in a query
 * (AMB-80).
 */
function expectRedirected({ expect, reading }: Pick<Tools, 'expect' | 'reading'>, response: HttpResponse, own: string) {
  const answer = errorOf(response)
  if (answer.code === own) expect(answer, 'the answer to the request', response).toEqual(redirectedError(own))
  else expect(answer, 'the answer to the request', response).toEqual(redirectedError('invalid_request_object'))
  reading('AMB-80', answer.code === own ? 'parameter' : 'object')
}

export const objectInvalid = rule({
  id: 'request-object/value-invalid',
  requirement: 'AUTH-22',
  places: [
    'part=signature',
    'part=signature alg=ES512',
    'part=encryption',
    ...['client_id', 'response_type', 'redirect_uri', 'scope', 'display', 'prompt', 'acr_values', 'max_age']
      .concat('response_mode', 'ui_locales', 'nonce', 'state', 'prompt-none-beside-another')
      .map((member) => `member=${member}`),
    ...['state', 'scope', 'display', 'max_age'].map((member) => `member=${member} value=other-type`),
    'part=kid value=missing',
  ],
  title: 'A request object that holds an invalid value, or whose signature is wrong, is 302 invalid_request_object',
  needs: toAskByReference,
  async check({ bank, expect, inVariation, reading, skip, warn }) {
    const discovery = await bank.discovery()
    demandSupport(discovery, skip)
    const ways = Object.entries(wrongParameters)
    const declared = discovery.declared('request_object_signing_alg_values_supported') ?? []
    const { keys } = await bank.client()
    const others = Object.values<SigningKey>({ ...keys }).filter(
      ({ alg }) => alg !== keys.signing.alg && declared.includes(alg) && dressNow() === undefined,
    )
    const count = ways.length + Object.keys(notText).length + 3 + 2 * others.length
    const { ask, client } = await asking(bank, 'request object, values', count)
    const code = 'invalid_request_object'
    for (const [how, changes] of ways) {
      await inVariation(`a request object with ${how}`, async () => {
        const made = changes(client)
        const response = await ask(made)
        const answer = errorOf(response)
        const [name = ''] = Object.keys(made)
        const isDoubtful = ['client_id', 'redirect_uri', 'response_type'].includes(name) && answer.to === 'direct'
        if (isDoubtful) expect(answer.code, 'the error of the answer', response).toBeOneOf(inDoubt)
        else expectRedirected({ expect, reading }, response, name === 'scope' ? 'invalid_scope' : 'invalid_request')
      })
    }
    for (const [how, changes] of Object.entries(notText)) {
      await inVariation(`a request object with ${how}`, async () => {
        const response = await ask(changes)
        if (isTaken(response)) return warn(`a request object with ${how} is taken`)
        expectRedirected({ expect, reading }, response, 'scope' in changes ? 'invalid_scope' : 'invalid_request')
      })
    }
    const key = await foreignSigner(client.keys.signing.alg, client.keys.signing.kid)
    const expectSigned = async (how: string, encryption?: { alg: string; enc: string }, signer: Signer = key) =>
      inVariation(`${how} that another key signed`, async () => {
        const response = await ask({}, { key: signer, ...(encryption && { encryption }) })
        expect(errorOf(response), 'the answer to the request', response).toEqual(redirectedError(code))
      })
    await expectSigned('a request object')
    const { kid: _, ...unnamed } = key
    await expectSigned('a request object without kid', undefined, unnamed)
    const [alg] = discovery.declared('request_object_encryption_alg_values_supported') ?? []
    const [enc] = discovery.declared('request_object_encryption_enc_values_supported') ?? []
    if (alg && enc) await expectSigned('an encrypted request object', { alg, enc })
    for (const other of others) {
      // One that is refused whoever signed it is DISC-18's.
      if (!isTaken(await ask({}, { key: other }))) continue
      await expectSigned(`a request object of ${other.alg}`, undefined, await foreignSigner(other.alg, other.kid))
    }
  },
})

export const registrationBeside = rule({
  id: 'request-object/registration-beside',
  requirement: 'AUTH-20',
  places: ['parameter=request_uri'],
  title: 'The parameter registration is refused beside a request_uri too',
  needs: toAskByReference,
  async check({ bank, expect, skip, warn }) {
    demandSupport(await bank.discovery(), skip)
    const { ask } = await asking(bank, 'request object, registration beside', 1)
    const response = await ask({}, { parameters: { registration: '{"client_name":"conformance"}' } })
    // What stands beside a request object counts (OpenID Connect Core section 6.2), unless a bank goes by RFC 9101 section 5.
    if (isTaken(response)) return warn('registration is ignored beside a request_uri')
    const codes = ['registration_not_supported', 'invalid_request_object']
    expect(errorOf(response).code, 'the error of the answer', response).toBeOneOf(codes)
  },
})

export const scopeNotRegistered = rule({
  id: 'request-object/scope-not-registered',
  requirement: 'AUTH-22',
  places: ['scope=data value=wrong', 'scope=offline_access value=wrong'],
  title:
    'A request object with a scope that its client did not register is 302 invalid_request_object, or invalid_scope',
  needs: toAskByReference,
  async check({ bank, expect, inVariation, reading, skip }) {
    const discovery = await bank.discovery()
    demandSupport(discovery, skip)
    const [registered, other] = (await bank.client()).dataScopes
    if (!registered || !other) return skip('the bank declares fewer than two data scopes')
    const record = { scope: `openid ${registered}`, grant_types: ['authorization_code'] }
    const { ask } = await asking(bank, 'request object, one scope', 2, record)
    const offers = discovery.declared('scopes_supported')?.includes('offline_access')
    // With what else it takes to have it judged (OpenID Connect Core section 11).
    const offline = offers && { scope: 'openid offline_access', ...(await bank.offlineParameters()) }
    for (const asked of [{ scope: `openid ${other}` }, ...(offline ? [offline] : [])]) {
      await inVariation(`the scope ${asked.scope}`, async () => {
        expectRedirected({ expect, reading }, await ask(asked), 'invalid_scope')
      })
    }
  },
})

export const objectExpired = rule({
  id: 'request-object/expired',
  requirement: 'AUTH-22',
  places: ['part=exp', 'part=exp value=other-type'],
  title: 'A request object past its exp, or with one that is text, is 302 invalid_request_object',
  needs: toAskByReference,
  async check({ bank, expect, inVariation, service, skip, warn }) {
    const discovery = await bank.discovery()
    demandSupport(discovery, skip)
    const { ask } = await asking(bank, 'request object, exp', 4)
    const encryption = encryptionsOf(discovery).find(canEncrypt)
    // Further back than clocks differ.
    const exp = service.clock() - 900
    const ways: Record<string, [Changes, Parameters<typeof ask>[1]?]> = {
      'exp a quarter of an hour ago': [{ exp }],
      'an exp that is text': [{ exp: String(exp) }],
      ...(encryption && { 'exp a quarter of an hour ago, encrypted': [{ exp }, { encryption }] }),
    }
    for (const [how, [changes, options]] of Object.entries(ways)) {
      await inVariation(`a request object with ${how}`, async () => {
        const response = await ask({ iat: exp - 3600, ...changes }, options)
        const code = 'invalid_request_object'
        expect(errorOf(response), 'the answer to the request', response).toEqual(redirectedError(code))
      })
    }
    // That exp is a number is RFC 7519's (section 4.1.4): who reads the text, and finds the object to be in time, is warned.
    const how = 'an exp in an hour that is text'
    await inVariation(`a request object with ${how}`, async () => {
      const response = await ask({ exp: String(service.clock() + 3600) })
      if (isTaken(response)) return warn(`a request object with ${how} is taken`)
      expect(errorOf(response).code, 'the error of the answer', response).toBeOneOf(otherwise)
    })
  },
})

/** By which a bank may answer what the specification does not name, but what others say is wrong. */
const otherwise = ['invalid_request_object', 'invalid_request', 'invalid_request_uri']

export const objectOfAnother = rule({
  id: 'request-object/iss-aud-nbf',
  requirement: 'AUTH-22',
  places: [
    ...['part=iss', 'part=aud', 'part=nbf', 'part=nbf value=other-type', 'part=signature member=crit'],
    ...['member=request', 'member=request_uri'],
  ],
  title: 'A request object of another issuer, for another bank, not valid yet, or that names another one, is not taken',
  needs: toAskByReference,
  // These claims are OpenID Connect Core's (section 6.1) and RFC 9101's, not the specification's: a bank is warned.
  async check({ bank, expect, inVariation, service, skip, warn }) {
    demandSupport(await bank.discovery(), skip)
    const ways: Readonly<Record<string, Changes>> = {
      'iss of another client': { iss: '00000000-0000-4000-8000-000000000000' },
      'aud of another bank': { aud: 'https://another-bank.example.com' },
      'nbf in an hour': { nbf: service.clock() + 3600 },
      'an nbf an hour ago that is text': { nbf: String(service.clock() - 3600) },
      'request inside': { request: 'e30.e30.e30' },
      'request_uri inside': { request_uri: 'https://unregistered.example.com/object' },
    }
    const { ask, client } = await asking(bank, 'request object, iss aud nbf', Object.keys(ways).length + 1)
    const judge = (what: string, response: HttpResponse) => {
      if (isTaken(response)) return warn(`a request object ${what} is taken`)
      expect(errorOf(response).code, 'the error of the answer', response).toBeOneOf(otherwise)
    }
    for (const [how, changes] of Object.entries(ways))
      await inVariation(`a request object with ${how}`, async () => judge(`with ${how}`, await ask(changes)))
    if (dressNow() !== undefined) return
    const { critical, what } = unknownExtension
    await inVariation(`a request object ${what}`, async () =>
      judge(what, await ask({}, { key: { ...client.keys.signing, critical } })),
    )
  },
})

export const registrationInside = rule({
  id: 'request-object/registration-inside',
  requirement: 'AUTH-20',
  places: ['token=request-object'],
  title: 'registration inside of a request object is refused as in the query, or as an invalid object',
  needs: toAskByReference,
  async check({ bank, expect, skip }) {
    demandSupport(await bank.discovery(), skip)
    const { ask } = await asking(bank, 'request object, registration', 1)
    const response = await ask({ registration: { client_name: 'conformance' } })
    const codes = ['registration_not_supported', 'invalid_request_object']
    expect(errorOf(response).code, 'the error of the answer', response).toBeOneOf(codes)
  },
})

/** Required, wherever they stand. */
const required = [
  ['state', 'AUTH-8'],
  ['nonce', 'AUTH-9'],
  ['scope', 'AUTH-10'],
] as const

export const missingInBoth: readonly Rule[] = required.map(([name, requirement]) =>
  rule({
    id: `request-object/${name}-missing`,
    requirement,
    places: ['token=request-object'],
    title: `A request by request_uri with ${name} neither in the object nor in the query is refused`,
    needs: toAskByReference,
    async check({ bank, expect, skip }) {
      demandSupport(await bank.discovery(), skip)
      const { ask } = await asking(bank, `request object, no ${name}`, 1)
      const response = await ask({ [name]: undefined }, { parameters: { [name]: undefined } })
      const codes = ['invalid_request', 'invalid_request_object']
      expect(errorOf(response), 'the answer to the request', response).toSatisfy(
        ({ to, status, code }) => to === 'redirect' && status === 302 && codes.includes(code),
        codes.map(redirectedError).join(' or '),
      )
    },
  }),
)
