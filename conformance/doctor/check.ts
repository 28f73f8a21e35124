import type { Conversation } from '../bank/conversation.js'
import type { Target } from '../target/target.js'

/** What was found wrong, why it likely is, and how to fix it. */
export interface Diagnosis {
  said: string
  cause: string
  fix: string
  /** Whether it is the bank's own doing, which rules judge, and not about what we show it. */
  banks?: true
}

/** Ends a check: something is wrong with the set-up. */
export class Trouble extends Error {
  constructor(readonly diagnosis: Diagnosis) {
    super(diagnosis.said)
  }
}

/** Ends a check: what it is about is not there to be looked at. */
export class NotChecked extends Error {}

/** What checks work with. */
export interface DoctorContext {
  target: Target
  conversation: Conversation
}

/** One look at the set-up. */
export interface Check {
  name: string
  /** Whether a run begins with it, always or when it registers clients: without it nothing else can be judged. */
  quick?: 'always' | 'to register'
  /** Names of the checks that have to be good before. */
  after: readonly string[]
  /** @returns what was seen, when all is well. @throws Trouble, NotChecked */
  look(context: DoctorContext): Promise<string>
}

/** What came of one check. */
export type CheckResult = { check: string } & (
  | { status: 'good' | 'not checked' | 'not reached'; said: string }
  | ({ status: 'bad' } & Diagnosis)
)
