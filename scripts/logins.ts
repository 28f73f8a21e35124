import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import type { Expense } from '../conformance/harness/plan.js'
import { packageFile } from '../schemas/package-file.js'
import { type Measured, measureExpenses } from './logins/run.js'

/** One expense to a line, so that a change shows as what it is. */
function written(list: readonly Expense[]): string {
  return `[\n${list.map((expense) => `    ${JSON.stringify(expense)}`).join(',\n')}\n  ]`
}

/** Keeps both for the plans and reports of runs. */
function keep({ expenses, judged }: Measured): void {
  const text = `{\n  "apart": ${written(expenses.apart)},\n  "byHand": ${written(expenses.byHand)}\n}\n`
  writeFileSync(packageFile('conformance/harness/logins.json'), text)

  const inOrder = Object.entries(judged).toSorted(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(
    packageFile('conformance/harness/judged.json'),
    `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`,
  )
}

const { print = false } = new Command('logins')
  .description('Measures what logging in costs at the bundled bank and how much rules judge there, and keeps both.')
  .option('--print', 'print what was measured, as JSON, instead of keeping it')
  .parse()
  .opts<{ print?: boolean }>()
const measured = await measureExpenses()
if (print) process.stdout.write(JSON.stringify(measured))
else keep(measured)
