import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** Something that a bank posted. */
export interface Post {
  url: string
  headers: Record<string, string | string[]>
  body: string
  /** What it was answered with. */
  status: number
}

/** Bytes of a post that are kept; the rest is passed over. */
const largestPostBytes = 1024 * 1024

/** What banks posted, for those who wait for it. */
export class PostBox {
  readonly #posts: Post[] = []
  readonly #waiting = new Set<(post: Post) => void>()
  readonly #refusals: { matches: (post: Post) => boolean; status: number }[] = []

  /** By now, whatever the path, in the order it came. */
  get posts(): readonly Post[] {
    return this.#posts
  }

  /** Reads a post, with the status that it is to be answered with. */
  async read(req: IncomingMessage, url: string): Promise<Post> {
    const post = { url, headers: headersOf(req.headers), body: await bodyOf(req), status: 200 }
    const refusal = this.#refusals.findIndex(({ matches }) => matches(post))
    const [refused] = refusal === -1 ? [] : this.#refusals.splice(refusal, 1)
    return refused ? { ...post, status: refused.status } : post
  }

  /** Keeps a post that was answered, and tells those who wait. */
  keep(post: Post): void {
    this.#posts.push(post)
    for (const hear of this.#waiting) hear(post)
  }

  /** Answers the next post that matches with this status in place of 200. */
  refuse(matches: (post: Post) => boolean, status: number): void {
    this.#refusals.push({ matches, status })
  }

  /**
   * Waits for a post, which may have come already.
   * @returns undefined when none that matches came in this time
   */
  async posted(matches: (post: Post) => boolean, milliseconds: number): Promise<Post | undefined> {
    const before = this.#posts.find(matches)
    if (before) return before
    return new Promise((resolve) => {
      const end = (post?: Post) => {
        clearTimeout(timer)
        this.#waiting.delete(hear)
        resolve(post)
      }
      const hear = (post: Post) => {
        if (matches(post)) end(post)
      }
      const timer = setTimeout(end, milliseconds)
      this.#waiting.add(hear)
    })
  }
}

/** Headers without those that are not there. */
export function headersOf(headers: IncomingHttpHeaders): Post['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value ?? '']))
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req) {
    bytes += chunk.length
    if (bytes <= largestPostBytes) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
