import type { Bank } from '../../bank/bank.js'
import type { Metadata } from '../../bank/client-metadata.js'
import { implicitClient } from '../support/implicit-client.js'
import { declaresFrontChannel } from '../support/known-tokens.js'
import type { Broken } from './error-row.js'

/** A scope beside openid, made of one that the client registered. */
export function besideOpenid(change: (registered: string) => string): Broken {
  return ({ client: { dataScopes } }) => {
    const [scope = 'profile.name'] = dataScopes
    return { scope: `openid ${change(scope)}` }
  }
}

/** Changes of the default record for a client of the implicit flow, where the bank declares that. */
export async function ofFrontChannel(bank: Bank): Promise<Metadata | undefined> {
  return (await declaresFrontChannel(bank)) ? implicitClient : undefined
}

/** A request of response_type token with a parameter changed; undefined leaves it out. */
export function ofImplicit(name: string, value?: string): Broken {
  return { response_type: 'token', [name]: value }
}

/** Longer than any value that the specification names. */
export const longText = 'conformance'.repeat(30)

/** A code_challenge of S256 (RFC 7636 appendix B). */
export const challenge = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

/** A scope of OpenID Connect Core section 5.4, where the bank does not declare it. */
export function undeclaredScope(scope: string): Broken {
  return async (_good, bank) => {
    const declared = (await bank.discovery()).declared('scopes_supported') ?? []
    return declared.includes(scope) ? undefined : { scope: `openid ${scope}` }
  }
}

/** OpenID Connect Core section 5.4. */
export const standardScopes = ['profile', 'email', 'phone', 'address']

/** A level of authentication, where the bank does not declare it. */
export function undeclaredLevel(level: string): Broken {
  return async (_good, bank) => {
    const declared = (await bank.discovery()).declared('acr_values_supported') ?? []
    return declared.includes(level) ? undefined : { acr_values: level }
  }
}

/** Each response_mode that some bank may know and this one does not declare. */
export function undeclaredMode(mode: string): Broken {
  return async (_good, bank) => {
    const declared = (await bank.discovery()).declared('response_modes_supported') ?? ['query']
    return declared.includes(mode) ? undefined : { response_mode: mode }
  }
}

/** A code_challenge of a method that the bank does not declare, where it declares that of the challenge. */
export function undeclaredMethod(code_challenge_method: string): Broken {
  return async (_good, bank) => {
    const declared = (await bank.discovery()).declared('code_challenge_methods_supported') ?? []
    const knowsChallenges = declared.includes(challenge.code_challenge_method)
    return knowsChallenges && !declared.includes(code_challenge_method)
      ? { ...challenge, code_challenge_method }
      : undefined
  }
}
