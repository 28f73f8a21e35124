import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { packageFile } from '../schemas/package-file.js'

/** An import that the linter has to refuse: [file, the module that it imports]. */
const forbidden: readonly (readonly [file: string, module: string])[] = [
  ['bank-idp/clock.ts', './store/database.js'],
  ['bank-idp/client.ts', './provider/provider.js'],
  ['bank-idp/context.ts', './provider/library.js'],
  ['bank-idp/compose-bank.ts', './faults/active.js'],
  ['bank-idp/app.ts', './control/router.js'],
  ['bank-idp/bank.ts', './faults/token.js'],
  ['bank-idp/running-bank.ts', './faults/token.js'],
  ['bank-idp/endpoints/health.ts', '../running-bank.js'],
  ['bank-idp/cli.ts', './endpoints/token.js'],
  ['bank-idp/commands/start.ts', '../compose-bank.js'],
  ['bank-idp/control/faults.ts', '../endpoints/token.js'],
  ['bank-idp/endpoints/token.ts', '../faults/token.js'],
  ['bank-idp/events/retry.ts', '../endpoints/token.js'],
  ['bank-idp/signing/documents.ts', '../control/router.js'],
  ['bank-idp/provider/tokens.ts', '../events/retry.js'],
  ['bank-idp/keys/jwk.ts', '../provider/tokens.js'],
  ['bank-idp/pages/page.ts', '../store/database.js'],
  ['bank-idp/pages/layout.ts', '../keys/jwk.js'],
  ['bank-idp/store/database.ts', '../keys/jwk.js'],
  ['bank-idp/faults/token.ts', '../context.js'],
  ['bank-idp/provider/grants.ts', '../testing/banks.js'],
  ['bank-idp/endpoints/ros.ts', '../../conformance/nearest.js'],
  ['conformance/nearest.ts', './target/target.js'],
  ['conformance/examination.ts', './commands/run.js'],
  ['conformance/target/target.ts', '../evidence/evidence.js'],
  ['conformance/evidence/evidence.ts', '../http/connection.js'],
  ['conformance/http/connection.ts', '../service/service.js'],
  ['conformance/service/service.ts', '../end-user/browser.js'],
  ['conformance/end-user/browser.ts', '../bank/bank.js'],
  ['conformance/bank/bank.ts', '../harness/rule.js'],
  ['conformance/harness/rule.ts', '../rules/index.js'],
  ['conformance/simulator/browser.ts', '../harness/rule.js'],
  ['conformance/rules/token/token.ts', '../../simulator/browser.js'],
  ['conformance/certification/certify.ts', '../doctor/doctor.js'],
  ['conformance/doctor/doctor.ts', '../reports/console.js'],
  ['conformance/reports/json.ts', '../rules/index.js'],
  ['conformance/init/look.ts', '../simulator/browser.js'],
  ['conformance/harness/runner.ts', '../testing/banks.js'],
  ['conformance/bank/token.ts', '../../bank-idp/errors.js'],
  ['schemas/schema.ts', '../bank-idp/errors.js'],
]

const allowed: typeof forbidden = [
  ['bank-idp/endpoints/revoke.ts', '../provider/tokens.js'],
  ['conformance/bank/revoke.ts', '../http/connection.js'],
]

const circle: typeof forbidden = [
  ['conformance/http/one.ts', './other.js'],
  ['conformance/http/other.ts', './one.js'],
]

interface Diagnostic {
  category: string
  location: { path: string }
}

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'arrows-'))
})

afterEach(() => rmSync(directory, { recursive: true }))

/** What the project's linter says of files that import types, and nothing else. @returns `FILE RULE` */
async function lint(imports: typeof forbidden): Promise<string[]> {
  for (const name of ['biome.json', '.gitignore']) copyFileSync(packageFile(name), join(directory, name))
  for (const [file, module] of imports) {
    mkdirSync(dirname(join(directory, file)), { recursive: true })
    writeFileSync(join(directory, file), `import type { A } from '${module}'\n\nexport type B = A\n`)
  }
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
  const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none']
  const report = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: directory }, (_error, stdout) => resolve(stdout))
  })
  const { diagnostics } = JSON.parse(report) as { diagnostics: Diagnostic[] }
  return diagnostics.map(({ category, location }) => `${location.path} ${category.split('/').at(-1)}`).sort()
}

test('the linter refuses every import that runs back, and no other', async () => {
  const expected = forbidden.map(([file]) => `${file} noRestrictedImports`).sort()
  expect(await lint([...forbidden, ...allowed])).toEqual(expected)
})

test('the linter refuses a circle of type imports', async () => {
  expect(await lint(circle)).toEqual(circle.map(([file]) => `${file} noImportCycles`))
})

/** The linter does not see these ways to import. */
test('no file imports a type by import(), and none requires but for the version of the library, the store that this Node can load and the thread that parses', () => {
  const files = ['bank-idp', 'conformance'].flatMap((folder) =>
    readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
      .map((file) => `${folder}/${file}`),
  )
  const texts = files.map((file) => ({ file, text: readFileSync(packageFile(file), 'utf8') }))
  expect(texts.filter(({ text }) => /\bcreateRequire\(/.test(text)).map(({ file }) => file)).toEqual([
    'bank-idp/provider/patches.ts',
    'bank-idp/store/sqlite.ts',
    'conformance/http/page.ts',
  ])
  const importType = /\btypeof import\(|\bimport\([^)]*\)\s*[.[]/
  expect(texts.filter(({ text }) => importType.test(text)).map(({ file }) => file)).toEqual([])
})
