import type { Bank } from '../../bank/bank.js'
import { declaredIn, type Metadata } from '../../bank/client-metadata.js'
import { asOwn } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import { inStep, type Step } from '../../bank/steps.js'
import { idTokenOf, type Login } from '../../bank/token.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { byKey } from '../../service/algorithms.js'
import { compactJwe } from '../../service/decryption.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { needMethod } from '../support/client-methods.js'

/** What is signed and encrypted as its client registered, the step by which it comes, and where it does. */
const replies = {
  id_token: { step: 'idToken', endpoint: 'token' },
  userinfo: { step: 'userinfo', endpoint: 'userinfo' },
  profile: { step: 'profile', endpoint: 'profile' },
} as const satisfies Record<string, { step: Step; endpoint: string }>

type Reply = keyof typeof replies

const names = Object.keys(replies) as Reply[]

/** The members about the encryption of replies. */
function encryptionOf(reply: Reply, alg: string | undefined, enc: string | undefined): Metadata {
  return { [`${reply}_encrypted_response_alg`]: alg, [`${reply}_encrypted_response_enc`]: enc }
}

/** The member about the signature of replies. */
const signedBy = (reply: Reply) => `${reply}_signed_response_alg`

const withoutEncryption: Metadata = Object.assign(
  {},
  ...names.map((reply) => encryptionOf(reply, undefined, undefined)),
)
const withoutSignature: Metadata = Object.fromEntries(names.map((reply) => [signedBy(reply), undefined]))

/** What a record may leave out, the most first: a bank may want the algorithms of signatures to be named. */
const leavingOut: readonly Metadata[] = [{ ...withoutEncryption, ...withoutSignature }, withoutEncryption]

/** The most that the bank lets a record leave out, with its answer to that; undefined where it wants an encryption (AMB-48). */
async function leftOutOf({ bank }: Pick<Tools, 'bank'>) {
  for (const leftOut of leavingOut) {
    const { response } = await bank.registration(leftOut)
    if (response.status < 400) return { leftOut, response }
  }
  return undefined
}

/** The replies that the bank gives. */
async function repliesOf({ bank }: Pick<Tools, 'bank'>): Promise<Reply[]> {
  const discovery = await bank.discovery()
  return names.filter((reply) => reply !== 'profile' || discovery.value('profile_endpoint') !== undefined)
}

/** The replies whose encryption the bank declares. */
async function encryptable(tools: Pick<Tools, 'bank'>): Promise<Reply[]> {
  const discovery = await tools.bank.discovery()
  return (await repliesOf(tools)).filter(
    (reply) =>
      declaredIn(discovery, `${reply}_encryption_alg_values_supported`)?.includes('RSA-OAEP-256') &&
      declaredIn(discovery, `${reply}_encryption_enc_values_supported`)?.includes('A256GCM'),
  )
}

/**
 * Algorithms that replies can be signed with, by the member, other than those that the bank fills in.
 * @param filled its answer to a record that names none
 */
async function otherSignatures({ bank }: Pick<Tools, 'bank'>, filled: HttpResponse): Promise<Metadata> {
  const discovery = await bank.discovery()
  const others = names.flatMap((reply) => {
    const declared = declaredIn(discovery, `${reply}_signing_alg_values_supported`) ?? []
    const alg = declared.find((name) => name !== filled.member(signedBy(reply)) && byKey.includes(name))
    return alg === undefined ? [] : [[signedBy(reply), alg]]
  })
  return Object.fromEntries(others)
}

/** A reply as it came. */
interface Replied {
  text: string
  response: HttpResponse
}

async function replyOf(bank: Bank, reply: Reply, login: Login): Promise<Replied> {
  if (reply === 'id_token') return { text: await idTokenOf(login.response), response: login.response }
  const response = await bank.userData[reply].try(login)
  return { text: response.text.trim(), response }
}

/** By which algorithm a reply is signed, as its header says. */
async function algorithmOf(bank: Bank, reply: Reply, { client }: Login, { text, response }: Replied): Promise<unknown> {
  const content =
    reply === 'id_token'
      ? await bank.hint({ client, response }, text)
      : (await bank.open(reply, response, client)).content
  return bank.read(content, reply === 'id_token' ? 'the id_token' : reply, response).header.alg
}

