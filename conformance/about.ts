import { readFileSync } from 'node:fs'
import { packageFile } from '../schemas/package-file.js'

/** The harness itself: what stands in reports, and what --version tells. */
export const harness: { name: string; version: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'))
