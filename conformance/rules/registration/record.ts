import { declaredDataScopes, recordFields } from '../../bank/client-metadata.js'
import { format } from '../../harness/expect.js'
import { rule } from '../../harness/rule.js'
import { toRegister } from '../../target/needs.js'
import { expectUndeclaredRefused } from '../discovery/undeclared-values.js'
import { comparable, wholeRecord } from '../support/records.js'
import { answerTo, expectBadRequest } from '../support/refusals.js'

export const echoed = rule({
  id: 'registration/record-echoed',
  requirement: 'REG-2',
  title: 'Each field of the record comes back with its type and value',
  needs: toRegister,
  async check({ bank, service, expect, warn }) {
    await bank.registration.expectBaseline()
    const client = await bank.client.fresh(await wholeRecord(bank, service))
    const { response, metadata } = client
    const record = expect(response.json, 'the registration response', response).toHaveMembers(Object.keys(metadata))
    expect<unknown>(record, 'the registration response', response).toFitSchema('registration-record')
    const differing = (found: Record<string, unknown>, wanted: Record<string, unknown>) =>
      Object.keys(metadata).filter((name) => comparable(name, found[name]) !== comparable(name, wanted[name]))
    const replaced = differing(record, metadata)
    if (replaced.length === 0) return
    const read = await bank.manage('GET', client)
    const holds = expect(read.json, 'the record read back', read).toBeObject()
    const unheld = replaced.filter((name) => differing(holds, record).includes(name))
    expect(unheld, 'the values that came back and do not hold', read).toEqual([])
    warn(`the bank replaced the values of ${replaced.join(', ')}`)
  },
})

export const issued = rule({
  id: 'registration/issued-members',
  requirement: 'REG-3',
  title: 'What the bank issues with a registration has its form: identifiers, secret, address and time',
  needs: toRegister,
  async check({ bank, service, expect, reading }) {
    await bank.registration.expectBaseline()
    const { response, request } = await bank.registration()
    const { client_id, client_secret, registration_access_token, registration_client_uri, client_id_issued_at } =
      expect(response.json, 'the registration response', response).toBeObject()
    // What is missing altogether is REG-1's.
    for (const [name, value] of Object.entries({ client_id, client_secret, registration_access_token })) {
      if (value !== undefined) expect(value, name, response).toBeText()
    }
    reading('AMB-21', client_secret === undefined ? 'unless-private-key-jwt' : 'always')
    expect(registration_client_uri, 'registration_client_uri', response).toBe(
      `${request.endpoint}/${encodeURIComponent(String(client_id))}`,
    )
    expect(registration_client_uri, 'registration_client_uri', response).toMatch(/^https:\/\//, 'an https address')
    if (client_id_issued_at === undefined) return
    expect(client_id_issued_at, 'client_id_issued_at', response).toSatisfy(Number.isInteger, 'an integer')
    expect(client_id_issued_at, 'client_id_issued_at', response).toBeNear(service.clock(), 300, 's')
  },
})

export const notJson = rule({
  id: 'registration/body-not-an-object',
  requirement: 'REG-14',
  title: 'A body that is not a JSON object is refused with error and error_description',
  needs: toRegister,
  async check({ bank, expect, inVariation }) {
    for (const body of ['client_name=Client', '{"client_name": ', '[]', '"text"']) {
      await inVariation(`body ${body}`, async () =>
        expectBadRequest(expect, await bank.registration.modified({}, () => ({ body }))),
      )
    }
  },
})

export const undeclared = rule({
  id: 'registration/undeclared-values',
  requirement: 'REG-15',
  title: 'Values that discovery does not declare are refused',
  needs: toRegister,
  check: (tools) => expectUndeclaredRefused(tools, ['algorithm', 'authentication', 'flow', 'other']),
})

export const requiredScope = rule({
  id: 'registration/required-scope-outside-scope',
  requirement: 'REG-16',
  title: 'required_scope with a scope that is not in scope is refused',
  needs: toRegister,
  async check({ bank, expect, skip }) {
    const [first, second] = declaredDataScopes(await bank.discovery())
    if (!first || !second) return skip('the bank declares fewer than two data scopes: one has to be left out of scope')
    await bank.client({ scope: `openid ${first}`, required_scope: `openid ${first}` })
    expectBadRequest(expect, await answerTo(bank, { scope: `openid ${first}`, required_scope: `openid ${second}` }))
  },
})

export const encWithoutAlg = rule({
  id: 'registration/enc-without-alg',
  requirement: 'REG-17',
  title: 'An encrypted response enc without its alg is refused, or ignored and not echoed',
  needs: toRegister,
  async check({ bank, expect, inVariation, skip }) {
    const discovery = await bank.discovery()
    const kinds = ['id_token', 'userinfo'].filter((kind) =>
      discovery.declared(`${kind}_encryption_enc_values_supported`),
    )
    if (kinds.length === 0) return skip('the bank declares no encryption')
    for (const kind of kinds) {
      const enc = `${kind}_encrypted_response_enc`
      await inVariation(`${enc} alone`, async () => {
        const answer = await answerTo(bank, { [enc]: 'A256GCM', [`${kind}_encrypted_response_alg`]: undefined })
        if (answer.status >= 400) expectBadRequest(expect, answer)
        else expect(answer.member(enc), `${enc} of the registration response`, answer).toBe(undefined)
      })
    }
  },
})

/** Values of other types for each type of the record table; a list that holds one counts as one. */
const wrong: Readonly<Record<(typeof recordFields)[string], readonly unknown[]>> = {
  text: [42, ['text']],
  uri: [42, ['https://service.example/']],
  list: ['text', [42]],
  integer: ['3600', 36.5],
  boolean: ['true', 1],
}

export const wrongType = rule({
  id: 'registration/wrong-type',
  requirement: 'REG-30',
  title: 'A field of the wrong type is refused with error and error_description',
  needs: toRegister,
  async check({ bank, expect, inVariation }) {
    for (const [field, type] of Object.entries(recordFields)) {
      for (const value of wrong[type]) {
        await inVariation(`${field} ${format(value)}`, async () =>
          expectBadRequest(expect, await answerTo(bank, { [field]: value })),
        )
      }
    }
  },
})
