/**
 * The rules of the harness as tests of Jest, against a bank of this process. A bank of your own is described by a target file, which
 * `conformance init` writes: give openExamination() its path, and leave the bundled bank out.
 *
 *     npm install && npm test
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBank } from 'bank-idp-conformance'
import { openExamination } from 'bank-idp-conformance/conformance'

const data = mkdtempSync(join(tmpdir(), 'bank-'))
const bank = await createBank({ data })
await bank.listen()
const run = await openExamination(join(data, 'target.yaml'), { only: ['revocation/*'] })

afterAll(async () => {
  await run.close()
  await bank.close()
  rmSync(data, { recursive: true })
})

// A rule takes 30 s at most, and it may be begun again twice.
const withinMs = 100_000
for (const rule of run.plan.rules) {
  const { id, title } = rule
  const lacking = run.plan.skips.get(id)
  if (lacking) test.skip(`${id}: ${title} (${lacking})`, () => {})
  else test(`${id}: ${title}`, () => run.check(rule), withinMs)
}
