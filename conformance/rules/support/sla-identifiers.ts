/**
 * Organization identifiers of SLA customers ("Exposed by the bank", Notes), as the service may send them: what they are made of is not shown.
 * Each by what it is like.
 */
export const slaIdentifiers = {
  words: 'conformance-sla-customer',
  signs: 'Conformance & Co. 7/2',
  uuid: '8f14e45f-ceea-467f-9b5d-1f2e3c4d5a6b',
  // As long as the hash of a name.
  hash: 'conformance'.padEnd(64, '0'),
  digits: '27082440',
  vat: 'CZ27082440',
} as const

export type SlaIdentifier = keyof typeof slaIdentifiers

/** All kinds but one, which is looked at more closely. */
export function otherIdentifiers(looked: SlaIdentifier): [SlaIdentifier, string][] {
  return (Object.entries(slaIdentifiers) as [SlaIdentifier, string][]).filter(([kind]) => kind !== looked)
}
