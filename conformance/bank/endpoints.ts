import { ruleAboutStep, type Step } from './steps.js'

/** An endpoint of the bank ("Exposed by the bank"). */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  /** The step that calls it: where nobody can be called now, the rule about this step says so, and no other. */
  step: Step
}

/** An endpoint that the discovery document names, or may name in addition. */
export interface NamedEndpoint extends Endpoint {
  method: 'GET' | 'POST'
  /** Of the discovery document. */
  member: string
}

/** Those of the endpoint table that the discovery document names. */
export const tabled: readonly NamedEndpoint[] = [
  { method: 'GET', path: '/auth', member: 'authorization_endpoint', step: 'authorization' },
  { method: 'POST', path: '/token', member: 'token_endpoint', step: 'codeExchange' },
  { method: 'GET', path: '/userinfo', member: 'userinfo_endpoint', step: 'userinfo' },
  { method: 'POST', path: '/token-info', member: 'introspection_endpoint', step: 'introspection' },
  { method: 'GET', path: '/profile', member: 'profile_endpoint', step: 'profile' },
  { method: 'GET', path: '/.well-known/jwks.json', member: 'jwks_uri', step: 'keySet' },
]

/** Those of the endpoint table that the discovery document of this edition does not name. */
export const unnamed: readonly NamedEndpoint[] = [
  { method: 'POST', path: '/register', member: 'registration_endpoint', step: 'registration' },
  { method: 'POST', path: '/revoke', member: 'revocation_endpoint', step: 'revocation' },
  { method: 'GET', path: '/healthcheck', member: 'healthcheck_endpoint', step: 'health' },
]

/** AMB-38: a bank may do without the signing flow. */
export const signing: readonly [ros: NamedEndpoint, authorize: NamedEndpoint] = [
  { method: 'POST', path: '/ros', member: 'ros_endpoint', step: 'requestObject' },
  { method: 'GET', path: '/authorize', member: 'authorize_endpoint', step: 'authorizeObject' },
]

/** The others, where each is at the bundled bank: a client's own registration lies below /register. */
const others: readonly Endpoint[] = [
  { method: 'GET', path: '/.well-known/openid-configuration', step: 'discovery' },
  { method: 'GET', path: '/session/end', step: 'logout' },
  { method: 'GET', path: '/register/{id}', step: 'registrationReading' },
  { method: 'PUT', path: '/register/{id}', step: 'registrationReplacement' },
]

const all: readonly Endpoint[] = [...tabled, ...unnamed, ...signing, ...others]

/**
 * The rules that say of an endpoint that it serves nobody: the one about the step that calls it. Of a page between two endpoints, or an
 * endpoint at an address of the bank's own, each rule about such a step may be the one.
 * @param path with `{id}` in place of what names one thing among many
 */
export function rulesAboutEndpoint(method: string, path: string): readonly string[] {
  const own = all.filter((endpoint) => endpoint.method === method && path.endsWith(endpoint.path))
  return (own.length > 0 ? own : all).map(({ step }) => ruleAboutStep[step])
}
