import { userDataEndpoints } from '../../bank/claims.js'
import { declaredDataScopes, declaredIn, type Metadata, recordFields } from '../../bank/client-metadata.js'
import { replacement } from '../../bank/registration-management.js'
import { inStep } from '../../bank/steps.js'
import { format } from '../../harness/expect.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toRegister } from '../../target/needs.js'
import { expectUndeclaredRefused, undeclaredMembers } from '../discovery/undeclared-values.js'
import { declaresMethod } from '../support/client-methods.js'
import { putTrials, recordTrials } from '../support/record-trials.js'
import { expectEchoed, wholeRecord } from '../support/records.js'
import { expectBadRequest, recordMethods } from '../support/refusals.js'
import { atMethods } from '../support/registration-calls.js'
import { untilLaterMs } from '../support/until-later.js'

export const echoed = rule({
  id: 'registration/record-echoed',
  requirement: 'REG-2',
  places: Object.keys(recordFields).map((member) => `method=POST member=${member}`),
  title: 'Each field of the record comes back from POST with its type and value',
  needs: toRegister,
  async check(tools) {
    const { bank, service } = tools
    await bank.registration.expectBaseline()
    const client = await bank.client.fresh(await wholeRecord(bank, service))
    await expectEchoed(tools, client, client.response)
  },
})

/**
 * An address with its scheme and host in small letters, and its last segment encoded in one form: of what letters they are, and which of the
 * signs that may stand there are encoded, is free (RFC 3986 sections 3.3 and 6.2.2.1).
 */
