import { createHash, randomBytes } from 'node:crypto'
import { type Parameters, parameterOf } from '../../bank/authorization.js'
import { rule, type Tools } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'

/** A client at which the same scopes are always consented to: sessions with it tell by what else they differ. */
const clientMetadata = { client_name: 'Conformance sessions' }

/** The code_challenge of S256 (RFC 7636 section 4.2). */
const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** What is sent as code_verifier in place of the right one, by what is wrong with it; undefined leaves it out. */
type Wrong = Readonly<Record<string, (verifier: string) => string | undefined>>

const wrongVerifiers: Wrong = {
  'a wrong code_verifier': () => randomBytes(32).toString('base64url'),
  'no code_verifier': () => undefined,
  'an empty code_verifier': () => '',
}

/** A code that was asked for with a challenge is given for its verifier alone (RFC 7636 section 4.6). */
async function checkChallenge(
  { bank, expect, inVariation }: Pick<Tools, 'bank' | 'expect' | 'inVariation'>,
  how: string,
  parametersOf: (verifier: string) => Parameters,
  wrong: Wrong,
): Promise<void> {
  const session = bank.session({ clientMetadata })
  await session.signIn()
  const exchangeWith = async (given: (verifier: string) => string | undefined) => {
    // Four characters longer than the shortest that RFC 7636 section 4.1 allows, so that it can be cut short.
    const verifier = randomBytes(36).toString('base64url')
    const asked = await session.ask({ parameters: parametersOf(verifier) })
    return bank.exchangeCode(asked.client, String(parameterOf(asked, 'code')), given(verifier))
  }
  await inVariation(`the right code_verifier, ${how}`, async () => {
    const accepted = await exchangeWith((verifier) => verifier)
    expect(accepted.member('access_token'), 'access_token of the token response', accepted).toBeText()
  })
  for (const [what, given] of Object.entries(wrong)) {
    await inVariation(`${what}, ${how}`, async () => {
      const refused = await exchangeWith(given)
      expect(refused.status, 'the status of the answer of POST /token', refused).toBeOneOf([400, 401])
      expect(refused.member('access_token'), 'access_token of the answer of POST /token', refused).toBe(undefined)
    })
  }
}

export const pkceS256 = rule({
  id: 'pkce/s256',
  requirement: 'AUTH-36',
  places: ['value=right', 'value=wrong', 'value=missing', 'value=empty', 'member=code_challenge'],
  title: 'code_challenge with S256 is enforced: a missing or wrong code_verifier is refused',
  needs: toLogIn,
  async check({ bank, expect, inVariation, reading, skip }) {
    const declared = (await bank.discovery()).declared('code_challenge_methods_supported') ?? []
    if (!declared.includes('S256')) return skip('the bank does not declare code_challenge_method S256')
    reading('AMB-64', (await bank.wantedParameters()).code_challenge === undefined ? 'optional' : 'required')
    await checkChallenge(
      { bank, expect, inVariation },
      'method S256',
      (verifier) => ({ code_challenge: s256(verifier), code_challenge_method: 'S256' }),
      { ...wrongVerifiers, 'the code_challenge as code_verifier': s256 },
    )
  },
})

export const pkcePlain = rule({
  id: 'pkce/plain',
  requirement: 'AUTH-52',
  places: ['right', 'wrong', 'missing', 'empty', 'prefix', 'superset'].map((value) => `value=${value}`),
  title: 'code_challenge with method plain is enforced',
  needs: toLogIn,
  async check({ bank, expect, inVariation, skip }) {
    const declared = (await bank.discovery()).declared('code_challenge_methods_supported') ?? []
    if (!declared.includes('plain')) return skip('the bank does not declare code_challenge_method plain')
    await checkChallenge(
      { bank, expect, inVariation },
      'method plain',
      (verifier) => ({ code_challenge: verifier, code_challenge_method: 'plain' }),
      {
        ...wrongVerifiers,
        'the code_verifier cut short': (verifier) => verifier.slice(0, -1),
        'a code_verifier with something after it': (verifier) => `${verifier}abc`,
      },
    )
  },
})

export const pkceWithoutMethod = rule({
  id: 'pkce/without-method',
  requirement: 'AUTH-52',
  places: ['parameter=code_challenge_method value=missing'],
  title: 'A code_challenge without a method is one of plain, and enforced (RFC 7636 section 4.3)',
  needs: toLogIn,
  async check({ bank, expect, inVariation, skip }) {
    const declared = (await bank.discovery()).declared('code_challenge_methods_supported') ?? []
    if (!declared.includes('plain')) return skip('the bank does not declare code_challenge_method plain')
    await checkChallenge(
      { bank, expect, inVariation },
      'without a method',
      (verifier) => ({ code_challenge: verifier, code_challenge_method: undefined }),
      wrongVerifiers,
    )
  },
})
