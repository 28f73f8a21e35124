import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { packageFile } from '../../schemas/package-file.js'

/** What a command came to. */
export interface Ended {
  /** 0 where it succeeded. */
  code: number
  stdout: string
  stderr: string
}

/** A project outside this repository that has installed this package from its tarball, as somebody who uses it has. */
export interface PackedProject {
  path: string
  /** Writes a file into it, below its directory, and gives its path. */
  write(name: string, text: string): string
  /** Runs this Node.js in its directory, with a script of it or of its node_modules among the arguments. */
  run(...args: readonly string[]): Promise<Ended>
  /** Takes a project of docs/examples out of the package, into a directory of its name below this one, and runs `npm test` there. */
  test(example: string): Promise<Ended>
}

const execute = promisify(execFile)

/**
 * Makes a project for all the tests of a file, at whose top it stands; it is removed after them. The package comes from the tarball that
 * `npm pack` makes of what is compiled, so that a file which `files` leaves out is missing here too. Of its dependencies those alone are
 * there that its package.json declares as `dependencies` and `optionalDependencies`, as links to this repository's: nothing is fetched.
 *
 * @param having what the project itself depends on beside the package, by names that this repository has installed
 */
export async function packedProject(having: readonly string[] = []): Promise<PackedProject> {
  const path = mkdtempSync(join(tmpdir(), 'packed-project-'))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  const write = (name: string, text: string) => {
    const file = join(path, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }
  const { name, dependencies, optionalDependencies } = JSON.parse(
    readFileSync(packageFile('package.json'), 'utf8'),
  ) as { name: string; dependencies: Record<string, string>; optionalDependencies: Record<string, string> }
  write('package.json', JSON.stringify({ name: 'packed-project', private: true, type: 'module' }))
  const installed = join(path, 'node_modules', name)
  mkdirSync(installed, { recursive: true })
  await execute('tar', ['-xzf', await packed(path), '-C', installed, '--strip-components=1'])
  for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies }).concat(having)) {
    const link = join(path, 'node_modules', dependency)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(packageFile(join('node_modules', dependency)), link)
  }
  // Commands of npm test: those of the runners.
  symlinkSync(packageFile('node_modules/.bin'), join(path, 'node_modules/.bin'))
  const { FORCE_COLOR: _, ...env } = process.env
  const ended = (command: string, args: readonly string[], cwd: string): Promise<Ended> =>
    execute(command, args, { cwd, env: { ...env, NO_COLOR: '1' }, maxBuffer: 2 ** 26 }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: Partial<Ended> & Error) => {
        const { code, stdout = '', stderr = '' } = error
        if (typeof code !== 'number') throw error
        return { code, stdout, stderr }
      },
    )
  return {
    path,
    write,
    run: (...args) => ended(process.execPath, args, path),
    test: (example) => {
      const directory = join(path, example)
      cpSync(join(installed, 'docs/examples', example), directory, { recursive: true })
      return ended('npm', ['test'], directory)
    },
  }
}

/** Packs what is compiled already, and gives the tarball's path. */
async function packed(directory: string): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', directory]
  const { stdout } = await execute('npm', args, { cwd: packageFile('.'), maxBuffer: 2 ** 26 })
  const [tarball] = JSON.parse(stdout) as { filename: string }[]
  if (!tarball) throw new Error('npm pack made no tarball')
  return join(directory, tarball.filename)
}
