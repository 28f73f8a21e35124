import { readText } from './bank/target-files.js'
import { FileMistakes, parseYaml, schemaMistakes } from './bank/yaml-file.js'
import type { Waiver } from './harness/waiver.js'
import { UsageError } from './output.js'
import { rules } from './rules/index.js'

/**
 * Reads a waiver file, as schemas/waivers.schema.json has it.
 * @param today YYYY-MM-DD, in UTC: a waiver holds up to the end of the day on which it expires
 * @throws UsageError with one line for each mistake: a member that is wrong, a rule that is unknown, a waiver that has expired
 */
export function loadWaivers(path: string, today = new Date().toISOString().slice(0, 10)): Waiver[] {
  try {
    const value = parseYaml(readText(path)) ?? []
    const mistakes = [
      ...schemaMistakes('waivers', value).values(),
      ...(Array.isArray(value) ? value : []).flatMap(judge),
    ]
    if (mistakes.length > 0) throw new FileMistakes(mistakes)
    return value as Waiver[]
  } catch (error) {
    const mistakes = error instanceof FileMistakes ? error.mistakes : [error instanceof Error ? error.message : error]
    throw new UsageError(mistakes.map((mistake) => `waivers ${path}: ${mistake}`).join('\n'))
  }

  function judge(waiver: unknown, i: number): string[] {
    const { rule, expires } = (waiver ?? {}) as Partial<Record<keyof Waiver, unknown>>
    const known = typeof rule !== 'string' || !rule.includes('/') || rules.some(({ id }) => id === rule)
    const over = typeof expires === 'string' && /^\d{4}-\d\d-\d\d$/.test(expires) && expires < today
    return [
      ...(known ? [] : [`${i}.rule: there is no rule ${rule}; conformance list tells them`]),
      ...(over ? [`${i}: the waiver of ${rule} expired on ${expires}`] : []),
    ]
  }
}
