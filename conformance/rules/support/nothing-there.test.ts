import { examine } from '../../examine.js'
import { bankForTest } from '../../testing/banks.js'
import { changed } from '../../testing/changed-answers.js'
import { html, json } from '../../testing/https-server.js'

const discovery = 'GET /.well-known/openid-configuration'

test.each([
  ['asks who comes at every path', json({ error: 'login' }, 401), json({ error: 'login' }, 401), 'pass'],
  ['shows a page at every path', html('<h1>Welcome</h1>'), html('<h1>Welcome</h1>'), 'pass'],
  ['asks who comes for its keys', json({ error: 'login' }, 401), json({ error: 'not_found' }, 404), 'fail'],
  ['has other keys there', json({ keys: [] }), json({ keys: [] }), 'fail'],
])('of a bank that names another jwks_uri and %s', async (_what, answer, nowhere, status) => {
  const { target } = await bankForTest((own) => ({
    ...changed(discovery, (document) => ({
      ...document,
      body: (document.body ?? '').replace('/.well-known/jwks.json', '/keys'),
    }))(own),
    'GET /keys': own['GET /.well-known/jwks.json'] ?? (() => 'cut'),
    'GET /.well-known/jwks.json': () => answer,
    'GET /conformance-nothing-is-here': () => nowhere,
  }))
  const { results } = await examine({ target, only: ['key-set/document'] })
  expect(results).toMatchObject([{ rule: 'key-set/document', status }])
})
