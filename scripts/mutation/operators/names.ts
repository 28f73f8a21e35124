import type { Node } from '@babel/types'
import type { Operator } from './operator.js'

/** Another variable of the same pattern or parameters, another member of the same object. */
export const wrongName: Operator = (place, { text, siblingOf }) => {
  const { node } = place
  const sibling = siblingOf(place)
  if (sibling === undefined) return []
  if (node.type === 'Identifier') return [sibling]
  return node.type === 'MemberExpression' ? [`${text(node.object)}.${sibling}`] : []
}

const isName = ({ type }: Node) => type === 'Identifier' || type === 'MemberExpression'

/** Two arguments that stand for each other. */
export const argumentOrder: Operator = ({ node }, { text }) => {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return []
  const given = node.arguments
  if (/^(Object|Math|JSON|Number|Buffer)\./.test(text(node.callee))) return []
  return given.slice(1).flatMap((second, at) => {
    const first = given[at]
    if (!first || !isName(first) || !isName(second)) return []
    const swapped = given.map((one) => text(one === first ? second : one === second ? first : one))
    return [`${node.type === 'NewExpression' ? 'new ' : ''}${text(node.callee)}(${swapped.join(', ')})`]
  })
}
