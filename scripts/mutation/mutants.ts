import { createHash } from 'node:crypto'
import type { Node } from '@babel/types'
import { type OperatorName, operators } from './operators/index.js'
import type { Module } from './operators/operator.js'
import { isPure, isPureCode } from './purity.js'
import { siblingsIn } from './siblings.js'
import { calledName, isReplaceable, type Place, parseModule, textOf, walk } from './syntax.js'

/** One change of the bank. */
export interface Mutant {
  /** Eight hexadecimal digits, which stay the same wherever the line moves. */
  id: string
  /** The source, by its path from the root of the checkout. */
  file: string
  line: number
  /** The text of that line of the source, without the white space around it. */
  text: string
  operator: OperatorName
  /** The code that is changed, as compiled, and what comes in its place; nothing where it is left out. */
  from: string
  to: string
  /** Where both can be asked without harm, what tells whether the change makes a difference: the value, or only whether it is true. */
  compared?: 'value' | 'truth'
}

/** How code is kept from being run: by an expression in its place, or by what runs without it. */
export type Form = 'expression' | 'statement' | 'member' | 'element'

/** A place of the module with its mutants, of which one at most is on. */
export interface Site {
  node: Node
  form: Form
  mutants: readonly Mutant[]
}

/** Where the source of compiled code is: line from 1, and its text. */
export type SourceAt = (node: Node) => { line: number; text: string }

/** What is said to people who run a bank, and what no bank says: errors of programs, lines of the log. */
const unseen = ['log', 'Error', 'RangeError', 'TypeError', 'UsageError']

/** The bank asking which reading it takes: the other answer is another reading, and as right. */
const isReading = /^!?(\w+\.)*policy\.\w+( [!=]== ['"][^'"]*['"])?$/

/** Every change of a module, place by place in the order of the code, a place before those within it. */
export function sitesOf(code: string, file: string, sourceAt: SourceAt): Site[] {
  const root: Place = { node: parseModule(code).program, key: 'program' }
  const module: Module = { text: (node) => textOf(code, node), siblingOf: siblingsIn(root) }
  const seen = new Map<string, number>()
  const sites: Site[] = []

  function mutant(node: Node, operator: OperatorName, to: string): Mutant {
    const from = module.text(node)
    const { line, text } = sourceAt(node)
    const told = JSON.stringify([file, operator, from, to, text])
    const before = seen.get(told) ?? 0
    seen.set(told, before + 1)
    const id = createHash('sha256').update(`${told}${before}`).digest('hex').slice(0, 8)
    return { id, file, line, text, operator, from, to }
  }

  walk(root, (place) => {
    const { node } = place
    if (/^(Call|New)Expression$/.test(node.type) && unseen.includes(calledName(node) ?? '')) return false
    if (/^(Import|ExportAll)/.test(node.type) || isReading.test(module.text(node))) return false
    const form = formOfLeavingOut(place)
    if (form) sites.push({ node, form, mutants: [mutant(node, 'left-out', '')] })
    if (!isReplaceable(place)) return true
    const compared: Mutant['compared'] = isAskedForTruth(place) ? 'truth' : 'value'
    const pure = isPure(node)
    const mutants = Object.entries(operators).flatMap(([name, operator]) =>
      operator(place, module).map((to) => ({
        ...mutant(node, name as OperatorName, to),
        ...(pure && isPureCode(to) && { compared }),
      })),
    )
    const others = mutants.filter(({ from, to }, at) => to !== from && mutants.findIndex((one) => one.to === to) === at)
    if (others.length > 0) sites.push({ node, form: 'expression', mutants: others })
    return true
  })
  return sites
}

/** Whether nothing but the truth of an expression matters. */
function isAskedForTruth({ key, parent }: Place): boolean {
  if (!parent) return false
  const { node } = parent
  if (key === 'test' || (node.type === 'UnaryExpression' && node.operator === '!')) return true
  return node.type === 'LogicalExpression' && node.operator !== '??' && isAskedForTruth(parent)
}

const doing = /^(Call|OptionalCall|Await|Assignment|Update|Unary)Expression$/

/** Whether a place can be left out, and how. */
function formOfLeavingOut({ node, key, parent }: Place): Form | undefined {
  if (node.type === 'ExpressionStatement') {
    const called = node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression
    const name = calledName(called)
    const constructs = called.type === 'CallExpression' && called.callee.type === 'Super'
    return doing.test(node.expression.type) && !constructs && !unseen.includes(name ?? '') ? 'statement' : undefined
  }
  if (key === 'properties' && parent?.node.type === 'ObjectExpression') {
    return node.type === 'ObjectMethod' || isOwnMember(node) ? undefined : 'member'
  }
  // A pair that a function gives is no list.
  const given = parent?.key === 'body' || parent?.key === 'argument'
  return key === 'elements' && parent?.node.type === 'ArrayExpression' && !given ? 'element' : undefined
}

/** The bank's own name of a check or a step, which only faults know; what caused an error, which only the log tells. */
function isOwnMember(node: Node): boolean {
  return node.type === 'ObjectProperty' && node.key.type === 'Identifier' && ['id', 'cause'].includes(node.key.name)
}
