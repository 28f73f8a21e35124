import type { HttpResponse } from '../http/http.js'
import type { Attestations, AttestedRequirement } from '../target/attestations.js'
import type { Conversation } from './conversation.js'
import { fetchKeySet, keysSeen } from './key-set.js'
import { type KeyGone, keysGone } from './keys-seen.js'

/** What the bank attests of itself, and what shows whether it is so. */
export interface AttestedByBank {
  /** The attestation about a requirement. */
  about<Requirement extends AttestedRequirement>(requirement: Requirement): NonNullable<Attestations[Requirement]>
  /** The signing keys of the earlier run that the bank publishes no more; none when no earlier run is known. */
  keysGone(): Promise<{ response: HttpResponse; gone: KeyGone[] }>
}

/** Gives both. */
export function attested(conversation: Conversation): AttestedByBank {
  const { run } = conversation
  return {
    about(requirement) {
      const attestation = run.target.attestations?.[requirement]
      if (attestation) return attestation
      throw new Error(`a rule about the attestation of ${requirement} has to need it`)
    },
    async keysGone() {
      const response = await fetchKeySet(conversation)
      return { response, gone: run.earlier ? keysGone(run.earlier, await keysSeen(run)) : [] }
    },
  }
}
