import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Stopwatch } from '../evidence/stopwatch.js'

/** Something that a bank posted. */
export interface Post {
  url: string
  headers: Record<string, string | string[]>
  body: string
  /** What it was answered with. */
  status: number
}

/** Bytes of a post that are read. */
const largestPostBytes = 1024 * 1024

/** How much is kept; a bank that tells of every person of a run posts a hundredth of it. */
const room = { posts: 10_000, bytes: 64 * 1024 * 1024 }

/** What banks posted, for those who wait for it: as much as there is room for. */
export class PostBox {
  readonly #posts: Post[] = []
  #bytes = 0
  readonly #waiting = new Set<(post: Post) => void>()
  readonly #waits = new Stopwatch()
  readonly #refusals: { matches: (post: Post) => boolean; status: number }[] = []

  /** By now, whatever the path, in the order it came. */
  get posts(): readonly Post[] {
    return this.#posts
  }

  /** Reads a post, with the status that it is to be answered with: 413 for one that is too large, 503 when there is no room left. */
  async read(req: IncomingMessage, url: string): Promise<Post> {
    const body = await bodyOf(req)
    const post = { url, headers: headersOf(req.headers), body: body ?? '', status: 200 }
    if (body === undefined) return { ...post, status: 413 }
    if (!this.#hasRoomFor(post)) return { ...post, status: 503 }
    const refusal = this.#refusals.findIndex(({ matches }) => matches(post))
    const [refused] = refusal === -1 ? [] : this.#refusals.splice(refusal, 1)
    return refused ? { ...post, status: refused.status } : post
  }

  #hasRoomFor(post: Post): boolean {
    return this.#posts.length < room.posts && this.#bytes + bytesOf(post) <= room.bytes
  }

  /** Keeps a post that was answered, where there is room, and tells those who wait. */
  keep(post: Post): void {
    if (this.#hasRoomFor(post)) {
      this.#posts.push(post)
      this.#bytes += bytesOf(post)
    }
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
    return this.#waits.during(() => this.next(matches, milliseconds))
  }

  /** Milliseconds in which somebody waited for a post so far. */
  waited(): number {
    return this.#waits.spent()
  }

  private next(matches: (post: Post) => boolean, milliseconds: number): Promise<Post | undefined> {
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

/** How much room something takes that a bank sent. */
export function bytesOf({ url, headers, body }: Pick<Post, 'url' | 'headers' | 'body'>): number {
  return Buffer.byteLength(url) + Buffer.byteLength(JSON.stringify(headers)) + Buffer.byteLength(body)
}

/** @returns undefined where it is too large: then no more of it is read */
async function bodyOf(req: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > largestPostBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
