import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Rule } from '../../conformance/harness/rule.js'
import { packageFile } from '../../schemas/package-file.js'

const folder = packageFile('dist/conformance/rules')

/** A compiled module of the rules with those of the rules that it imports. */
function closureOf(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path) || !path.startsWith(folder)) return found
  found.add(path)
  const imports = readFileSync(path, 'utf8').matchAll(/ from '(\.[^']+)'/g)
  for (const [, imported = ''] of imports) closureOf(join(dirname(path), imported), found)
  return found
}

const isRule = (value: unknown): value is Rule => typeof value === 'object' && value !== null && 'check' in value

/** By rule, what changes whenever the module of the rule changes, or another of the rules that it is made with. */
export async function ruleKeys(): Promise<Map<string, string>> {
  const keys = new Map<string, string>()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!^index)\.js$/.test(name),
  )
  for (const path of names.map((name) => join(folder, name))) {
    const hash = createHash('sha256')
    for (const one of [...closureOf(path)].sort()) hash.update(readFileSync(one))
    const key = hash.digest('hex').slice(0, 16)
    const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>
    for (const { id } of Object.values(module).flat().filter(isRule)) keys.set(id, key)
  }
  return keys
}
