import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFile } from '../schemas/package-file.js'
import { packedProject } from './testing/packed-project.js'

const project = await packedProject()

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

  test('has its rules as tests of node:test', async () => {
    const { code, stdout } = await project.run('--test', '--test-reporter=tap', example('bank.node-test.js'))
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^# fail 0$/m) })
    expect(stdout).toMatch(/ok \d+ - token\/code-exchange: /)
    expect(readFileSync(join(project.path, 'junit.xml'), 'utf8')).toContain('name="token/code-exchange')
  })

  test('has its rules as tests of Jest', async () => {
    const jest = packageFile('node_modules/jest/bin/jest.js')
    project.write('jest.config.json', JSON.stringify({ testMatch: ['**/*.jest-test.js'], transform: {} }))
    example('bank.jest-test.js')
    const args = ['--experimental-vm-modules', '--no-warnings', jest, '--json', '--rootDir', project.path]
    const { code, stdout, stderr } = await project.run(...args)
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
    const { numFailedTests, numPassedTests } = JSON.parse(stdout)
    expect({ numFailedTests, numPassedTests }).toEqual({ numFailedTests: 0, numPassedTests: expect.any(Number) })
    expect(numPassedTests).toBeGreaterThan(5)
  })
})
