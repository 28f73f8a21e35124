import { readFileSync } from 'node:fs'
import { packageFile } from '../../schemas/package-file.js'

/** A deviation of the bundled bank, and what the proof saw it do to the rules. */
export interface ProvenFault {
  id: string
  /** What is wrong with the bank. */
  title: string
  /** The rules that turned red, and how. */
  red: Record<string, string>
}

let read: readonly ProvenFault[] | undefined

/** The faults by which the rules are proven, from the matrix that the proof keeps; what it keeps of other readings is left out. */
export function provenFaults(): readonly ProvenFault[] {
  const matrix = () =>
    JSON.parse(readFileSync(packageFile('scripts/proof/matrix.json'), 'utf8')) as Record<
      string,
      Omit<ProvenFault, 'id'>
    >
  read ??= Object.entries(matrix())
    .filter(([id]) => !id.includes('='))
    .map(([id, row]) => ({ id, ...row }))
  return read
}
