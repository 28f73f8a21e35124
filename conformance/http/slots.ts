/** So many at a time; who waits is let in in the order of coming. */
export class Slots {
  private readonly waiting: (() => void)[] = []

  constructor(private free: number) {}

  /** @throws the signal's reason, where it comes before the turn of who waits */
  async take(signal?: AbortSignal): Promise<() => void> {
    if (this.free > 0) this.free -= 1
    else await this.turn(signal)
    return () => {
      const next = this.waiting.shift()
      if (next) next()
      else this.free += 1
    }
  }

  private turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(enter), 1)
        reject(signal?.reason)
      }
      if (signal?.aborted) return reject(signal.reason)
      signal?.addEventListener('abort', leave, { once: true })
      this.waiting.push(enter)
    })
  }
}
