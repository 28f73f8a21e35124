/** A challenge of PKCE (RFC 7636 appendix B), by names of the parameters. */
export const sampleChallenge = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
} as const

/** The verifier that belongs to it. */
export const sampleVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
