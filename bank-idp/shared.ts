/** Something of which each replica of a bank remembers what all of them know. */
export interface SharedPart {
  /** Remembers nothing any more. */
  forget(): void
  /** Takes up what is known under a name; undefined where nothing is. */
  takeUp(name: string, value: string | undefined): void
}

/**
 * What the replicas of a bank were told while they run, beside what their store has tables for. Each remembers all of it, and is told what any of
 * them was told before the next request passes.
 */
export interface Shared {
  /** Names who remembers what is told under a topic. Resolves once it has taken up what is known by now. */
  remember(topic: string, part: SharedPart): Promise<void>
  /** Tells all replicas; null: nothing is known under the name any more. Resolves once it is known here. */
  tell(topic: string, name: string, value: string | null): Promise<void>
  /**
   * Changes what all know under a name, one replica after the other: what can be had once is had by one.
   *
   * @param work gives what is known from then on, null for nothing, or undefined where there is nothing to be had
   * @returns whether there was; always where there are no other replicas, who would have had it
   */
  change(topic: string, name: string, work: (value: string) => string | null | undefined): Promise<boolean>
  /** Resolves once what any replica was told before is known here. */
  fresh(): Promise<void>
  /** Learns what others are told also where nobody asks for anything. @param also is done as often */
  start(also: () => Promise<void>): void
  /** Resolves when nothing is learned any more. */
  stop(): Promise<void>
}

/** A bank that is its own only replica. */
export const alone: Shared = {
  async remember() {},
  async tell() {},
  change: async () => true,
  async fresh() {},
  start() {},
  async stop() {},
}
