import { type UserData, userDataEndpoints } from '../../bank/claims.js'
import { declaredFor, type Metadata } from '../../bank/client-metadata.js'
import { asOwn, type Client } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { byKey } from '../../service/algorithms.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { answerTo } from '../support/refusals.js'
import { loginForAll } from './checks.js'
import { allElsePlain, expectEncrypted, expectSigned } from './protection.js'
import { forEach, type Origin, origins, replyUnder } from './token-origins.js'

/** Every reply is signed and encrypted as the client registered it: one with much or nothing in it, and whatever the token. */

const kinds: readonly (Omit<Origin, 'place' | 'tokens'> & {
  dimension: string
  tokens(tools: Tools, endpoint: UserData): ReturnType<Origin['tokens']>
})[] = [
  {
    slug: 'of-all',
    words: 'for every scope',
    dimension: 'value=long',
    needs: toLogIn,
    tokens: async (tools) => {
      const [login, { dataScopes }] = [await loginForAll(tools), await tools.bank.client()]
      return [{ ...login, what: 'for every scope', scopes: [...dataScopes] }]
    },
  },
  {
    slug: 'of-openid',
    words: 'for openid alone',
    dimension: 'scope=openid',
    needs: [...toRegister, 'person'],
    tokens: async ({ bank }) => {
      const login = await bank.token({ scope: 'openid', clientMetadata: { scope: 'openid' } })
      return [{ ...login, what: 'for openid alone', scopes: [] }]
    },
  },
  {
    slug: 'after-put',
    words: 'after a PUT of other algorithms',
    dimension: 'use=after-put',
    needs: [...toRegister, ...toLogIn],
    tokens: async (tools, judged) => {
      const { bank } = tools
      const clientMetadata = { client_name: 'A client that changes the algorithms of user data' }
      const client = await asOwn(await bank.registration(clientMetadata))
      const changes = await otherAlgorithms(tools, client, judged)
      // Which algorithms were registered when the bank signed for the client first.
      const before = await bank.token.fresh({ clientMetadata })
      const discovery = await bank.discovery()
      const served = userDataEndpoints.filter((endpoint) => discovery.value(`${endpoint}_endpoint`) !== undefined)
      for (const endpoint of served) await bank.userData[endpoint].try(before)
      await bank.replaceRecord(client, replacement(client, changes))
      const login = await bank.token.fresh({ clientMetadata, scope: ['openid', ...client.dataScopes].join(' ') })
      const changed = { ...login.client, metadata: { ...client.metadata, ...changes } }
      return [{ ...login, client: changed, what: 'after a PUT', scopes: [...client.dataScopes] }]
    },
  },
  ...origins.map(({ place, ...origin }) => ({ ...origin, dimension: place })),
]

/**
 * The algorithms that user data are not signed with yet, as the members of a record.
 * @param judged what needs another one, whatever the other endpoint's are
 */
async function otherAlgorithms({ bank, skip }: Tools, { metadata }: Client, judged: UserData): Promise<Metadata> {
  const discovery = await bank.discovery()
  const changes = userDataEndpoints.map((endpoint) => {
    const member = `${endpoint}_signed_response_alg`
    const declared = declaredFor(discovery, endpoint, 'signing_alg') ?? []
    const alg = declared.find((name) => name !== metadata[member] && byKey.includes(name))
    if (alg !== undefined) return { [member]: alg }
    return endpoint === judged ? skip(`the bank declares one algorithm to sign ${endpoint} with`) : {}
  })
  return Object.assign({}, ...changes)
}

const protections: readonly {
  slug: string
  part: string
  requirement: Readonly<Record<UserData, string>>
  check: (tools: Tools, endpoint: UserData, client: Client, response: HttpResponse) => Promise<void>
}[] = [
  {
    slug: 'signed',
    part: 'part=signature',
    requirement: { userinfo: 'DATA-1', profile: 'DATA-2' },
    async check(tools, endpoint, client, response) {
      await expectSigned(tools, endpoint, client, response)
    },
  },
  {
    slug: 'encrypted',
    part: 'part=encryption',
    requirement: { userinfo: 'DATA-13', profile: 'DATA-14' },
    async check(tools, endpoint, client, response) {
      if (client.metadata[`${endpoint}_encrypted_response_alg`] === undefined)
        return tools.skip(`the bank declares no encryption of ${endpoint}`)
      await expectEncrypted(tools, endpoint, client, response)
    },
  },
]

