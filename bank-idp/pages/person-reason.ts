import type { Person } from '../../fixtures/people.js'
import type { Language } from './language.js'

/** Why somebody is there, in the language of the page where that is known. */
export interface PersonReason {
  text: string
  language: Language
}

export function reasonOf({ reason, reason_cs: czech }: Person, language: Language): PersonReason {
  return language === 'cs' && czech !== undefined ? { text: czech, language } : { text: reason, language: 'en' }
}
