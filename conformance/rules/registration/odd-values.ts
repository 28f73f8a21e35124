import type { Bank } from '../../bank/bank.js'
import type { Metadata } from '../../bank/client-metadata.js'
import { dressNow } from '../../bank/dress.js'
import { replacement } from '../../bank/registration-management.js'
import { inStep } from '../../bank/steps.js'
import { format } from '../../harness/expect.js'
import { rule } from '../../harness/rule.js'
import { toRegister } from '../../target/needs.js'
import { comparable, expectEchoed } from '../support/records.js'
import { recordMethods } from '../support/refusals.js'
import { atMethods } from '../support/registration-calls.js'

/** An address, which a long path brings to 300 characters. */
function long(address: string, isMeant: boolean): string {
  return isMeant ? `${address}/`.padEnd(300, 'long') : address
}

/** No document lists the addresses that these values bring (OpenID Connect Dynamic Client Registration section 5). */
const ofNoSector = { sector_identifier_uri: undefined }

/** A name as any other, which not even a careful bank refuses. */
const apostrophe = 'a client_name with an apostrophe'

/** Values that a careless bank takes for none, or of which it gives back a part or another form. */
async function oddValues(bank: Bank): Promise<Record<string, Metadata>> {
  const discovery = await bank.discovery()
  const declares = (list: string, value: string) => discovery.declared(list)?.includes(value) ?? false
  return {
    'a default_max_age of 0': { default_max_age: 0 },
    'require_auth_time false': { require_auth_time: false },
    'a long client_name': { client_name: 'Conformance '.repeat(25).trim() },
    'a client_name with letters of several languages': { client_name: 'Účet & "Spoření" <Škoda> O’Neill 🏦' },
    ...(dressNow() === undefined && { [apostrophe]: { client_name: "O'Neill" } }),
    'three contacts, one with capitals and one with a tag': {
      contacts: ['Jana.Novakova@Example.org', 'conformance+bank@example.org', 'third@example.org'],
    },
    'twelve redirect URIs, one of them and a logo_uri of 300 characters': {
      ...ofNoSector,
      redirect_uris: Array.from({ length: 12 }, (_, i) =>
        long(`https://app.conformance.example/callback/${i}`, i === 5),
      ),
      logo_uri: long('https://example.org/logo', true),
    },
    'a default_max_age of ten years': { default_max_age: 315_360_000 },
    'addresses without a path, with capitals, and with a query': {
      ...ofNoSector,
      redirect_uris: ['', '/second', '/Third', '/%7Efourth'].map(
        (path) => `https://app.conformance.example/callback${path}?of=Conformance&to=%C3%9A%C4%8Det`,
      ),
      tos_uri: 'https://example.org/terms?edition=2&language=cs',
      client_uri: 'https://example.org?of=Conformance',
      ...Object.fromEntries(
        ['logo', 'initiate_login', 'backchannel_logout', 'notification'].map((name) => [
          `${name}_uri`,
          `https://example.org/${name}?of=Conformance&edition=2`,
        ]),
      ),
      policy_uri: 'https://example.org/Policy/%7Eterms%2Fconditions',
    },
    ...(dressNow() === undefined && {
      'redirect URIs without a path, and with the port that https has anyhow': {
        ...ofNoSector,
        redirect_uris: ['https://app.conformance.example', 'https://app.conformance.example:443/callback'],
      },
    }),
    'a request_uri with a fragment': { request_uris: [`${bank.placeForRequestObject()}#first`, '#second', '#third'] },
    ...(declares('response_types_supported', 'token') &&
      declares('grant_types_supported', 'implicit') && {
        'two response types': {
          response_types: ['code', 'token'],
          grant_types: ['authorization_code', 'implicit'],
        },
      }),
  }
}

/** Addresses of which a bank may keep no query. */
const queried = ['logo_uri', 'client_uri', 'initiate_login_uri', 'backchannel_logout_uri', 'notification_uri']

export const oddEchoed = rule({
  id: 'registration/odd-values-echoed',
  requirement: 'REG-2',
  places: atMethods(
    [...recordMethods, 'GET'],
    'member=default_max_age value=lower-bound',
    'member=default_max_age value=long',
    'member=contacts value=last',
    'member=contacts value=suffix',
    ...['redirect_uris value=long', 'redirect_uris value=last', 'logo_uri value=long'].map((term) => `member=${term}`),
    ...queried.map((member) => `member=${member} value=encoded`),
    'member=require_auth_time value=lower-bound',
    'member=response_types value=second',
    'member=client_name value=long',
    'member=client_name value=encoded',
    'member=contacts value=upper-case',
    'member=policy_uri value=encoded',
    'member=redirect_uris value=encoded',
    'member=redirect_uris value=equivalent',
    'member=redirect_uris value=lower-bound',
    'member=tos_uri value=encoded',
    'member=request_uris value=suffix',
  ),
  title: 'Values that are easily taken for none, cut or written otherwise come back from POST, PUT and GET',
  needs: toRegister,
  async check(tools) {
    const { bank, expect, inVariation, note } = tools
    const client = await bank.replaceableClient()
    for (const [what, changes] of Object.entries(await oddValues(bank))) {
      const { response } = await bank.registration(changes)
      if (response.status >= 400) {
        await inVariation(`POST of ${what}`, async () => {
          const most = what === apostrophe ? 299 : 499
          expect(response.status, 'the status of the answer', response).toBeAtMost(most)
        })
        note(`${what} is refused`)
        continue
      }
      await inVariation(`POST of ${what}`, async () => {
        const registered = await bank.client.fresh(changes)
        await expectEchoed(tools, registered, registered.response)
      })
      /** What the PUT was answered with, where it was by a body. */
      const answered = new Map<string, unknown>()
      await inVariation(`PUT of ${what}`, async () => {
        const metadata = replacement(client, changes)
        const answer = await bank.manage('PUT', client, () => ({ record: metadata }))
        const took = async () => expect(answer.status, 'the status of the PUT', answer).toBeAtMost(299)
        // Where nothing is odd about it, it is the value that is refused, and not PUT.
        await (what === apostrophe ? took() : inStep('registrationReplacement', took))
        if (answer.status === 204) return note('the bank answers PUT without a body (AMB-31)')
        for (const field of Object.keys(changes)) answered.set(field, answer.member(field))
        await expectEchoed(tools, { ...client, metadata }, answer)
      })
      await inVariation(`GET of ${what}`, async () => {
        const read = await bank.manage('GET', client)
        for (const field of answered.keys())
          expect(read.member(field), `${field} of the record that is read`, read).toSatisfy(
            (value) => comparable(field, value) === comparable(field, answered.get(field)),
            `what the PUT was answered with, ${format(answered.get(field))}`,
          )
        await expectEchoed(tools, { ...client, metadata: replacement(client, changes) }, read)
      })
    }
  },
})
