import type { RequestHandler } from 'express'

/** Where requests wait while the bank is put together anew, and by which it is known that none is under way. */
export class Gate {
  #underWay = 0
  #opened: Promise<void> | undefined
  #open = () => {}
  #emptied = () => {}

  readonly middleware: RequestHandler = (_req, res, next) => {
    const enter = () => {
      // It may have been closed again since this one was told that it is open.
      if (this.#opened !== undefined) return void this.#opened.then(enter)
      // Of one that went away while it waited nobody would hear that it is over.
      if (res.closed) return
      this.#underWay += 1
      res.once('close', () => {
        this.#underWay -= 1
        if (this.#underWay === 0) this.#emptied()
      })
      next()
    }
    enter()
  }

  /** From now on requests wait. Resolves when those under way are answered. Who closes it opens it before it is closed again. */
  async close(): Promise<void> {
    this.#opened = new Promise((resolve) => {
      this.#open = resolve
    })
    if (this.#underWay > 0) {
      await new Promise<void>((resolve) => {
        this.#emptied = resolve
      })
    }
  }

  open(): void {
    this.#opened = undefined
    this.#open()
  }
}
