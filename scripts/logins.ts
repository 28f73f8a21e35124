import { writeFileSync } from 'node:fs'
import type { Expense } from '../conformance/harness/plan.js'
import { packageFile } from '../schemas/package-file.js'
import { measureExpenses } from './logins/run.js'

/** Measures what logging in costs at the bundled bank and how much rules judge there, and keeps both for the plans and reports of runs. */
const { expenses, judged } = await measureExpenses()

/** One expense to a line, so that a change shows as what it is. */
function written(list: readonly Expense[]): string {
  return `[\n${list.map((expense) => `    ${JSON.stringify(expense)}`).join(',\n')}\n  ]`
}

const text = `{\n  "apart": ${written(expenses.apart)},\n  "byHand": ${written(expenses.byHand)}\n}\n`
writeFileSync(packageFile('conformance/harness/logins.json'), text)

const inOrder = Object.entries(judged).toSorted(([a], [b]) => (a < b ? -1 : 1))
writeFileSync(
  packageFile('conformance/harness/judged.json'),
  `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`,
)
