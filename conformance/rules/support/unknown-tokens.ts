/** Of the form of a JWT (RFC 7519 section 3), which a bank may take for a token of its own before it looks for it. */
const jwtOfNobody = [{ alg: 'PS512', kid: 'conformance' }, { jti: 'conformance' }, 'conformance']
  .map((part) => Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url'))
  .join('.')

/** What a careless comparison takes for a code or a token that the bank gave, by what it is. @param what a code, say */
export function lookalikesOf(token: string, what: string): Record<string, string> {
  const inCapitals = token.toUpperCase()
  const mixed = inCapitals !== token && token.toLowerCase() !== token
  return {
    // Of a short one a character at least: nothing at all is refused as a parameter that is missing.
    [`the beginning of ${what}`]: token.slice(0, -8) || token.slice(0, 1),
    [`${what} with more at its end`]: `${token}${token.slice(0, 8)}`,
    // Where all letters are of one case, the token may be hexadecimal, and the same in both.
    ...(mixed && { [`${what} in capitals`]: inCapitals }),
  }
}

/**
 * Tokens that the bank never gave, made of one that it did, by what they are. Of a JWT they have another signature, whatever a reader of
 * base64url passes over.
 */
export function unknownTokens(token: string): Record<string, string> {
  const reversed = [...token.slice(-8)].reverse().join('')
  return {
    'an unknown token': `${token.slice(0, -8)}${reversed}x`,
    'a token of one character': 'x',
    // As long as tokens get that say all by themselves.
    'a token of 2000 characters': 'x'.repeat(2000),
    // All of them may stand in a token (RFC 6749 appendix A.12), and have to be encoded in a form.
    'a token of signs': 'a+token of%20nobody/&=?;"\\~',
    'a JWT that nobody signed': jwtOfNobody,
    ...lookalikesOf(token, 'a token'),
  }
}
