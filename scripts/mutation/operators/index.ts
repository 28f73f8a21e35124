import { boolean, comparison, condition, logical, looseEquality } from './conditions.js'
import { index, method } from './lists.js'
import { argumentOrder, wrongName } from './names.js'
import type { Operator } from './operator.js'
import { arithmetic, constant, errorCode, regex, string } from './values.js'

/**
 * What is put in an expression's place, by name. What is left out (a statement, a member of an object, an element of a list) is no
 * expression's place, and is found by mutants.ts.
 */
export const operators = {
  comparison,
  'loose-equality': looseEquality,
  condition,
  logical,
  boolean,
  constant,
  arithmetic,
  string,
  'error-code': errorCode,
  regex,
  method,
  index,
  'wrong-name': wrongName,
  'argument-order': argumentOrder,
} as const satisfies Record<string, Operator>

export type OperatorName = keyof typeof operators | 'left-out'
