import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { resolveSettings } from '../bank-idp/settings.js'
import { packageFile } from '../schemas/package-file.js'

const execute = promisify(execFile)
const textOf = (file: string) => readFileSync(packageFile(file), 'utf8')

describe('what npm packs', () => {
  let paths: string[]

  beforeAll(async () => {
    const { stdout } = await execute('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
      cwd: packageFile('.'),
      maxBuffer: 2 ** 26,
    })
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]
    paths = files.map(({ path }) => path)
  })

  test('is what the two programs are made of, and no more', () => {
    const wanted = [
      /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md)$/,
      /^dist\/(bank-idp|conformance|fixtures|schemas)\/.*\.d\.ts$/,
      /^dist\/bundled\/([\w.-]+\.c?js|LICENSES\.txt)$/,
      /^schemas\/[\w-]+\.schema\.json$/,
      /^schemas\/editions\/.*\.(yaml|json)$/,
      /^fixtures\/(people\/\w+\.json|README\.md)$/,
      /^docs\/([\w-]+\.(md|js|png)|(examples|examples\/[\w-]+|recipes)\/[\w.-]+)$/,
      /^(conformance\/harness\/(judged|logins)|scripts\/proof\/matrix)\.json$/,
    ]
    expect(paths.filter((path) => !wanted.some((pattern) => pattern.test(path)))).toEqual([])
    const own = paths.filter((path) => !path.startsWith('docs/examples/'))
    expect(own.filter((path) => /\.test\.|\/testing\/|\.map$/.test(path))).toEqual([])
  })

  test('holds what its package.json and its README name', () => {
    const { bin, exports } = JSON.parse(textOf('package.json')) as {
      bin: Record<string, string>
      exports: Record<string, string | Record<string, string>>
    }
    const entries = Object.values(exports).flatMap((entry) =>
      typeof entry === 'string' ? entry : Object.values(entry),
    )
    const named = [...Object.values(bin), ...entries].map((path) => path.replace(/^\.\//, ''))
    const linked = [...textOf('README.md').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = '']) => path)
    // CONTRIBUTING is for those who have the repository.
    const expected = [...named, ...linked].filter((path) => path !== 'CONTRIBUTING.md')
    expect(expected.filter((path) => !paths.includes(path))).toEqual([])
  })
})

test('npx with the tarball alone runs the bank: of several commands it takes the one that is called as the package', () => {
  const { name, bin } = JSON.parse(textOf('package.json')) as { name: string; bin: Record<string, string> }
  expect(bin[name]).toBe(bin['bank-idp'])
})

test('npm ci runs no node-gyp for a package that says it needs none: npm forgets gypfile where it writes a lock file, and believes it there', () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, { gypfile?: boolean }> }
  const needing = Object.entries(packages).filter(([path, { gypfile }]) => {
    const has = (file: string) => path !== '' && existsSync(packageFile(`${path}/${file}`))
    return gypfile !== false && has('binding.gyp') && JSON.parse(textOf(`${path}/package.json`)).gypfile === false
  })
  expect(needing.map(([path]) => path)).toEqual([])
})

describe.each(
  readdirSync(packageFile('docs/examples'), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? entry.name : [],
  ),
)('the example project %s', (name) => {
  test('depends on the tarball that npm pack makes, and on the versions that it is tried with', () => {
    interface Package {
      version: string
      dependencies: Record<string, string>
      devDependencies: Record<string, string>
    }
    const own = JSON.parse(textOf('package.json')) as Package
    const { devDependencies } = JSON.parse(textOf(`docs/examples/${name}/package.json`)) as Package
    const { 'bank-idp-conformance': tarball, ...others } = devDependencies
    expect(tarball).toBe(`file:../../../bank-idp-conformance-${own.version}.tgz`)
    expect({ ...own.dependencies, ...own.devDependencies }).toMatchObject(others)
  })
})

describe('the image', () => {
  const dockerfile = textOf('Dockerfile').replace(/\\\n/g, ' ')

  test('is made of files that are there, of which none is kept outside', () => {
    const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.*)$/gm)].flatMap(([, copied = '']) =>
      copied.trim().split(/\s+/).slice(0, -1),
    )
    expect(sources.filter((source) => !existsSync(packageFile(source)))).toEqual([])
    const admitted = textOf('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? line.slice(1) : []))
    expect(sources.filter((source) => !admitted.includes(source))).toEqual([])
  })

  test('runs without rights, is asked for its health, and its settings are settings', () => {
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(dockerfile).toMatch(/^HEALTHCHECK .*CMD \["bank-idp", "wait",/m)
    const [, given = ''] = /^ENV (.*)$/m.exec(dockerfile) ?? []
    const environment = Object.fromEntries(given.split(' ').map((pair) => pair.split('=') as [string, string]))
    const { settings } = resolveSettings({ flags: {}, environment })
    const readyFile = '/tmp/bank-idp.json'
    expect(settings).toEqual({ host: '0.0.0.0', port: 8443, data: '/data', readyFile })
    expect(dockerfile).toContain(`"wait", "--ready-file", "${readyFile}"`)
  })

  test('is composed with settings that are settings', () => {
    const { services } = parse(textOf('compose.yaml')) as {
      services: { bank: { environment: Record<string, string> } }
    }
    const { settings } = resolveSettings({ flags: {}, environment: services.bank.environment })
    expect(settings).toEqual({ issuer: 'https://bank:8443', control: true })
  })

  test('is composed with replicas, by settings that are settings', () => {
    const { services } = parse(textOf('compose.replicas.yaml'), { merge: true }) as {
      services: Record<string, { environment: Record<string, string> }>
    }
    for (const replica of ['one', 'two']) {
      const { settings } = resolveSettings({ flags: {}, environment: { ...services[replica]?.environment } })
      expect(settings).toMatchObject({
        issuer: 'https://localhost:8443',
        store: expect.stringMatching(/^postgres:/),
        replica,
      })
    }
  })
})

/** Every text of a recipe, at whatever depth. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.split('\n')
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

describe.each(readdirSync(packageFile('docs/recipes')))('the recipe %s', (name) => {
  const recipe = parse(textOf(`docs/recipes/${name}`)) as Record<string, object>
  const lines = textsOf(recipe)
  const commands = lines.flatMap((line) => {
    const [, program, command, flags = ''] = /^npx (bank-idp|conformance) (\w+)(.*)$/.exec(line) ?? []
    return program && command ? [[program, command, flags] as const] : []
  })

  test('has a job for each user', () => {
    expect(commands.map(([program, command]) => `${program} ${command}`)).toEqual([
      'bank-idp start',
      'bank-idp wait',
      'conformance run',
      'conformance run',
      'conformance merge',
      'conformance run',
      'conformance verify',
    ])
  })

  test("names the bank's authority to the tests alone: for npm ci there is no such file, and it would hide the authority of a registry", () => {
    const jobs = Object.values(recipe.jobs ?? recipe) as { variables?: object; env?: object }[]
    const everywhere = jobs.flatMap(({ variables, env }) => Object.keys({ ...variables, ...env }))
    expect(everywhere).not.toContain('NODE_EXTRA_CA_CERTS')
    expect(textOf(`docs/recipes/${name}`)).toContain('NODE_EXTRA_CA_CERTS')
  })

  test.each(commands)('calls %s %s with flags that it has', async (program, command, flags) => {
    const { stdout } = await execute(process.execPath, [packageFile(`dist/bundled/${program}.js`), command, '--help'])
    expect(flags.match(/--[\w-]+/g)?.filter((flag) => !stdout.includes(`${flag} `))).toEqual([])
  })
})
