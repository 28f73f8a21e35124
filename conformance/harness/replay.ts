import type { AnswerPlace, Run } from '../bank/conversation.js'
import { RegistrationLedger } from '../bank/registration-ledger.js'
import type { HttpResponse } from '../http/http.js'

/** An answer of the bank, and where in the run it came. */
export interface KeptAnswer {
  place: AnswerPlace
  response: HttpResponse
}

/** What becomes of the kept answers when they are judged once more. */
export type Alteration = (answer: KeptAnswer) => HttpResponse | Promise<HttpResponse>

/**
 * Keeps what the bank answered in a run, so that its rules can judge the same answers once more, as they came or altered, without a bank:
 * names, keys and times of a run are the same then.
 */
export class Replay {
  readonly #asked = new Map<string, Promise<HttpResponse>>()
  /** By the id of the exchange. */
  readonly answers = new Map<string, KeptAnswer>()

  /** Has a request sent, and keeps what comes of it. */
  readonly ask: NonNullable<Run['ask']> = (place, send) => {
    const asked = send().then((response) => {
      this.answers.set(response.evidence, { place, response })
      return response
    })
    this.#asked.set(keyOf(place), asked)
    return asked
  }

  /**
   * A run in which every request is answered as it was in this one, for the last conversation of each title.
   * @param anew whether what rules have in common is done once more too, and not taken as it came out
   */
  runOf(run: Run, alter: Alteration, anew: boolean): Run {
    return {
      ...run,
      shared: anew ? new Map() : new Map(run.shared),
      begun: new Map([...run.begun].map(([title, times]) => [title, times - 1])),
      registrations: new RegistrationLedger(),
      accessTokens: [],
      // The time that passed is in the answers.
      service: { ...run.service, ...(run.service.pass && { pass: async () => {} }) },
      ask: async (place) => {
        const asked = this.#asked.get(keyOf(place))
        if (!asked) throw new Error(`nothing was asked before at ${keyOf(place)}`)
        return alter({ place, response: await asked })
      },
    }
  }
}

function keyOf({ conversation, variation = '', index }: AnswerPlace): string {
  return `${conversation} ${index} ${variation}`
}
