import { parse } from 'yaml'
import { loadPeople } from '../fixtures/people.js'
import { loginPages, notExamined } from './target-file.js'
import { yamlText } from './yaml-text.js'

test('who reads YAML otherwise reads what the bank writes, texts that look like something else too', () => {
  const people = loadPeople().map(({ login, password, kinds, claims }) => ({ login, password, kinds, claims }))
  const odd = ['', '~', 'null', 'TRUE', 'no', '0o17', '1e3', '2026-11-26', 'a: b', '- a', 'a\nb', ' a', '{port}', '"']
  const written = { edition: '1.2', concurrency: 16, people, login: { pages: loginPages }, notExamined, odd }
  expect(parse(yamlText(written))).toEqual(written)
})

test('a member that is undefined is left out', () => {
  expect(yamlText({ one: 1, none: undefined, list: ['1', {}] })).toBe('one: 1\nlist:\n  - "1"\n  - {}\n')
})
