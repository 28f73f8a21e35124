import { execFileSync } from 'node:child_process'
import type { Evidence, Exchange } from '../evidence/evidence.js'
import type { RuleResult } from '../harness/result.js'
import { cardOf } from './card.js'
import { likelyCause } from './causes.js'
import { curlLine, quoted } from './curl.js'
import { sequenceOf } from './sequence.js'
import { changedExchange, openedBeside, shownWith } from './shown-evidence.js'
import { stepsTaken } from './steps-taken.js'

const at = '2026-01-31T08:32:09.000Z'

function exchange(id: string, method: string, path: string, more: Partial<Exchange> = {}): Exchange {
  const request = { method, url: `https://bank.example${path}`, headers: { accept: 'application/json' } }
  return { id, kind: 'exchange', direction: 'sent', at, milliseconds: 5, request, ...more }
}

function answered(status: number, headers: Record<string, string> = {}, body = '{}'): Pick<Exchange, 'response'> {
  return { response: { status, headers: { 'content-type': 'application/json', ...headers }, body } }
}

const failed: RuleResult = {
  rule: 'token/code-exchange',
  requirement: 'TOK-1',
  level: 'MUST',
  title: 'A code is exchanged',
  status: 'fail',
  finding: { sentence: 'wrong', evidence: 'e9' },
  readings: [],
  notes: [],
  milliseconds: 1,
  evidence: ['e1', 'e2', 'e3', 'e4', 'e9', 'e10'],
}

test('a card says in words what else is accepted', () => {
  const shown = { edition: '1.2', seed: 'abc', results: [], evidence: [] }
  expect(cardOf({ ...failed, requirement: 'SUB-1' }, shown, new Map()).requirement.accept).toBe(
    'AMB-40 (public honoured when registered, pairwise when left out; public not declared and refused; public when left out)',
  )
})

describe('a curl line', () => {
  test('sends the same request again', () => {
    const request = {
      method: 'POST',
      url: "https://bank.example/auth?state=a'b&x=$HOME",
      headers: { accept: 'application/json', 'x-y': ['1', '2'] },
      body: 'a=b&c="d"',
    }
    const line = curlLine({ ...exchange('e1', 'POST', '/auth'), request }, '/tmp/my ca.pem') ?? ''
    const words = execFileSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' })
      .trimEnd()
      .split('\n')
    expect(words).toEqual([
      ...['curl', '-i', '--cacert', '/tmp/my ca.pem', '-X', 'POST'],
      ...['-H', 'accept: application/json', '-H', 'x-y: 1', '-H', 'x-y: 2'],
      ...['--data-raw', 'a=b&c="d"', "https://bank.example/auth?state=a'b&x=$HOME"],
    ])
  })

  test.each<[string, Partial<Exchange>]>([
    [
      'carries a secret',
      { request: { method: 'GET', url: 'https://b.example', headers: { a: 'Bearer token:‹0123abcd›' } } },
    ],
    [
      'was too long to keep',
      { request: { method: 'POST', url: 'https://b.example', headers: {}, body: 'a… [of 9000 characters]' } },
    ],
    ['came from the bank', { direction: 'received' }],
    [
      'went through the client certificate',
      { tls: { protocol: '', cipher: '', certificate: '', clientCertificate: true } },
    ],
  ])('is not given for a request that %s', (_, more) => {
    expect(curlLine(exchange('e1', 'GET', '/', more))).toBeUndefined()
  })

  test('leaves plain words as they are', () => {
    expect(quoted('token/scope-listed')).toBe('token/scope-listed')
    expect(quoted("it's")).toBe("'it'\\''s'")
  })
})

describe('what was done', () => {
  const page = { request: { method: 'GET', url: 'https://bank.example/auth', headers: { accept: 'text/html' } } }
  const evidence = new Map<string, Evidence>(
    [
      exchange('e1', 'GET', '/.well-known/openid-configuration', answered(200)),
      exchange('e2', 'POST', '/register', answered(200)),
      exchange('e3', 'GET', '/auth', { ...page, ...answered(302) }),
      exchange('e4', 'GET', '/auth', { ...page, ...answered(200) }),
      exchange('e9', 'POST', '/token', answered(400)),
      exchange('e10', 'GET', '/later', answered(200)),
    ].map((one) => [one.id, one]),
  )

  test('is one sentence that ends with the judged request', () => {
    expect(stepsTaken(failed, evidence)).toBe(
      'The harness read the discovery document, registered a client, sent a person through the pages of /auth (2 requests) and sent POST /token, whose answer is judged.',
    )
  })

  test('is everything that was sent when no answer is judged, and nothing when nothing was sent', () => {
    const { finding: _, ...error } = failed
    expect(stepsTaken(error, evidence)).toMatch(/ sent POST \/token and sent GET \/later\.$/)
    expect(stepsTaken({ ...error, evidence: [] }, evidence)).toBe('The harness sent nothing to the bank.')
  })
})

