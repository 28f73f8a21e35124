import type { CallExpression, Node } from '@babel/types'
import { calledName } from '../syntax.js'
import type { Operator } from './operator.js'

const otherMethod = new Map([
  ['some', 'every'],
  ['find', 'findLast'],
  ['findLast', 'find'],
  ['startsWith', 'includes'],
  ['endsWith', 'includes'],
  ['min', 'max'],
  ['max', 'min'],
])

/** What a list or a text is without them. */
const leftOut = ['filter', 'sort', 'toSorted', 'toReversed', 'reverse', 'trim', 'toLowerCase', 'toUpperCase', 'slice']

function receiver({ callee }: CallExpression): Node | undefined {
  return callee.type === 'MemberExpression' ? callee.object : undefined
}

/** All for one, first for all, last for first, a method left out. */
export const method: Operator = ({ node }, { text }) => {
  if (node.type !== 'CallExpression') return []
  const name = calledName(node) ?? ''
  const of = receiver(node)
  if (!of) return []
  const given = `(${node.arguments.map(text).join(', ')})`
  const [first] = node.arguments
  if (name === 'at' && first) return [`${text(of)}.at(${text(first) === '0' ? -1 : 0})`]
  if (name === 'every') return [`${text(of)}.some${given}`, `${text(of)}.slice(0, 1).every${given}`]
  const other = otherMethod.get(name)
  return [...(other ? [`${text(of)}.${other}${given}`] : []), ...(leftOut.includes(name) ? [text(of)] : [])]
}

/** The last in place of the first of a list. */
export const index: Operator = ({ node, key }, { text }) =>
  node.type === 'MemberExpression' && node.computed && key !== 'left' && text(node.property) === '0'
    ? [`${text(node.object)}.at(-1)`]
    : []
