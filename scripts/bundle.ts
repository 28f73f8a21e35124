import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build, type Plugin } from 'esbuild'
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

const { metafile } = await build({
  absWorkingDir: packageFile('.'),
  entryPoints: entries,
  outdir: folder,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: apart,
  plugins: [whenAskedFor],
  // oidc-provider names what it stores, and libraries their errors, after classes.
  keepNames: true,
  metafile: true,
  // CommonJS asks for Node's modules by require.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
})

/**
 * Names what has another name alone: esbuild has each function named wherever it comes about, and most of them, as closures of a request, have their
 * name by themselves.
 */
const named = {
  from: 'var __name = (target, value) =>',
  to: 'var __name = (target, value) => target.name === value ? target :',
}
const naming = Object.keys(metafile.outputs)
  .map((path) => packageFile(path))
  .filter((file) => readFileSync(file, 'utf8').includes(named.from))
if (naming.length !== 1) throw new Error('esbuild names functions in another way than it did')
for (const file of naming) writeFileSync(file, readFileSync(file, 'utf8').replace(named.from, named.to))

/** The folders of the packages that are part of the files. */
const packages = new Set(
  Object.values(metafile.outputs)
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
const made = Object.keys(metafile.outputs).map((path) => basename(path))
for (const file of readdirSync(folder)) {
  if (file !== 'LICENSES.txt' && !made.includes(file)) rmSync(join(folder, file))
}
