import { styleText } from 'node:util'
import { printable } from './output.js'

describe('what is written to a terminal', () => {
  test.each([
    ['a title', '\u001b]0;owned\u0007', '[U+001B]]0;owned[U+0007]'],
    ['the clipboard', '\u001b]52;c;AAAA\u001b\\', '[U+001B]]52;c;AAAA[U+001B]\\'],
    ['a cleared screen', '\u001b[2Jx', '[U+001B][2Jx'],
    ['hidden text', '\u001b[8mx', '[U+001B][8mx'],
    ['black text', '\u001b[30mx', '[U+001B][30mx'],
    ['a line written over', 'fail\rpass', 'fail[U+000D]pass'],
    ['a C1 command', '\u009b2J', '[U+009B]2J'],
    ['text turned round', '\u202eabc', '[U+202E]abc'],
  ])('shows %s instead of obeying it', (_, text, printed) => {
    expect(printable(text)).toBe(printed)
  })

  test.each([
    ['GitHub Actions', 'said\n\n \t::set-output name=x::y', 'said\n\n \t: :set-output name=x::y'],
    ['GitHub Actions behind a blank of another kind', '\u00a0::add-mask::x', '\u00a0: :add-mask::x'],
    ["GitHub's earlier form", 'said ##[add-path]/x', 'said # #[add-path]/x'],
    ['Azure Pipelines', 'said ##VSO[task.setvariable variable=x]y', 'said # #VSO[task.setvariable variable=x]y'],
    ['TeamCity', "##teamcity[testFailed name='x']", "# #teamcity[testFailed name='x']"],
  ])('gives no command to %s', (_, text, printed) => {
    expect(printable(text)).toBe(printed)
  })

  test('takes nothing apart that is no command', () => {
    const text = 'a::b ## c\n# #\nhttps://[::1]/x#y[0]\n### d'
    expect(printable(text)).toBe(text)
  })

  test('keeps lines, tabs, letters of all languages, and the colours of reports', () => {
    const text = `žluťoučký\tkůň\n${styleText(['green', 'bold'], 'pass', { validateStream: false })}`
    expect(printable(text)).toBe(text)
  })
})
