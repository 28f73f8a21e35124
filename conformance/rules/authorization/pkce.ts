import { createHash, randomBytes } from 'node:crypto'
import { codeOf, type Parameters, parameterOf } from '../../bank/authorization.js'
import { authenticatedBy, type Metadata } from '../../bank/client-metadata.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { byPost, declaresMethod, needMethod } from '../support/client-methods.js'

/** A client at which the same scopes are always consented to: sessions with it tell by what else they differ. */
const clientMetadata = { client_name: 'Conformance sessions' }

/** The code_challenge of S256 (RFC 7636 section 4.2). */
const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** The other case of each letter. */
const otherCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))

/** How a code is asked for, and redeemed: with undefined in place of what is left out. */
interface Proof {
  challenge: (verifier: string) => string
  verifier: (verifier: string) => string | undefined
}

/** What is wrong with a proof, in place of the right challenge or the right verifier. */
type Wrong = Readonly<Record<string, Partial<Proof>>>

const wrongVerifiers: Wrong = {
  'a wrong code_verifier': { verifier: () => randomBytes(32).toString('base64url') },
  'an empty code_verifier': { verifier: () => '' },
}

/** A code_verifier of four characters for three bytes, some of which are what no encoding of bytes has (RFC 7636 section 4.1). */
const verifierOf = (bytes: number) =>
  randomBytes(bytes)
    .toString('base64url')
    .replace(/(?<=^.{8})..../, '.~-_')

/** A code that was asked for with a challenge is given for its verifier alone (RFC 7636 section 4.6), from the first login of a session on. */
async function checkChallenge(
  { bank, expect, inVariation }: Pick<Tools, 'bank' | 'expect' | 'inVariation'>,
  { how, method, challenge }: { how: string; method: string | undefined } & Pick<Proof, 'challenge'>,
  wrong: Wrong,
): Promise<void> {
  const session = bank.session({ clientMetadata })
  // Four characters longer than the shortest that RFC 7636 section 4.1 allows, so that it can be cut short.
  const ofFew = () => verifierOf(36)
  const exchangeWith = async (proof: Partial<Proof>, beside: Parameters = {}, verifier = ofFew()) => {
    const right: Proof = { challenge, verifier: (verifier) => verifier }
    const { challenge: asked, verifier: given } = { ...right, ...proof }
    const parameters = { code_challenge: asked(verifier), code_challenge_method: method }
    const beginning = await session.ask({ parameters: { ...beside, ...parameters } })
    // Where consent is shown each time there is no code without a page: then it is asked for with one.
    const isGiven = parameterOf(beginning, 'code') !== null || Object.keys(beside).length === 0
    const authorization = isGiven ? beginning : await session.ask({ parameters })
    return bank.exchangeCode(authorization.client, String(parameterOf(authorization, 'code')), given(verifier))
  }
  const expectRefused = async (what: string, proof: Partial<Proof>, beside?: Parameters) =>
    inVariation(`${what}, ${how}`, async () => {
      const refused = await exchangeWith(proof, beside)
      // Which status a refusal has is for the rules about refusals to say (TOK-17).
      expect(refused.status, 'the status of the answer of POST /token', refused).toSatisfy(
        (status) => status >= 400 && status < 500,
        'that of a refusal: 400 to 499',
      )
      expect(refused.member('access_token'), 'access_token of the answer of POST /token', refused).toBe(undefined)
    })
  await expectRefused('no code_verifier after a login', { verifier: () => undefined })
  await inVariation(`the right code_verifier, ${how}`, async () => {
    // The longest one: 128 characters.
    const accepted = await exchangeWith({}, {}, verifierOf(96))
    expect(accepted.member('access_token'), 'access_token of the token response', accepted).toBeText()
  })
  for (const [what, proof] of Object.entries(wrong)) await expectRefused(what, proof)
  await expectRefused('no code_verifier after prompt none', { verifier: () => undefined }, { prompt: 'none' })
}

/** The ways to ask with a challenge, each examined where its method is declared. */
interface Way {
  id: string
  requirement: string
  places: readonly string[]
  title: string
  /** What discovery declares it by. */
  declared: string
  method?: string
  challenge: Proof['challenge']
  wrong: Wrong
}

const valued = (value: string) => `value=${value}`