/** The dimensions of a place stand in the order of dimensions.yaml, where use and token come before part and the others behind it. */
const placeOf = (part: string, dimension: string) =>
  /^(use|token)=/.test(dimension) ? `${dimension} ${part}` : `${part} ${dimension}`

/** Not the signatures under tokens of the signing flow, which has algorithms of its own (AMB-12), and a PUT of other signatures for these alone. */
const kindsOf = (done: string) => kinds.filter(({ slug }) => slug !== (done === 'signed' ? 'signing' : 'after-put'))

export const protectedReplies: readonly Rule[] = userDataEndpoints.flatMap((endpoint) =>
  protections.flatMap(({ slug: done, part, requirement, check }) =>
    kindsOf(done).map(({ slug, words, dimension, needs, tokens }) =>
      rule({
        id: `${endpoint}/${slug}-${done}`,
        requirement: requirement[endpoint],
        places: [placeOf(part, dimension)],
        title: `${endpoint} ${words} is ${done} as registered`,
        needs,
        check: (tools) =>
          forEach(
            tools,
            [endpoint],
            () => tokens(tools, endpoint),
            async (token) => check(tools, endpoint, token.client, await replyUnder(tools, token, endpoint)),
          ),
      }),
    ),
  ),
)

/** By what a reply is encrypted is said of each kind apart. */
export const encryptedAlone: readonly Rule[] = userDataEndpoints.map((endpoint) =>
  rule({
    id: `${endpoint}/encrypted-alone`,
    requirement: endpoint === 'userinfo' ? 'DATA-13' : 'DATA-14',
    places: ['part=encryption member=alone'],
    title: `${endpoint} is encrypted as registered for a client that registered the encryption of nothing else`,
    needs: [...toLogIn, ...toRegister],
    async check(tools) {
      const { bank, skip } = tools
      const clientMetadata = allElsePlain(endpoint)
      // A bank may want userinfo and profile to be encrypted alike (AMB-48).
      if ((await answerTo(bank, clientMetadata)).status >= 400) return skip('the bank wants more to be encrypted')
      const login = await bank.token({ clientMetadata })
      if (login.client.metadata[`${endpoint}_encrypted_response_alg`] === undefined)
        return skip(`the bank declares no encryption of ${endpoint}`)
      const { response } = await bank.userData[endpoint](login)
      await expectEncrypted(tools, endpoint, login.client, response)
    },
  }),
)

export const encryptedByPut: readonly Rule[] = userDataEndpoints.map((endpoint) =>
  rule({
    id: `${endpoint}/after-put-encrypted`,
    requirement: endpoint === 'userinfo' ? 'DATA-13' : 'DATA-14',
    places: ['use=after-put part=encryption'],
    title: `${endpoint} is encrypted as a PUT registered it for a client that had registered no encryption`,
    needs: [...toLogIn, ...toRegister],
    async check(tools) {
      const { bank, skip } = tools
      const { metadata } = await bank.client()
      const members = ['alg', 'enc'].map((member) => `${endpoint}_encrypted_response_${member}`)
      const changes = Object.fromEntries(members.map((member) => [member, metadata[member]]))
      if (Object.values(changes).includes(undefined)) return skip(`the bank declares no encryption of ${endpoint}`)
      const plain = Object.fromEntries(members.map((member) => [member, undefined]))
      const clientMetadata = { client_name: `A client that has ${endpoint} encrypted later`, ...plain }
      // A bank may want user data to be encrypted (AMB-48).
      if ((await answerTo(bank, clientMetadata)).status >= 400) return skip('the bank wants it to be encrypted')
      const client = await asOwn(await bank.registration(clientMetadata))
      await bank.userData[endpoint].try(await bank.token.fresh({ clientMetadata }))
      await bank.replaceRecord(client, replacement(client, changes))
      const login = await bank.token.fresh({ clientMetadata })
      const changed = { ...login.client, metadata: { ...client.metadata, ...changes } }
      await expectEncrypted(tools, endpoint, changed, await bank.userData[endpoint].try(login))
    },
  }),
)
