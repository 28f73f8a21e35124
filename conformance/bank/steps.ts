import { StepFailure, step } from '../evidence/failure.js'

/**
 * The steps that rules share, and the rule that is about each: a step that fails is this rule's failure, and blocks the others.
 * A step takes whatever can be used of the bank's answer, so that a fault shows at the rule that is about it and nowhere else.
 */
export const ruleAboutStep = {
  discovery: 'discovery/document',
  keySet: 'key-set/document',
  health: 'health/record',
  registration: 'registration/create',
  registrationReading: 'registration/read',
  registrationReplacement: 'registration/replace',
  authorization: 'authorization/code',
  acrReached: 'authorization/acr-reached',
  frontChannel: 'authorization/token',
  codeExchange: 'token/code-exchange',
  scopeListed: 'token/scope-listed',
  tokenLifetime: 'token/access-token-lifetime',
  refreshToken: 'token/refresh-token-issued',
  refresh: 'token/refresh',
  idToken: 'token/id-token-signed',
  refreshedIdToken: 'token/refreshed-id-token-signed',
  hybridIdToken: 'token/hybrid-id-token-signed',
  idTokenDecryption: 'token/id-token-encrypted',
  introspection: 'introspection/live-token',
  deadToken: 'introspection/dead-token',
  revocation: 'revocation/access-token',
  encryptionKey: 'key-set/encryption-key',
  referencedRequest: 'request-object/served',
  requestObject: 'signing/request-object',
  authorizeObject: 'signing/authorize',
  signedExchange: 'signing/result',
  signedIdToken: 'signing/result',
  signedScopes: 'signing/scopes-listed',
  userinfo: 'userinfo/signed',
  userinfoDecryption: 'userinfo/encrypted',
  profile: 'profile/signed',
  profileDecryption: 'profile/encrypted',
  logout: 'logout/session',
  backChannelLogout: 'logout/back-channel',
  notification: 'notifications/sent',
} as const

/** The name of a shared step. */
export type Step = keyof typeof ruleAboutStep

/** Runs one of the shared steps. */
export function inStep<Outcome>(name: Step, work: () => Promise<Outcome>): Promise<Outcome> {
  return step(ruleAboutStep[name], work)
}

/** What a step is needed for alone is left out where that fails: what stops it is for other rules to say. */
export async function unlessStopped<Outcome>(work: Promise<Outcome>): Promise<Outcome[]> {
  return work.then(
    (outcome) => [outcome],
    (error: unknown) => {
      if (error instanceof StepFailure) return []
      throw error
    },
  )
}
