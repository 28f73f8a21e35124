import type { Request, RequestHandler, Response } from 'express'
import type { Turns } from '../turns.js'

/** Requests of which `keyOf` says the same are handled one after the other: those of this process, and each of them in turn with those of other replicas. */
export function serializeRequests(
  keyOf: (req: Request, res: Response) => string,
  handle: (req: Request, res: Response) => Promise<void>,
  turns: Turns,
): RequestHandler {
  const last = new Map<string, Promise<void>>()
  return async (req, res) => {
    const key = keyOf(req, res)
    const mine = (last.get(key) ?? Promise.resolve())
      .catch(() => {})
      .then(() => turns.take(key, () => handle(req, res)))
    last.set(key, mine)
    await mine.finally(() => {
      if (last.get(key) === mine) last.delete(key)
    })
  }
}
