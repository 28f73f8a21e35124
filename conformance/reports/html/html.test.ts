import { load } from 'cheerio'
import { openEdition } from '../../../schemas/editions/index.js'
import { examine } from '../../examine.js'
import type { Results } from '../../harness/results.js'
import { bankForFile } from '../../testing/banks.js'
import { html, json } from '../../testing/https-server.js'
import { htmlReport } from './html.js'

const bank = await bankForFile(() => ({
  'POST /token': () =>
    json({ error: 'invalid_grant', error_description: '</script><script>alert(1)</script> no\u200b\u202ecode' }, 400),
  'GET /healthcheck': () => html('<script>alert(2)</script><p>Under repair</p>'),
}))
let results: Results

beforeAll(async () => {
  results = await examine({
    target: bank.target,
    only: ['token/code-exchange', 'userinfo/signed', 'REG-1', 'DISC-1', 'HEALTH-1'],
    skip: [],
  })
})

const report = (changes: Partial<Results> = {}) => load(htmlReport({ ...results, ...changes }))

describe('the report as HTML', () => {
  test('needs nothing but itself, and runs nothing that came from the bank', () => {
    const page = report()
    expect(page('[src], link, img, iframe').length).toBe(0)
    expect(page('[href]').filter((_, link) => !page(link).attr('href')?.startsWith('#')).length).toBe(0)
    expect(page('script').length).toBe(1)
    expect(page('meta[http-equiv=Content-Security-Policy]').attr('content')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; script-src 'sha256-[\w+/]{43}='; img-src data:$/,
    )
    expect(page('pre').text()).toContain('</script>')
  })

  test('marks what the bank wrote and nobody sees, or sees otherwise than it is', () => {
    const text = report()('body').text()
    expect(text).toContain('</script> no[U+200B][U+202E]code')
    expect(text).not.toMatch(/[\u200b\u202e]/)
  })

  test('tells the verdict, then the failures first, each as a card', () => {
    const page = report()
    expect(page('.verdict').text()).toBe('The bank breaks 2 rules about what it must do; 1 more could not be reached.')
    const cards = page('article').map((_, card) => `${page(card).attr('data-status')} ${page(card).attr('id')}`)
    expect(cards.get()).toEqual(['fail card-token/code-exchange', 'fail card-health/record'])
    expect(page('#card-token\\/code-exchange .others li').attr('id')).toBe('card-userinfo/signed')
    expect(page('details[open]').length).toBe(0)
    const labels = page('article')
      .last()
      .find('dt')
      .map((_, label) => page(label).text())
    expect(labels.get()).toEqual([
      'Also accepted',
      'Looked at',
      'Expected',
      'Actual',
      'Done',
      'Likely cause',
      'Run it again',
      'By hand',
    ])
  })

  test('tells errors of one reason once, on a card that each of the rules leads to', () => {
    const errors = results.results.map((result) => ({ ...result, status: 'error' as const, reason: 'one reason' }))
    const page = report({ results: errors })
    expect(page('article').length).toBe(1)
    expect(page('article h3').text()).toBe(`The same of ${errors.length - 1} more`)
    const anchors = page('article, article li[id]').map((_, element) => page(element).attr('id'))
    expect(anchors.get()).toEqual(errors.map(({ rule }) => `card-${rule}`))
  })

  test('names the edition of the specification', () => {
    const page = report()
    expect(page('header dt:contains("Edition of the specification")').next().text()).toBe('1.2')
  })

  test('has every rule, linked to its card, and the sections of the specification', () => {
    const page = report()
    const rows = page('ol.rules > li').map((_, row) => page(row).attr('data-status'))
    expect(rows.get()).toEqual(['pass', 'fail', 'pass', 'fail', 'blocked'])
    for (const link of page('ol.rules a').get()) {
      expect(
        page('article, article li').filter((_, card) => `#${page(card).attr('id')}` === page(link).attr('href')).length,
      ).toBe(1)
    }
    const section = page('th[scope=row]')
      .filter((_, cell) => page(cell).text() === 'Token response')
      .parent()
    expect(section.find('td.fail').text()).toBe('1')
  })

  test('has a map of the specification, each requirement leading to what came of it', () => {
    const page = report()
    const cells = page('.map .cell')
    expect(cells.length).toBe(openEdition().requirements.length)
    const cell = (id: string) => cells.filter((_, one) => page(one).text() === id)
    expect([cell('TOK-1').attr('class'), cell('TOK-1').attr('href')]).toEqual([
      'cell fail',
      '#card-token/code-exchange',
    ])
    expect(cell('DISC-1').attr('href')).toBe('#rule-discovery/document')
    expect(cell('TOK-2').attr('href')).toBeUndefined()
    const legend = page('.legend .cell')
    expect(legend.map((_, one) => page(one).text()).get()).toEqual(expect.arrayContaining(['fail', 'not examined']))
    const ids = new Set(
      page('[id]')
        .map((_, element) => page(element).attr('id'))
        .get(),
    )
    const leading = page('a')
      .map((_, link) => page(link).attr('href')?.slice(1))
      .get()
    expect(leading.filter((id) => !ids.has(id))).toEqual([])
  })

  test('draws what was sent, the answer marked that is judged', () => {
    const svg = report()('#card-token\\/code-exchange svg.sequence')
    expect(svg.find('.actor').text()).toBe('servicebrowserbank')
    expect(svg.find('.judged').text()).toBe('✗ POST /token → 400')
  })

  test('shows pages as text, and their source once', () => {
    const page = report()
    const link = page('#card-health\\/record .evidence a')
    expect(page('#card-health\\/record .evidence pre').text()).toContain('The page says:\nUnder repair')
    expect(page(`[id="${link.attr('href')?.slice(1)}"]`).text()).toBe('<script>alert(2)</script><p>Under repair</p>')
  })

  test('of a run that was ended early says so, and what is left', () => {
    const left = [{ clientId: 'c1', reason: 'status 500' }]
    const page = report({ partial: true, notRun: ['health/record'], registrationsLeft: left })
    expect(page('.partial').text()).toContain('1 rules have no result')
    expect(page('main').text()).toContain('registration c1 still exists: status 500')
    expect(report()('.partial').length).toBe(0)
  })
})
