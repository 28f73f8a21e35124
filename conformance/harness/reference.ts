import { readFileSync } from 'node:fs'
import { packageFile } from '../../schemas/package-file.js'

/** How many things rules judge at the bundled bank, which offers everything: by rule. */
export type Reference = Readonly<Record<string, number>>

let measured: Reference | undefined

/**
 * As measured; conformance/harness/judged.json is written by `npm run logins`. Rules that judge what the others asked for are not in it: how
 * much that is depends on the run.
 */
export function reference(): Reference {
  measured ??= JSON.parse(readFileSync(packageFile('conformance/harness/judged.json'), 'utf8')) as Reference
  return measured
}
