import { connect as connectPlainly } from 'node:net'
import { connect } from 'node:tls'
import { bankForFile } from './testing/banks.js'

const { bank } = await bankForFile({ control: true })

/** What the bank, or its control door, says to these bytes, until it ends the connection. */
function said(bytes: string, door = false): Promise<string> {
  const { hostname, port } = new URL(door ? String(bank.control?.url) : bank.issuer)
  return new Promise((resolve) => {
    let text = ''
    const begin = () => socket.write(bytes, 'latin1')
    const socket = door
      ? connectPlainly(Number(port), hostname, begin)
      : connect({ port: Number(port), servername: hostname, ca: bank.identity.authority.cert }, begin)
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    // How it ended is told by what came before.
    socket.on('error', () => {}).on('close', () => resolve(text))
  })
}

const get = (target: string, headers = 'host: localhost\r\n') =>
  `GET ${target} HTTP/1.1\r\n${headers}connection: close\r\n\r\n`

const none = 'this is no request of HTTP/1.1'
const notServed = (path: string) => `nothing is served at GET ${path}`

test.each([
  ['what is no HTTP', 'hello\r\n\r\n', 400, none],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, none],
  [
    'a body of two lengths',
    'POST /token HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n',
    400,
    none,
  ],
  ['no Host', get('/healthcheck', ''), 400, 'the header Host is missing'],
  ['two Hosts', get('/healthcheck', 'host: x\r\nhost: y\r\n'), 400, 'the header Host is given more than once'],
  [
    'another Host behind 2,000 other headers',
    get('/healthcheck', `host: x\r\n${'a:\r\n'.repeat(2_000)}host: y\r\n`),
    400,
    'the header Host is given more than once',
  ],
  ...['none', 'identity', 'gzip, chunked', 'chunked, chunked', 'chunked, none'].map(
    (coding): [string, string, number, unknown] => [
      `a body of the coding ${coding}`,
      `POST /token HTTP/1.1\r\nhost: x\r\ntransfer-encoding: ${coding}\r\nconnection: close\r\n\r\n0\r\n\r\n`,
      400,
      expect.stringMatching(`^${none}$|^the header Transfer-Encoding is not chunked$`),
    ],
  ),
  ['an expectation', get('/', 'host: x\r\nexpect: more\r\n'), 417, 'Expect asks for something else than 100-continue'],
  ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nhost: x\r\n\r\n', 404, 'nothing is served at CONNECT'],
  ['a fragment', get('/healthcheck#x'), 400, 'the address has a fragment'],
  ['a space that is none', get('/healthcheck\u00a0'), 400, none],
  ['an address without a path', get('https://evil.example').replace('GET', 'PUT'), 404, 'nothing is served at PUT /'],
  ['an address that nobody can read', get('http://[::1/nowhere'), 404, notServed('/nowhere')],
])('%s is answered as every other mistake', async (_what, bytes, status, why) => {
  for (const door of [false, true]) {
    const [head = '', body = ''] = (await said(bytes, door)).split('\r\n\r\n')
    // The door asks for its token before it looks for a path.
    if (door && status === 404 && why !== 'nothing is served at CONNECT') continue
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head).toMatch(/^x-content-type-options: nosniff$/im)
    expect(head).toMatch(/^content-type: application\/json; charset=utf-8$/im)
    expect(JSON.parse(body)).toEqual({ error: 'invalid_request', error_description: why })
  }
})

test.each([
  ['what is no header', 'HEAD / HTTP/1.1\r\nhost: x\r\nno header\r\n\r\n', 400],
  ['a coding that is none', 'HEAD / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: none\r\n\r\n', 400],
  ['no Host', 'HEAD / HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
])('a request for a head with %s is told so without a body', async (_what, bytes, status) => {
  for (const door of [false, true]) {
    const answer = await said(bytes, door)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toMatch(/\r\n\r\n$/)
  }
})

test.each(['GET', 'HEAD'])(
  'headers of %s that are too long, over several packets, are told so by the status alone',
  async (method) => {
    const bytes = get('/', `host: x\r\nx: ${'y'.repeat(40_000)}\r\n`).replace('GET', method)
    const answer = await said(bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/)
    expect(answer).toMatch(/^x-content-type-options: nosniff$/im)
    expect(answer).toMatch(/^content-length: 0$/im)
    expect(answer).toMatch(/\r\n\r\n$/)
  },
)

test('an address with a host is that of its path, query and all', async () => {
  const query = '?client_id=nobody&response_type=code'
  const [, body] = (await said(get(`https://evil.example/auth${query}`))).split('\r\n\r\n')
  expect(body).toBe((await said(get(`/auth${query}`))).split('\r\n\r\n')[1])
  expect(body).toContain('client_id is unknown')
})

describe('whoever asks whether to go on, behind another request on the same connection,', () => {
  const first = 'GET /healthcheck HTTP/1.1\r\nhost: localhost\r\n\r\n'
  /** What was said, answer by answer: its status, and whether its body follows its head, as long as that says. */
  const answersIn = (text: string) => {
    const answers: [status: number, whole: boolean][] = []
    // Lengths are those of bytes.
    for (let rest = Buffer.from(text).toString('latin1'); rest !== ''; ) {
      const [head = ''] = rest.split('\r\n\r\n')
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1])
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
      const body = rest.slice(head.length + 4, head.length + 4 + length)
      answers.push([status, body.length === length && !body.includes('HTTP/1.1')])
      rest = rest.slice(head.length + 4 + length)
    }
    return answers
  }

  test.each(['/healthcheck', '/documentation', '/nowhere'])('is answered in whole: GET %s', async (path) => {
    const answers = answersIn(await said(first + get(path, 'host: localhost\r\nexpect: 100-continue\r\n')))
    const status = path === '/nowhere' ? 404 : 200
    expect([answers[0], answers.at(-1)]).toEqual([
      [200, true],
      [status, true],
    ])
    expect(answers.slice(1, -1).every(([between]) => between === 100)).toBe(true)
  })

  test('is told to, and then answered', async () => {
    const { hostname, port } = new URL(bank.issuer)
    const socket = connect({ port: Number(port), servername: hostname, ca: bank.identity.authority.cert })
    const form = 'content-type: application/x-www-form-urlencoded\r\ncontent-length: 3\r\nconnection: close'
    socket.write(`${first}POST /token HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n${form}\r\n\r\n`)
    let text = ''
    let sent = false
    for await (const chunk of socket.setEncoding('utf8')) {
      text += chunk
      if (sent || !text.includes('HTTP/1.1 100 ')) continue
      sent = true
      socket.write('a=b')
    }
    expect(answersIn(text).map(([status]) => status)).toEqual([200, 100, 400])
  })
})
