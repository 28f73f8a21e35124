import { examine } from './examine.js'
import { bankForTest } from './testing/banks.js'

describe('what the target file does not give', () => {
  test.each(['nothing but an issuer', 'a client and a person'])('makes no rule fall over: %s', async (given) => {
    const { target, clients } = await bankForTest()
    const { issuer, ca = '', people, pages, concurrency, timeoutSeconds } = target
    const record = { redirect_uris: ['https://rp.example/cb'], scope: 'openid', token_endpoint_auth_method: 'none' }
    clients.set('given', record)
    const client = { clientId: 'given', keys: [], record }
    const bare = { issuer, ca, concurrency, timeoutSeconds, people: [], pages: new Map() }
    const { results } = await examine({
      target: given.startsWith('nothing') ? bare : { ...bare, people, pages, client },
    })
    expect(results.filter(({ status }) => status === 'error').map(({ rule: id, reason }) => [id, reason])).toEqual([])
    expect(results.find(({ rule: id }) => id === 'registration/create')).toMatchObject({
      status: 'skip',
      reason: expect.stringContaining('service.keys'),
    })
  })

  test('skips the rules that need it, with the reason', async () => {
    const { issuer, ca = '' } = (await bankForTest()).target
    const target = { issuer, ca, people: [], pages: new Map(), concurrency: 8, timeoutSeconds: 5 }
    const { results } = await examine({ target, only: ['DISC-1', 'REG-1'] })
    expect(results.map(({ rule, status, reason }) => [rule, status, reason])).toEqual([
      ['discovery/document', 'pass', undefined],
      [
        'registration/create',
        'skip',
        'the target file names no service.keys and service.client_certificate that the bank trusts',
      ],
    ])
  })
})

describe('the address of the bank', () => {
  test('that ends in a slash is what the bank calls itself, and the paths follow it without', async () => {
    const { target, seen } = await bankForTest((own) => ({
      'GET /.well-known/openid-configuration': async (request) => {
        const answer = await own['GET /.well-known/openid-configuration']?.(request)
        if (typeof answer !== 'object') throw new Error('no document')
        const document = JSON.parse(answer.body ?? '')
        return { ...answer, body: JSON.stringify({ ...document, issuer: `${document.issuer}/` }) }
      },
    }))
    const slashed = { ...target, issuer: `${target.issuer}/` }
    const only = ['discovery/document', 'discovery/issuer', 'key-set/document', 'health/record']
    const { results } = await examine({ target: slashed, only })
    expect(results.map(({ rule, status, reason }) => [rule, status, reason])).toEqual(
      only.toSorted().map((rule) => [rule, 'pass', undefined]),
    )
    expect(seen.filter((request) => request.includes('//'))).toEqual([])
  })

  test('where nobody listens is a mistake of the target file', async () => {
    const { target, close } = await bankForTest()
    await close()
    await expect(examine({ target })).rejects.toMatchObject({
      mistakes: [`issuer: GET ${target.issuer}/.well-known/openid-configuration: the bank refused the connection`],
    })
  })

  test('whose certificate is not trusted is a mistake of the target file', async () => {
    const { ca, ...target } = (await bankForTest()).target
    expect(ca).toMatch(/BEGIN CERTIFICATE/)
    await expect(examine({ target })).rejects.toMatchObject({
      mistakes: [expect.stringContaining('of an authority that `ca` of the target file does not contain')],
    })
  })
})
