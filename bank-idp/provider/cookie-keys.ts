import { createHmac, timingSafeEqual } from 'node:crypto'

/** What signs cookies, as the library asks for it. */
interface CookieKeys {
  sign(data: string): string
  /** @returns which key a signature is by: there is one. -1 where it is by none */
  index(data: string, signature: string): number
  verify(data: string, signature: string): boolean
}

/**
 * Signs cookies as keygrip does by the one key, and compares the signatures in constant time. Keygrip itself is made anew for each request, and makes
 * two more hashes and a random key for each comparison.
 */
export function cookieKeys(key: string): CookieKeys {
  const sign = (data: string) => createHmac('sha1', key).update(data).digest('base64url')
  const verify = (data: string, signature: string) => {
    const [expected, given] = [Buffer.from(sign(data)), Buffer.from(signature)]
    return expected.length === given.length && timingSafeEqual(expected, given)
  }
  return { sign, verify, index: (data, signature) => (verify(data, signature) ? 0 : -1) }
}
