import type { Response } from 'supertest'
import { bankForFile } from '../../testing/banks.js'
import { door } from '../../testing/control-door.js'
import type { Cookies } from '../../testing/pages.js'

const { bank, service, client } = await bankForFile({ control: true })

/** A browser that keeps its cookies and follows nothing by itself. */
function browser() {
  const cookies: Cookies = new Map()
  const headers = () => ({ cookie: [...cookies.values()].join('; '), accept: 'text/html', 'accept-language': 'cs' })
  const keep = (answer: Response) => {
    for (const one of [answer.get('set-cookie') ?? []].flat()) {
      const pair = String(one.split(';')[0])
      cookies.set(String(pair.split('=')[0]), pair)
    }
    return answer
  }
  const path = (address: unknown) => new URL(String(address), bank.issuer).pathname
  return {
    get: async (address: unknown) => keep(await service.http('get', path(address)).set(headers())),
    post: async (address: unknown, form: object) =>
      keep(await service.http('post', path(address)).set(headers()).type('form').send(form)),
    /** The address of the first page of an authorization request. */
    begin: async () => {
      const { client_id, redirect_uri } = client
      const query = { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 's', nonce: 'n' }
      return keep(await service.http('get', '/auth').query(query)).get('location')
    },
  }
}

async function advance(seconds: number): Promise<void> {
  const { status } = await door(bank, '/clock', { advance_seconds: seconds })
  expect(status).toBe(200)
}

test.each(['shown', 'sent'])(
  'AUTH-41: a page that is %s within 15 minutes goes on, later it is access_denied',
  async (how) => {
    const come = async (person: ReturnType<typeof browser>, page: unknown) =>
      how === 'shown' ? person.get(page) : person.post(page, { person: 'jana' })
    const [prompt, late] = [browser(), browser()]
    const [inTime, tooLate] = [await prompt.begin(), await late.begin()]
    await advance(14 * 60)
    const page = await come(prompt, inTime)
    expect(page.status === 200 || /^\/auth\//.test(new URL(String(page.get('location')), bank.issuer).pathname)).toBe(
      true,
    )
    await advance(2 * 60)
    const ended = await come(late, tooLate)
    const callback = new URL(String((await late.get(ended.get('location'))).get('location')))
    expect(callback.origin + callback.pathname).toBe(client.redirect_uri)
    expect(Object.fromEntries(callback.searchParams)).toMatchObject({
      error: 'access_denied',
      error_description: 'User did not finish the authentication',
      state: 's',
    })
  },
)

test('who comes back to an authorization that is over gets a page, in their language', async () => {
  const person = browser()
  const sent = await person.post(await person.begin(), { person: 'jana' })
  expect(sent.status).toBe(303)
  const resume = sent.get('location')
  await advance(2 * 3600)
  const otherBrowser = await browser().get(resume)
  for (const answer of [await person.get(resume), otherBrowser]) {
    expect([answer.status, answer.type]).toEqual([400, 'text/html'])
    expect(answer.text).toContain('<html lang="cs">')
    expect(answer.text).toContain('<h1>Přihlášení už není platné</h1>')
    expect(answer.get('content-security-policy')).toContain("default-src 'none'")
    expect(answer.get('cache-control')).toBe('no-store')
  }
})
