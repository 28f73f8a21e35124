import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { openApi } from '../bank-idp/control/open-api.js'
import { operations } from '../bank-idp/control/operations/index.js'
import { packageFile } from '../schemas/package-file.js'

/** A call of the control API as an example writes it. */
type Call = [path: string, body: unknown]

const text = (name: string) => readFileSync(packageFile(`docs/examples/${name}`), 'utf8')

/** The named arguments of a call in Python, as JSON. */
function membersOf(named: string): object {
  return Object.fromEntries(
    [...named.matchAll(/(\w+)=("[^"]*"|-?\d+)/g)].map(([, name, value = '']) => [name, JSON.parse(value)]),
  )
}

const examples: [name: string, calls: Call[]][] = [
  [
    'test_login.py',
    [...text('test_login.py').matchAll(/ask\("(\/[^"]*)"([^)]*)\)/g)].map(([, path = '', named = '']) => [
      path,
      membersOf(named),
    ]),
  ],
  [
    'LoginTest.java',
    [...text('LoginTest.java').matchAll(/ask\("(\/[^"]*)", "((?:[^"\\]|\\.)*)"\)/g)].map(([, path = '', json = '']) => [
      path,
      JSON.parse(json.replaceAll('\\"', '"')),
    ]),
  ],
]

const page = readFileSync(packageFile('docs/in-tests.md'), 'utf8')

/** The five lines of the page in a language. */
function linesIn(language: string): string {
  const [, lines = ''] = new RegExp(`\`\`\`${language}\\n([^\`]+)\`\`\``).exec(page) ?? []
  return lines
}

const five: [language: string, body: string][] = [
  ['python', /dumps\((\{.*\})\)/.exec(linesIn('python'))?.[1] ?? ''],
  ['java', (/ofString\("((?:[^"\\]|\\.)+)"\)/.exec(linesIn('java'))?.[1] ?? '').replaceAll('\\"', '"')],
]

interface Described {
  paths: Record<string, { post?: { requestBody: { content: { 'application/json': { schema: object } } } } } | undefined>
}

const { paths } = openApi(operations, 'http://127.0.0.1:9000/v1') as Described

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajvFormats.default(ajv)

// They were run by hand, with pytest and JUnit 5; what they ask is what the control API takes.
describe.each(examples)('the example %s', (_name, calls) => {
  test('asks the control API for something', () => expect(calls.length).toBeGreaterThan(2))

  test.each(calls)('asks %s as it is described: %j', (path, body) => {
    const schema = paths[path]?.post?.requestBody.content['application/json'].schema
    expect(schema).toBeDefined()
    const check = ajv.compile(schema ?? false)
    expect(check(body) ? [] : check.errors).toEqual([])
  })
})

test.each(five)('the five lines in %s ask for a login as it is described', (language, body) => {
  const [, path = ''] = /http:\/\/127\.0\.0\.1:9000\/v1(\/\w+)/.exec(linesIn(language)) ?? []
  const schema = paths[path]?.post?.requestBody.content['application/json'].schema
  const check = ajv.compile(schema ?? false)
  expect(check(JSON.parse(body)) ? [] : check.errors).toEqual([])
  expect(linesIn(language).trim().split('\n')).toHaveLength(5)
})