export const protection = rule({
  id: 'registration/left-out-encryption',
  requirement: 'REG-11',
  places: [
    ...[...names.map((reply) => `${reply}_encrypted_response_alg`), 'default_acr_values'].map(
      (member) => `use=after-put member=${member}`,
    ),
    ...names.map((reply) => `endpoint=${replies[reply].endpoint} use=after-put member=${signedBy(reply)}`),
  ],
  title:
    'After a login and a PUT that leaves out how a reply is encrypted or signed, or default_acr_values, it is as with a client that never had them',
  needs: [...toRegister, ...toLogIn],
  async check(tools) {
    const { bank, expect, inVariation, note, skip } = tools
    const possible = await leftOutOf(tools)
    if (!possible) return skip('the bank registers no client without an encryption (AMB-48)')
    const { leftOut, response: filled } = possible
    const signed = leftOut === withoutEncryption ? {} : await otherSignatures(tools, filled)
    if (leftOut === withoutEncryption) note('the bank registers no client without the algorithms of signatures')
    const encrypted = await encryptable(tools)
    if (encrypted.length === 0 && Object.keys(signed).length === 0)
      return skip('the bank declares no encryption with RSA-OAEP-256 and A256GCM, and no two algorithms of signatures')
    const never = await bank.token({ clientMetadata: leftOut })
    const named = encrypted.map((reply) => encryptionOf(reply, 'RSA-OAEP-256', 'A256GCM'))
    const discovery = await bank.discovery()
    const levels = discovery.declared('acr_values_supported')?.includes('loa3')
    const clientMetadata: Metadata = Object.assign(
      { client_name: 'A client that gives up its encryption', ...(levels && { default_acr_values: ['loa3'] }) },
      signed,
      ...named,
    )
    const client = await asOwn(await bank.registration(clientMetadata))
    const looked = (await repliesOf(tools)).filter((reply) => encrypted.includes(reply) || signedBy(reply) in signed)
    // What a bank knows of a client it may keep from its first use on.
    const before = await bank.token.fresh({ clientMetadata })
    for (const reply of looked) await replyOf(bank, reply, before)
    await bank.replaceRecord(client, replacement(client, { ...leftOut, default_acr_values: undefined }))
    const login = await bank.token.fresh({ clientMetadata })
    for (const reply of looked) {
      await inVariation(reply, async () => {
        const usual = await inStep(replies[reply].step, async () => {
          const replied = await replyOf(bank, reply, never)
          expect(replied.response).toHaveStatus(200)
          return replied
        })
        const isJwe = compactJwe.test(usual.text)
        const now = await replyOf(bank, reply, login)
        expect(now.response).toHaveStatus(200)
        expect(now.text, `${reply} after a PUT that left its encryption out`, now.response).toSatisfy(
          (value) => compactJwe.test(value) === isJwe,
          `a compact ${isJwe ? 'JWE' : 'JWS'}, as with a client that never registered an encryption`,
        )
        const { [signedBy(reply)]: other } = signed
        if (other === undefined) return
        const alg = await algorithmOf(bank, reply, never, usual)
        if (alg === other) return note(`the bank signs ${reply} with ${alg} where none is named, and does not say so`)
        expect(
          await algorithmOf(bank, reply, login, now),
          `alg of ${reply} after a PUT that left its algorithm out`,
          now.response,
        ).toBe(alg)
      })
    }
    if (!levels) return
    await inVariation('default_acr_values', async () => {
      const usual = (one: Login) => inStep('idToken', async () => (await bank.idTokenClaims(one)).acr)
      const { acr: reached } = await bank.idTokenClaims({
        ...login,
        client: { ...login.client, metadata: never.client.metadata },
      })
      // Somebody who logs in by hand has one session, which reached more meanwhile.
      const isAsEarlier = reached === (await usual(never))
      const acr = isAsEarlier ? reached : await usual(await bank.token.fresh({ clientMetadata: leftOut }))
      expect(reached, 'acr of the id_token after a PUT that left default_acr_values out', login.response).toBe(acr)
    })
  },
})

export const age = rule({
  id: 'registration/left-out-age',
  requirement: 'REG-11',
  places: ['use=after-put member=default_max_age'],
  title: 'After a PUT that leaves out default_max_age a session is as old as it may be with a client that never had it',
  needs: [...toRegister, ...toLogIn, 'page-detection'],
  async check({ bank, expect, skip }) {
    const gone = { default_max_age: undefined }
    if ((await bank.registration(gone)).response.status >= 400)
      return skip('the bank registers no client without default_max_age (AMB-58)')
    if (await bank.signsInAnew()) return skip('the bank has everybody sign in anew, however young the session is')
    const clientMetadata = { client_name: 'A client that gives up its age', default_max_age: 0 }
    const client = await asOwn(await bank.registration(clientMetadata))
    const session = bank.session({ clientMetadata })
    await session.signIn()
    await bank.replaceRecord(client, replacement(client, gone))
    const { pages, response } = await session.look({}, 'sign-in')
    expect(bank.asSignIns(pages), 'the pages shown in a session that just began', response).toSatisfy(
      (shown) => !shown.includes('sign-in'),
      'none to sign in at, which a default_max_age of 0 led to that a PUT left out',
    )
  },
})

export const assertionAlgorithm = rule({
  id: 'registration/left-out-assertion-algorithm',
  requirement: 'REG-11',
  places: ['use=after-put member=token_endpoint_auth_signing_alg'],
  title: 'After a PUT that leaves out token_endpoint_auth_signing_alg, any declared algorithm is taken again',
  needs: toRegister,
  async check(tools) {
    const { bank, expect, skip } = tools
    await needMethod(tools, 'private_key_jwt')
    const declared = (await bank.discovery()).declared('token_endpoint_auth_signing_alg_values_supported')
    if (declared && !['PS512', 'ES512'].every((alg) => declared.includes(alg)))
      return skip('the bank declares one of PS512 and ES512 alone')
    const member = 'token_endpoint_auth_signing_alg'
    const client = await bank.client.fresh({ token_endpoint_auth_method: 'private_key_jwt', [member]: 'PS512' })
    const { ecSigning } = client.keys
    if (!ecSigning) return skip('the client has no key for ES512')
    await bank.replaceRecord(client, replacement(client, { [member]: undefined }))
    const filledIn = (await bank.manage('GET', client)).member(member)
    if (filledIn !== undefined) return skip(`the bank fills in ${filledIn}`)
    const answer = await bank.introspection.try({ client, token: 'a-token-of-nobody' }, () => ({
      authentication: { signer: ecSigning },
    }))
    // Any algorithm that both sides know may be used (OpenID Connect Dynamic Client Registration section 2).
    expect(answer).toHaveStatus(200)
  },
})
