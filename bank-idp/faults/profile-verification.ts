import { lost, value } from './claim-changes.js'
import { type ClaimRow, claimFaults } from './user-data-seam.js'

/** The verification that profile holds for profile.verification. */

/** Another time of the verification. */
function timeOfVerification(time: unknown) {
  return value('verified_claims', (verified) => {
    const { verification, ...others } = verified as { verification: object }
    return { ...others, verification: { ...verification, time } }
  })
}

const rows: readonly ClaimRow[] = [
  {
    slug: 'no-verification',
    places: ['member=verification'],
    title: 'profile.verification yields nothing',
    change: lost('verified_claims'),
  },
  {
    slug: 'verification-unwrapped',
    places: ['member=verification'],
    title: 'profile holds the verification without verified_claims around it',
    collateral: {
      'profile/nothing-else': 'no table has claims of these names',
      'discovery/declared-scopes': 'claims_supported has no claim of that name',
    },
    change: ({ verified_claims, ...others }) =>
      verified_claims === undefined ? others : { ...others, ...(verified_claims as object) },
  },
  {
    slug: 'verification-time-null',
    breaks: ['DATA-6', 'DATA-10'],
    places: ['member=time'],
    title: 'The time of the verification at profile is null',
    change: timeOfVerification(null),
  },
  {
    slug: 'verification-time-empty',
    breaks: ['DATA-6', 'DATA-17'],
    places: ['member=time'],
    title: 'The time of the verification at profile is an empty object',
    change: timeOfVerification({}),
  },
  {
    slug: 'verified-claims-without-verification',
    breaks: ['DATA-6', 'DATA-17'],
    places: ['member=verification', 'claim=verified_claims'],
    title: 'verified_claims of profile hold no verification',
    collateral: { 'profile/nothing-else': 'the claims that were checked come with them, as published (AMB-50)' },
    change: value('verified_claims', () => ({ claims: {} })),
  },
]

export const profileVerificationFaults = claimFaults('profile', ['DATA-6'], rows)
