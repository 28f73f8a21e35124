import { readFileSync } from 'node:fs'

/** Counts the tests of a result file of jest --json; a skipped or todo test counts as failed. */
interface ResultFile {
  numPassedTests: number
  numFailedTests: number
  numFailedTestSuites: number
  testResults: { assertionResults: { fullName: string; status: string }[] }[]
}

const [, , file = '.test-results.json'] = process.argv
const results = JSON.parse(readFileSync(file, 'utf8')) as ResultFile

const notRun = results.testResults
  .flatMap(({ assertionResults }) => assertionResults)
  .filter(({ status }) => !['passed', 'failed'].includes(status))
for (const { fullName, status } of notRun) {
  console.log(`${status}: ${fullName}`)
}
// A test file that does not even load fails as one test.
const unloaded = results.testResults.filter(({ assertionResults }) => assertionResults.length === 0).length
const failed = results.numFailedTests + unloaded + notRun.length
console.log(`${results.numPassedTests} passed, ${failed} failed`)
process.exitCode = failed === 0 && results.numFailedTestSuites === 0 && results.numPassedTests > 0 ? 0 : 1
