/** Has what replicas do under one name come one after the other. */
export interface Turns {
  /** Does the work when it is its turn. */
  take<Result>(name: string, work: () => Promise<Result>): Promise<Result>
}

/** Those of a bank that is its own only replica, which has its requests wait for each other itself. */
export const ownTurns: Turns = { take: (_name, work) => work() }
