import { type Status, statuses } from '../harness/result.js'

/** What a run tells while it is under way. */
export interface Progress {
  begin(rule: string, total: number): void
  request(request: string): void
  result(status: Status, done: number): void
  /** Takes the line away, so that something else can be written. */
  clear(): void
}

/**
 * One line at the bottom of a terminal that is written anew: how many rules are done, what came of them, and the current step.
 * @param write to the terminal, without a line end of its own
 * @param columns width of the terminal
 */
export function liveProgress(write: (text: string) => void, columns: () => number): Progress {
  const counts = new Map<Status, number>()
  let done = 0
  let total = 0
  let rule = ''
  let request = ''
  const draw = () => {
    const counted = statuses.flatMap((status) => (counts.has(status) ? `${counts.get(status)} ${status}` : []))
    const line = [`${done}/${total}`, counted.join(', '), rule, request].filter(Boolean).join('  ')
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
