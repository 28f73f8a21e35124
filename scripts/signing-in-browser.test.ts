import { bankForTest } from '../bank-idp/testing/banks.js'
import { documentObjects, requestClaims, sha512 } from '../bank-idp/testing/request-objects.js'
import { EvidenceLog } from '../conformance/evidence/evidence.js'
import { Masking } from '../conformance/evidence/masking.js'
import { type ServiceServer, startServer } from '../conformance/service/server.js'
import { targetOf } from './bundled-bank.js'
import { overflow, press, tabTo, telephone, typeInto, withPage } from './testing/chromium.js'

const text = (number: number) => `Smlouva o pronájmu kola, strana ${number}`

/** Ten documents that the service serves. */
function servedDocuments({ url, host }: ServiceServer) {
  const evidence = new EvidenceLog(new Masking()).recorder()
  const { documents, ...envelope } = documentObjects(10)
  const served = documents.map((document, i) => {
    const [path, body] = [`/documents/${i + 1}`, text(i + 1)]
    host(path, { contentType: 'text/plain; charset=utf-8', body, evidence })
    return { ...document, document_hash: sha512(body), document_uri: `${url}${path}` }
  })
  const envelope_hash = sha512(served.map(({ document_hash }) => document_hash).join(''))
  return { ...envelope, envelope_hash, documents: served }
}

test('ten documents are signed in Chromium with the keyboard, in Czech, on a telephone', async () => {
  const { bank, service } = await bankForTest()
  const { server: settings } = targetOf(bank)
  if (!settings) throw new Error('the bundled bank is given a server to fetch from')
  const server = await startServer(settings)
  try {
    const client = await service.client({ client_name: 'Kola s.r.o.', scope: 'openid authorization' })
    const structured_scope = { documentObjects: servedDocuments(server) }
    const claims = requestClaims(client, { structured_scope, ui_locales: 'cs' })
    const { body } = await service.registerRequestObject(claims)
    const { redirect_uri } = client
    await withPage({ viewport: telephone, locale: 'en-GB' }, async (page) => {
      await page.goto(
        `${bank.issuer}/authorize?${new URLSearchParams({ request_uri: body.request_uri, redirect_uri })}`,
      )
      expect(await page.getAttribute('html', 'lang')).toBe('cs')
      await typeInto(page, 'input[name=login]', 'jana')
      await typeInto(page, 'input[name=password]', 'jana-secret')
      await press(page, 'button[value=sign-in]')
      await press(page, 'button[value=confirm]')

      expect(await page.textContent('h1')).toContain('Kola s.r.o.')
      expect(await page.$$('ol.documents > li')).toHaveLength(10)
      expect(await overflow(page)).toBe(0)
      for (let number = 1; number <= 10; number += 1) {
        expect(await page.textContent(`ol.documents > li:nth-child(${number}) h3`)).toBe(`Smlouva ${number}`)
        await tabTo(page, `ol.documents > li:nth-child(${number}) a`)
      }
      const [document] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
      await document.waitForLoadState()
      expect(await document.textContent('body')).toBe(text(10))
      await document.close()
      await press(page, 'button[value=authorize]')

      const back = new URL(page.url())
      expect(back.origin + back.pathname).toBe(redirect_uri)
      const tokens = await service.redeemSigned(client, String(back.searchParams.get('code')))
      const [, payload = ''] = (await service.decrypt(tokens.body.id_token)).split('.')
      const authorized = JSON.parse(Buffer.from(payload, 'base64url').toString())
      expect(authorized.structured_scope).toEqual(structured_scope)
    })
  } finally {
    await server.close()
  }
})
