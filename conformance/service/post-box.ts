import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Stopwatch } from '../evidence/stopwatch.js'

/** Something that a bank posted. */
export interface Post {
  url: string
  headers: Record<string, string | string[]>
  body: string
  /** What it was answered with. */
  status: number
  /** What its logout_token is once it is decrypted, where it was encrypted to our clients. */
  opened?: string
}

/** Bytes of a post that are read. */
const largestPostBytes = 1024 * 1024

/** How much is kept; a bank that tells of every person of a run posts a hundredth of it. */
const room = { posts: 10_000, bytes: 64 * 1024 * 1024 }

/** Bytes of posts that are under way at once: as many of the largest as a bank would have to send side by side. */
const roomUnderWay = 16 * largestPostBytes

/** What banks posted, for those who wait for it: as much as there is room for. */
export class PostBox {
  readonly #posts: Post[] = []
  #bytes = 0
  /** What is held of posts that have not come to their end. */
  #underWay = 0
  readonly #waiting = new Set<(post: Post) => void>()
  readonly #waits = new Stopwatch()
  readonly #refusals: { matches: (post: Post) => boolean; status: number }[] = []

  /** By now, whatever the path, in the order it came. */
  get posts(): readonly Post[] {
    return this.#posts
  }

  /** Reads a post, with the status that it is to be answered with: 413 for one that is too large, 503 when there is no room left. */
  async read(req: IncomingMessage, url: string): Promise<Post> {
    const body = await this.#bodyOf(req)
    const post = { url, headers: headersOf(req.headers), body: typeof body === 'string' ? body : '', status: 200 }
    if (typeof body === 'number') return { ...post, status: body }
    if (!this.#hasRoomFor(post)) return { ...post, status: 503 }
    const refusal = this.#refusals.findIndex(({ matches }) => matches(post))
    const [refused] = refusal === -1 ? [] : this.#refusals.splice(refusal, 1)
    return refused ? { ...post, status: refused.status } : post
  }

  /**
   * Reads a body into one piece of memory, which grows with it: of a body that comes by the byte, each piece would take many times its length.
   * @returns the status to answer with where no more of it is read: it is too large, or there is no room for what is under way
   */
  async #bodyOf(req: IncomingMessage): Promise<string | 413 | 503> {
    let read = Buffer.alloc(0)
    let bytes = 0
    try {
      for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        if (bytes + chunk.length > largestPostBytes) return 413
        if (bytes + chunk.length > read.length) {
          const length = Math.min(Math.max(2 * read.length, bytes + chunk.length), largestPostBytes)
          if (this.#underWay + length - read.length > roomUnderWay) return 503
          this.#underWay += length - read.length
          read = Buffer.concat([read.subarray(0, bytes)], length)
        }
        bytes += chunk.copy(read, bytes)
      }
      return read.toString('utf8', 0, bytes)
    } finally {
      this.#underWay -= read.length
    }
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
   * @param isOver resolves with true once none is to come any more
   * @returns undefined when none that matches came in this time
   */
  async posted(
    matches: (post: Post) => boolean,
    milliseconds: number,
    isOver?: (signal: AbortSignal) => Promise<boolean>,
  ): Promise<Post | undefined> {
    const before = this.#posts.find(matches)
    if (before) return before
    return this.#waits.during(() => this.next(matches, milliseconds, isOver))
  }

  /** Milliseconds in which somebody waited for a post so far. */
  waited(): number {
    return this.#waits.spent()
  }

  private next(
    matches: (post: Post) => boolean,
    milliseconds: number,
    isOver?: (signal: AbortSignal) => Promise<boolean>,
  ): Promise<Post | undefined> {
    return new Promise((resolve) => {
      const ended = new AbortController()
      const end = (post?: Post) => {
        ended.abort()
        clearTimeout(timer)
        this.#waiting.delete(hear)
        resolve(post)
      }
      const hear = (post: Post) => {
        if (matches(post)) end(post)
      }
      const timer = setTimeout(end, milliseconds)
      this.#waiting.add(hear)
      void isOver?.(ended.signal).then((over) => over && end())
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
