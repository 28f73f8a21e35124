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

describe('the bundled bank', () => {
  let bank: Awaited<ReturnType<typeof startBank>>

  beforeAll(async () => {
    await conformance('make-key', path('key'))
    bank = await startBank('--data', path('bank'))
  })
  afterAll(() => bank.stop())

  const certify = (out: string) =>
    conformance('run', '--certify', '--target', path('bank/target.yaml'), '--key', path('key'), '--out', path(out))
  const verified = (out: string) => conformance('verify', path(out), '--key', path('key.pub'))
  const verdicts = (name: string) => readFileSync(path(`${name}/verdicts.json`), 'utf8')

  test('is certified', async () => {
    expect(await certify('first')).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(verdicts('first')).outcome).toBe('conformant')
    expect(validate('report', JSON.parse(readFileSync(path('first/report.json'), 'utf8')))).toEqual([])
    expect(await verified('first')).toMatchObject({ code: 0, err: '' })
  })

  test('is certified with equal verdicts once it rotated its keys', async () => {
    expect(await run('rotate-keys', '--data', path('bank'))).toMatchObject({ code: 0 })
    expect(await certify('second')).toMatchObject({ code: 0, err: '' })
    expect(verdicts('second')).toBe(verdicts('first'))
    expect(await verified('second')).toMatchObject({ code: 0, err: '' })
    expect(await conformance('diff', path('first'), path('second'))).toEqual({
      code: 0,
      out: 'Nothing changed.\n',
      err: '',
    })
  })
})
