import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import { bankForFile } from '../testing/banks.js'
import { door } from '../testing/control-door.js'
import { serveHttps } from '../testing/https-server.js'
import { documentObject, documentObjects, sha512 } from '../testing/request-objects.js'
import { authorizing, sent, signingPages } from '../testing/signing-pages.js'

const { bank, service, client } = await bankForFile(
  { control: true },
  { scope: 'openid authorization profile.name profile.birthdate' },
)
const { requestUri, pageOf, authorize } = signingPages(service, client)

describe('a document', () => {
  const loa3 = { acr_values: 'loa3' }
  const confirm = { action: 'confirm' }

  /** The page on which a document is to be signed, and what the link on it leads to. */
  async function documentOf(changes: Record<string, unknown>, ui_locales = 'cs') {
    const document_uri = `${service.url}/contract`
    const content = JSON.stringify({ keys: await service.publishedKeys() })
    const document = { ...documentObject(), document_uri, document_hash: sha512(content), ...changes }
    const uri = await requestUri({ ...loa3, ui_locales, structured_scope: { documentObject: document } })
    const { cookies, page } = await pageOf(uri, { person: 'jana' }, confirm)
    const link = /href="([^"]+\/document\/1)"/.exec(page)?.[1] ?? ''
    const displayed = await service.http('get', link).set('cookie', sent(cookies))
    return { page, displayed, link, content, cookies }
  }

  /** What the link leads to where the client serves these bytes as this type. */
  async function servedAs(contentType: string, content: string | Buffer) {
    const bytes = Buffer.from(content)
    const server = await serveHttps(bank.identity.service.certificate, async (_req, res) => {
      if (contentType) res.setHeader('content-type', contentType)
      res.end(bytes)
    })
    try {
      const document = { document_uri: server.url, document_hash: createHash('sha512').update(bytes).digest('hex') }
      return { ...(await documentOf(document)), bytes }
    } finally {
      await server.close()
    }
  }

  test('is told of in the language of ui_locales, and shown from where the client serves it', async () => {
    const { page, displayed, content, link } = await documentOf({})
    expect(page).toContain('<html lang="cs">')
    expect(page).toMatch(/<h3>Smlouva 1<\/h3>.*Autor.*Kola s\.r\.o\..*Počet stran.*3.*Otisk \(SHA-512\)/s)
    expect([displayed.status, String(displayed.body)]).toEqual([200, content])
    expect(displayed.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect((await service.http('get', link)).status).toBe(400)
  })

  test('is fetched twice at a time from a server that takes its time, however often it is asked for', async () => {
    let [now, most, fetched] = [0, 0, 0]
    const content = 'x'.repeat(100_000)
    const server = await serveHttps(bank.identity.service.certificate, async (_req, res) => {
      now += 1
      fetched += 1
      most = Math.max(most, now)
      await new Promise((resolve) => setTimeout(resolve, 20))
      now -= 1
      res.end(content)
    })
    try {
      const { link, cookies } = await documentOf({ document_uri: server.url, document_hash: sha512(content) })
      const ask = () => service.http('get', link).set('cookie', sent(cookies))
      const answers = await Promise.all(Array.from({ length: 30 }, ask))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200))
      expect([most, fetched]).toEqual([2, 31])
    } finally {
      await server.close()
    }
  })

  test.each([
    ['text/plain', 'Pay 100\u202e to nobody\u200b\r\n\tand more', 'Pay 100[U+202E] to nobody[U+200B]\r\n\tand more'],
    ['Text/Plain; charset="windows-1250"', Buffer.from([0x9e, 0x6c, 0x75, 0x9d, 0xad]), 'žluť[U+00AD]'],
    ['text/plain; charset=utf-8', '\ufeffSmlouva', 'Smlouva'],
  ])('that is text shows what cannot be seen in it: %s', async (contentType, content, shown) => {
    const { displayed } = await servedAs(contentType, content)
    expect([displayed.status, displayed.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(displayed.text).toBe(shown)
  })

  test.each([
    ['application/pdf', 'application/pdf', '%PDF-1.7'],
    ['text/html', 'application/octet-stream', '<p>Hello'],
    ['text/plain; charset=martian', 'application/octet-stream', 'Hello'],
    ['text/plain', 'application/octet-stream', Buffer.from([0x9e, 0x6c])],
    ['', 'application/octet-stream', 'Hello'],
  ])('that is served as "%s" is offered as %s', async (contentType, offered, content) => {
    const { displayed, bytes } = await servedAs(contentType, content)
    expect([displayed.status, displayed.get('content-type')]).toEqual([200, offered])
    expect(displayed.body).toEqual(bytes)
  })

  test('that is not the one whose hash is to be signed is not shown', async () => {
    const { displayed } = await documentOf({ document_hash: sha512('another') }, 'en')
    expect(displayed.status).toBe(404)
    expect(displayed.text).toContain('This document cannot be shown')
  })

  test('that is looked at neither takes the outcome that is set for the login nor ends it', async () => {
    const { link, cookies, content } = await documentOf({})
    await door(bank, '/outcomes', { client: client.client_id, outcome: 'not-eligible' })
    const browser = () => ({ cookie: [...cookies.values()].join('; ') })
    const displayed = await service.http('get', link).set(browser())
    expect([displayed.status, String(displayed.body)]).toEqual([200, content])
    expect((await door(bank, '/outcomes')).body).toEqual([{ client: client.client_id, outcome: 'not-eligible' }])
    const page = link.replace(/\/document\/1$/, '')
    const callback = await service.follow(await service.http('get', page).set(browser()), client.redirect_uri, [], {
      cookies,
    })
    expect(callback).toMatchObject({ error: 'eid_doesnt_exist', error_description: 'User not eligible' })
    expect((await door(bank, '/outcomes')).body).toEqual([])
  })

  test.each([
    ['zdenek', 'User authentication method insufficient'],
    ['vojtech', 'Insufficient user data or age restriction'],
    ['adela', 'Insufficient user data or age restriction'],
    ['bohumil', 'Insufficient user data or age restriction'],
    ['ondrej', 'Insufficient user data or age restriction'],
  ])('is not signed by %s: user_not_eligible', async (person, error_description) => {
    const uri = await requestUri({ ...loa3, structured_scope: { documentObject: documentObject() } })
    const callback = await authorize(uri, { person }, confirm, authorizing)
    expect(callback).toMatchObject({ error: 'user_not_eligible', error_description, state: 'S-1' })
  })

  test('is signed at loa3, also where loa2 is asked for first', async () => {
    const structured_scope = { documentObject: documentObject() }
    const uri = await requestUri({ acr_values: 'loa2 loa3', structured_scope })
    const { code } = await authorize(uri, { person: 'jana' }, confirm, authorizing)
    const { body } = await service.redeemSigned(client, String(code))
    expect(decodeJwt(await service.decrypt(body.id_token)).acr).toBe('loa3')
  })

  test('brings six scopes along that nobody was asked about', async () => {
    const uri = await requestUri({ ...loa3, structured_scope: { documentObjects: documentObjects(10) } })
    const { code } = await authorize(uri, { person: 'jana' }, confirm, authorizing)
    const { body } = await service.redeemSigned(client, String(code))
    expect(body.scope.split(' ').sort()).toEqual([
      'authorization',
      'openid',
      'profile.addresses',
      'profile.birthdate',
      'profile.email',
      'profile.legalstatus',
      'profile.name',
      'profile.titles',
    ])
  })
})
