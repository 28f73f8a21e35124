const hour = 3600
const year = 365 * 24 * hour

/**
 * Lifetimes in seconds of what oidc-provider keeps. Specification: "Token kinds and required minimum validity"; a code lives ten minutes
 * at most (published).
 */
export const lifetimes = {
  AccessToken: hour,
  IdToken: hour,
  AuthorizationCode: 600,
  Interaction: hour,
  Session: 8 * hour,
  // A grant outlives every token that rests on it.
  Grant: 2 * year,
}
