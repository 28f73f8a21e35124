import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

function packageRoot(directory: string): string {
  return existsSync(join(directory, 'package.json')) ? directory : packageRoot(dirname(directory))
}

const root = packageRoot(dirname(fileURLToPath(import.meta.url)))

/**
 * The absolute path of a data file that ships with the package (schemas, fixtures, requirements). Data stays where it is in the
 * tree, whether the code runs from its sources or from dist/.
 */
export function packageFile(path: string): string {
  return join(root, path)
}