function inOneForm(address: unknown): unknown {
  if (typeof address !== 'string') return address
  const named = address.replace(/^[^/]*\/\/[^/?#]*/, (origin) => origin.toLowerCase())
  return named.replace(/[^/?#]*$/, (segment) => {
    try {
      return encodeURIComponent(decodeURIComponent(segment))
    } catch {
      return segment
    }
  })
}

/** That the time when a client_id was issued, where an answer tells it, is in Unix seconds near this one. */
function expectIssuedAt({ expect }: Pick<Tools, 'expect'>, response: HttpResponse, seconds: number): void {
  const issuedAt = response.member('client_id_issued_at')
  if (issuedAt === undefined) return
  expect(issuedAt, 'client_id_issued_at', response).toSatisfy(Number.isInteger, 'an integer')
  expect(issuedAt, 'client_id_issued_at', response).toBeNear(seconds, 300, 's')
}

export const issued = rule({
  id: 'registration/issued-members',
  requirement: 'REG-3',
  places: [
    ...['client_id', 'client_secret', 'registration_access_token', 'registration_client_uri', 'client_id_issued_at'],
  ]
    .map((member) => `member=${member}`)
    .concat(
      'member=client_secret_expires_at',
      ...['client_id', 'registration_client_uri', 'client_id_issued_at'].map((member) => `method=PUT member=${member}`),
      ...['client_secret', 'registration_access_token'].map((member) => `use=second-client member=${member}`),
    ),
  title:
    'What the bank issues with a registration has its form, and keeps it after PUT: identifiers, secret, address and time',
  needs: toRegister,
  waits: true,
  async check(tools) {
    const { bank, service, expect, inVariation, reading, warn } = tools
    const { response, request } = await bank.registration()
    const { client_id, client_secret, registration_access_token, registration_client_uri } = Object(response.json)
    // What is missing altogether is REG-1's.
    for (const [name, value] of Object.entries({ client_id, client_secret, registration_access_token })) {
      if (value !== undefined) expect(value, name, response).toBeText()
    }
    const ends = response.member('client_secret_expires_at')
    // No member of the table.
    if (ends !== undefined && ends !== 0 && !(Number.isInteger(ends) && Number(ends) > service.clock()))
      warn(`client_secret_expires_at is ${ends}: neither 0 nor a time to come, in seconds (RFC 7591 section 3.2.1)`)
    const client = await bank.readableClient()
    reading('AMB-21', client_secret === undefined ? 'unless-private-key-jwt' : 'always')
    for (const [name, value] of Object.entries({ client_id, client_secret, registration_access_token })) {
      if (value === undefined) continue
      const another = client.response.member(name)
      expect<unknown>(another, `${name} of another client`, client.response).toDiffer(value, 'that of the first')
    }
    // Where there is an address for mutual TLS, the record is found there (AMB-65).
    const endpoints = [...new Set([request.endpoint, response.request.url])]
    expect(inOneForm(registration_client_uri), 'registration_client_uri', response).toBeOneOf(
      endpoints.map((endpoint) => `${endpoint}/${encodeURIComponent(String(client_id))}`),
    )
    // The registration may be one that other rules asked for, a while ago.
    expectIssuedAt(tools, response, Number(request.claims.iat))
    await inVariation('the answer to PUT', async () => {
      await service.wait(untilLaterMs)
      const answer = await bank.manage('PUT', client, () => ({ record: replacement(client) }))
      await inStep('registrationReplacement', async () => expect(answer).toHaveStatus(200, 204))
      const address = answer.member('registration_client_uri')
      const known = client.response.member('registration_client_uri')
      if (address !== undefined) expect<unknown>(address, 'registration_client_uri', answer).toBe(known)
      const named = answer.member('client_id')
      if (named !== undefined) expect<unknown>(named, 'client_id', answer).toBe(client.clientId)
      const [first, now] = [client.response, answer].map((one) => one.member('client_id_issued_at'))
      // RFC 7591 section 3.2.1: of the client_id, and not of the record.
      if (first !== undefined && now !== undefined) expect<unknown>(now, 'client_id_issued_at', answer).toBe(first)
      else expectIssuedAt(tools, answer, service.clock())
    })
  },
})

/** A token that no bank issued: whoever asks about it is told apart from who is not believed. */
const unknownToken = 'a-token-of-nobody'

export const issuedAgain = rule({
  id: 'registration/issued-again',
  requirement: 'REG-3',
  places: ['GET', 'PUT'].flatMap((method) =>
    ['client_secret', 'registration_access_token'].map((member) => `method=${method} member=${member}`),
  ),
  title: 'The secret and the registration access token that the answers to PUT and GET carry are good',
  needs: toRegister,
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    const secret = await declaresMethod(tools, 'client_secret_post')
    const client = await bank.client.fresh({
      client_name: 'Conformance issued again',
      ...(secret && { token_endpoint_auth_method: 'client_secret_post' }),
    })
    const asked = async (clientSecret: string) =>
      bank.introspection.try({ client: { ...client, clientSecret }, token: unknownToken })
    const first = client.response.member('client_secret')
    const believed = secret && typeof first === 'string' ? (await asked(first)).status : undefined
    const record = replacement(client, { client_name: 'Conformance issued once more' })
    let { token } = client
    let told = 0
    for (const method of ['PUT', 'GET'] as const) {
      await inVariation(`the answer to ${method}`, async () => {
        const answer = await bank.manage(method, client, () => ({ token, ...(method === 'PUT' && { record }) }))
        const taken = () =>
          expect(
            answer.status,
            `the status of ${method} with the registration_access_token told last`,
            answer,
          ).toBeAtMost(299)
        await (method === 'PUT' ? inStep('registrationReplacement', async () => taken()) : taken())
        const next = answer.member('registration_access_token')
        if (typeof next === 'string') {
          told += 1
          const read = await bank.manage('GET', client, () => ({ token: next }))
          expect(read.status, 'the status of GET with the registration_access_token of the answer', read).toBe(200)
          // A bank may issue one anew with each answer (RFC 7592 section 3).
          const newest = read.member('registration_access_token')
          token = typeof newest === 'string' ? newest : next
        }
        const again = answer.member('client_secret')
        if (believed === undefined || typeof again !== 'string') return
        told += 1
        const answered = await asked(again)
        expect(answered.status, 'the status of POST /token-info with the client_secret of the answer', answered).toBe(
          believed,
        )
      })
    }
    if (told === 0) skip('the answers to PUT and GET carry neither a secret nor a registration access token')
  },
})

/** Bodies that are no JSON, or no JSON object. */
const noObjects = [
  '',
  'client_name=Client',
  '{"client_name": ',
  '[]',
  '[{"client_name": "Client"}]',
  '"text"',
  'null',
  '42',
]

/** What may be around a record that is no object then: a bank may look into it for one. */
const aroundRecords: Readonly<Record<string, (record: Metadata) => unknown>> = {
  'a list of': (record) => [record],
  'a text that holds': (record) => JSON.stringify(record),
}

export const notJson = rule({
  id: 'registration/body-not-an-object',
  requirement: 'REG-14',
  places: atMethods(recordMethods),
  title: 'A body of POST or PUT that is not a JSON object is refused with error and error_description',
  needs: toRegister,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    for (const body of noObjects) {
      await inVariation(`POST of the body ${body}`, async () =>
        expectBadRequest(expect, await bank.registration.modified({}, () => ({ body }))),
      )
    }
    const wrapped = Object.entries(aroundRecords)
    for (const [what, around] of wrapped) {
      await inVariation(`POST of ${what} the record`, async () =>
        expectBadRequest(
          expect,
          await bank.registration.modified({}, ({ record }) => ({ body: JSON.stringify(around(record)) })),
        ),
      )
    }
    const { client, put, expectKept } = await putTrials(tools)
    for (const body of noObjects) {
      await inVariation(`PUT of the body ${body}`, async () => expectBadRequest(expect, await put(() => ({ body }))))
    }
    for (const [what, around] of wrapped) {
      const body = JSON.stringify(around(replacement(client)))
      await inVariation(`PUT of ${what} the record`, async () => expectBadRequest(expect, await put(() => ({ body }))))
    }
    await expectKept()
  },
})

