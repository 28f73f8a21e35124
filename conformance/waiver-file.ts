import { validate } from '../schemas/index.js'
import type { Waiver } from './harness/result.js'
import { UsageError } from './output.js'
import { rules } from './rules/index.js'
import { readText } from './target/target-files.js'
import { FileMistakes, parseYaml } from './target/yaml-file.js'

/**
 * Reads a waiver file, as schemas/waivers.schema.json has it.
 * @param today YYYY-MM-DD, in UTC: a waiver holds up to the end of the day on which it expires
 * @throws UsageError with one line for each mistake: a member that is wrong, a rule that is unknown or waived twice, a waiver that
 * has expired
 */
export function loadWaivers(path: string, today = new Date().toISOString().slice(0, 10)): Waiver[] {
  try {
    const value = parseYaml(readText(path)) ?? []
    const mistakes = mistakesIn(value, today)
    if (mistakes.length > 0) throw new FileMistakes(mistakes)
    return value as Waiver[]
  } catch (error) {
    const mistakes = error instanceof FileMistakes ? error.mistakes : [error instanceof Error ? error.message : error]
    throw new UsageError(mistakes.map((mistake) => `waivers ${path}: ${mistake}`).join('\n'))
  }
}

function mistakesIn(value: unknown, today: string): string[] {
  const found = validate('waivers', value)
  if (!Array.isArray(value)) return found.map(({ message }) => message)
  return value.flatMap((waiver, i) => {
    const own = found.filter(({ path }) => path.split('/')[1] === String(i))
    const wrong = (member: string) => own.some(({ path }) => path === `/${i}` || path === `/${i}/${member}`)
    const { rule, expires }: Partial<Waiver> = waiver ?? {}
    const further = [
      !wrong('rule') &&
        !rules.some(({ id }) => id === rule) &&
        'this rule does not exist; conformance list shows the rules',
      !wrong('rule') &&
        value.findIndex((one) => one?.rule === rule) < i &&
        'another waiver above already names this rule',
      !wrong('expires') && String(expires) < today && `expired on ${expires}`,
    ]
    const name = typeof rule === 'string' ? `waiver ${i + 1} (${rule})` : `waiver ${i + 1}`
    return [...own.map(({ message }) => message), ...further].flatMap((line) => (line ? `${name}: ${line}` : []))
  })
}
