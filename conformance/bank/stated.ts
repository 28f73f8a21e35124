import type { HttpResponse } from '../http/http.js'
import type { Stated, Statements } from '../target/attestations.js'
import type { Conversation } from './conversation.js'
import { fetchKeySet } from './key-set.js'
import { type KeyGone, keysGone, keysSeen } from './keys-seen.js'

/** What the bank states of itself, and what shows whether it is so. */
export interface StatedByBank {
  /** The statement about a requirement. */
  about<Requirement extends Stated>(requirement: Requirement): NonNullable<Statements[Requirement]>
  /** The signing keys of the earlier run that the bank publishes no more; none when no earlier run is known. */
  keysGone(): Promise<{ response: HttpResponse; gone: KeyGone[] }>
}

export function statedIn(conversation: Conversation): StatedByBank {
  const { run } = conversation
  return {
    about(requirement) {
      const statement = run.target.statements?.[requirement]
      if (statement) return statement
      throw new Error(`a rule about the statement of ${requirement} has to need it`)
    },
    async keysGone() {
      const response = await fetchKeySet(conversation)
      return { response, gone: run.earlier ? keysGone(run.earlier, await keysSeen(run)) : [] }
    },
  }
}
