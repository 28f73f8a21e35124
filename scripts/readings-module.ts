import { editions, openEdition } from '../schemas/editions/index.js'

/** Where the text belongs, below the root of the package. */
export const readingsFile = 'schemas/editions/readings.ts'

const longestLine = 120

function member(ambiguity: string, readings: readonly string[]): string {
  const ids = readings.map((id) => `'${id}'`)
  const line = `  '${ambiguity}': ${ids.join(' | ')}`
  return line.length <= longestLine ? line : [`  '${ambiguity}':`, ...ids.map((id) => `    | ${id}`)].join('\n')
}

/** The text of a module that gives the readings of each ambiguity as a type: those of every edition, formatted as the linter has it. */
export function readingsModule(): string {
  const readings = new Map<string, Set<string>>()
  for (const ambiguity of editions.flatMap((edition) => openEdition(edition).ambiguities)) {
    const known = readings.get(ambiguity.id) ?? new Set()
    readings.set(ambiguity.id, new Set([...known, ...ambiguity.readings.map(({ id }) => id)]))
  }
  return [
    '// Made by `npm run readings` from ambiguities.yaml of every edition. Change that file, and run it again.',
    '',
    '/** The ids of the readings that are listed of an ambiguity in any edition, by the id of the ambiguity. */',
    'export interface Readings {',
    ...[...readings].map(([ambiguity, ids]) => member(ambiguity, [...ids])),
    '}',
    '',
  ].join('\n')
}
