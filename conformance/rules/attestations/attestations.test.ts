import { examine } from '../../examine.js'
import type { Attestations } from '../../target/attestations.js'
import { bankForFile } from '../../testing/banks.js'

const bank = await bankForFile()

const own = { by: 'Jana Nová, head of digital identity', on: '2026-11-02', text: 'As attested.' }
const good: Required<Attestations> = {
  'JWKS-8': { ...own, published_days_after_expiry: 365 },
  'CONS-8': {
    ...own,
    required_marked: true,
    others_refusable: true,
    attachments: [{ file: 'a.png', sha256: '0f'.repeat(32) }],
  },
  // The tokens of the bank are UUIDs.
  'TOK-30': { ...own, random_source: 'getrandom(2)', random_bits: 128 },
  'TOK-31': { ...own, outcomes: ['the device is blocked'], nothing_else_invalidates: true },
  'SIGN-25': { ...own, kept_at: 'the archive', kept_for: 'ten years', as_law_allows: true, provable: true },
}

async function resultOf(requirement: keyof Attestations, attestations: Attestations) {
  const { results } = await examine({ target: { ...bank.target, attestations }, only: [requirement] })
  expect(results).toHaveLength(1)
  return results[0]
}

const broken: { [Requirement in keyof Attestations]-?: Partial<NonNullable<Attestations[Requirement]>>[] } = {
  'JWKS-8': [{ published_days_after_expiry: 364 }],
  'CONS-8': [{ required_marked: false }, { others_refusable: false }],
  'TOK-30': [{ random_bits: 127 }, { random_bits: 256 }],
  'TOK-31': [{ nothing_else_invalidates: false }],
  'SIGN-25': [{ as_law_allows: false }, { provable: false }],
}

describe('JWKS-8, CONS-8, TOK-30, TOK-31, SIGN-25: what a bank attests', () => {
  const requirements = Object.keys(good) as (keyof Attestations)[]

  test.each(requirements.filter((one) => one !== 'TOK-30'))('%s is told, and is no pass', async (requirement) => {
    const result = await resultOf(requirement, good)
    expect(result).toMatchObject({ status: 'attested', requirement })
    expect(result?.notes[0]).toMatch(/^attested by Jana Nová, head of digital identity on 2026-11-02: As attested\./)
  })

  test('TOK-30 warns for fewer bits than 160, as AMB-37 says', async () => {
    expect(await resultOf('TOK-30', good)).toMatchObject({
      status: 'warn',
      readings: [{ ambiguity: 'AMB-37', reading: 'bits-128' }],
      notes: [expect.stringContaining('attested by'), '128 bits from getrandom(2)'],
    })
  })

  test.each(requirements.flatMap((one) => broken[one].map((change) => [one, change] as const)))(
    '%s fails for %j',
    async (requirement, change) => {
      const attestations = { ...good, [requirement]: { ...good[requirement], ...change } }
      expect(await resultOf(requirement, attestations)).toMatchObject({ status: 'fail' })
    },
  )

  test.each(requirements)('%s is skipped where nothing is attested', async (requirement) => {
    const { [requirement]: _, ...others } = good
    expect(await resultOf(requirement, others)).toMatchObject({
      status: 'skip',
      reason: `the bank attests nothing about ${requirement} (attestations)`,
    })
  })

  test('names what is attached', async () => {
    expect((await resultOf('CONS-8', good))?.notes).toEqual([expect.stringMatching(/ \(attached: a\.png\)$/)])
  })
})
