import { declaredIn, type Metadata, recordFields } from '../../bank/client-metadata.js'
import { replacement } from '../../bank/registration-management.js'
import { format } from '../../harness/expect.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toRegister } from '../../target/needs.js'
import { byPost, declaresMethod } from '../support/client-methods.js'
import { comparable } from '../support/records.js'

/** Fields that a bank may fill in where a record does not name them, with what discovery calls the list of their values. */
const filledIn: Readonly<Record<string, string>> = {
  subject_type: 'subject_types_supported',
  id_token_signed_response_alg: 'id_token_signing_alg_values_supported',
  userinfo_signed_response_alg: 'userinfo_signing_alg_values_supported',
  profile_signed_response_alg: 'profile_signing_alg_values_supported',
  request_object_signing_alg: 'request_object_signing_alg_values_supported',
  token_endpoint_auth_signing_alg: 'token_endpoint_auth_signing_alg_values_supported',
}

const leftOut: Metadata = Object.fromEntries(
  [...Object.keys(filledIn), 'response_types', 'grant_types'].map((field) => [field, undefined]),
)

/** Algorithms that need no key of ours: a bank may have something to say against them, whoever registers them. */
const withoutOurKey = /^(HS|none)/

/** Other values than a record has for each field that has another. */
async function otherThan({ bank }: Pick<Tools, 'bank'>, record: Metadata): Promise<Metadata> {
  const discovery = await bank.discovery()
  const declares = (list: string, value: string) => discovery.declared(list)?.includes(value) ?? false
  const others = Object.entries(filledIn).flatMap(([field, list]) => {
    const other = declaredIn(discovery, list)?.find((value) => value !== record[field] && !withoutOurKey.test(value))
    return other === undefined ? [] : [[field, other]]
  })
  const implicit = declares('response_types_supported', 'token') && declares('grant_types_supported', 'implicit')
  return {
    ...Object.fromEntries(others),
    ...(implicit && { response_types: ['code', 'token'], grant_types: ['authorization_code', 'implicit'] }),
  }
}

/** Replaces a record by one that leaves fields out: what they are then has to be as with a client that never named them. */
async function expectAsNever(
  { bank, expect }: Pick<Tools, 'bank' | 'expect'>,
  left: Metadata,
  others: Metadata,
  never: HttpResponse,
): Promise<void> {
  const client = await bank.client.fresh(others)
  await bank.replaceRecord(client, replacement(client, left))
  const seen = await bank.manage('GET', client)
  expect(seen).toHaveStatus(200)
  for (const field of Object.keys(others)) {
    const filled = never.member(field)
    expect(seen.member(field), `${field} of the record after a PUT that left it out`, seen).toSatisfy(
      (value) => comparable(field, value) === comparable(field, filled),
      `as with a client that never named it, ${format(filled)}`,
    )
  }
}

/** The method of client authentication, which a bank may want to be named: it is left out alone. */
async function expectMethodAsNever(tools: Tools): Promise<void> {
  const { bank, note } = tools
  const member = 'token_endpoint_auth_method'
  const unnamed = { [member]: undefined, token_endpoint_auth_signing_alg: undefined }
  if (!(await declaresMethod(tools, 'client_secret_post'))) return
  const { response } = await bank.registration(unnamed)
  if (response.status >= 400) return note(`the bank registers no client without ${member}`)
  if (response.member(member) === 'client_secret_post') return
  await tools.inVariation(member, async () =>
    expectAsNever(tools, unnamed, byPost, await bank.manage('GET', await bank.client.fresh(unnamed))),
  )
}

export const dropped = rule({
  id: 'registration/replace-drops-filled-in',
  requirement: 'REG-11',
  places: [...Object.keys(leftOut), 'token_endpoint_auth_method'].map((member) => `member=${member} value=missing`),
  title: 'A field that a PUT leaves out is as with a client that never had it, where a bank fills it in too',
  needs: toRegister,
  async check(tools) {
    const { bank, expect, skip } = tools
    await expectMethodAsNever(tools)
    const { response } = await bank.registration(leftOut)
    if (response.status >= 400)
      return skip('the bank asks for more than a record with the fields that it could fill in')
    const never = await bank.manage('GET', await bank.client.fresh(leftOut))
    expect(never).toHaveStatus(200)
    await expectAsNever(tools, leftOut, await otherThan(tools, Object(never.json)), never)
  },
})

export const read = rule({
  id: 'registration/read-filled-in',
  requirement: 'REG-10',
  places: Object.keys(leftOut).map((member) => `member=${member} value=missing`),
  title: 'GET gives the value of a field that the bank filled in as the answer to POST gave it',
  needs: toRegister,
  async check({ bank, expect, skip }) {
    const { response } = await bank.registration(leftOut)
    if (response.status >= 400)
      return skip('the bank asks for more than a record with the fields that it could fill in')
    const client = await bank.client.fresh(leftOut)
    const seen = await bank.manage('GET', client)
    expect(seen).toHaveStatus(200)
    // Whether what was never named is shown at both is not said.
    const shown = Object.keys(recordFields).filter((field) =>
      [seen, client.response].every((one) => one.member(field) !== undefined),
    )
    for (const field of shown) {
      const answered = client.response.member(field)
      expect(seen.member(field), `${field} of the record`, seen).toSatisfy(
        (value) => comparable(field, value) === comparable(field, answered),
        `as the answer to POST gave it, ${format(answered)}`,
      )
    }
  },
})
