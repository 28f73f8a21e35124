/** What the key of the secrets in a store looks like. */
export const storeKeyForm =
  'the key has 256 bits, as 43 characters of base64url: openssl rand -base64 32 | tr +/ -_ | tr -d ='

/** The key of the secrets in a store that a text holds; undefined where it holds none. */
export function storeKeyIn(text: string): Buffer | undefined {
  return /^[\w-]{43}$/.test(text) ? Buffer.from(text, 'base64url') : undefined
}