describe('the JWTs beside a judged exchange', () => {
  const opened = (id: string, what: string): Evidence => ({ id, kind: 'opened', at, what, payload: {} })
  const evidence = new Map<string, Evidence>(
    [
      opened('e1', 'client_assertion'),
      exchange('e2', 'POST', '/token'),
      opened('e3', 'id_token'),
      opened('e4', 'request object'),
      exchange('e5', 'POST', '/ros'),
      opened('e6', 'client_assertion'),
      exchange('e7', 'GET', '/jwks.json', { direction: 'received' }),
      exchange('e8', 'POST', '/token'),
      opened('e9', 'id_token'),
      opened('e10', 'client_assertion'),
      exchange('e11', 'GET', '/userinfo'),
      opened('e12', 'userinfo'),
    ].map((one) => [one.id, one]),
  )
  const beside = (finding: RuleResult['finding']) => {
    const result = { ...failed, evidence: [...evidence.keys()], ...(finding && { finding }) }
    return openedBeside(result, evidence).map(({ id }) => id)
  }

  test('are those made since the request before, and those of its answer', () => {
    expect(beside({ sentence: 'wrong', evidence: 'e8' })).toEqual(['e6', 'e9'])
    expect(beside({ sentence: 'wrong', evidence: 'e5' })).toEqual(['e4'])
  })

  test('are those made since its variation began', () => {
    const since = (id: string) =>
      beside({ sentence: 'wrong', evidence: 'e8', variation: { name: 'without exp', since: id } })
    expect(since('e3')).toEqual(['e4', 'e6', 'e9'])
    expect(since('e8')).toEqual(['e9'])
  })

  test('stand behind the request that was changed, of the same variation', () => {
    const changed = exchange('e5', 'POST', '/ros', { changed: ['record'] })
    const items = new Map<string, Evidence>([...evidence, ['e5', changed]])
    const result = { ...failed, evidence: [...items.keys()], finding: { sentence: 'wrong', evidence: 'e8' } }
    const found = (since: string) =>
      changedExchange({ ...result, finding: { ...result.finding, variation: { name: 'v', since } } }, items)
    expect(changedExchange(result, items)).toBe(changed)
    expect(shownWith(result, items).map(({ id }) => id)).toEqual(['e5', 'e8', 'e6', 'e9'])
    expect(found('e4')).toBe(changed)
    expect(found('e6')).toBeUndefined()
  })

  test('are none where no exchange shows it', () => {
    expect(beside({ sentence: 'wrong' })).toEqual([])
  })
})

describe('the sequence of a result', () => {
  const html = (id: string, path: string) => {
    const request = { method: 'GET', url: `https://bank.example${path}`, headers: { accept: 'text/html' } }
    return exchange(id, 'GET', path, { request, ...answered(200) })
  }
  const items: Evidence[] = [
    exchange('e1', 'POST', '/register', answered(200)),
    exchange('e2', 'GET', '/jwks.json', { direction: 'received', ...answered(200) }),
    html('e3', '/auth'),
    html('e4', '/login'),
    exchange('e5', 'POST', '/token', { changed: ['assertion'], ...answered(200) }),
    exchange('e9', 'GET', '/userinfo', { failure: 'the bank closed the connection' }),
    exchange('e10', 'GET', '/later', answered(200)),
  ]
  const evidence = new Map(items.map((item) => [item.id, item]))
  const result = { ...failed, evidence: [...evidence.keys()] }

  test('has who asked whom, what was changed, and what is judged, which is its end', () => {
    const told = sequenceOf(result, evidence).arrows.map(({ from, to, label, answer, count, changed, judged }) =>
      [from, to, label, answer, count, changed ?? '-', judged ? 'judged' : '-'].join(' '),
    )
    expect(told).toEqual([
      'service bank POST /register 200 1 - -',
      'bank service GET /jwks.json 200 1 - -',
      'browser bank GET /auth 200 2 - -',
      'service bank POST /token 200 1 assertion -',
      'service bank GET /userinfo the bank closed the connection 1 - judged',
    ])
  })

  test('is cut at its beginning when it is long', () => {
    const many = Array.from({ length: 14 }, (_, i) => exchange(`e${i + 20}`, 'GET', `/a${i}`, answered(200)))
    const all = new Map([...evidence, ...many.map((one): [string, Evidence] => [one.id, one])])
    const { finding: _, ...error } = result
    const { earlier, arrows } = sequenceOf({ ...error, evidence: [...all.keys()] }, all)
    expect([earlier, arrows.length, arrows.at(-1)?.label]).toEqual([10, 10, 'GET /a13'])
  })
})

