import { writeFileSync } from 'node:fs'
import { packageFile } from '../schemas/package-file.js'
import { readingsFile, readingsModule } from './readings-module.js'

writeFileSync(packageFile(readingsFile), readingsModule())
console.log(`${readingsFile} is written.`)
