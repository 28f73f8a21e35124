/** So many at a time; who waits is let in in the order of coming. */
export class Slots {
  private readonly waiting: (() => void)[] = []

  constructor(private free: number) {}

  async take(): Promise<() => void> {
    if (this.free > 0) this.free -= 1
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
    return () => {
      const next = this.waiting.shift()
      if (next) next()
      else this.free += 1
    }
  }
}
