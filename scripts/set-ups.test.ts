import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { type Bank, createBank } from '../bank-idp/bank.js'
import { files } from '../bank-idp/keys/data-directory.js'
import { makeCredentials } from '../conformance/init/credentials.js'
import { exitCodes } from '../conformance/output.js'
import { command } from '../conformance/testing/command.js'

let data: string
let bank: Bank

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'set-ups-'))
  bank = await createBank({ data, control: false })
  await bank.listen()
  const { keys, certificateKey, own } = await makeCredentials(['localhost'], true)
  writeFileSync(join(data, 'other-keys.json'), JSON.stringify({ keys }))
  writeFileSync(join(data, 'other.pem'), String(own?.certificate))
  writeFileSync(join(data, 'other-key.pem'), certificateKey)
  writeFileSync(join(data, 'other-ca.pem'), String(own?.authority.cert))
})

afterAll(async () => {
  await bank.close()
  rmSync(data, { recursive: true })
})

/** A run with members of the bank's target file changed; undefined takes one away. */
async function run(changes: Record<string, unknown>, ...only: string[]) {
  const file = parseDocument(readFileSync(join(data, files.target), 'utf8'))
  for (const [place, value] of Object.entries(changes)) {
    if (value === undefined) file.deleteIn(place.split('.'))
    else file.setIn(place.split('.'), value)
  }
  writeFileSync(join(data, 'changed.yaml'), String(file))
  const target = ['--target', join(data, 'changed.yaml')]
  return command(['run', '--verbose', ...target, '--out', join(data, 'report'), '--only', ...only])
}

const otherCertificate = { cert: 'other.pem', key: 'other-key.pem' }

describe('a run with a set-up that is not right', () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    ['an unknown authority', { ca: 'other-ca.pem' }, /the bank's certificate is not trusted/],
    [
      'keys that the bank does not know',
      { 'service.keys': 'other-keys.json' },
      /the bank accepts the certificate, but not the key or the audience of the assertion/,
    ],
    [
      'a client certificate that the bank does not know',
      { 'service.client_certificate': otherCertificate },
      /the bank does not trust the client certificate/,
    ],
  ])('with %s ends before it judges the bank', async (_, changes, message) => {
    const { code, err, out } = await run(changes, 'registration/create', 'authorization/code')
    expect({ code, out }).toEqual({ code: exitCodes.usage, out: '' })
    expect(err).toMatch(message)
    expect(err).toContain('The bank cannot be examined with this set-up')
  })

  test('at another name of the bank says by which name it is known', async () => {
    const { code, err } = await run({ issuer: bank.issuer.replace('localhost', '127.0.0.1') }, 'discovery/document')
    expect(code).toBe(exitCodes.usage)
    expect(err).toContain(`write issuer: ${bank.issuer} in the target file`)
  })

  test('without a client certificate skips what needs one, and judges the rest', async () => {
    const changes = { 'service.client_certificate': undefined }
    const { code, out } = await run(changes, 'registration/create', 'discovery/document')
    expect(code).toBe(exitCodes.nothingFailed)
    expect(out).toContain('because the target file names no service.keys and service.client_certificate')
    expect(out).toContain('1 pass, 1 skip')
  })
})
