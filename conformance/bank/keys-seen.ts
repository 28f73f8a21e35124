/** A key that the bank was seen to publish. */
export interface SeenKey {
  kid: string
  use?: string
  alg?: string
  /** Whether something that the bank signed in the run names it. */
  signed: boolean
}

/** The keys that a bank published, as far as they have a kid, ordered by it; none where nobody asked for them. */
export interface KeysAt {
  /** The time at the bank, ISO 8601. */
  at: string
  keys: SeenKey[]
}

/** "A bank MUST keep its signing keys published for one year after they expire" ("Key set"). */
const yearInMilliseconds = 365 * 86_400_000

/** A signing key that was published, and no longer is. */
export interface KeyGone {
  kid: string
  /**
   * too early: it was seen to sign, so it expired since then, and its year is not over; over: it is; unknown: it was only published
   * then, and may have expired long before.
   */
  verdict: 'too early' | 'over' | 'unknown'
  /** In words. */
  description: string
}

/** The signing keys of an earlier run that the bank no longer publishes. */
export function keysGone(old: KeysAt, now: KeysAt): KeyGone[] {
  const published = new Set(now.keys.map(({ kid }) => kid))
  const until = new Date(Date.parse(old.at) + yearInMilliseconds)
  const isOver = Date.parse(now.at) >= until.getTime()
  const [signedOn, publishedUntil] = [old.at.slice(0, 10), until.toISOString().slice(0, 10)]
  return old.keys
    .filter(({ kid, use }) => use !== 'enc' && !published.has(kid))
    .map(({ kid, signed }): KeyGone => {
      if (isOver) return { kid, verdict: 'over', description: 'is no longer published; its year is over' }
      if (!signed)
        return { kid, verdict: 'unknown', description: 'is no longer published; when it last signed is not known' }
      const description = `signed on ${signedOn} and is no longer published: it must stay published until ${publishedUntil} at least`
      return { kid, verdict: 'too early', description }
    })
}
