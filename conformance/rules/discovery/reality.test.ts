import { examine } from '../../examine.js'
import { bankForTest } from '../../testing/banks.js'
import { changedBody } from '../../testing/changed-answers.js'
import { html } from '../../testing/https-server.js'

const discovery = 'GET /.well-known/openid-configuration'

/** What comes of a bank with this link to its documentation. */
async function examined(link: (issuer: string) => string) {
  const { target } = await bankForTest((own) => ({
    ...changedBody(discovery, (document) => ({ ...document, service_documentation: link(String(document.issuer)) }))(
      own,
    ),
    // The small bank answers without what other rules ask of these.
    'GET /auth': () => ({ status: 400 }),
    'POST /token': () => ({ status: 400 }),
    'GET /userinfo': () => ({ status: 401 }),
    'GET /intranet': () => html('<h1>Sign in first</h1>', 401),
  }))
  const { results } = await examine({ target, only: ['discovery/endpoints-answer'] })
  return results
}

test.each<[string, (issuer: string) => string, string[]]>([
  ['over http', () => 'http://docs.example/', ['http://docs.example/ is not asked for']],
  ['behind a login', (issuer) => `${issuer}/intranet`, []],
  ['where nobody is heard', () => 'https://docs.invalid/', ['https://docs.invalid/ cannot be reached from here']],
])('documentation %s is no failure', async (_where, link, notes) => {
  expect(await examined(link)).toMatchObject([{ rule: 'discovery/endpoints-answer', status: 'pass', notes }])
})

test('documentation that the bank itself does not have is one', async () => {
  expect(await examined((issuer) => `${issuer}/nothing`)).toMatchObject([
    { status: 'fail', reason: expect.stringContaining('/nothing should have status 200') },
  ])
})
