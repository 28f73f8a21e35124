/**
 * The bank and the harness under other versions of Node.js than this one, as somebody who installs the package has them:
 *
 *     npm run runtimes -- 22 24
 *
 * Each version comes from npm. What is installed is what `npm pack` makes, with the dependencies of the lock file and no others, and without
 * their scripts: nothing is compiled.
 */
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { packageFile } from '../schemas/package-file.js'

const execute = promisify(execFile)
const maxBuffer = 2 ** 26

/** Where a version of Node.js lies. */
interface Runtime {
  version: string
  path: string
}

/** Fetches and unpacks the tarball of an npm package, or of this one. */
async function unpack(what: readonly string[], into: string, cwd: string): Promise<void> {
  mkdirSync(into, { recursive: true })
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', into, ...what]
  const { stdout } = await execute('npm', args, { cwd, maxBuffer })
  const [tarball] = JSON.parse(stdout) as { filename: string }[]
  if (!tarball) throw new Error(`npm pack made no tarball of ${what.join(' ') || cwd}`)
  await execute('tar', ['-xzf', join(into, tarball.filename), '-C', into, '--strip-components=1'])
}

/** @param release such as 24, for the newest of it */
async function runtime(release: string, directory: string): Promise<Runtime> {
  const path = join(directory, 'node')
  await unpack([`node-${process.platform}-${process.arch}@${release}`], path, directory)
  const { stdout } = await execute(join(path, 'bin', 'node'), ['--version'])
  return { version: stdout.trim(), path }
}

/** A project that has the package, under one version of Node.js. */
interface Project {
  version: string
  /** Runs a command in it, with that Node.js. */
  run(command: string, ...args: string[]): ReturnType<typeof execute>
}

/** Fetches a version of Node.js, and installs the package for it. */
async function projectOf(release: string, directory: string): Promise<Project> {
  const { version, path } = await runtime(release, directory)
  const project = join(directory, 'project')
  await unpack([], project, packageFile('.'))
  copyFileSync(packageFile('package-lock.json'), join(project, 'package-lock.json'))
  const env = { ...process.env, PATH: `${join(path, 'bin')}:${process.env.PATH}` }
  const run = (command: string, ...args: string[]) => execute(command, args, { cwd: project, env, maxBuffer })
  await run('npm', 'ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund')
  return { version, run }
}

/** What the harness says of the bank, both under one version of Node.js. @throws when something fails, with what was printed */
async function tryIn({ run }: Project, directory: string): Promise<string> {
  const [bank, harness] = ['dist/bundled/bank-idp.js', 'dist/bundled/conformance.js']
  const data = join(directory, 'data')
  const started = run('node', bank, 'start', '--quiet', '--port', '0', '--data', data)
  const { pid } = started.child
  try {
    await Promise.race([run('node', bank, 'wait', '--data', data), started])
    const { stdout } = await run('node', harness, 'run', '--target', join(data, 'target.yaml'))
    return (
      String(stdout)
        .split('\n')
        .find((line) => line.includes(' pass')) ?? String(stdout)
    )
  } finally {
    if (pid !== undefined) process.kill(pid)
    await started
  }
}

const releases = process.argv.slice(2)
if (releases.length === 0) {
  console.error('name the versions of Node.js, such as: npm run runtimes -- 22 24')
  process.exit(2)
}

/** Where each is tried, in their order; all are got ready at once, which is mostly waiting. */
const attempts = releases.map((release) => {
  const directory = mkdtempSync(join(resolve(tmpdir()), `node-${release}-`))
  const ready = projectOf(release, directory)
  // Told when its turn comes.
  ready.catch(() => undefined)
  return { release, directory, ready }
})
for (const { release, directory, ready } of attempts) {
  try {
    const project = await ready
    console.log(`Node.js ${project.version}: ${await tryIn(project, directory)}`)
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string }
    console.error(`Node.js ${release}: ${message}\n${stdout}${stderr}`)
    process.exitCode = 1
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
