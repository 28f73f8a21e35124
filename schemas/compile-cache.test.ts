import { execFile } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { packageFile } from './package-file.js'

const directory = mkdtempSync(join(tmpdir(), 'compiled-'))
afterAll(() => rmSync(directory, { recursive: true }))

const program = join(directory, 'program.cjs')
const says = (word: string) => `const say = (word) => console.log(word, typeof require, __filename)\nsay('${word}')\n`
const module = pathToFileURL(packageFile('dist/schemas/compile-cache.js')).href

/** Runs the program in a process of its own, which then is ready. @returns what it said */
async function run(cache: string, env: Record<string, string> = {}, flags: string[] = []): Promise<string> {
  const code = `import { runKept, tellReady } from '${module}'; runKept(process.argv[1]); tellReady()`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, '--input-type=module', '-e', code, program],
    {
      env: { PATH: process.env.PATH, XDG_CACHE_HOME: cache, ...env },
    },
  )
  return stdout
}

let number = 0
function newCache(): string {
  number += 1
  return join(directory, `cache-${number}`)
}

function keptIn(cache: string): string[] {
  const folder = join(cache, 'bank-idp-conformance')
  return readdirSync(folder).map((file) => join(folder, file))
}

/** A cache in which a first process kept its code. */
async function used(): Promise<{ cache: string; file: string }> {
  const cache = newCache()
  await run(cache)
  const [file = ''] = keptIn(cache)
  return { cache, file }
}

const said = (word: string) => `${word} function ${program}\n`

beforeEach(() => writeFileSync(program, says('one')))

test('what was compiled is kept for the next process, for its owner alone, and used as it is', async () => {
  const { cache, file } = await used()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { ino } = statSync(file)
  expect(await run(cache)).toBe(said('one'))
  expect(keptIn(cache)).toEqual([file])
  expect(statSync(file).ino).toBe(ino)
})

test.each<[what: string, spoil: (file: string) => void]>([
  ['was cut short', (file) => writeFileSync(file, readFileSync(file).subarray(0, 200))],
  ['is empty', (file) => writeFileSync(file, '')],
  [
    'has another bit',
    (file) => {
      const bytes = readFileSync(file)
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9)
      writeFileSync(file, bytes)
    },
  ],
  ['may be written by others', (file) => chmodSync(file, 0o602)],
  [
    'is a link to what was kept',
    (file) => {
      renameSync(file, `${directory}/elsewhere`)
      symlinkSync(`${directory}/elsewhere`, file)
    },
  ],
])('what was kept and %s is as none, and replaced', async (_what, spoil) => {
  const { cache, file } = await used()
  spoil(file)
  expect(await run(cache)).toBe(said('one'))
  const { ino, mode } = statSync(file)
  expect(mode & 0o777).toBe(0o600)
  expect(await run(cache)).toBe(said('one'))
  expect(statSync(file).ino).toBe(ino)
})

test('a program that changed is compiled anew, also where it is as long as before', async () => {
  const { cache, file } = await used()
  writeFileSync(program, says('two'))
  utimesSync(program, 1, 1)
  expect(await run(cache)).toBe(said('two'))
  expect(keptIn(cache)).toEqual([file])
  expect(await run(cache)).toBe(said('two'))
})

test('with other flags another is kept, and neither is in the way of the other', async () => {
  const { cache, file } = await used()
  expect(await run(cache, {}, ['--no-opt'])).toBe(said('one'))
  expect([keptIn(cache).length, keptIn(cache).includes(file)]).toEqual([2, true])
})

test('nothing is kept where nothing can be', async () => {
  const cache = newCache()
  writeFileSync(cache, 'a file')
  expect(await run(cache)).toBe(said('one'))
})

test('NODE_COMPILE_CACHE names another folder, NODE_DISABLE_COMPILE_CACHE has nothing kept', async () => {
  const [cache, other] = [newCache(), newCache()]
  mkdirSync(cache)
  expect(await run(cache, { NODE_DISABLE_COMPILE_CACHE: '1' })).toBe(said('one'))
  expect(await run(cache, { NODE_COMPILE_CACHE: other })).toBe(said('one'))
  expect(readdirSync(cache)).toEqual([])
  expect(readdirSync(other).filter((file) => file.startsWith('start-')).length).toBe(1)
})
