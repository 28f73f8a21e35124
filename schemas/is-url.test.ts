import { isUrl } from './is-url.js'

test.each([
  ['https://bank.example/path', undefined],
  ['https://bank.example/dvůr/é', undefined],
  ['/é', 'https://bank.example'],
])('%s is a URL', (text, base) => expect(isUrl(text, base)).toBe(true))

test.each([
  ['', undefined],
  ['/é', undefined],
  ['https://', undefined],
  ['https://[', 'https://bank.example'],
])('%j is none', (text, base) => expect(isUrl(text, base)).toBe(false))
