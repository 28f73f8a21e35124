import { examine } from '../examine.js'
import type { Results } from '../harness/results.js'
import { printable, visible } from '../output.js'
import { outcomePage } from '../simulator/pages.js'
import { bankForFile } from '../testing/banks.js'
import { json } from '../testing/https-server.js'
import { consoleReport } from './console.js'
import { githubAnnotations, githubSummary } from './github.js'
import { htmlReport } from './html/html.js'
import { jsonReport } from './json.js'
import { junitReport } from './junit.js'
import { sarifReport } from './sarif.js'

/** What nobody sees, or sees otherwise than it is. */
const hidden: [name: string, character: string][] = [
  ['a zero width space', '\u200b'],
  ['a soft hyphen', '\u00ad'],
  ['a word joiner', '\u2060'],
  ['a byte order mark', '\ufeff'],
  ['a filler', '\u3164'],
  ['a tag', '\u{e0041}'],
  ['a variation selector', '\ufe0f'],
  ['a further variation selector', '\u{e0100}'],
  ['text turned round', '\u202e'],
  ['an isolate', '\u2066'],
  ['a mark of direction', '\u061c'],
  ['a control', '\u0007'],
  ['the beginning of a command', '\u001b'],
  ['a C1 command', '\u009b'],
  ['a separator of lines', '\u2028'],
  ['a blank of Braille', '\u2800'],
]
const all = hidden.map(([, character]) => character).join('')
const mark = (character: string) => `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`

const bank = await bankForFile(() => ({
  'POST /token': () => json({ error: 'invalid_grant', error_description: `no${all}code` }, 400),
}))
let results: Results

beforeAll(async () => {
  const seen = await examine({ target: bank.target, only: ['token/code-exchange'] })
  const told = ({ reason, ...result }: Results['results'][number]) => ({ ...result, reason: `${reason}: ${all}` })
  results = { ...seen, results: seen.results.map(told) }
})

/** By what they write, text that a bank wrote and nobody changed. */
const writers: Record<string, () => string> = {
  'the terminal': () => printable(consoleReport({ styled: false, verbose: true }).summary(results)),
  'the report as HTML': () => htmlReport(results),
  'JUnit XML': () => junitReport(results),
  SARIF: () => sarifReport(results),
  'the summary of a job at GitHub': () => githubSummary(results),
  'annotations at GitHub': () => githubAnnotations(results).map(visible).join('\n'),
  'annotations, before anything is made of them': () => githubAnnotations(results).join('\n'),
  'the pages of the service': () => outcomePage(`Jana${all}`, `no${all}`, { name: `Jana${all}` }, results.evidence),
}

describe.each(Object.entries(writers))('%s', (_writer, write) => {
  test.each(hidden)('shows %s by its number', (_name, character) => {
    const text = write()
    expect(text.includes(character)).toBe(false)
    // Markdown has brackets of its own.
    expect(text.replaceAll('\\[', '[').replaceAll('\\]', ']')).toContain(mark(character))
  })
})

test('what machines read is as the bank wrote it', () => {
  const { results: told, bodies } = JSON.parse(jsonReport(results, { whole: true }))
  expect(told[0].reason).toContain(all)
  expect(Object.values(bodies)).toContain(JSON.stringify({ error: 'invalid_grant', error_description: `no${all}code` }))
})
