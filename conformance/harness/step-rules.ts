import { ruleAboutStep } from '../bank/steps.js'

/** The rules about steps that others take on their way. */
export const stepRules: ReadonlySet<string> = new Set(Object.values(ruleAboutStep))
