import { readFileSync } from 'node:fs'
import { packageFile } from '../schemas/package-file.js'

/** Counts the tests of a result file of jest --json, and refuses skipped and todo tests that are not on the checked-in list. */
interface ResultFile {
  numPassedTests: number
  numFailedTests: number
  numFailedTestSuites: number
  testResults: { assertionResults: { fullName: string; status: string }[] }[]
}

const [, , file = '.test-results.json'] = process.argv
const results = JSON.parse(readFileSync(file, 'utf8')) as ResultFile
const allowed = JSON.parse(readFileSync(packageFile('scripts/allowed-skipped-tests.json'), 'utf8')) as Record<
  string,
  string
>

const notRun = results.testResults
  .flatMap(({ assertionResults }) => assertionResults)
  .filter(({ status, fullName }) => !['passed', 'failed'].includes(status) && !allowed[fullName])
for (const { fullName, status } of notRun) {
  console.log(`${status}, and not on the list in scripts/allowed-skipped-tests.json: ${fullName}`)
}
// A test file that does not even load fails as one test.
const unloaded = results.testResults.filter(({ assertionResults }) => assertionResults.length === 0).length
const failed = results.numFailedTests + unloaded + notRun.length
console.log(`${results.numPassedTests} passed, ${failed} failed`)
process.exitCode = failed === 0 && results.numFailedTestSuites === 0 && results.numPassedTests > 0 ? 0 : 1
