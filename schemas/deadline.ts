/**
 * A signal that aborts when a time is over, with a TimeoutError, or with any of others. Its timer keeps no process alive.
 *
 * AbortSignal.any is given no AbortSignal.timeout: Node.js 20 forgets the timer of one that nothing else holds, with the next collection of
 * memory, so that what waits by it waits without end.
 */
export function deadline(milliseconds: number, ...others: AbortSignal[]): AbortSignal {
  const late = new AbortController()
  const reason = () => new DOMException(`nothing came of it within ${milliseconds / 1000} s`, 'TimeoutError')
  setTimeout(() => late.abort(reason()), milliseconds).unref()
  return others.length === 0 ? late.signal : AbortSignal.any([late.signal, ...others])
}
