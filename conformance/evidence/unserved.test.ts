import { EvidenceLog } from './evidence.js'
import { Masking } from './masking.js'
import { type Unserved, unserved } from './unserved.js'

/** Records exchanges, each given as "METHOD path" with a status or a failure, and asks of the first. */
function ofFirst(...exchanges: [request: string, came: number | string][]): Unserved | undefined {
  const log = new EvidenceLog(new Masking())
  const [first] = exchanges.map(([request, came]) => {
    const [method = '', path] = request.split(' ')
    const pending = log.recorder().begin('sent', { method, url: `https://bank.example${path}`, headers: {} })
    if (typeof came === 'string') pending.failed(came)
    else pending.answered({ status: came, headers: {}, body: '' })
    return pending.id
  })
  return unserved(first ?? '', log.items)
}

const nothingElse = 'and nothing else came there in this run'

test('an endpoint that serves nobody is told with what came there', () => {
  expect(ofFirst(['POST /revoke', 503], ['POST /revoke', 502], ['GET /userinfo', 200])).toEqual({
    method: 'POST',
    path: '/revoke',
    came: `POST https://bank.example/revoke: the bank answers 503, ${nothingElse}`,
  })
  expect(ofFirst(['PUT /register/0a1b2c3d4e5f6a7b', 'the bank closed the connection'])).toEqual({
    method: 'PUT',
    path: '/register/{id}',
    came: `PUT https://bank.example/register/0a1b2c3d4e5f6a7b: the bank closed the connection, ${nothingElse}`,
  })
})

test.each<[what: string, exchanges: [string, number][]]>([
  [
    'that serves another',
    [
      ['POST /revoke', 503],
      ['POST /revoke?a=b', 401],
    ],
  ],
  [
    'that serves another client',
    [
      ['PUT /register/0a1b2c3d4e5f6a7b', 503],
      ['PUT /register/b7a6f5e4d3c2b1a0', 200],
    ],
  ],
  ['that fails for itself', [['POST /revoke', 500]]],
])('an endpoint %s is judged by its answers', (_what, exchanges) => {
  expect(ofFirst(...exchanges)).toBeUndefined()
})