async function expectEachRefused(tools: Tools, method: (typeof recordMethods)[number]): Promise<void> {
  const tried = await expectUndeclaredRefused(tools, ['algorithm', 'authentication', 'flow', 'other'], method)
  if (tried === 0) tools.skip('the bank declares no list of values, or every value that could be tried')
}

/** What may be encrypted, with an enc of its own in the record. */
const encrypted = [...userDataEndpoints, 'id_token']

/** What a bank puts in place of an enc that a record leaves out beside its alg is of those that it declares, where it tells that. */
async function expectFilledInDeclared(tools: Tools, method: (typeof recordMethods)[number]): Promise<void> {
  const { bank, expect, inVariation } = tools
  const discovery = await bank.discovery()
  const declared = (kind: string, name: string) => declaredIn(discovery, `${kind}_encryption_${name}_values_supported`)
  const kinds = encrypted.filter((kind) => declared(kind, 'enc') && declared(kind, 'alg')?.length)
  const member = (kind: string, name: string) => `${kind}_encrypted_response_${name}`
  const changes = Object.fromEntries(
    kinds.flatMap((kind) => [
      [member(kind, 'alg'), declared(kind, 'alg')?.[0]],
      [member(kind, 'enc'), undefined],
    ]),
  )
  await inVariation(`${method} of encryption without enc`, async () => {
    const answer = await recordTrials(tools)[method](changes)
    if (answer.status >= 300) return
    for (const kind of kinds) {
      const enc = answer.member(member(kind, 'enc'))
      if (enc !== undefined) {
        expect<unknown>(enc, `${member(kind, 'enc')} of the answer`, answer).toBeOneOf(declared(kind, 'enc') ?? [])
      }
    }
  })
}

/** Where REG-15 is tried by a method. */
function undeclaredPlaces(method: (typeof recordMethods)[number]): string[] {
  const members = [...undeclaredMembers, 'token_endpoint_auth_method value=missing']
  return [
    ...members.map((member) => `method=${method} member=${member}`),
    ...encrypted.map((kind) => `method=${method} member=${kind}_encrypted_response_enc value=missing`),
    `method=${method} use=after-refusal`,
  ]
}

export const undeclared = rule({
  id: 'registration/undeclared-values',
  requirement: 'REG-15',
  places: undeclaredPlaces('POST'),
  title: 'Values that discovery does not declare are refused by POST',
  needs: toRegister,
  async check(tools) {
    await expectEachRefused(tools, 'POST')
    await expectFilledInDeclared(tools, 'POST')
  },
})

export const undeclaredByPut = rule({
  id: 'registration/undeclared-values-put',
  requirement: 'REG-15',
  places: undeclaredPlaces('PUT'),
  title: 'Values that discovery does not declare are refused by PUT',
  needs: toRegister,
  async check(tools) {
    await expectEachRefused(tools, 'PUT')
    await expectFilledInDeclared(tools, 'PUT')
  },
})

export const requiredScope = rule({
  id: 'registration/required-scope-outside-scope',
  requirement: 'REG-16',
  places: atMethods(
    recordMethods,
    ...['wrong', 'superset', 'prefix', 'subset', 'upper-case', 'equivalent'].map((value) => `value=${value}`),
  ).concat('method=PUT use=after-refusal', 'method=PUT use=after-put'),
  title: 'required_scope is a subset of scope in whatever order; one with a scope that is not in scope is refused',
  needs: toRegister,
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    const [first, second, third] = declaredDataScopes(await bank.discovery())
    if (!first || !second || !third) return skip('the bank declares fewer than three data scopes')
    const scope = `openid ${first} ${second}`
    // Registered before each PUT that is refused: a bank may compare with the scope that is replaced.
    const wider = `${scope} ${third}`
    const outside = {
      'another scope': third,
      'a scope that is not in scope before one that is': `${third} ${first}`,
      'a scope that is not in scope after one that is': `openid ${first} ${third}`,
      'the beginning of a scope': first.slice(0, -1),
      'scopes that a comma separates': `openid,${first}`,
      'a scope in another case': first.toUpperCase(),
    }
    const trials = recordTrials(tools)
    for (const method of recordMethods) {
      await inVariation(`${method} of a required_scope in another order than scope`, async () => {
        const answer = await trials[method]({
          scope: method === 'PUT' ? wider : scope,
          required_scope: `${second} openid`,
        })
        expect(answer.status, 'the status', answer).toBeAtMost(299)
      })
      for (const [what, required_scope] of Object.entries(outside)) {
        await inVariation(`${method} of a required_scope with ${what}`, async () =>
          expectBadRequest(expect, await trials[method]({ scope, required_scope })),
        )
      }
    }
    await trials.expectKept()
  },
})

