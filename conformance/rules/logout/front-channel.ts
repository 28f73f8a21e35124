import { rule } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toHearLogout } from '../support/heard-tokens.js'

/** The addresses that a page loads in frames, or has a script load: those in its text that begin like this one. */
function loadedBy({ document }: HttpResponse, uri: string): URL[] {
  const frames = document('iframe[src], frame[src], img[src]')
    .map((_, frame) => document(frame).attr('src'))
    .get()
  const scripts =
    document('script')
      .text()
      .replaceAll('\\/', '/')
      .match(/https:[^"'`\s]+/g) ?? []
  return [...frames, ...scripts].filter((address) => address.startsWith(uri)).map((address) => new URL(address))
}

export const frontChannel = rule({
  id: 'logout/front-channel',
  requirement: 'LOGOUT-2',
  places: ['frontchannel_logout_uri', 'iss', 'sid', 'query'].map((member) => `member=${member}`),
  title:
    'Where declared, the page of a logout loads frontchannel_logout_uri of each client, with iss and sid if asked for',
  needs: [...toHearLogout, 'browsers'],
  async check({ bank, expect, inVariation, skip }) {
    if ((await bank.discovery()).value('frontchannel_logout_supported') !== true)
      return skip('the bank does not declare frontchannel_logout_supported (AMB-52)')
    const { clients, response, framed } = await bank.logout()
    const pages = [response, ...framed]
    for (const { what, clientMetadata, sid } of clients) {
      await inVariation(what, async () => {
        const [uri = '', query] = String(clientMetadata.frontchannel_logout_uri).split('?')
        const [frame] = pages.flatMap((page) => loadedBy(page, uri))
        expect(frame?.href.split('?')[0], 'what the page of the logout loads', response).toBe(uri)
        for (const [name, value] of new URLSearchParams(query))
          expect(frame?.searchParams.get(name), `${name} of the query of frontchannel_logout_uri`, response).toBe(value)
        expect(frame?.searchParams.get('iss'), 'iss of frontchannel_logout_uri', response).toBe(bank.issuer)
        const session = expect(frame?.searchParams.get('sid'), 'sid of frontchannel_logout_uri', response).toBeText()
        if (sid !== undefined) expect<unknown>(session, 'sid of frontchannel_logout_uri', response).toBe(sid)
      })
    }
  },
})
