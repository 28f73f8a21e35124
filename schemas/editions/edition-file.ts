import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { packageFile } from '../package-file.js'

/** What a YAML file of an edition holds, by its path below this folder: `1.2/ambiguities.yaml`. A bundle holds them as JSON, which is read faster. */
export function editionFile(path: string): unknown {
  return load(readFileSync(packageFile(`schemas/editions/${path}`), 'utf8'))
}
