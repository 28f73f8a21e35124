import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageFile } from '../../schemas/package-file.js'
import { bankForFile, bankForTest } from '../testing/banks.js'

const { bank, service } = await bankForFile()

test('GET / says what the bank is and how to begin: a page for a browser', async () => {
  const { status, type, headers, text } = await service
    .http('get', '/')
    .set('accept', 'text/html,application/xhtml+xml,*/*;q=0.8')
  expect([status, type, headers.vary, headers['cache-control']]).toEqual([
    200,
    'text/html',
    'Accept, Accept-Language',
    'no-store',
  ])
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(text).toContain('<title>A bank to test with · Reference Bank</title>')
  expect(text).toContain('<code>jana / jana-secret</code>')
  expect(text).toContain(`<a href="${bank.issuer}/healthcheck">`)
  expect(text).toContain(`<pre>curl --insecure ${bank.issuer}/.well-known/openid-configuration</pre>`)
})

describe('in Czech', () => {
  const czech: [string, string, string][] = [
    ['Accept-Language', '', 'cs-CZ,cs;q=0.9,en;q=0.8'],
    ['ui_locales', '?ui_locales=cs', 'en'],
  ]
  test.each(czech)('GET / speaks Czech throughout by %s', async (_name, query, accepted) => {
    const { text } = await service.http('get', `/${query}`).set({ accept: 'text/html', 'accept-language': accepted })
    expect(text).toContain('<html lang="cs">')
    expect(text).toContain('<h1>Banka pro testování</h1>')
    // What is English has to say so; nobody's reason is.
    expect(text).not.toContain('lang="en"')
    expect(text).toContain('<small lang="cs">Má vyplněné vše, co živý člověk mít může.</small>')
    const english = /\b(the|this|who|can|there|begin|keys|sign-in)\b/i
    const words = text.replace(/<style>.*<\/style>/s, '').replace(/<(code|pre)>.*?<\/\1>/gs, '')
    expect(words.replaceAll(/<[^>]*>/g, ' ')).not.toMatch(english)
  })

  test.each([
    ['/documentation', 'Pro vývojáře'],
    ['/policy', 'Nakládání s údaji'],
    ['/terms', 'Podmínky služby'],
  ])('%s has the language that the browser prefers', async (path, title) => {
    const asked = service.http('get', path)
    const { text, headers } = await asked.set('accept-language', 'cs')
    expect(text).toContain('<html lang="cs">')
    expect(text).toContain(`<h1>${title}</h1>`)
    expect(headers.vary).toBe('Accept-Language')
    const english = await service.http('get', path)
    expect(english.text).toContain('<html lang="en">')
  })

  test('JSON is for programs, and English', async () => {
    const { body } = await service.http('get', '/').set({ accept: 'application/json', 'accept-language': 'cs' })
    expect(body.begin[0].what).toBe('See what the bank declares:')
    expect(body.people[0].reason).toEqual(expect.stringMatching(/^[A-Z][a-z ]+/))
  })
})

test.each([undefined, '*/*', 'application/json', 'text/plain'])('and JSON for Accept: %s', async (accept) => {
  const asked = service.http('get', '/')
  const { status, type, body } = await (accept === undefined ? asked : asked.set('accept', accept))
  expect([status, type]).toEqual([200, 'application/json'])
  expect(body).toMatchObject({
    issuer: bank.issuer,
    edition: '1.2',
    links: { discovery: `${bank.issuer}/.well-known/openid-configuration`, health: `${bank.issuer}/healthcheck` },
    further: 0,
  })
  expect(body.people).toContainEqual(expect.objectContaining({ login: 'jana', password: 'jana-secret' }))
})

test.each(['//', '/index.html', '/%20'])('nothing else is served in its place: %s', async (path) => {
  expect((await service.http('get', path)).status).toBe(404)
})

test('the password of somebody who was made at this bank is not told', async () => {
  await bank.createPerson({ login: 'made', like: 'jana', password: 'of-the-made' })
  const { body, text } = await service.http('get', '/')
  expect(body.people).toContainEqual(expect.objectContaining({ login: 'made' }))
  expect(text).not.toContain('of-the-made')
})

test('nor that of somebody who was made in the place of one of the bundled people', async () => {
  await bank.deletePerson('karel')
  await bank.createPerson({ login: 'karel', like: 'jana', password: 'of-another-karel' })
  const { body, text } = await service.http('get', '/')
  expect(body.people).toContainEqual(expect.objectContaining({ login: 'karel' }))
  expect(text).not.toContain('of-another-karel')
})

test('where people of somebody’s own can log in no passwords are told, and the authority is named where it is kept', async () => {
  const data = mkdtempSync(join(tmpdir(), 'landing-'))
  const people = mkdtempSync(join(tmpdir(), 'people-'))
  const petr = JSON.parse(readFileSync(packageFile('fixtures/people/petr.json'), 'utf8'))
  const own = { ...petr, id: '00000000-0000-4000-8000-000000000001', login: 'own', password: 'nobody-elses-affair' }
  writeFileSync(join(people, 'own.json'), JSON.stringify(own))
  const { service: other, close } = await bankForTest({ data, people })
  const { body, text } = await other.http('get', '/')
  expect(body.begin[0].line).toContain(`--cacert ${join(data, 'ca.pem')} `)
  expect(body.people).toContainEqual(expect.objectContaining({ login: 'own' }))
  expect([text.includes('nobody-elses-affair'), text.includes('jana-secret')]).toEqual([false, false])
  await close()
  rmSync(data, { recursive: true })
  rmSync(people, { recursive: true })
})
