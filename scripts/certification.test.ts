import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, startBank } from '../bank-idp/testing/command.js'
import { validate } from '../schemas/index.js'
import { packageFile } from '../schemas/package-file.js'

const directory = mkdtempSync(join(tmpdir(), 'certification-'))
afterAll(() => rmSync(directory, { recursive: true }))

const path = (name: string) => join(directory, name)

/** Runs the built command to its end. */
function conformance(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const all = [packageFile('dist/bundled/conformance.js'), ...args]
  return new Promise((resolve) => {
    execFile(process.execPath, all, { maxBuffer: 100_000_000 }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    )
  })
}

test('the bundled bank is certified, twice with equal verdicts, and its keys stay when it rotates them', async () => {
  await conformance('make-key', path('key'))
  const bank = await startBank('--data', path('bank'))
  const certify = (out: string) =>
    conformance('run', '--certify', '--target', path('bank/target.yaml'), '--key', path('key'), '--out', path(out))
  try {
    expect(await certify('first')).toMatchObject({ code: 0, err: '' })
    expect(await run('rotate-keys', '--data', path('bank'))).toMatchObject({ code: 0 })
    expect(await certify('second')).toMatchObject({ code: 0, err: '' })
  } finally {
    await bank.stop()
  }
  const verdicts = (name: string) => readFileSync(path(`${name}/verdicts.json`), 'utf8')
  expect(verdicts('second')).toBe(verdicts('first'))
  expect(JSON.parse(verdicts('first')).outcome).toBe('conformant')
  expect(validate('report', JSON.parse(readFileSync(path('first/report.json'), 'utf8')))).toEqual([])
  for (const name of ['first', 'second'])
    expect(await conformance('verify', path(name), '--key', path('key.pub'))).toMatchObject({ code: 0, err: '' })
  expect(await conformance('diff', path('first'), path('second'))).toEqual({
    code: 0,
    out: 'Nothing changed.\n',
    err: '',
  })
}, 400_000)
