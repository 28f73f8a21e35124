import { deviceGrant } from '../capabilities.js'
import { bankForFile } from '../testing/banks.js'
import { door } from '../testing/control-door.js'
import type { Cookies, Form } from '../testing/pages.js'
import { sha512, signObject } from '../testing/request-objects.js'
import { authorizing, signingPages } from '../testing/signing-pages.js'

const hidden = [
  '\u200b',
  '\u200e',
  '\u200f',
  '\u061c',
  '\u202e',
  '\u2066',
  '\u00ad',
  '\u2060',
  '\ufeff',
  '\u{e0041}',
  '\u0007',
  '\u009b',
  '\u2028',
  '\u3164',
  '\ufe0f',
  '\u180e',
]
const marks = hidden.map((character) => `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`)
const name = `Pay${hidden.join('')}pal`
const marked = `Pay${marks.join('')}pal`

const { bank, service, client } = await bankForFile(
  { control: true },
  { client_name: name, request_object_signing_alg: 'ES256', scope: 'openid authorization profile.name' },
)

/** The pages on a client's way to a code. */
async function pagesOf(scope = 'openid profile.name'): Promise<string[]> {
  const seen: string[] = []
  const { client_id, redirect_uri } = client
  const query = { client_id, redirect_uri, response_type: 'code', scope, state: 'S-1', nonce: 'N-1' }
  const cookies: Cookies = new Map()
  const forms: Form[] = [{ person: 'jana' }, { action: 'approve', scope: ['profile.name'] }]
  await service.follow(await service.http('get', '/auth').query(query), redirect_uri, forms, {
    cookies,
    seen: ({ text }) => seen.push(text),
  })
  return seen
}

test('a client_name shows marks for what it hides, in titles and headings as well', async () => {
  const pages = await pagesOf()
  expect(pages.length).toBeGreaterThanOrEqual(2)
  for (const page of pages) {
    expect(page).toContain(marked)
    expect(hidden.filter((character) => page.includes(character))).toEqual([])
  }
})

test("a person's name shows them too", async () => {
  await door(bank, '/people/jana', { claims: { name: name } })
  const pages = await pagesOf()
  expect(pages.some((page) => page.includes(marked))).toBe(true)
  expect(pages.some((page) => page.includes('\u200b'))).toBe(false)
})

test('SIGN-36: a text to sign shows marks, and comes back as it was sent', async () => {
  const value = `100${hidden.filter((character) => character >= ' ').join('')} CZK`
  const [field] = signObject().fields
  const structured_scope = {
    signObject: {
      fields: [{ ...field, key: 'Amount', value, priority: 1 }],
      signObject_hash: sha512(`Amount${value}`),
    },
  }
  const pages = signingPages(service, client)
  const uri = await pages.requestUri({ structured_scope })
  const { page } = await pages.pageOf(uri, { password: 'jana' }, { person: 'jana' })
  expect(page).toContain('100[U+200B][U+200E]')
  expect(hidden.filter((character) => page.includes(character))).toEqual([])
  const { code } = await pages.authorize(uri, { person: 'jana' }, authorizing)
  expect(code).toBeDefined()
})

test.each([' ', '\u00a0\u3000'])(
  'a client whose name is of blanks alone (%j) is called by its client_id',
  async (client_name) => {
    const nameless = await service.client({ client_name, grant_types: ['authorization_code', deviceGrant] })
    const { client_id, redirect_uri } = nameless
    const query = {
      client_id,
      redirect_uri,
      response_type: 'code',
      scope: 'openid profile.name',
      state: 'S-1',
      nonce: 'N-1',
    }
    const seen: string[] = []
    const forms: Form[] = [{ person: 'jana' }, { action: 'approve', scope: ['profile.name'] }]
    const callback = await service.follow(await service.http('get', '/auth').query(query), redirect_uri, forms, {
      seen: ({ text }) => seen.push(text),
    })
    expect([callback.code !== undefined, seen.length]).toEqual([true, 2])
    for (const page of seen) expect(page.replace(/<form.*/s, '')).toContain(client_id)
    const { body: codes } = await service.post(nameless, '/device_authorization', { scope: 'openid' })
    const entered = await service.walk(await service.http('get', '/device'), [{ user_code: codes.user_code }])
    expect(entered.text).toContain(client_id)
  },
)

test('a code of the address is shown, and sent on, with the characters that codes have', async () => {
  const user_code = `BCDF${hidden.join('')}-<GH"JK\u00a0é`
  const { text } = await service.http('get', '/device').query({ user_code })
  expect(/ name="user_code"[^>]*/.exec(text)?.[0]).toContain('value="BCDF-GHJK"')
  expect(hidden.filter((character) => text.includes(character))).toEqual([])
})
