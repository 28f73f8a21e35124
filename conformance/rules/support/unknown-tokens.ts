/**
 * Tokens that the bank never gave, made of one that it did, by what they are. Of a JWT they have another signature, whatever a reader of
 * base64url passes over.
 */
export function unknownTokens(token: string): Record<string, string> {
  const reversed = [...token.slice(-8)].reverse().join('')
  const inCapitals = token.toUpperCase()
  const mixed = inCapitals !== token && token.toLowerCase() !== token
  return {
    'an unknown token': `${token.slice(0, -8)}${reversed}x`,
    'the beginning of a token': token.slice(0, -8),
    'a token of one character': 'x',
    'a token of 300 characters': 'x'.repeat(300),
    'a token with more at its end': `${token}${token.slice(0, 8)}`,
    // Where all letters are of one case, the token may be hexadecimal, and the same in both.
    ...(mixed && { 'a token in capitals': inCapitals }),
  }
}
