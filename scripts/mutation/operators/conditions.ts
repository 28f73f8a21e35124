import type { Node } from '@babel/types'
import { calledName } from '../syntax.js'
import type { Operator } from './operator.js'

const opposites: Record<string, readonly string[]> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
}

/** `<` in place of `<=`, the opposite. */
export const comparison: Operator = ({ node }, { text }) =>
  node.type === 'BinaryExpression'
    ? (opposites[node.operator] ?? []).map((other) => `${text(node.left)} ${other} ${text(node.right)}`)
    : []

/** What is never a text, so that it equals nothing by its beginning. */
function isNoText(node: Node): boolean {
  if (/^(Numeric|Boolean|Null|BigInt)Literal$/.test(node.type)) return true
  if (node.type === 'Identifier') return node.name === 'undefined'
  if (node.type === 'MemberExpression') return calledName(node) === 'length' || calledName(node) === 'size'
  return node.type === 'UnaryExpression'
}

/** Texts that are compared by their beginning, or without regard to case. */
export const looseEquality: Operator = ({ node }, { text }) => {
  if (node.type === 'BinaryExpression' && (node.operator === '===' || node.operator === '!==')) {
    if (isNoText(node.left) || isNoText(node.right)) return []
    const sign = node.operator === '===' ? '' : '!'
    const both = `(${text(node.left)}, ${text(node.right)})`
    return [`${sign}$m.prefixed${both}`, `${sign}$m.caseless${both}`]
  }
  if (node.type !== 'CallExpression' || calledName(node) !== 'includes') return []
  const [value] = node.arguments
  if (node.callee.type !== 'MemberExpression' || !value) return []
  const both = `(${text(node.callee.object)}, ${text(value)})`
  return [`$m.prefixedIn${both}`, `$m.caselessIn${both}`]
}

const predicates = ['some', 'every', 'filter', 'find', 'findLast', 'findIndex']

/** A condition that always holds, and one that never does; a loop is only left out. */
export const condition: Operator = ({ node, key, parent }) => {
  if (node.type === 'BooleanLiteral' || !parent) return []
  const { type } = parent.node
  if (key === 'test')
    return /^(If|Conditional)/.test(type) ? ['true', 'false'] : /^(While|For)/.test(type) ? ['false'] : []
  const asked = key === 'body' && type === 'ArrowFunctionExpression' && node.type !== 'BlockStatement'
  const caller = parent.parent?.node
  return asked && caller?.type === 'CallExpression' && predicates.includes(calledName(caller) ?? '')
    ? ['true', 'false']
    : []
}

/** `and` for `or`, and one side alone. */
export const logical: Operator = ({ node }, { text }) => {
  if (node.type !== 'LogicalExpression') return []
  const [left, right] = [text(node.left), text(node.right)]
  if (node.operator === '??') return [left, right]
  return [`(${left}) ${node.operator === '&&' ? '||' : '&&'} (${right})`, left, right]
}

/** The other truth value. */
export const boolean: Operator = ({ node }, { text }) => {
  if (node.type === 'BooleanLiteral') return [String(!node.value)]
  return node.type === 'UnaryExpression' && node.operator === '!' ? [text(node.argument)] : []
}
