import { calledName } from '../syntax.js'
import type { Operator } from './operator.js'

/** A bound one off; of larger ones also the half and the double. A status of HTTP has neither. */
export const constant: Operator = ({ node, parent }) => {
  if (node.type !== 'NumericLiteral') return []
  if (parent?.node.type === 'MemberExpression') return []
  const { value } = node
  if (value < 3) return value < 1 ? [String(value + 1)] : [String(value + 1), String(value - 1)]
  const isStatus = Number.isInteger(value) && value >= 200 && value < 600
  return isStatus ? [String(value + 1)] : [value + 1, value - 1, Math.floor(value / 2), value * 2].map(String)
}

const inverses: Record<string, string> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' }

/** The inverse of a calculation, of numbers as far as can be seen. */
export const arithmetic: Operator = ({ node }, { text }) => {
  if (node.type !== 'BinaryExpression') return []
  const other = inverses[node.operator]
  const texts = [node.left, node.right].some(({ type }) => type === 'StringLiteral' || type === 'TemplateLiteral')
  return other && !texts ? [`(${text(node.left)}) ${other} (${text(node.right)})`] : []
}

/** Prose says what it says in any words; names of checks and steps are the bank's own. */
const isOwnWord = (value: string) => value === '' || /\s|^[a-z-]+\/[a-z-]+$/.test(value)

/** Where a text is a value that goes somewhere, and no name that something is asked by. */
const valueAt = ['value', 'elements', 'right', 'body', 'argument', 'consequent', 'alternate', 'init']

/** A text emptied. */
export const string: Operator = ({ node, key, parent }) => {
  if (node.type !== 'StringLiteral' || !valueAt.includes(key) || isOwnWord(node.value)) return []
  return parent?.node.type === 'BinaryExpression' ? [] : ["''"]
}

/** Another code in an error, as plausible. */
export const errorCode: Operator = ({ node, key, parent }) => {
  if (node.type !== 'StringLiteral' || key !== 'arguments' || parent?.node.type !== 'NewExpression') return []
  if (calledName(parent.node) !== 'BankError' || parent.node.arguments[0] !== node) return []
  return [node.value === 'invalid_request' ? "'invalid_client'" : "'invalid_request'"]
}

/** A pattern that does not look at both ends, or not at the case. */
export const regex: Operator = ({ node }) => {
  if (node.type !== 'RegExpLiteral') return []
  const { pattern, flags } = node
  const literal = (text: string, also = flags) => `/${text}/${also}`
  return [
    ...(pattern.startsWith('^') ? [literal(pattern.slice(1) || '(?:)')] : []),
    ...(/[^\\]\$$/.test(pattern) ? [literal(pattern.slice(0, -1))] : []),
    ...(!flags.includes('i') && /[a-z]/i.test(pattern.replace(/\\./g, '')) ? [literal(pattern, `${flags}i`)] : []),
  ]
}
