import { load } from 'cheerio'
import { GoneOnFrom } from './gone-on-from.js'

const pageOf = (...scopes: string[]) =>
  load(`<form>${scopes.map((scope) => `<input type="checkbox" name="scope" value="${scope}">`).join('')}</form>`)

describe('a page that was gone on from', () => {
  test('is there again when it comes a second time, whatever it asks about', async () => {
    const pages = new GoneOnFrom()
    const seen = { name: 'consent', page: {} }
    expect(await pages.isThereAgain(seen, () => pageOf('a'))).toBe(false)
    expect(await pages.isThereAgain({ name: 'sign-in', page: {} }, () => pageOf())).toBe(false)
    expect(await pages.isThereAgain(seen, () => pageOf('b'))).toBe(true)
  })

  test('in parts is there again once it asks about nothing else', async () => {
    const pages = new GoneOnFrom()
    const seen = { name: 'consent', page: { parts: true as const } }
    expect(await pages.isThereAgain(seen, () => pageOf('a', 'b'))).toBe(false)
    expect(await pages.isThereAgain(seen, () => pageOf('c'))).toBe(false)
    expect(await pages.isThereAgain(seen, () => pageOf('b', 'd'))).toBe(false)
    expect(await pages.isThereAgain(seen, () => pageOf('a', 'd'))).toBe(true)
  })

  test('in parts is known by radio buttons and lists as well', async () => {
    const pages = new GoneOnFrom()
    const seen = { name: 'consent', page: { parts: true as const } }
    const radio = load('<input type="radio" name="a" value="yes"><input type="radio" name="a" value="no">')
    const list = load('<select name="b"><option>yes<option>no</select>')
    expect(await pages.isThereAgain(seen, () => radio)).toBe(false)
    expect(await pages.isThereAgain(seen, () => list)).toBe(false)
    expect(await pages.isThereAgain(seen, () => radio)).toBe(true)
  })
})
