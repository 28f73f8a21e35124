import fc from 'fast-check'
import { load } from 'js-yaml'
import { parse, stringify } from 'yaml'
import { loadPeople } from '../fixtures/people.js'
import { loginPages, notExamined } from './target-file.js'
import { yamlText } from './yaml-text.js'

test('what the bank writes is what the library writes', () => {
  const people = loadPeople().map(({ login, password, kinds, claims }) => ({ login, password, kinds, claims }))
  const target = { edition: '1.2', concurrency: 16, people, login: { pages: loginPages }, not_examined: notExamined }
  expect(yamlText(target)).toBe(stringify(target))
})

/** Texts that something in YAML might take for something else. */
const oddTexts = [
  ...[
    '',
    ' ',
    '-',
    '?',
    ':',
    '~',
    'null',
    'Null',
    'TRUE',
    'no',
    '0o17',
    '0x1F',
    '+1',
    '1.',
    '.5',
    '1e3',
    '-.inf',
    '.NaN',
    '---',
    '...',
  ],
  ...[
    'a: b',
    'a:',
    'a #b',
    '#a',
    '- a',
    '? a',
    '-a',
    '[a',
    '{a}',
    '%a',
    '@a',
    '`a',
    '!a',
    '&a',
    '*a',
    '|',
    '>',
    "'",
    '"',
    `'"`,
    '\\"',
  ],
  ...[
    'a\nb',
    ' a',
    'a ',
    'a\t',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\u007f',
    '\ud800',
    '<<',
    '=',
    '2026-11-26',
    'a\rb',
    '{port}',
    '--- a',
  ],
  ...[
    `${'word '.repeat(40)}end`,
    `"${' quoted'.repeat(40)}`,
    `it's: ${'long '.repeat(40)}.`,
    'x'.repeat(200),
    `a  ${'b '.repeat(60)}c`,
  ],
]

const texts = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...oddTexts, 'word', ' ', '  '), { maxLength: 40 }).map((parts) => parts.join(' ')),
)

const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
    ),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(texts, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

test('each of two readers reads what was written', () => {
  fc.assert(
    fc.property(values, (value) => {
      const text = yamlText(value)
      expect(parse(text)).toEqual(value)
      // A key of the other's own that is merged, and none in YAML 1.2.
      if (!text.includes('<<')) expect(load(text)).toEqual(value)
    }),
    { numRuns: 500 },
  )
})

test('a member that is undefined is left out', () => {
  expect(yamlText({ one: 1, none: undefined, list: [[1, [2]], { a: [] }, {}] })).toBe(
    'one: 1\nlist:\n  - - 1\n    - - 2\n  - a: []\n  - {}\n',
  )
})
