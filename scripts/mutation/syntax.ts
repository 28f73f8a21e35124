import { parse } from '@babel/parser'
import { type File, type Node, VISITOR_KEYS } from '@babel/types'

/** A node with the way that leads to it. */
export interface Place {
  node: Node
  /** The member of the parent that holds it. */
  key: string
  parent?: Place
}

/** @param code a compiled ECMAScript module */
export function parseModule(code: string): File {
  return parse(code, { sourceType: 'module' })
}

/** The part of the code that a node was made of. */
export function textOf(code: string, { start, end }: Node): string {
  return code.slice(start ?? 0, end ?? 0)
}

/** The nodes right beneath one, in the order of the code. */
export function childrenOf(place: Place): Place[] {
  const members = place.node as unknown as Record<string, Node | (Node | null)[] | null | undefined>
  const children = (VISITOR_KEYS[place.node.type] ?? []).flatMap((key) =>
    [members[key]].flat().flatMap((node) => (node ? [{ node, key, parent: place }] : [])),
  )
  return children.sort((a, b) => (a.node.start ?? 0) - (b.node.start ?? 0))
}

/** Visits a tree, parents before their children; what `visit` says false to is not entered. */
export function walk(place: Place, visit: (place: Place) => boolean): void {
  if (!visit(place)) return
  for (const child of childrenOf(place)) walk(child, visit)
}

/** The places around one, the nearest first. */
export function around(place: Place): Place[] {
  return place.parent ? [place.parent, ...around(place.parent)] : []
}

/** The name by which something is called: `c` of `c()`, `a.b.c()` and `this.#c()`. */
export function calledName(node: Node): string | undefined {
  if (node.type === 'CallExpression' || node.type === 'OptionalCallExpression' || node.type === 'NewExpression') {
    return calledName(node.callee)
  }
  if (node.type === 'Identifier') return node.name
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return undefined
  if (node.property.type === 'PrivateName') return node.property.id.name
  return node.computed || node.property.type !== 'Identifier' ? undefined : node.property.name
}

/** Whether a property's value is what a pattern binds. */
function isInPattern({ node, parent }: Place, key: string): boolean {
  return node.type === 'ObjectProperty' && key === 'value' && parent?.node.type === 'ObjectPattern'
}

const operands = ['object', 'callee']

/** Whether an expression can stand in parentheses, and so have another in its place, without a change of what is around it. */
export function isReplaceable({ node, key, parent }: Place): boolean {
  if (!parent) return false
  const { type } = parent.node
  if (key === 'callee' || key === 'tag' || key === 'superClass' || key === 'label' || key === 'id') return false
  if (key === 'params' || (/Pattern$|^RestElement$/.test(type) && key !== 'right') || isInPattern(parent, key))
    return false
  if (key === 'left' && /^(Assignment|For(In|Of))/.test(type)) return false
  if (type === 'UpdateExpression' || (type === 'UnaryExpression' && parent.node.operator === 'delete')) return false
  if (key === 'property' || key === 'key') return 'computed' in parent.node && parent.node.computed === true
  if (/^(Import|Export)/.test(type) && key !== 'declaration') return false
  if (type === 'ObjectProperty' && parent.node.shorthand) return false
  // A chain ends as a whole where a link is missing: a link in parentheses would end alone.
  return !(operands.includes(key) && /^Optional/.test(node.type))
}
