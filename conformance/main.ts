#!/usr/bin/env node
import { keepCompiled } from '../schemas/compile-cache.js'

keepCompiled()
const { main, terminal } = await import('./cli.js')
const output = terminal()
process.exitCode = await main(process.argv.slice(2), output)
// What a run that was ended has left behind, a connection that a bank holds open say, is not waited for.
if (output.signal.aborted) process.exit()
