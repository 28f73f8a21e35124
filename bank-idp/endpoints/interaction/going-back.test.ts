import { bankForFile } from '../../testing/banks.js'
import type { Cookies, Form } from '../../testing/pages.js'
import { requestClaims } from '../../testing/request-objects.js'

const scope = 'openid profile.name'
const { service, client } = await bankForFile({}, { scope: `${scope} authorization`, client_name: 'Shop' })

/** What somebody sees who goes back to each page that these forms answered. */
async function pagesAgain(first: string, query: Record<string, string>, forms: Form[]): Promise<[number, string][]> {
  const cookies: Cookies = new Map()
  const passed: string[] = []
  const answer = await service.http('get', first).query({ redirect_uri: client.redirect_uri, ...query })
  await service.walk(answer, forms, {
    cookies,
    seen: ({ text }) => passed.push(String(/action="([^"]+)"/.exec(text)?.[1])),
    until: (location) => location.startsWith(client.redirect_uri),
  })
  const cookie = [...cookies.values()].join('; ')
  return Promise.all(
    passed.map(async (path) => {
      const { status, text } = await service.http('get', path).set({ cookie, 'accept-language': 'cs' })
      return [status, String(/<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1])] as [number, string]
    }),
  )
}

const request = { client_id: client.client_id, response_type: 'code', scope, state: 's', nonce: 'n', prompt: 'consent' }

const ways: [acr: string, forms: Form[], headings: string[]][] = [
  [
    'loa3',
    [{ person: 'jana' }, { action: 'confirm' }, { action: 'approve', scope: scope.split(' ') }],
    ['Zde už jste se přihlásili', 'Zde už jste přihlášení potvrdili', 'Zde už jste udělili souhlas'],
  ],
  ['loa2', [{ person: 'jana' }, { action: 'refuse' }], ['Zde už jste se přihlásili', 'Přihlášení zde skončilo']],
  ['loa2', [{ action: 'decline' }], ['Přihlášení zde skončilo']],
  ['loa2', [{ person: 'radek' }], ['Přihlášení zde skončilo']],
]

test.each(ways)('who goes back is told what happened there: %s %j', async (acr_values, forms, headings) => {
  const pages = await pagesAgain('/auth', { ...request, acr_values }, forms)
  expect(pages).toEqual(headings.map((heading) => [400, heading]))
})

test('who goes back from the choice of an account is told so', async () => {
  const martin: Form[] = [{ person: 'martin' }, { account: 'x' }]
  const [, first] = await pagesAgain('/auth', request, martin)
  // Nothing was chosen: the page waits.
  expect(first).toEqual([200, 'Pod kterým účtem chcete pokračovat do aplikace Shop?'])
})

test('who goes back to what they authorized is told so', async () => {
  const { body } = await service.registerRequestObject(requestClaims(client, { acr_values: 'loa2' }))
  const pages = await pagesAgain('/authorize', { request_uri: body.request_uri }, [
    { person: 'jana' },
    { action: 'authorize' },
  ])
  expect(pages).toEqual([
    [400, 'Zde už jste se přihlásili'],
    [400, 'Toto už jste autorizovali'],
  ])
})

test('a page that nobody answered tells nothing', async () => {
  const { status, text } = await service.http('get', '/interaction/unknown')
  expect([status, text.includes('<h1>This sign-in is over</h1>')]).toEqual([400, true])
})
