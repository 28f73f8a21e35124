#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { keepCompiled, runKept } from '../schemas/compile-cache.js'

/** The command in one file beside this one, where it was put together: a start loads most of it, the other commands little. */
declare const commandInOneFile: string | undefined

keepCompiled()
if (typeof commandInOneFile === 'string' && process.argv[2] === 'start') {
  runKept(fileURLToPath(new URL(commandInOneFile, import.meta.url)))
} else {
  await import('./cli.js')
}