/** Each enc of a record, with what discovery calls its list; the userinfo list holds for profile too (AMB-49). */
const encs: Readonly<Record<string, string>> = {
  id_token_encrypted_response_enc: 'id_token',
  userinfo_encrypted_response_enc: 'userinfo',
  profile_encrypted_response_enc: 'userinfo',
  request_object_encryption_enc: 'request_object',
}

export const encWithoutAlg = rule({
  id: 'registration/enc-without-alg',
  requirement: 'REG-17',
  places: atMethods(recordMethods, ...Object.keys(encs).map((member) => `member=${member}`)),
  title: 'An enc without its alg is refused by POST and PUT, or ignored and not echoed',
  needs: toRegister,
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    const discovery = await bank.discovery()
    const members = Object.keys(encs).filter((enc) =>
      discovery.declared(`${encs[enc]}_encryption_enc_values_supported`),
    )
    if (members.length === 0) return skip('the bank declares no encryption')
    const trials = recordTrials(tools)
    for (const method of recordMethods) {
      for (const enc of members) {
        await inVariation(`${method} of ${enc} alone`, async () => {
          const answer = await trials[method]({ [enc]: 'A256GCM', [enc.replace(/enc$/, 'alg')]: undefined })
          if (answer.status >= 400) expectBadRequest(expect, answer)
          else expect(answer.member(enc), `${enc} of the record`, answer).toBe(undefined)
        })
      }
    }
    await trials.expectKept()
  },
})

/**
 * Values of other types for each type of the record table; a list that holds one counts as one, and text that is no URI for a URI.
 * @param good a list that is right
 */
const wrong = (good: readonly unknown[]): Readonly<Record<(typeof recordFields)[string], readonly unknown[]>> => ({
  text: [42, ['text'], ...good.slice(0, 1).map((value) => [value]), { text: 'text' }],
  uri: [42, ['https://service.example/'], { uri: 'https://service.example/' }, 'no address'],
  // The right value, but for the list around it, too.
  list: ['text', ...good.slice(0, 1), [42], [...good, 42], [...good, {}], [...good, null], { 0: 'text' }],
  integer: ['3600', '', 36.5, true, [3600]],
  boolean: ['true', 'false', '', 1, 0, [true], {}],
})

/** Further values for one field of a type: what is told from the right one in one way is told so in every field. */
const furtherWrong: Readonly<Record<string, readonly unknown[]>> = {
  client_name: [true],
  scope: [false],
  jwks_uri: ['https://no address/'],
  tos_uri: ['/terms'],
  notification_uri: ['https:'],
}

/** What refuses a field of the wrong type, brought by one method. */
function wrongTypeRule(method: (typeof recordMethods)[number], slug: string) {
  return rule({
    id: `registration/${slug}`,
    requirement: 'REG-30',
    places: [
      ...Object.keys(recordFields).map((field) => `method=${method} member=${field}`),
      `method=${method} use=after-refusal`,
      `method=${method} member=default_max_age value=below`,
    ],
    title: `A field of the wrong type is refused by ${method} with error and error_description`,
    needs: toRegister,
    async check(tools) {
      const { bank, expect, inVariation, warn } = tools
      const trials = recordTrials(tools)
      const { request } = await bank.registration()
      const acrs = (await bank.discovery()).declared('acr_values_supported') ?? []
      const good: Metadata = {
        contacts: ['contact@service.example'],
        request_uris: ['https://service.example/object'],
        default_acr_values: acrs,
        ...request.record,
      }
      for (const [field, type] of Object.entries(recordFields)) {
        for (const value of [...wrong([good[field] ?? []].flat())[type], ...(furtherWrong[field] ?? [])]) {
          await inVariation(`${method} of ${field} ${format(value)}`, async () =>
            expectBadRequest(expect, await trials[method]({ [field]: value })),
          )
        }
      }
      await inVariation(`${method} of default_max_age -1`, async () => {
        const answer = await trials[method]({ default_max_age: -1 })
        // Seconds are what it is said to be in, not from which number on.
        if (answer.status < 300) warn(`a default_max_age of -1 is taken by ${method}`)
        else expectBadRequest(expect, answer)
      })
      await trials.expectKept()
    },
  })
}

export const wrongType = wrongTypeRule('POST', 'wrong-type')
export const wrongTypeByPut = wrongTypeRule('PUT', 'wrong-type-put')
