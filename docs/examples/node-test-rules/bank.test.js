/**
 * The rules of the harness as tests of node:test, against a bank of this process. A bank of your own is described by a target file, which
 * `conformance init` writes: give openExamination() its path, and leave the bundled bank out.
 *
 *     npm install && npm test
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createBank } from 'bank-idp-conformance'
import { junitReport, openExamination } from 'bank-idp-conformance/conformance'

const data = mkdtempSync(join(tmpdir(), 'bank-'))
const bank = await createBank({ data })
await bank.listen()
const run = await openExamination(join(data, 'target.yaml'), { only: ['token/code-*', 'userinfo/*'] })

after(async () => {
  const results = await run.close()
  writeFileSync('junit.xml', junitReport(results))
  await bank.close()
  rmSync(data, { recursive: true })
})

for (const rule of run.plan.rules) {
  test(`${rule.id}: ${rule.title}`, async (t) => {
    const { status, reason } = await run.check(rule)
    if (status === 'skip') t.skip(reason)
    else if (status !== 'pass') t.diagnostic(`${status}: ${reason ?? 'as it should be'}`)
  })
}
