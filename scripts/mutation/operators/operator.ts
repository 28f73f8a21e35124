import type { Node } from '@babel/types'
import type { Place } from '../syntax.js'

/** What the operators know of the module that they change. */
export interface Module {
  /** The text of a node. */
  text(node: Node): string
  /** What is to be read for a name beside the one that is: another of the same parameters or pattern, another member of the same object. */
  siblingOf(place: Place): string | undefined
}

/** Gives what may stand in an expression's place: code, which may call the switchboard as `$m`. */
export type Operator = (place: Place, module: Module) => readonly string[]
