import type { Page } from './login-settings.js'
import { missing, type Need } from './needs.js'
import type { Target } from './target.js'

const bare: Target = {
  issuer: 'https://bank.example',
  people: [],
  pages: new Map(),
  concurrency: 8,
  timeoutSeconds: 10,
}
const certificate = { cert: 'c', key: 'k' }
const page = { when: 'form', fill: {}, actions: { submit: 'button' } }
const equipped: Target = {
  ...bare,
  keys: [{ kty: 'RSA' }],
  clientCertificate: certificate,
  server: { host: 'localhost', port: 0, url: 'https://localhost:{port}', certificate },
  control: { url: 'http://127.0.0.1:1', token: 't' },
  people: [
    { login: 'lenka', password: 'p', kinds: ['loa2'], claims: { gender: 'female' } },
    { login: 'jana', password: 'p', kinds: ['full'] },
  ],
  pages: new Map<string, Page>([['sign-in', page]]),
}

describe('what a rule needs', () => {
  test.each<[Need, string]>([
    ['trusted', 'the target file names no service.keys and service.client_certificate that the bank trusts'],
    ['inbound', 'the target file names no service.server that the bank can reach'],
    ['clock', 'the target file names no control door that moves the time of the bank, and only --slow waits for it'],
    ['trigger', 'the target file names no control door of the bank'],
    ['person', 'the target file does not say how a person logs in (login.pages)'],
    ['people', 'the target file does not say what the bank knows of other people (people[].claims)'],
  ])('%s: is told when it is not there', (need, reason) => {
    expect(missing(need, bare)).toBe(reason)
    expect(missing(need, equipped)).toBeUndefined()
  })

  test('a person of a kind is looked for among the people', () => {
    expect(missing('person:loa2', equipped)).toBeUndefined()
    expect(missing('person:minor', equipped)).toBe('the target file names no person of kind minor')
    expect(missing('person', { ...equipped, people: [] })).toBe('the target file names no person of kind full')
  })

  test('a client is there when one can be registered or is given', () => {
    const given = { clientId: 'c', keys: [], record: { redirect_uris: ['https://rp.example/cb'], scope: 'openid' } }
    expect(missing('client', equipped)).toBeUndefined()
    expect(missing('client', { ...bare, client: given })).toBeUndefined()
    expect(missing('client', bare)).toBe(
      'the target file names no service.keys and service.client_certificate that the bank trusts, and it names no client that is already registered',
    )
  })

  test('an action is there where each page has it, or the last of pages in a row', () => {
    const last = { ...page, actions: { submit: 'button', refuse: '#no' } }
    const described = (first: Partial<Page>) =>
      missing('action:sign/refuse', {
        ...equipped,
        pages: new Map<string, Page>([
          ['show', { ...page, as: 'sign', ...first }],
          ['sign', last],
        ]),
      })
    expect(described({ parts: true })).toBeUndefined()
    expect(described({})).toBe('login.pages of the target file names no action refuse on a page sign')
  })

  test('keys without a certificate are not trusted', () => {
    const { clientCertificate, ...target } = equipped
    expect(clientCertificate).toBeDefined()
    expect(missing('trusted', target)).toMatch(/client_certificate/)
  })
})
