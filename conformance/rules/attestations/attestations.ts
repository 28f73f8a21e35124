import { type Rule, rule, type Tools } from '../../harness/rule.js'
import type { AttestedRequirement } from '../../target/attestations.js'
import { toLogIn } from '../../target/needs.js'
import { sampleOf } from '../support/access-token-sample.js'

interface AttestationRule {
  id: string
  requirement: AttestedRequirement
  title: string
  needs?: Rule['needs']
  /** Holds what is attested against what is required, and against what can be seen. */
  check(tools: Tools): void | Promise<void>
}

/** A rule that shows what the bank attests: it fails where the attestation itself falls short, or is seen to be untrue. */
function attestationRule({ id, requirement, title, needs = [], check }: AttestationRule): Rule {
  return rule({
    id,
    requirement,
    title,
    needs: [`attestation:${requirement}`, ...needs],
    async check(tools) {
      const { by, on, text, attachments = [] } = tools.bank.attested().about(requirement)
      const format = attachments.length > 0 ? ` (attached: ${attachments.map(({ file }) => file).join(', ')})` : ''
      tools.note(`attested by ${by} on ${on}: ${text}${format}`)
      await check(tools)
    },
  })
}

/** "A bank MUST keep its signing keys published for one year after they expire." */
const yearInDays = 365

export const keyPublication = attestationRule({
  id: 'attestations/key-publication',
  requirement: 'JWKS-8',
  title: 'The bank attests that a signing key stays published for one year after it expires',
  async check({ bank, expect, note }) {
    const days = bank.attested().about('JWKS-8').published_days_after_expiry
    expect(days, 'the days for which an expired signing key stays published').toBeAtLeast(yearInDays, 'days')
    const { response, gone } = await bank.attested().keysGone()
    for (const { kid, verdict, description } of gone) {
      if (verdict !== 'too early') note(`key ${kid} of the earlier report ${description}`)
    }
    const early = gone.flatMap(({ kid, verdict, description }) =>
      verdict === 'too early' ? [`key ${kid} ${description}`] : [],
    )
    expect(early, 'the keys of the earlier report that are gone before their time', response).toEqual([])
  },
})

export const consentScreen = attestationRule({
  id: 'attestations/consent-screen',
  requirement: 'CONS-8',
  title: 'The bank attests that its consent screen marks required scopes and lets the user refuse the others',
  check({ bank, expect }) {
    const { required_marked, others_refusable } = bank.attested().about('CONS-8')
    expect(required_marked, 'required_marked (scopes of required_scope are marked as not optional), as attested,').toBe(
      true,
    )
    expect(others_refusable, 'others_refusable (the user can refuse every other scope), as attested,').toBe(true)
  },
})

export const accessTokenRandomness = attestationRule({
  id: 'attestations/access-token-randomness',
  requirement: 'TOK-30',
  title: 'The bank attests how access tokens are made: a random source, and no more bits than the tokens can hold',
  needs: toLogIn,
  async check({ bank, expect, reading, note }) {
    const { random_source, random_bits } = bank.attested().about('TOK-30')
    note(`${random_bits} bits from ${random_source}`)
    expect(random_bits, 'the random bits of an access token, as attested,').toBeAtLeast(128, 'bits')
    // Two logins that others look at too: one token does not tell what varies.
    await bank.token({ scope: ['openid', ...(await bank.client()).dataScopes].join(' ') })
    const { response } = await bank.token()
    const most = Math.floor(sampleOf(bank.accessTokens()).bits)
    const where = 'the random bits, as attested, which the varying part of the access tokens has to hold,'
    expect(random_bits, where, response).toBeAtMost(most, 'bits')
    reading('AMB-37', random_bits >= 160 ? 'bits-160' : 'bits-128')
  },
})

export const securityRisks = attestationRule({
  id: 'attestations/security-risks',
  requirement: 'TOK-31',
  title: 'The bank attests which authentication outcomes are a security risk, and that these alone end earlier tokens',
  check({ bank, expect, note }) {
    const { outcomes, nothing_else_invalidates } = bank.attested().about('TOK-31')
    note(outcomes.length > 0 ? `security risks: ${outcomes.join('; ')}` : 'no outcome counts as a security risk')
    expect(
      nothing_else_invalidates,
      'nothing_else_invalidates (earlier tokens end by these outcomes alone), as attested,',
    ).toBe(true)
  },
})

export const authorizationLog = attestationRule({
  id: 'attestations/authorization-log',
  requirement: 'SIGN-25',
  title:
    'The bank attests where processed authorizations are logged, for how long, and that it can prove or disprove one',
  check({ bank, expect, note }) {
    const { kept_at, kept_for, as_law_allows, provable } = bank.attested().about('SIGN-25')
    note(`kept at ${kept_at}, for ${kept_for}`)
    expect(as_law_allows, 'as_law_allows (the logs are kept as long as GDPR and law allow), as attested,').toBe(true)
    expect(provable, 'provable (a given authorization can be proven or disproven), as attested,').toBe(true)
  },
})
