import module from 'node:module'
import { cacheDirectory } from './cache-directory.js'

/**
 * Has Node.js keep what it compiles, for the next start, where it can (22.1 and newer): in a folder of whoever starts it, since who could write
 * there could have them run anything. It is Node's as else: NODE_COMPILE_CACHE names another folder, NODE_DISABLE_COMPILE_CACHE=1 has it keep nothing.
 */
export function keepCompiled(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (directory: string) => unknown }
  enableCompileCache?.(cacheDirectory())
}
