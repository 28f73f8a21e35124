import { readFileSync, writeFileSync } from 'node:fs'
import { packageFile } from '../../schemas/package-file.js'
import { type Outcome, turnedRed } from './outcome.js'

const file = packageFile('scripts/proof/matrix.json')

/** What the proof saw of one fault, or of a bank that takes another reading. */
export interface Row {
  /** What is wrong with the bank, or which reading it takes. */
  title: string
  /** The rules that turned red, and how; of another reading, those that warned. */
  red: Record<string, string>
  /** The variation of such a rule in which the bank is seen to deviate where it is the only one that is tried, for rules that have some. */
  in?: Record<string, string>
}

/** By the id of the fault, or the name of the variant. */
export type Matrix = Record<string, Row>

export function rowOf(title: string, outcomes: readonly Outcome[], rightBank: readonly Outcome[]): Row {
  return { title, red: sorted(turnedRed(outcomes, rightBank).map(({ rule, status }) => [rule, status])) }
}

/** The matrix that is checked in. */
export function readMatrix(): Matrix {
  return JSON.parse(readFileSync(file, 'utf8')) as Matrix
}

/** Writes the matrix, each row in a line of its own: changes of different faults can then be merged. */
export function writeMatrix(matrix: Matrix): void {
  const rows = Object.entries(sorted(Object.entries(matrix)))
  const lines = rows.map(([name, row]) => `${JSON.stringify(name)}: ${JSON.stringify(row)}`)
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
}

function sorted<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** How a matrix differs from the one checked in; only rows that were run are compared unless the run was whole. */
export function compareMatrix(checkedIn: Matrix, now: Matrix, whole: boolean): string[] {
  const names = whole ? [...new Set([...Object.keys(checkedIn), ...Object.keys(now)])] : Object.keys(now)
  return names.flatMap((name) => {
    const only = whole ? '' : ` --only ${name}`
    const [old, fresh] = [checkedIn[name], now[name]].map((row) => row && JSON.stringify({ ...row, in: undefined }))
    return old === fresh
      ? []
      : [`matrix: ${name} was ${old ?? 'absent'}, is ${fresh ?? 'absent'} (npm run prove --${only} --update writes it)`]
  })
}
