import { parseExpression } from '@babel/parser'
import type { Node } from '@babel/types'
import { calledName, childrenOf, type Place } from './syntax.js'

/** What changes nothing and is as quickly done twice, so that both sides of a change can be asked beside each other. */
const plain = [
  'Identifier',
  'ThisExpression',
  'StringLiteral',
  'NumericLiteral',
  'BooleanLiteral',
  'NullLiteral',
  'RegExpLiteral',
  'TemplateLiteral',
  'TemplateElement',
  'MemberExpression',
  'OptionalMemberExpression',
  'BinaryExpression',
  'LogicalExpression',
  'UnaryExpression',
  'ConditionalExpression',
  'ArrayExpression',
  'ParenthesizedExpression',
  'PrivateName',
  'SpreadElement',
]

/** Functions and methods that change nothing, whatever they are called on in the bank. */
const harmless = [
  ...['at', 'endsWith', 'every', 'filter', 'find', 'findLast', 'flat', 'flatMap', 'get', 'getAll', 'has', 'includes'],
  ...['join', 'map', 'slice', 'some', 'split', 'startsWith', 'test', 'toLowerCase', 'toUpperCase', 'toString', 'trim'],
  ...[
    'Boolean',
    'Number',
    'String',
    'entries',
    'floor',
    'hasOwn',
    'isArray',
    'isInteger',
    'keys',
    'max',
    'min',
    'values',
  ],
  ...['caseless', 'caselessIn', 'now', 'nowSeconds', 'parseSpaceDelimited', 'prefixed', 'prefixedIn', 'single'],
]

export function isPure(node: Node): boolean {
  return isPureAt({ node, key: '' })
}

function isPureAt(place: Place): boolean {
  const { node, key } = place
  if (node.type === 'UnaryExpression' && node.operator === 'delete') return false
  if (node.type === 'CallExpression' || node.type === 'OptionalCallExpression') {
    if (!harmless.includes(calledName(node) ?? '')) return false
  } else if (node.type === 'ArrowFunctionExpression') {
    if (key !== 'arguments' || node.async || node.body.type === 'BlockStatement') return false
    return isPureAt({ node: node.body, key: 'body', parent: place })
  } else if (!plain.includes(node.type)) return false
  return childrenOf(place).every(isPureAt)
}

/** @param code an expression; one that only stands in an async function is not pure */
export function isPureCode(code: string): boolean {
  try {
    return isPure(parseExpression(`(${code})`, { sourceType: 'script' }))
  } catch {
    return false
  }
}
