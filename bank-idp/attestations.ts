import type { BankConfig } from './config.js'
import { retentionSeconds } from './keys/bank-keys.js'
import type { Policy } from './policy.js'
import { accessTokenBits } from './provider/token-issue.js'

/** Who attests it, and when it was last looked over. */
const attested = { by: 'bank-idp, the reference bank', on: '2026-11-20' }

/** What this bank attests of itself because nobody can see it from outside, by requirement: a harness's attestations file. */
export function attestations({
  config,
  policy,
}: {
  config: Pick<BankConfig, 'auditRetentionDays'>
  policy: Pick<Policy, 'accessTokenEntropy'>
}) {
  return {
    'JWKS-8': {
      ...attested,
      text: 'A key that no longer signs stays in the key set for a year, counted from the moment at which another key replaced it.',
      published_days_after_expiry: retentionSeconds / 86_400,
    },
    'CONS-8': {
      ...attested,
      text: 'The consent page marks each scope of required_scope as "required", and its box cannot be unticked; the box of every other scope can be unticked, and the button Refuse refuses all.',
      required_marked: true,
      others_refusable: true,
    },
    'TOK-30': {
      ...attested,
      text: "An access token is a string of base64url characters, each drawn independently from Node's cryptographic random source.",
      random_source: 'crypto.randomFillSync of Node, which OpenSSL seeds from the operating system',
      random_bits: accessTokenBits(policy),
    },
    'TOK-31': {
      ...attested,
      text: 'A person or a device that the bank has blocked is a security risk: blocking a person ends all their logins, grants and tokens at once, and blocking a device ends those that were made with it. A login that succeeds, fails or is declined leaves earlier tokens as they are.',
      outcomes: ['the person is blocked by the bank', 'the device is blocked by the bank'],
      nothing_else_invalidates: true,
    },
    'SIGN-25': {
      ...attested,
      text: 'The bank writes each authorization and refusal to the audit log in the transaction that decides it. Every entry holds the hash of the one before it; bank-idp audit show proves or disproves one by its txn or by the hash of a document, and bank-idp audit verify names each entry that was changed or removed.',
      kept_at: "the audit log in the bank's own store, in its data directory",
      kept_for: `${config.auditRetentionDays} days`,
      as_law_allows: true,
      provable: true,
    },
  }
}
