import { type AmbiguityId, type ChosenReadings, openEdition, type Readings } from '../schemas/editions/index.js'

/** The members of a policy, each with the ambiguity of the specification that it decides. No other code of the bank knows an ambiguity's id. */
const members = {
  missingClientId: 'AMB-1',
  unknownClient: 'AMB-2',
  unregisteredRedirectUri: 'AMB-3',
  refreshParameter: 'AMB-4',
  tokenTypeHintName: 'AMB-5',
  emailVerifiedClaim: 'AMB-6',
  profileEmail: 'AMB-7',
  signingAddressScope: 'AMB-8',
  idTokenAlgNone: 'AMB-9',
  clientSecretJwtAlgs: 'AMB-10',
  responseTypeToken: 'AMB-11',
  signingFlowAlgs: 'AMB-12',
  signingFlowResponseTypes: 'AMB-13',
  accessTokenFormat: 'AMB-14',
  registrationStatus: 'AMB-15',
  furtherScopes: 'AMB-16',
  refreshScope: 'AMB-17',
  outageStatus: 'AMB-18',
  updateEventType: 'AMB-19',
  uiLocalesName: 'AMB-20',
  clientSecretIssued: 'AMB-21',
  twoAuthenticationMethods: 'AMB-22',
  revocationAssertionIssuer: 'AMB-23',
  tlsVersions: 'AMB-25',
  registrationAudience: 'AMB-26',
  unsupportedResponseType: 'AMB-27',
  failedTokenAuthentication: 'AMB-29',
  registrationManagement: 'AMB-31',
  credentialRefusal: 'AMB-32',
  openidAlone: 'AMB-33',
  deviceAuthorization: 'AMB-34',
  accessTokenEntropy: 'AMB-37',
  displayAndPrompt: 'AMB-39',
  subjectType: 'AMB-40',
  sectorIdentifierUri: 'AMB-41',
  usedRefreshToken: 'AMB-42',
  logoutRevokes: 'AMB-43',
  revocationEnds: 'AMB-44',
  openidAloneGrants: 'AMB-45',
  repeatedConsent: 'AMB-46',
  tokenCaller: 'AMB-47',
  userDataEncryption: 'AMB-48',
  profileAlgs: 'AMB-49',
  userDataClaims: 'AMB-50',
  eventAddress: 'AMB-51',
  frontChannelLogout: 'AMB-52',
  codeNotRegistered: 'AMB-53',
  missingRequestUri: 'AMB-54',
  invalidClaimsParameter: 'AMB-55',
  unknownTokenTypeHint: 'AMB-56',
  outageHttpStatus: 'AMB-57',
  requiredRegistrationFields: 'AMB-58',
  notificationIat: 'AMB-60',
  hybridResponseMode: 'AMB-61',
  acrValuesName: 'AMB-62',
  structuredScopeMix: 'AMB-63',
  codeChallenge: 'AMB-64',
  notificationOptIn: 'AMB-66',
  refreshIdToken: 'AMB-67',
  repeatedJti: 'AMB-68',
  revocationAnswer: 'AMB-69',
  furtherMembers: 'AMB-70',
  documentUri: 'AMB-71',
  requestObjectSigner: 'AMB-72',
  endedRequestUri: 'AMB-76',
  replacementClientId: 'AMB-78',
  droppedScope: 'AMB-79',
  invalidInObject: 'AMB-80',
} as const satisfies Record<string, AmbiguityId>

/** What the bank does wherever the specification allows several readings, by the ids that the register of ambiguities gives them. */
export type Policy = { readonly [Member in keyof typeof members]: Readings[(typeof members)[Member]] }

/** What a policy comes from: an edition of the specification, and the readings that are not its first ones. */
export interface Choice {
  edition: string
  readings: ChosenReadings
}

/** Resolves an edition and readings that {@link readingsProblem} finds nothing wrong with. */
export function resolvePolicy({ edition, readings }: Choice): Policy {
  const { readingsOf } = openEdition(edition)
  const resolved = Object.entries(members).map(([member, ambiguity]) => [
    member,
    readings[ambiguity] ?? readingsOf(ambiguity)[0]?.id,
  ])
  return Object.freeze(Object.fromEntries(resolved))
}

/** A reading as it is chosen at the command line: `AMB-15=created`. */
export function choiceOf<Member extends keyof Policy>(member: Member, reading: Policy[Member]): string {
  return `${members[member]}=${reading}`
}

/** What is wrong with readings that were chosen of an edition, in words; undefined when nothing is. */
export function readingsProblem({ edition, readings }: Choice): string | undefined {
  const { ambiguities } = openEdition(edition)
  const problems = Object.entries(readings).flatMap(([id, reading]) => {
    const ambiguity = ambiguities.find((one) => one.id === id)
    if (!ambiguity) {
      return `edition ${edition} has no ambiguity '${id}': there are ${ambiguities.map((one) => one.id).join(', ')}`
    }
    const known = ambiguity.readings.map((one) => one.id)
    if (!known.includes(reading)) return `${id} has no reading '${reading}': give one of ${known.join(', ')}`
    const offered = ambiguity.readings.filter((one) => one.bank).map((one) => one.id)
    if (offered.includes(reading)) return []
    return `this bank does not offer the reading '${reading}' of ${id}: it offers ${offered.join(', ')}`
  })
  return problems.length > 0 ? problems.join('; ') : undefined
}
