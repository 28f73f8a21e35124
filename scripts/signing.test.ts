import { examine } from '../conformance/examine.js'
import { withBank } from './bundled-bank.js'

test('SVC-13: the service calls /ros before /authorize, with max_age, loa3 for a document, and openid and authorization', async () => {
  await withBank({}, async (target) => {
    const { evidence, results } = await examine({ target, only: ['signing/one-document'] })
    expect(results.map(({ status }) => status)).toEqual(['pass'])
    const asked = evidence.flatMap((item) => {
      if (item.kind !== 'exchange' || item.direction !== 'sent') return []
      const { pathname } = new URL(item.request.url)
      return ['/ros', '/authorize'].includes(pathname) ? [`${item.request.method} ${pathname}`] : []
    })
    expect(asked).toEqual(['POST /ros', 'GET /authorize'])
    const objects = evidence.flatMap((item) => (item.kind === 'opened' && item.what === 'request object' ? [item] : []))
    expect(objects.map(({ payload }) => payload)).toEqual([
      expect.objectContaining({ max_age: 300, acr_values: 'loa3', scope: 'openid authorization' }),
    ])
  })
})
