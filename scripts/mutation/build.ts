import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, relative } from 'node:path'
import { packageFile } from '../../schemas/package-file.js'
import { instrument } from './instrument.js'
import { type Mutant, type SourceAt, sitesOf } from './mutants.js'
import { type Room, roomOf } from './rooms.js'

/** Where everything is kept that this tool makes; git ignores it. */
export const folder = packageFile('.mutation')

/** A mutant of the build. */
export interface Numbered extends Mutant {
  /** By which the switchboard knows it, in this build alone. */
  number: number
  room: Room
}

export interface Build {
  mutants: Numbered[]
  /** Where the instrumented programs are: a folder of this process alone. */
  programs: string
  /** Changes whenever the compiled bank, without its faults, or the compiled harness, without its rules, does. */
  key: string
}

/** Where the source of compiled code is, by its source map. */
function sourcesOf(path: string, source: string): SourceAt {
  const lines = source.split('\n')
  const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
  return (node) => {
    const entry = map.findEntry((node.loc?.start.line ?? 1) - 1, node.loc?.start.column ?? 0)
    const line = 'originalLine' in entry ? entry.originalLine : 0
    return { line: line + 1, text: lines[line]?.trim() ?? '' }
  }
}

function compiledFiles(): string[] {
  return readdirSync(packageFile('dist'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .map((path) => `dist/${path}`)
    .toSorted()
}

/** The source of a compiled file: TypeScript, or TypeScript with pages in it; undefined of what an earlier build left behind, which nothing imports. */
function sourceOf(compiled: string): string | undefined {
  const base = compiled.replace(/^dist\//, '').replace(/\.js$/, '')
  return [`${base}.ts`, `${base}.tsx`].find((path) => existsSync(packageFile(path)))
}

/** Copies the compiled programs, with every mutant of the bank put in behind its switch. */
export function buildInstrumented(): Build {
  const mutants: Numbered[] = []
  const hash = createHash('sha256')
  const programs = `${folder}/programs-${process.pid}`
  process.on('exit', () => rmSync(programs, { recursive: true, force: true }))
  cpSync(packageFile('dist'), `${programs}/dist`, { recursive: true, filter: (path) => !/\.(d\.ts|map)$/.test(path) })
  for (const compiled of compiledFiles()) {
    const path = packageFile(compiled)
    const code = readFileSync(path, 'utf8')
    if (!/^dist\/(scripts|bank-idp\/faults|conformance\/rules)\//.test(compiled)) hash.update(`${compiled}\n${code}`)
    if (!compiled.startsWith('dist/bank-idp/')) continue
    const file = sourceOf(compiled)
    const room = file && roomOf(file)
    if (!room) continue
    const sites = sitesOf(code, file, sourcesOf(path, readFileSync(packageFile(file), 'utf8')))
    const switchboard = relative(dirname(path), packageFile('dist/scripts/mutation/switchboard.js'))
    writeFileSync(`${programs}/${compiled}`, instrument(code, sites, switchboard, mutants.length))
    for (const mutant of sites.flatMap((site) => site.mutants))
      mutants.push({ ...mutant, number: mutants.length, room })
  }
  for (const { id } of mutants) hash.update(id)
  return { mutants, programs, key: hash.digest('hex').slice(0, 16) }
}
