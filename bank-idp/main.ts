#!/usr/bin/env node
import { keepCompiled } from '../schemas/compile-cache.js'

keepCompiled()
await import('./cli.js')
