import { emptyPlaces, type UserData, userDataEndpoints, withoutEmpty } from '../../bank/claims.js'
import { declaredFor } from '../../bank/client-metadata.js'
import { readJwt, type SeenGrant, type SeenJwt } from '../../bank/seen-tokens.js'
import type { Rule, Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { parseSpaceDelimited } from '../support/parse-space-delimited.js'
import { everything, registeredOf, repliesAt, throughout } from '../support/throughout.js'
import { claimsBeyond } from './checks.js'

/** Looks at each answer of an endpoint that its client can read. */
async function eachAnswer(
  { bank }: Pick<Tools, 'bank'>,
  endpoint: UserData,
  look: (seen: { grant: SeenGrant; response: HttpResponse; reply: SeenJwt }) => Promise<void> | void,
): Promise<void> {
  for (const { use, grant } of bank.seenTokens().uses(endpoint)) {
    const { response, client } = use
    const reply = await readJwt(response.text.trim(), client.keys)
    if (reply) await look({ grant, response, reply })
  }
}

/** By endpoint: the requirements that say how it is signed, how it is encrypted and what it holds. */
const sentences = {
  userinfo: { signed: 'DATA-1', encrypted: 'DATA-13', nothingElse: 'DATA-3' },
  profile: { signed: 'DATA-2', encrypted: 'DATA-14', nothingElse: 'DATA-4' },
} as const

function ofEndpoint(endpoint: UserData): readonly Rule[] {
  const { signed, encrypted, nothingElse } = sentences[endpoint]
  return [
    throughout({
      id: `${endpoint}/signed-throughout`,
      requirement: signed,
      places: [everything],
      title: `Every answer of ${endpoint} in the run is application/jwt, signed with the registered algorithm`,
      async check({ bank, expect }) {
        const discovery = await bank.discovery()
        for (const response of repliesAt({ bank }, await discovery.userDataEndpoint(endpoint)))
          expect(response).toHaveMediaType('application/jwt')
        const declared = declaredFor(discovery, endpoint, 'signing_alg')
        await eachAnswer({ bank }, endpoint, ({ grant, response, reply }) => {
          const alg = registeredOf(grant, `${endpoint}_signed_response_alg`, declared)
          if (alg !== undefined) expect(reply.header.alg, `alg of the signed ${endpoint}`, response).toBe(alg)
        })
      },
    }),
    throughout({
      id: `${endpoint}/encrypted-throughout`,
      requirement: encrypted,
      places: [everything],
      title: `Every answer of ${endpoint} in the run is encrypted as its client registered`,
      async check({ bank, expect }) {
        const discovery = await bank.discovery()
        await eachAnswer({ bank }, endpoint, ({ grant, response, reply }) => {
          for (const part of ['alg', 'enc'] as const) {
            const declared = declaredFor(discovery, endpoint, `encryption_${part}`)
            const registered = registeredOf(grant, `${endpoint}_encrypted_response_${part}`, declared)
            const where = `${part} of the encrypted ${endpoint}`
            if (registered !== undefined) expect<unknown>(reply.encryption?.[part], where, response).toBe(registered)
          }
        })
      },
    }),
    throughout({
      id: `${endpoint}/nothing-else-throughout`,
      requirement: nothingElse,
      places: [everything],
      title: `Every answer of ${endpoint} in the run holds the claims of the scopes listed with its token and no others`,
      check: ({ bank, expect }) =>
        eachAnswer({ bank }, endpoint, ({ grant, response, reply }) => {
          const listed = grant.response.member('scope')
          if (typeof listed !== 'string') return
          const { unknown } = claimsBeyond(endpoint, parseSpaceDelimited(listed), reply.claims)
          expect(unknown, `what ${endpoint} holds beyond the claims of ${listed}`, response).toEqual([])
        }),
    }),
  ]
}

export const seenUserData: readonly Rule[] = [
  ...userDataEndpoints.flatMap(ofEndpoint),
  throughout({
    id: 'profile/shapes-throughout',
    requirement: 'DATA-17',
    places: [everything],
    title: 'The claims of every answer of profile in the run have their types and shapes',
    check: ({ bank, expect }) =>
      eachAnswer({ bank }, 'profile', ({ response, reply }) => {
        expect(withoutEmpty(reply.claims), 'the claims of profile', response).toFitSchema('profile')
      }),
  }),
  throughout({
    id: 'user-data/filled-throughout',
    requirement: 'DATA-10',
    places: [everything],
    title: 'No claim of any answer of userinfo and profile in the run is null or an empty string',
    async check({ bank, expect }) {
      for (const endpoint of userDataEndpoints)
        await eachAnswer({ bank }, endpoint, ({ response, reply }) => {
          expect(emptyPlaces(reply.claims), `the claims of ${endpoint} that are null or empty`, response).toEqual([])
        })
    },
  }),
  throughout({
    id: 'subjects/same-throughout',
    requirement: 'SUB-7',
    places: [everything],
    title: 'The sub of every answer about a token in the run is that of the id_token that came with it',
    async check({ bank, expect }) {
      for (const at of ['token-info', ...userDataEndpoints] as const) {
        for (const { use, grant } of bank.seenTokens().uses(at)) {
          const { response, client } = use
          const [own, reply] = [await grant.idToken(), await readJwt(response.text.trim(), client.keys)]
          const sub = at === 'token-info' ? response.member('sub') : reply?.claims.sub
          if (own?.claims.sub !== undefined && (at === 'token-info' || reply))
            expect(sub, `sub of ${at}`, response).toBe(own.claims.sub)
        }
      }
    },
  }),
]
