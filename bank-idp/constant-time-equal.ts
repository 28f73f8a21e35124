import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether a secret that was given is the one known, compared in constant time, whatever their lengths. */
export function constantTimeEqual(given: string, known: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(known))
}
