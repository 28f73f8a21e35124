import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { load } from 'js-yaml'
import { packageFile } from '../schemas/package-file.js'

/**
 * Puts each command and each export of the package into few files, beside the compiled modules that they are made of: to find, open and link
 * hundreds of modules costs a start more than all else. `npm run build` runs it.
 */
const folder = packageFile('dist/bundled')

/** What the files are called, and which modules they are made of. */
const entries = {
  'bank-idp': 'dist/bank-idp/main.js',
  conformance: 'dist/conformance/main.js',
  bank: 'dist/bank-idp/bank.js',
  examine: 'dist/conformance/index.js',
}

/** Packages that find files of their own beside themselves, and one of CommonJS that few starts need, whose names Node.js alone finds. */
const apart = [
  'better-sqlite3',
  'better-sqlite3-12',
  'playwright-core',
  'pg-native',
  'reflect-metadata',
  '@peculiar/x509',
]

/** What few starts need is put together when it is first asked for: esbuild does so with what is required. */
const whenAskedFor: Plugin = {
  name: 'when asked for',
  setup({ onLoad }) {
    onLoad({ filter: /bank-idp\/faults\/all-faults\.js$/ }, () => ({
      contents: "export const allFaults = () => require('./index.js').faults",
    }))
  },
}

/** The YAML of the editions as JSON: to read the readings alone takes a start 15 ms. */
const editionsAsJson: Plugin = {
  name: 'editions as JSON',
  setup({ onLoad }) {
    onLoad({ filter: /schemas\/editions\/edition-file\.js$/ }, () => {
      const paths = readdirSync(packageFile('schemas/editions'), { recursive: true, encoding: 'utf8' })
      const texts = paths
        .filter((path) => /^[^/]+\/[^/]+\.yaml$/.test(path))
        .map((path) => [path, JSON.stringify(load(readFileSync(packageFile(`schemas/editions/${path}`), 'utf8')))])
      return {
        contents: `const texts = ${JSON.stringify(Object.fromEntries(texts))}; export const editionFile = (path) => JSON.parse(texts[path])`,
      }
    })
  },
}

/** To tell where something deprecated is used, libraries ask at their start in which line they stand: that counts the lines of a whole bundle. */
const noDeprecations: Plugin = {
  name: 'no deprecations',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules\/depd\/index\.js$/ }, () => ({
      contents: 'module.exports = () => Object.assign(() => {}, { function: (known) => known, property() {} })',
    }))
  },
}

const common = {
  absWorkingDir: packageFile('.'),
  outdir: folder,
  bundle: true,
  platform: 'node',
  target: 'node20',
  external: apart,
  plugins: [whenAskedFor, editionsAsJson, noDeprecations],
  // One byte for each character, of which what is kept of a file relies on it.
  charset: 'ascii',
  // oidc-provider names what it stores, and libraries their errors, after classes.
  keepNames: true,
  metafile: true,
} satisfies BuildOptions

/** The command in one file, of CommonJS: V8's code of it can be kept from one start to the next (`schemas/compile-cache.ts`). */
const inOneFile = await build({
  ...common,
  entryPoints: { start: 'dist/bank-idp/cli.js' },
  // What is kept is known by the name.
  entryNames: '[name]-[hash]',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  // V8's code that was kept does not know whose import it is.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'ownAddress' },
  banner: { js: "const ownAddress = require('node:url').pathToFileURL(__filename).href;" },
})
const [commandInOneFile = ''] = Object.keys(inOneFile.metafile.outputs).map((path) => basename(path))

const inParts = await build({
  ...common,
  entryPoints: entries,
  splitting: true,
  format: 'esm',
  define: { commandInOneFile: JSON.stringify(commandInOneFile) },
  // CommonJS asks for Node's modules by require.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
})

const outputs = { ...inOneFile.metafile.outputs, ...inParts.metafile.outputs }

/**
 * Names what has another name alone: esbuild has each function named wherever it comes about, and most of them, as closures of a request, have their
 * name by themselves.
 */
const namesEach = /var __name = \((\w+), (\w+)\) =>/
const naming = Object.keys(outputs)
  .map((path) => packageFile(path))
  .filter((file) => namesEach.test(readFileSync(file, 'utf8')))
// One of each build.
if (naming.length !== 2) throw new Error('esbuild names functions in another way than it did')
for (const file of naming)
  writeFileSync(file, readFileSync(file, 'utf8').replace(namesEach, 'var __name = ($1, $2) => $1.name === $2 ? $1 :'))

/** The folders of the packages that are part of the files. */
const packages = new Set(
  Object.values(outputs)
    .flatMap(({ inputs }) => Object.keys(inputs))
    .flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
)

/** Their licences, which allow that as long as they go along. */
const licences = [...packages].toSorted().map((path) => {
  const { name, version, license } = JSON.parse(readFileSync(packageFile(join(path, 'package.json')), 'utf8')) as {
    name: string
    version: string
    license: string
  }
  const texts = readdirSync(packageFile(path))
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(packageFile(join(path, file)), 'utf8').trim())
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
})
writeFileSync(join(folder, 'LICENSES.txt'), `${licences.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)

// What an earlier build left goes last: a bank may be starting from the others just now.
const made = Object.keys(outputs).map((path) => basename(path))
for (const file of readdirSync(folder)) {
  if (file !== 'LICENSES.txt' && !made.includes(file)) rmSync(join(folder, file))
}
