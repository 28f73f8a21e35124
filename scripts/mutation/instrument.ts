import type { Mutant, Site } from './mutants.js'
import { textOf } from './syntax.js'

/** Code to be put in at an offset: what ends there before what begins. */
interface Insertion {
  offset: number
  code: string
}

/**
 * Puts all mutants of a module into it, each behind its switch, so that one build serves all.
 *
 * @param switchboard how the module imports the switchboard
 * @param first the number of the module's first mutant; the others follow in the order of the sites
 */
export function instrument(code: string, sites: readonly Site[], switchboard: string, first: number): string {
  const openings: Insertion[] = []
  const endings: Insertion[] = []
  let number = first
  for (const { node, form, mutants } of sites) {
    const start = node.start ?? 0
    const end = node.end ?? 0
    const switches = mutants.map((mutant) => ({ on: askingFor(mutant, number++), to: mutant.to }))
    const [only] = switches
    if (!only) continue
    const spread = /^Spread/.test(node.type) ? textOf(code, node).indexOf('...') + 3 : 0
    const around = {
      expression: [`(${switches.map(({ on, to }) => `${on} ? (${to}) : `).join('')}`, ')'],
      statement: [`if (${only.on}) {} else { `, ' }'],
      member: spread ? [`(${only.on} ? {} : `, ')'] : [`...(${only.on} ? {} : { `, ' })'],
      element: spread ? [`(${only.on} ? [] : `, ')'] : [`...(${only.on} ? [] : [`, '])'],
    }[form]
    openings.push({ offset: start + spread, code: around[0] ?? '' })
    endings.unshift({ offset: end, code: around[1] ?? '' })
  }
  const insertions = [...endings, ...openings].toSorted((a, b) => a.offset - b.offset)
  let at = 0
  const parts = insertions.map(({ offset, code: put }) => {
    const before = code.slice(at, offset)
    at = offset
    return before + put
  })
  return `import * as $m from ${JSON.stringify(switchboard)}; ${parts.join('')}${code.slice(at)}`
}

/** Asks whether a mutant is on; where both sides can be compared, they are given. */
function askingFor({ from, to, compared }: Mutant, number: number): string {
  if (!compared) return `$m.on(${number})`
  const [changed, own] = [to, from].map((code) => (compared === 'truth' ? `!(${code})` : `(${code})`))
  return `$m.on(${number}, () => ${changed}, () => ${own})`
}
