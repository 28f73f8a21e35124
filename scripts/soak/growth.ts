import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** What a process holds. */
export interface Held {
  /** Megabytes of live memory, buffers among it. */
  memory: number
  /** Sockets, timers and the like that are open, by their kind. */
  handles: ReadonlyMap<string, number>
}

export async function held(): Promise<Held> {
  // What was finalized by one collection is freed by the next.
  for (let count = 0; count < 3; count += 1) {
    collectGarbage()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { heapUsed, external } = process.memoryUsage()
  const handles = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) handles.set(kind, (handles.get(kind) ?? 0) + 1)
  return { memory: Math.round((heapUsed + external) / 1e6), handles }
}

/** What may come and go: caches that fill up, connections that are kept for the next request. */
const slack = { memory: 64, part: 1.25, handles: 150 }

/** What grew in a way that has no end in sight, in a sentence each. @param before once all is warm */
export function growth(before: Held, after: Held): string[] {
  const grown: string[] = []
  if (after.memory > before.memory * slack.part + slack.memory) {
    grown.push(`live memory grew from ${before.memory} to ${after.memory} MB`)
  }
  for (const [kind, count] of after.handles) {
    const former = before.handles.get(kind) ?? 0
    if (count > former + slack.handles) grown.push(`open ${kind} grew from ${former} to ${count}`)
  }
  return grown
}
