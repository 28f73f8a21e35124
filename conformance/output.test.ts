import { styleText } from 'node:util'
import { printable } from './output.js'

describe('what is written to a terminal', () => {
  test.each([
    ['a title', '\u001b]0;owned\u0007', '\u241b]0;owned\u2407'],
    ['the clipboard', '\u001b]52;c;AAAA\u001b\\', '\u241b]52;c;AAAA\u241b\\'],
    ['a cleared screen', '\u001b[2Jx', '\u241b[2Jx'],
    ['hidden text', '\u001b[8mx', '\u241b[8mx'],
    ['a line written over', 'fail\rpass', 'fail\u240dpass'],
    ['a C1 command', '\u009b2J', '\u{FFFD}2J'],
    ['text turned round', '\u202eabc', '\u{FFFD}abc'],
  ])('shows %s instead of obeying it', (_, text, printed) => {
    expect(printable(text)).toBe(printed)
  })

  test('keeps lines, tabs, letters of all languages, and the colours of reports', () => {
    const text = `žluťoučký\tkůň\n${styleText(['green', 'bold'], 'pass', { validateStream: false })}`
    expect(printable(text)).toBe(text)
  })
})
