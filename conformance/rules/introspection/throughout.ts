import type { Rule } from '../../harness/rule.js'
import { expectInteger } from '../support/integers.js'
import { parseSpaceDelimited } from '../support/parse-space-delimited.js'
import { everything, repliesAt, throughout } from '../support/throughout.js'

/** Seconds between the issue of an access token and that of the id_token beside it that are taken for none. */
const besideSeconds = 60

export const seenIntrospections: readonly Rule[] = [
  throughout({
    id: 'introspection/live-throughout',
    requirement: 'INTR-1',
    places: [everything],
    title:
      'Every answer of /token-info in the run is JSON with active, and of a live token with its client and its kind',
    async check({ bank, expect }) {
      for (const response of repliesAt({ bank }, await (await bank.discovery()).introspectionEndpoint())) {
        expect(response).toHaveMediaType('application/json')
        expect(response.member('active'), 'active', response).toSatisfy(
          (told) => typeof told === 'boolean',
          'a boolean',
        )
      }
      for (const { use, kind } of bank.seenTokens().uses('token-info')) {
        const { response, client } = use
        const what = kind.replace('_', ' ')
        expect(response.member('client_id'), `client_id of an ${what}`, response).toBe(client.clientId)
        expect(String(response.member('token_type')).toLowerCase(), `token_type of the ${what}`, response).toBeOneOf(
          // Bearer is RFC 7662's word, of which other rules warn.
          kind === 'access_token' ? [kind, 'bearer'] : [kind],
        )
      }
    },
  }),
  throughout({
    id: 'introspection/types-throughout',
    requirement: 'INTR-5',
    places: [everything],
    title:
      'Every answer of the run that called a token active has its times, its scopes, a sub, the issuer and no other client in aud',
    async check({ bank, expect }) {
      for (const { use, grant, kind } of bank.seenTokens().uses('token-info')) {
        const { response } = use
        const what = kind.replace('_', ' ')
        expectInteger(expect, response.member('exp'), `exp of the ${what}`, response)
        const iat = expectInteger(expect, response.member('iat'), `iat of the ${what}`, response)
        expect(response.member('iss'), `iss of the ${what}`, response).toBe(bank.issuer)
        expect(response.member('sub'), `sub of the ${what}`, response).toBeText()
        const aud = response.member('aud')
        // Whether it may be left out is INTR-1's.
        if (aud !== undefined)
          expect(aud, `aud of the ${what}`, response).toSatisfy(
            (one) => typeof one === 'string' && (one === use.client.clientId || !bank.hasRegistered(one)),
            `a text, and no other client than ${use.client.clientId}`,
          )
        const scope = expect(response.member('scope'), `scope of the ${what}`, response).toBeText()
        // Of a refresh token the answer to a refresh tells less.
        const listed = kind === 'access_token' || grant.of !== 'refresh' ? grant.response.member('scope') : undefined
        // Less may be left of them: a person can take consent back.
        if (typeof listed === 'string')
          expect(
            scope.split(' ').filter((one) => !parseSpaceDelimited(listed).includes(one)),
            `the scopes of the ${what} that did not come with it`,
            response,
          ).toEqual([])
        const beside = (await grant.idToken())?.claims.iat
        if (kind === 'access_token' && typeof beside === 'number')
          expect(iat, 'iat of an access token, beside that of its id_token', response).toBeNear(
            beside,
            besideSeconds,
            's',
          )
      }
    },
  }),
]
