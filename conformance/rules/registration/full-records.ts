import type { Bank } from '../../bank/bank.js'
import { authenticatedBy, type Metadata } from '../../bank/client-metadata.js'
import { type Rule, rule } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toRegister } from '../../target/needs.js'
import { wholeRecord } from '../support/records.js'
import { expectBadRequest } from '../support/refusals.js'

/** What is wrong with a record is wrong whatever else it holds: every field, public subjects, a secret in place of a key. */

/** What is wrong with a record, beside all that is good. */
interface Row {
  slug: string
  requirement: string
  /** Further places than that of the record as a whole. */
  places?: readonly string[]
  /** Of the title. */
  what: string
  wrong(record: Metadata, bank: Bank): Promise<Record<string, Metadata>>
  error?: string
}

const rows: readonly Row[] = [
  {
    slug: 'redirect-uri',
    requirement: 'REG-4',
    what: 'A redirect URI that is not https',
    async wrong({ redirect_uris }, bank) {
      const listed = [...[redirect_uris].flat(), 'http://app.conformance.example/callback'].map(String)
      return {
        'one of http': { redirect_uris: listed, sector_identifier_uri: await bank.sectorDocument(listed) },
      }
    },
    error: 'invalid_redirect_uri',
  },
  {
    slug: 'undeclared-value',
    requirement: 'REG-15',
    what: 'A value that discovery does not declare',
    async wrong(_record, bank) {
      const { metadata } = await bank.client()
      return {
        'an unknown profile_signed_response_alg': { profile_signed_response_alg: 'conformance' },
        'an unknown scope': { scope: `${metadata.scope} conformance.unsupported` },
      }
    },
  },
  {
    slug: 'required-scope',
    requirement: 'REG-16',
    what: 'A required_scope outside scope',
    places: ['method=POST value=second'],
    async wrong(_record, bank) {
      const { dataScopes } = await bank.client()
      const required = ['openid', 'conformance.unsupported', ...dataScopes.slice(0, 1)]
      return { 'the second of three': { required_scope: required.join(' ') } }
    },
  },
  {
    slug: 'type',
    requirement: 'REG-30',
    what: 'A field of the wrong type',
    wrong: async () => ({
      'a default_max_age in digits': { default_max_age: '3600' },
      'a contact that is not in a list': { contacts: 'conformance@example.org' },
    }),
  },
]

export const refusedBesideAll: readonly Rule[] = rows.map(({ slug, requirement, places = [], what, wrong, error }) =>
  rule({
    id: `registration/${slug}-of-full-record`,
    requirement,
    places: ['method=POST client-auth=client_secret_post', ...places],
    title: `${what} is refused in a record of every field, of a client of public subjects and client_secret_post too`,
    needs: toRegister,
    async check({ bank, service, expect, inVariation, skip }) {
      const discovery = await bank.discovery()
      const declares = (list: string, value: string) => discovery.declared(list)?.includes(value)
      const record = {
        ...(await wholeRecord(bank, service)),
        client_name: 'Conformance full record',
        ...(declares('subject_types_supported', 'public') && { subject_type: 'public' }),
        ...(declares('token_endpoint_auth_methods_supported', 'client_secret_post') &&
          authenticatedBy('client_secret_post')),
      }
      const answered = async (changes: Metadata): Promise<HttpResponse> =>
        (await bank.registration({ ...record, ...changes })).response
      if ((await answered({})).status >= 400) return skip('the bank does not take such a record without a mistake')
      for (const [how, changes] of Object.entries(await wrong(record, bank))) {
        await inVariation(how, async () => {
          const response = await answered(changes)
          if (error === undefined) expectBadRequest(expect, response)
          else expect(response).toBeError(400, error)
        })
      }
    },
  }),
)
