import { readFileSync } from 'node:fs'
import { packageFile } from '../schemas/package-file.js'
import { readingsFile, readingsModule } from './readings-module.js'

test('the type of the readings is the one that the data makes: `npm run readings` writes it', () => {
  expect(readFileSync(packageFile(readingsFile), 'utf8')).toBe(readingsModule())
})
