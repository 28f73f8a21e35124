import type { LoginOutcome } from './callback-messages.js'
import { alone, type Shared } from './shared.js'

const topic = 'outcomes'

/** How the next login of a client ends, whoever signs in: set through the control door, spent by the first page shown. */
export class ForcedOutcomes {
  readonly #byClient = new Map<string, LoginOutcome>()
  readonly #shared: Shared

  constructor(shared: Shared = alone) {
    this.#shared = shared
  }

  /** Takes up what other replicas were told. */
  begin(): Promise<void> {
    return this.#shared.remember(topic, {
      forget: () => this.#byClient.clear(),
      takeUp: (clientId, outcome) => {
        if (outcome === undefined) this.#byClient.delete(clientId)
        else this.#byClient.set(clientId, outcome as LoginOutcome)
      },
    })
  }

  /** Those alone are set from now on: of a bank that is its own only replica. */
  replace(outcomes: readonly { client: string; outcome: LoginOutcome }[]): void {
    this.#byClient.clear()
    for (const { client, outcome } of outcomes) this.#byClient.set(client, outcome)
  }

  async set(clientId: string, outcome: LoginOutcome): Promise<void> {
    this.#byClient.set(clientId, outcome)
    await this.#shared.tell(topic, clientId, outcome)
  }

  /** client_id and outcome of all that are set. */
  list(): { client: string; outcome: LoginOutcome }[] {
    return [...this.#byClient].map(([client, outcome]) => ({ client, outcome }))
  }

  async take(clientId: string): Promise<LoginOutcome | undefined> {
    const outcome = this.#byClient.get(clientId)
    if (outcome === undefined) return undefined
    this.#byClient.delete(clientId)
    return (await this.#shared.change(topic, clientId, () => null)) ? outcome : undefined
  }
}
