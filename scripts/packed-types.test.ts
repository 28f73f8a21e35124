import { packedProject } from './testing/packed-project.js'

const runners = ['vitest', '@swc/core', '@swc/jest', '@types/jest']
const project = await packedProject(['typescript', ...runners])

/** The strictest that somebody may ask for: declarations of others are checked too, and no types are there but those imported. */
const compilerOptions = {
  target: 'es2023',
  lib: ['es2023'],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  types: [],
  noEmit: true,
}

test('a strict TypeScript project that has its dependencies alone compiles against the declarations', async () => {
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
  project.write(
    'consumer.ts',
    `import { type Bank, type BankOptions, createBank } from 'bank-idp-conformance'
import { openExamination, type Results } from 'bank-idp-conformance/conformance'

const options: BankOptions = { faults: ['token/scope-missing'], lifetimes: { AccessToken: 7200 } }
const bank: Bank = await createBank(options, ({ event }) => event.length)
bank.faults.off('token/scope-missing')
const on: string[] = bank.faults.list().map(({ fault }) => fault.id)
const texts: (string | undefined)[] = [await bank.listen(), bank.identity.authority.cert, bank.control?.token, ...on]
const keys: (string | undefined)[] = bank.identity.service.jwks.keys.map(({ kid }) => kid)
const people: string[] = bank.people.all().map(({ login }) => login)
const handler: (request: never, response: never) => void = bank.app
const client = await bank.registerClient({ redirectUris: ['https://app.example/cb'], clientName: 'Shop' })
const { tokens, claims } = await bank.login(client, 'jana', { scope: 'openid', pkce: false })
const minted: string = (await bank.mint(client.client_id, 'jana', { expiresIn: -60 })).access_token
const strings: string[] = [claims.sub, tokens.access_token, minted, client.certificate.cert]
const asked: number | undefined = bank.requests.last('POST /token')?.answer?.status
await bank.restore(await bank.snapshot())
await bank.trouble('POST /token', { status: 503, times: 2 })
// @ts-expect-error A client needs somewhere to go back to.
await bank.registerClient({})
// @ts-expect-error What the bank is made of is not shown.
bank.context
// @ts-expect-error An option is known by its type: none of these types is any.
await createBank({ port: 'any' })
const examination = await openExamination('target.yaml', { only: ['token/*'] })
const titles: string[] = examination.plan.rules.map(({ title }) => title)
const statuses = ({ results }: Results): string[] => results.map(({ status }) => status)
// @ts-expect-error What is examined is named by its type as well.
await openExamination('target.yaml', { only: 1 })
export { asked, handler, keys, people, statuses, strings, texts, titles }
`,
  )
  expect(await project.run('node_modules/typescript/bin/tsc')).toEqual({ code: 0, stdout: '', stderr: '' })
})

test.each([
  ['node-test-typescript', /^. pass 2$/m],
  ['node-test-require-typescript', /^. pass 1$/m],
  ['jest-typescript', /^Tests: +2 passed, 2 total$/m],
  ['jest-commonjs-typescript', /^Tests: +1 passed, 1 total$/m],
  ['vitest-typescript', /^ +Tests +2 passed \(2\)$/m],
])('the example %s compiles as strictly, and logs somebody in', async (example, passed) => {
  const { code, stdout, stderr } = await project.test(example)
  expect({ code, told: stdout + stderr }).toEqual({ code: 0, told: expect.stringMatching(passed) })
})

test('CommonJS requires the package, since nothing that the bank imports awaits at its top level', async () => {
  const script = project.write(
    'consumer.cjs',
    `const { createBank } = require('bank-idp-conformance')
createBank().then(async (bank) => {
  process.stdout.write(bank.issuer)
  await bank.close()
})`,
  )
  expect(await project.run(script)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^https:/) })
})
