import { readFileSync } from 'node:fs'
import { examine } from './examine.js'
import type { Results } from './harness/results.js'
import { bankForTest } from './testing/banks.js'
import { html, json, type Route, type Routes, type TestAnswer } from './testing/https-server.js'

const [whole] = JSON.parse(readFileSync(new URL('../schemas/examples/discovery.accept.json', import.meta.url), 'utf8'))
const atExample = 'https://bank.example'

/** The discovery document of a whole bank, at the address at which it is asked for. */
const discovery: Route = ({ url }) => json(JSON.parse(JSON.stringify(whole).replaceAll(atExample, url.origin)))

const discoveryPath = '/.well-known/openid-configuration'

/** Every address that the endpoint table or the document names, which all answer so. */
function everywhere(answer: TestAnswer): Routes {
  const declared = Object.values(whole).flatMap((value) =>
    typeof value === 'string' && value.startsWith(`${atExample}/`) ? [value.slice(atExample.length)] : [],
  )
  const unnamed = ['/register', '/revoke', '/healthcheck', '/ros', '/authorize']
  const names = [...declared, ...unnamed].flatMap((path) => [`GET ${path}`, `POST ${path}`])
  return { ...Object.fromEntries(names.map((name) => [name, () => answer])), [`GET ${discoveryPath}`]: discovery }
}

/** What came of the whole plan at a bank that serves its discovery document alone. */
async function examined(answer: TestAnswer): Promise<Results & { of(...statuses: string[]): string[] }> {
  const bank = await bankForTest(() => everywhere(answer))
  // The TLS of the test's server is nobody's.
  const results = await examine({ skip: ['tls/*'], target: { ...bank.target, timeoutSeconds: 5 } })
  const of = (...statuses: string[]) =>
    results.results.flatMap(({ rule, status }) => (statuses.includes(status) ? [rule] : []))
  return { ...results, of }
}

/** The rules that say of an endpoint whether it serves, which others are blocked by. */
const roots = ['health/record', 'key-set/document', 'registration/create']

/** What they judge stands in the document; what they ask beside is only noted. */
const byDocument = ['discovery/scopes', 'general/https']

const busy = { error: 'temporarily_unavailable', error_description: 'The bank is busy.' }

describe('a bank that serves nothing but its discovery document', () => {
  test.each<[how: string, answer: TestAnswer, red: string[]]>([
    ['answers 503 in JSON', json(busy, 503), roots],
    ['answers 503 by a proxy', html('<h1>503 Service Unavailable</h1>', 503), roots],
    ['breaks every connection off', 'cut', roots],
    ['answers 404', json({}, 404), [...roots, 'discovery/endpoints-answer', 'general/paths']],
  ])('%s: is right in what it declares alone, and wrong in what blocks the rest', async (_how, answer, red) => {
    const { of, results, evidence } = await examined(answer)
    expect(of('fail', 'error').sort()).toEqual([...red].sort())
    const judgedBySilence = results.filter(
      ({ rule, status, evidence: seen }) =>
        status === 'pass' &&
        !byDocument.includes(rule) &&
        evidence.some(
          (item) => seen.includes(item.id) && item.kind === 'exchange' && !item.request.url.endsWith(discoveryPath),
        ),
    )
    expect(judgedBySilence.map(({ rule }) => rule)).toEqual([])
    expect(of('pass')).toContain('discovery/document')
  })
})
