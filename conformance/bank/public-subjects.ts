import type { Metadata } from './client-metadata.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'

/** What a client registers to know people by their public sub; undefined where the bank does not declare that. */
export async function publicSubjects(conversation: Conversation): Promise<Metadata | undefined> {
  const subject_type = 'public'
  const declared = (await discover(conversation)).declared('subject_types_supported')
  return declared?.includes(subject_type) ? { subject_type } : undefined
}