describe('the likely cause', () => {
  const causeOf = (seen: Partial<Exchange>, result: Partial<RuleResult> = {}, path = '/token') =>
    likelyCause({ ...failed, ...result }, exchange('e9', 'POST', path, seen), { evidence: [], results } as never)
  const results = [
    { ...failed, rule: 'token/x', reason: 'no token' },
    { ...failed, rule: 'signing/authorize', status: 'pass' },
  ]

  test.each<[RegExp, Partial<Exchange>, Partial<RuleResult>?, string?]>([
    [
      /token\/x is the rule about that step \(fail: no token\)\. Look there first/,
      {},
      { status: 'blocked', blockedBy: 'token/x' },
    ],
    [/token\/not-run is the rule about that step/, {}, { status: 'blocked', blockedBy: 'token/not-run' }],
    [
      /not reached: it ended with user_not_eligible\. signing\/authorize, the rule about that step, passed/,
      {},
      { status: 'blocked', blockedBy: 'signing/authorize', reason: 'it ended with user_not_eligible' },
    ],
    [/The target file does not match/, {}, { status: 'error', reason: 'the target file: login.pages: …' }],
    [/mistake of the harness/, {}, { status: 'error', reason: 'TypeError' }],
    [/overloaded/, { failure: 'the bank did not answer within 10 s' }],
    [/stopped or restarted/, { failure: 'the bank refused the connection' }],
    [/95 s behind ours/, answered(400, { date: 'Sat, 31 Jan 2026 08:30:33 GMT' })],
    [/log of 2026-01-31T08:32:09.000Z, request r-7, says why/, answered(502, { 'x-request-id': 'r-7' })],
    [/RegistrationAuthJWT/, answered(401, {}, '{"error":"invalid_client"}'), {}, '/register'],
    [/did not fetch the client's keys/, answered(401, {}, '{"error":"invalid_client"}')],
    [/The answer is a page where data was expected/, answered(200, { 'content-type': 'text/html' }, '<p>')],
    [/The bank serves nothing at this address/, answered(404)],
    [/firewall/, answered(403)],
  ])('%s', (said, seen, ...rest) => {
    expect(causeOf(seen, ...rest)).toMatch(said)
  })

  test('of a refusal by the bank itself is no firewall', () => {
    expect(causeOf(answered(403, {}, '{"error":"insufficient_scope"}'))).toBe(undefined)
  })

  test('of an answer that leads on is no page, whatever it says to people', () => {
    const moved = answered(303, { 'content-type': 'text/html', location: '/sign-in' }, '<a href="/sign-in">')
    expect(causeOf(moved)).toBe(undefined)
  })

  test('of a client that is refused is not that nothing reaches this machine, where something did', () => {
    const fetched: Exchange = { ...exchange('e77', 'GET', '/jwks.json', answered(200)), direction: 'received' }
    const refused = exchange('e9', 'POST', '/token', answered(401, {}, '{"error":"invalid_client"}'))
    const cause = likelyCause(failed, refused, { evidence: [fetched, refused], results: [] })
    expect(cause).toMatch(/does not accept the client's authentication: the method, algorithm, .* or it has older keys/)
  })

  test('of what the bank does well elsewhere may be load', () => {
    const served = ['e1', 'e2'].map((id) => exchange(id, 'POST', '/register', answered(200)))
    const failing = exchange('e9', 'POST', '/register', answered(500))
    expect(likelyCause(failed, failing, { evidence: [...served, failing], results: [] })).toMatch(
      / says why\. It served 2 others of the same address: load may be the cause, and a lower `concurrency` /,
    )
  })

  test('of an error where loa3 is asked for may be the person', () => {
    const asking = { method: 'GET', url: 'https://bank.example/auth?response_type=code&acr_values=loa3', headers: {} }
    const plain = { ...asking, url: 'https://bank.example/auth?response_type=code' }
    const ended = exchange(
      'e9',
      'GET',
      '/login',
      answered(302, { location: 'https://rp.example/cb?error=access_denied' }),
    )
    const causeWith = (...evidence: Evidence[]) => likelyCause(failed, ended, { evidence, results: [] })
    expect(causeWith(exchange('e1', 'GET', '/auth', { request: asking }))).toMatch(
      /doctor` shows whether .* full reaches/,
    )
    expect(causeWith(exchange('e7', 'GET', '/auth', { request: asking }))).toBeUndefined()
    const before = exchange('e1', 'GET', '/auth', { request: asking })
    expect(causeWith(before, { ...before, request: plain })).toBeUndefined()
  })

  test('is not guessed', () => {
    expect(causeOf(answered(400, { date: 'Sat, 31 Jan 2026 08:32:09 GMT' }))).toBeUndefined()
  })
})
