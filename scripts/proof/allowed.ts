import { notExamined } from '../../bank-idp/target-file.js'
import type { Allowed } from './judge.js'

/** What the bundled bank is known to be skipped or warned for, by rule, with the reason. It should be empty, and is short. */
export const allowed: Allowed = {
  skip: Object.fromEntries(notExamined.flatMap(({ rules, reason }) => rules.map((rule) => [rule, reason]))),
  warn: {},
}
