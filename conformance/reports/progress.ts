import { type Status, statuses } from '../harness/result.js'

/** What a run tells while it is under way. */
export interface Progress {
  begin(rule: string, total: number): void
  request(request: string): void
  result(status: Status, done: number): void
  /** Takes the line away, so that something else can be written. */
  clear(): void
}

/** Before so many rules are done nothing can be said about the rest. */
const fewest = 10

/**
 * One line at the bottom of a terminal that is written anew: how many rules are done, what came of them, how long the rest takes if it goes
 * on like this, and the current step.
 * @param write to the terminal, without a line end of its own
 * @param columns width of the terminal
 * @param now milliseconds of a clock
 */
export function liveProgress(
  write: (text: string) => void,
  columns: () => number,
  now: () => number = () => performance.now(),
): Progress {
  const began = now()
  const counts = new Map<Status, number>()
  let done = 0
  let total = 0
  let rule = ''
  let request = ''
  const left = () => {
    if (done < fewest || done === total) return ''
    return `${total - done} left, about ${Math.ceil(((now() - began) / done) * ((total - done) / 1000))} s`
  }
  const draw = () => {
    const counted = statuses.flatMap((status) => (counts.has(status) ? `${counts.get(status)} ${status}` : []))
    const line = [`${done}/${total}`, counted.join(', '), left(), rule, request].filter(Boolean).join('  ')
    write(`\r\u001b[2K${line.slice(0, columns() - 1)}`)
  }
  return {
    begin(begun, all) {
      rule = begun
      total = all
      draw()
    },
    request(sent) {
      request = sent
      draw()
    },
    result(status, sofar) {
      counts.set(status, (counts.get(status) ?? 0) + 1)
      done = sofar
      draw()
    },
    clear: () => write('\r\u001b[2K'),
  }
}
