import type { SeenKey } from './key-set.js'

/** "A bank MUST keep its signing keys published for one year after they expire" ("Key set"). */
const yearInMilliseconds = 365 * 86_400_000

/** The keys that a bank published at a time. */
export interface KeysAt {
  /** ISO 8601. */
  started: string
  keys: readonly SeenKey[]
}

/** A signing key that was published, and is no more. */
export interface KeyGone {
  kid: string
  /**
   * too early: it was seen to sign, so it expired since then, and its year is not over; over: it is; unknown: it was only published
   * then, and may have expired long before.
   */
  verdict: 'too early' | 'over' | 'unknown'
  /** In words. */
  told: string
}

/** The signing keys of an earlier report that the bank publishes no more. */
export function keysGone(old: KeysAt, now: KeysAt): KeyGone[] {
  const published = new Set(now.keys.map(({ kid }) => kid))
  const until = new Date(Date.parse(old.started) + yearInMilliseconds)
  const isOver = Date.parse(now.started) >= until.getTime()
  const [signedOn, publishedUntil] = [old.started.slice(0, 10), until.toISOString().slice(0, 10)]
  return old.keys
    .filter(({ kid, use }) => use !== 'enc' && !published.has(kid))
    .map(({ kid, signed }): KeyGone => {
      if (isOver) return { kid, verdict: 'over', told: 'is published no more; its year is over' }
      if (!signed) return { kid, verdict: 'unknown', told: 'is published no more; when it signed last was not seen' }
      const told = `signed on ${signedOn} and is published no more: it has to be until ${publishedUntil} at least`
      return { kid, verdict: 'too early', told }
    })
}
