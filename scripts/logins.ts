import { readFileSync, writeFileSync } from 'node:fs'
import type { Expense, Expenses } from '../conformance/harness/plan.js'
import { packageFile } from '../schemas/package-file.js'
import { measureExpenses } from './logins/run.js'

/** Measures what logging in costs at the bundled bank: compares with what is kept, or keeps it (--update). */
const file = packageFile('conformance/requirements/logins.json')
const { expenses } = await measureExpenses()

/** One expense to a line, so that a change shows as what it is. */
function written(list: readonly Expense[]): string {
  return `[\n${list.map((expense) => `    ${JSON.stringify(expense)}`).join(',\n')}\n  ]`
}

const text = `{\n  "apart": ${written(expenses.apart)},\n  "byHand": ${written(expenses.byHand)}\n}\n`
if (process.argv.includes('--update')) {
  writeFileSync(file, text)
} else if (JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))) !== JSON.stringify(expenses satisfies Expenses)) {
  console.error('Logging in costs another number of sign-ins than is kept; `npm run logins -- --update` keeps it.')
  process.exitCode = 1
}