const s256Way: Way = {
  id: 'pkce/s256',
  requirement: 'AUTH-36',
  places: [
    'use=first',
    'use=session-login parameter=prompt',
    ...['right', 'wrong', 'missing', 'empty', 'upper-case', 'prefix'].map(valued),
    'member=code_challenge',
  ],
  title: 'code_challenge with S256 is enforced: a missing or wrong code_verifier is refused',
  declared: 'S256',
  method: 'S256',
  challenge: s256,
  wrong: {
    ...wrongVerifiers,
    'the code_challenge as code_verifier': { verifier: s256 },
    'the code_verifier of a code_challenge in another case': { challenge: (verifier) => otherCase(s256(verifier)) },
    // The last character but one: some of the bits of the last one mean nothing.
    'the code_verifier of a code_challenge that ends otherwise': {
      challenge: (verifier) => s256(verifier).replace(/.(?=.$)/, (letter) => (letter === 'A' ? 'B' : 'A')),
    },
  },
}

const plainWay: Way = {
  id: 'pkce/plain',
  requirement: 'AUTH-52',
  places: [
    'use=session-login parameter=prompt',
    ...['right', 'wrong', 'missing', 'empty', 'prefix', 'superset', 'suffix', 'upper-case', 'upper-bound'].map(valued),
    'member=code_challenge',
    'parameter=code_challenge value=encoded',
  ],
  title: 'code_challenge with method plain is enforced',
  declared: 'plain',
  method: 'plain',
  challenge: (verifier) => verifier,
  wrong: {
    ...wrongVerifiers,
    'the code_verifier cut short': { verifier: (verifier) => verifier.slice(0, -1) },
    'a code_verifier with something after it': { verifier: (verifier) => `${verifier}abc` },
    'the end of the code_verifier': { verifier: (verifier) => verifier.slice(1) },
    'the code_verifier in another case': { verifier: otherCase },
    'what the code_challenge is the S256 of': { challenge: s256 },
  },
}

const ways: readonly Way[] = [
  s256Way,
  plainWay,
  {
    id: 'pkce/without-method',
    requirement: 'AUTH-52',
    places: ['parameter=code_challenge_method value=missing'],
    title: 'A code_challenge without a method is one of plain, and enforced (RFC 7636 section 4.3)',
    declared: 'plain',
    challenge: (verifier) => verifier,
    wrong: wrongVerifiers,
  },
]

export const pkce: readonly Rule[] = ways.map(
  ({ id, requirement, places, title, declared, method, challenge, wrong }) =>
    rule({
      id,
      requirement,
      places,
      title,
      needs: toLogIn,
      async check({ bank, expect, inVariation, reading, skip }) {
        const methods = (await bank.discovery()).declared('code_challenge_methods_supported') ?? []
        if (!methods.includes(declared)) return skip(`the bank does not declare code_challenge_method ${declared}`)
        if (requirement === 'AUTH-36')
          reading('AMB-64', (await bank.wantedParameters()).code_challenge === undefined ? 'optional' : 'required')
        const how = method === undefined ? 'without a method' : `method ${method}`
        await checkChallenge({ bank, expect, inVariation }, { how, method, challenge }, wrong)
      },
    }),
)

export const bySecret = rule({
  id: 'pkce/client-secret',
  requirement: 'AUTH-36',
  places: ['client_secret_post', 'client_secret_jwt'].map((method) => `client-auth=${method}`),
  title:
    'code_challenge with S256 is enforced for a client that authenticates by its client_secret, or by a JWT of it, too',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { bank, expect, inVariation, note, skip } = tools
    const methods = (await bank.discovery()).declared('code_challenge_methods_supported') ?? []
    if (!methods.includes('S256')) return skip('the bank does not declare code_challenge_method S256')
    await needMethod(tools, 'client_secret_post')
    const exchangeWith = async (proof: Proof['verifier'], clientMetadata: Metadata = byPost) => {
      const verifier = verifierOf(36)
      const parameters = { code_challenge: s256(verifier), code_challenge_method: 'S256' }
      const authorization = await bank.authorization.try({ clientMetadata, parameters })
      return bank.exchangeCode(authorization.client, await codeOf(authorization), proof(verifier))
    }
    await inVariation('the right code_verifier', async () =>
      expect(await exchangeWith((verifier) => verifier)).toHaveStatus(200),
    )
    await inVariation('no code_verifier', async () =>
      expect(await exchangeWith(() => undefined)).toHaveStatus(400, 401),
    )
    if (!(await declaresMethod(tools, 'client_secret_jwt'))) return note('the bank does not declare client_secret_jwt')
    await inVariation('no code_verifier, of a client of client_secret_jwt', async () =>
      expect(await exchangeWith(() => undefined, authenticatedBy('client_secret_jwt'))).toHaveStatus(400, 401),
    )
  },
})
