import { load } from 'cheerio'
import { parsePage } from './page.js'

/** Text of about this many bytes. */
const much = (bytes: number, part: (i: number) => string) => {
  let text = ''
  for (let i = 0; text.length < bytes; i += 1) text += part(i)
  return text
}

const megabyte = 1024 * 1024

const never = new AbortController().signal

describe('a page of a bank', () => {
  test.each<[string, string]>([
    [
      'a document with everything',
      '<title>A</title><!-- b --><form><p>x<p>y<table><tr><td><input name=a></table></form>',
    ],
    ['no document', 'x'],
    ['nothing', ''],
    ['a drawing', '<svg viewBox="0 0 1 1"><path d="M0"/></svg>'],
    ['a template that a browser shows', '<p><template shadowrootmode=open><form id=a></form></template>'],
    [
      'what is nested wrongly',
      '<b><p>1</b>2<table><form><input name=x></table><noscript><button>a</button></noscript>',
    ],
  ])('is what a parser makes of it, %s', async (_, text) => {
    const page = await parsePage(text, never)
    const whole = load(text, { scriptingEnabled: false })
    expect(page.html()).toBe(whole.html())
    expect(page('form').serializeArray()).toEqual(whole('form').serializeArray())
    expect(page('[constructor]').length).toBe(0)
    expect(page('p + p, td > input, body > *').length).toBe(whole('p + p, td > input, body > *').length)
  })

  test('has nothing of what a template holds', async () => {
    const page = await parsePage('<template><form id=a><p>held</form></template><form id=b>', never)
    expect(page('form').attr('id')).toBe('b')
    expect(page('template').text()).toBe('')
  })

  test.each([
    ['is there', false, 1],
    ['is not there where scripts are run', true, 0],
  ])('has what is for who runs no scripts, which %s', async (_, scripting, count) => {
    const page = await parsePage('<noscript><meta http-equiv="refresh"></noscript><p>', never, scripting)
    expect(page('meta').length).toBe(count)
  })

  test.each<[string, string, RegExp]>([
    ['of elements in each other', much(megabyte, () => '<div>'), /^sent a page /],
    ['that multiplies as it is parsed', much(megabyte, (i) => `<p><b a=${i}>`), /^sent a page /],
    ['with a tag of 100,000 attributes', `<a ${much(megabyte / 2, (i) => `a${i} `)}>`, /^sent a page /],
    ['nested a little deeper than a browser nests', '<i>'.repeat(600), /^sent a page of more than 512 levels$/],
    [
      'whose parsing makes an element again and again',
      `<p><b a="${'x'.repeat(100_000)}"></p>${'<p>x'.repeat(100)}`,
      /^sent a page of more than 4194304 characters once it is parsed$/,
    ],
    ['of many elements', '<i></i>'.repeat(50_000), /^sent a page of more than 50000 nodes$/],
  ])('%s, is not waited for, nor is anything else held up', async (_, text, message) => {
    let longest = 0
    let before = performance.now()
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - before)
      before = performance.now()
    }, 10)
    await expect(parsePage(text, never)).rejects.toThrow(message)
    clearInterval(timer)
    // Half of what a page is parsed for: who parses it here is held up for as long, and a busy machine is late by itself.
    expect(longest).toBeLessThan(2_500)
    expect((await parsePage('<title>next</title>', never))('title').text()).toBe('next')
  })

  test('is waited for no longer than the run goes on, nor are those behind it', async () => {
    const slow = `<a ${much(megabyte / 2, (i) => `a${i} `)}>`
    const ending = new AbortController()
    const asked = [slow, slow, '<title>behind</title>'].map((text) => parsePage(text, ending.signal))
    const ends = Promise.allSettled(asked)
    const next = parsePage('<title>of another run</title>', never)
    ending.abort(new Error('the run is over'))
    const before = performance.now()
    const over = { status: 'rejected', reason: new Error('the run is over') }
    expect(await ends).toEqual([over, over, over])
    expect((await next)('title').text()).toBe('of another run')
    // A page as slow is given up after five seconds.
    expect(performance.now() - before).toBeLessThan(2_500)
    await expect(parsePage('late', ending.signal)).rejects.toThrow('the run is over')
  })
})
