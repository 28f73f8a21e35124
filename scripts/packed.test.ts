import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageFile } from '../schemas/package-file.js'
import { packedProject } from './testing/packed-project.js'

const project = await packedProject(['openid-client', 'vitest'])

function example(name: string): string {
  return project.write(name, readFileSync(packageFile(`docs/examples/${name}`), 'utf8'))
}

describe('the packed package, in a project that has its dependencies alone', () => {
  test('starts a bank', async () => {
    const script = project.write(
      'bank.js',
      `import { createBank } from 'bank-idp-conformance'
const bank = await createBank()
process.stdout.write(await bank.listen())
await bank.close()`,
    )
    expect(await project.run(script)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^https:\/\/localhost:\d+$/),
    })
  })

  test.each([
    ['node-test', /^. pass 1$/m],
    ['node-test-commonjs', /^. pass 1$/m],
    ['node-test-require', /^. pass 1$/m],
    ['jest', /^Tests: +5 passed, 5 total$/m],
    ['jest-commonjs', /^Tests: +1 passed, 1 total$/m],
    ['vitest', /^ +Tests +2 passed \(2\)$/m],
    ['jest-rules', /^Tests: +\d+ passed, \d+ total$/m],
  ])('is what the example project %s tests with', async (example, passed) => {
    const { code, stdout, stderr } = await project.test(example)
    expect({ code, told: stdout + stderr }).toEqual({ code: 0, told: expect.stringMatching(passed) })
  })

  test('has its rules as tests of node:test', async () => {
    const { code, stdout } = await project.test('node-test-rules')
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^. fail 0$/m) })
    expect(stdout).toContain('token/code-exchange: ')
    expect(readFileSync(join(project.path, 'node-test-rules/junit.xml'), 'utf8')).toContain('name="token/code-exchange')
  })

  test('is asked by curl, at a bank that a file describes', async () => {
    const token = 'a-token-for-these-tests'
    const env = { ...process.env, BANK_IDP_CONTROL_TOKEN: token }
    const cli = join(project.path, 'node_modules/bank-idp-conformance/dist/bundled/bank-idp.js')
    const places = ['--port', '0', '--control', '127.0.0.1:0']
    const bank = spawn(process.execPath, [cli, 'start', '--config', example('bank.yaml'), ...places], { env })
    const ended = once(bank, 'close')
    let welcome = ''
    for await (const chunk of bank.stdout.iterator({ destroyOnReturn: false })) {
      welcome += chunk
      if (welcome.includes('Try: curl')) break
    }
    const [, control = ''] = /^Control door: (\S+)/m.exec(welcome) ?? []
    const { stdout } = await promisify(execFile)('sh', [example('login.sh')], { env: { ...env, CONTROL: control } })
    bank.kill()
    await ended
    const [reset, login, minted, asked, clock] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(reset).toEqual({})
    expect([login.claims.aud, login.tokens.scope, minted.expires_in]).toEqual(['my-app', 'openid profile.name', -60])
    expect([asked.form.client_secret, asked.answer.json.access_token]).toEqual(['my-secret', login.tokens.access_token])
    expect(Math.round(clock.offset_seconds)).toBe(3600)
  })

  test('logs somebody in by openid-client, at a bank that the file of the first page sets up', async () => {
    const [, file = ''] = /```yaml\n([^`]+)```/.exec(readFileSync(packageFile('docs/first-login.md'), 'utf8')) ?? []
    const cli = join(project.path, 'node_modules/bank-idp-conformance/dist/bundled/bank-idp.js')
    const [config, data] = [project.write('first-login.yaml', file), join(project.path, 'data')]
    const args = ['start', '--config', config, '--data', data, '--port', '0', '--quiet', '--print', 'json']
    const bank = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(bank, 'close')
    const { issuer, ca_file } = JSON.parse(String(await once(bank.stdout, 'data')))
    const env = { ...process.env, ISSUER: issuer, NODE_EXTRA_CA_CERTS: ca_file }
    const { stdout } = await promisify(execFile)(process.execPath, [example('openid-client.js')], { env })
    bank.kill()
    await ended
    expect(JSON.parse(stdout)).toEqual({ sub: expect.any(String), given_name: 'Jana', active: false })
  })

  test('says in a sentence what is missing where the binary of the store is not there', async () => {
    const modules = join(project.path, 'node_modules')
    // An optional dependency that could not be compiled is left out; of the other, what npm packed has no binary for every machine.
    for (const name of ['better-sqlite3', 'better-sqlite3-12']) rmSync(join(modules, name))
    for (const part of ['package.json', 'lib']) {
      cpSync(packageFile(`node_modules/better-sqlite3/${part}`), join(modules, 'better-sqlite3', part), {
        recursive: true,
      })
    }
    const remedy =
      Number(process.versions.napi) >= 10
        ? 'run npm explore better-sqlite3 -- npm run build-release, which compiles it'
        : 'use Node.js 22.14 or newer, for which it is in the package, or install the packages anew with their scripts: npm fetches it, or compiles it'
    const cli = join(modules, 'bank-idp-conformance/dist/bundled/bank-idp.js')
    const { code, stdout, stderr } = await project.run(cli, 'start', '--ephemeral', '--port', '0')
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `bank-idp: the store needs the binary of better-sqlite3 for Node.js ${process.version} on ${process.platform} ${process.arch}, and it is missing: ${remedy} with Python, make and a C++ compiler\n`,
    })
  })
})
