import type { Node } from '@babel/types'
import { around, calledName, isReplaceable, type Place, walk } from './syntax.js'

/** The names that a parameter or a pattern binds. */
function boundBy(node: Node): string[] {
  if (node.type === 'Identifier') return [node.name]
  if (node.type === 'AssignmentPattern') return boundBy(node.left)
  if (node.type === 'ObjectPattern') {
    return node.properties.flatMap((one) => (one.type === 'ObjectProperty' ? boundBy(one.value) : []))
  }
  return node.type === 'ArrayPattern' ? node.elements.flatMap((one) => (one ? boundBy(one) : [])) : []
}

/** The names bound together at a place, one list for each list of parameters and each pattern. */
function boundAt({ node }: Place): string[][] {
  if ('params' in node && Array.isArray(node.params)) return [(node.params as Node[]).flatMap(boundBy)]
  if (node.type !== 'BlockStatement') return []
  return node.body.flatMap((statement) =>
    statement.type === 'VariableDeclaration'
      ? statement.declarations.map(({ id }) => (id.type === 'ObjectPattern' ? boundBy(id) : []))
      : [],
  )
}

const readAs = ['arguments', 'left', 'right', 'value']

function next(names: readonly string[], name: string): string | undefined {
  const others = names.length > 1 ? names : []
  return others[(others.indexOf(name) + 1) % others.length]
}

/** The variables and members of a module that something is read of, or that are called: none of them is a plain value. */
function partsIn(root: Place): ReadonlySet<string> {
  const parts = new Set<string>()
  walk(root, ({ node, key, parent }) => {
    const isPart = key === 'callee' || key === 'tag' || (key === 'object' && parent?.node.type === 'MemberExpression')
    const name = isPart ? calledName(node) : undefined
    if (name) parts.add(name)
    return true
  })
  return parts
}

/**
 * What might be read by mistake in a name's place: of a variable the next of the same parameters or pattern, of a member the next, by the
 * alphabet, of those that the module reads of something of that name. A plain value stands for a plain value only.
 */
export function siblingsIn(root: Place): (place: Place) => string | undefined {
  const parts = partsIn(root)
  const likeOf = (names: Iterable<string>, name: string) =>
    [...names].filter((one) => parts.has(one) === parts.has(name))
  const members = new Map<string, Set<string>>()
  walk(root, (place) => {
    const { node, key } = place
    const name = nameOfObject(node)
    const member = calledName(node)
    if (name && member && key !== 'callee' && isReplaceable(place)) {
      members.set(name, (members.get(name) ?? new Set()).add(member))
    }
    return true
  })
  return (place) => {
    const { node, key } = place
    if (node.type === 'Identifier' && readAs.includes(key)) {
      const bound = around(place).flatMap(boundAt)
      const together = bound.find((names) => names.includes(node.name)) ?? []
      return next(likeOf(together, node.name), node.name)
    }
    const name = nameOfObject(node)
    const member = calledName(node)
    if (!name || !member || key === 'object') return undefined
    return next(likeOf(members.get(name) ?? [], member).sort(), member)
  }
}

/** `a` of `a.b`. */
function nameOfObject(node: Node): string | undefined {
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return undefined
  return node.object.type === 'Identifier' ? node.object.name : undefined
}
