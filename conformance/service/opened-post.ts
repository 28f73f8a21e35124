import { clientKeys } from './client-keys.js'
import { compactJwe, decrypt } from './decryption.js'
import type { Post } from './post-box.js'

/**
 * A post together with what is in its logout_token, where that is encrypted to our clients: as their id_tokens are, so may it be (OpenID
 * Back-Channel Logout 1.0 section 2.6).
 */
export async function openedPost(post: Post): Promise<Post> {
  const jwt = new URLSearchParams(post.body).get('logout_token') ?? ''
  if (!compactJwe.test(jwt)) return post
  const { encryption } = await clientKeys()
  const opened = await decrypt(jwt, encryption).catch(() => undefined)
  return opened ? { ...post, opened: new TextDecoder().decode(opened.plaintext) } : post
}
