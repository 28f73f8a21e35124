import type { LookupAddress, lookup } from 'node:dns'
import { isIP } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Network } from '../networks.js'
import { serveHttps, type TestServer } from '../testing/https-server.js'
import { makeAuthority } from './certificates.js'
import type { Identity } from './identity.js'
import { sharedIdentity } from './identity-in-memory.js'
import { Outbound } from './outbound.js'

let identity: Identity
let server: TestServer
const opened: Outbound[] = []
/** A few hundred bytes that unpack to 64 MiB. */
const bomb = brotliCompressSync(Buffer.alloc(64 * 1024 * 1024))

beforeAll(async () => {
  identity = (await sharedIdentity()).identity
  server = await serveHttps(identity.tls, (req, res) => {
    if (req.url === '/moved') res.writeHead(302, { location: '/fine' }).end()
    else if (req.url === '/last') res.writeHead(200, { connection: 'close' }).end('last')
    else if (req.url === '/huge') res.end(Buffer.alloc(300 * 1024, 'x'))
    else if (req.url === '/gzip') res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('small'))
    else if (req.url === '/bomb') res.writeHead(200, { 'content-encoding': 'br' }).end(bomb)
    else if (req.url === '/cut') res.writeHead(200, { 'content-length': '10' }).end('five!', () => req.socket.destroy())
    else res.end('fine')
  })
})

afterAll(async () => {
  await Promise.all(opened.map((outbound) => outbound.close()))
  await server.close()
})

function outbound(networks: Network[] = ['loopback'], ca = [identity.authority.cert]): Outbound {
  const made = new Outbound({ ca, networks })
  opened.push(made)
  return made
}

/** The innermost reason that a fetch failed for; errors of Node's own realm are no instances of this one's Error. */
async function refusal(fetching: Promise<{ text(): Promise<string> }>): Promise<string> {
  const failure = (error: unknown): string => {
    const { cause, message } = error as Error
    return cause ? failure(cause) : message
  }
  return fetching.then((response) => response.text()).then((text) => `answered: ${text}`, failure)
}

test('what keeps to the policy is fetched', async () => {
  const response = await outbound().fetch(`${server.url}/fine`)
  expect([response.status, await response.text()]).toEqual([200, 'fine'])
})

test('plain http is not spoken', async () => {
  expect(await refusal(outbound().fetch('http://localhost/'))).toBe('http://localhost is not https')
})

test('a certificate of an unknown authority is not trusted', async () => {
  const untrusted = await makeAuthority()
  expect(await refusal(outbound(['loopback'], [untrusted.cert]).fetch(server.url))).toMatch(
    /unable to (get local issuer|verify)/,
  )
})

test('a redirect is not followed', async () => {
  expect(await refusal(outbound().fetch(`${server.url}/moved`))).toBe('unexpected redirect')
})

test('a body above 256 KiB is cut off', async () => {
  expect(await refusal(outbound().fetch(`${server.url}/huge`))).toBe('the answer is larger than 262144 bytes')
})

test('a body that unpacks to more than 256 KiB is cut off, one that stays below is read', async () => {
  expect(await refusal(outbound().fetch(`${server.url}/bomb`))).toBe('the answer is larger than 262144 bytes')
  expect(await refusal(outbound().fetch(`${server.url}/gzip`))).toBe('answered: small')
})

test.each([
  ['localhost', (port: string) => `https://localhost:${port}`],
  ['127.0.0.1', (port: string) => `https://127.0.0.1:${port}`],
  ['an IPv4-mapped address', (port: string) => `https://[::ffff:127.0.0.1]:${port}`],
])('%s is not reached where loopback is not allowed', async (_name, address) => {
  const { port } = new URL(server.url)
  expect(await refusal(outbound(['public']).fetch(address(port)))).toMatch(
    /leads to .*, which the option fetch-networks does not allow$/,
  )
})

test.each([
  'https://169.254.169.254/',
  'https://[fe80::1]/',
  'https://0.0.0.0/',
  'https://224.0.0.1/',
  'https://[::]/',
  'https://[::7f00:1]/',
  'https://[::169.254.169.254]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[fec0::1]/',
  'https://2852039166/',
  'https://0xa9.0376.43518/',
])('%s is never reached', async (address) => {
  expect(await refusal(outbound(['loopback', 'private', 'public']).fetch(address))).toMatch(/does not allow$/)
})

describe('a name that leads elsewhere each time it is asked for', () => {
  /** Answers with the next of these, and counts. */
  function changing(...answers: string[][]): { resolve: typeof lookup; asked: () => number } {
    let asked = 0
    const resolve = (_host: string, _options: object, callback: (error: null, found: LookupAddress[]) => void) => {
      const found = answers[Math.min(asked, answers.length - 1)] ?? []
      asked += 1
      callback(
        null,
        found.map((address) => ({ address, family: isIP(address) })),
      )
    }
    return { resolve: resolve as unknown as typeof lookup, asked: () => asked }
  }

  function through({ resolve }: Pick<ReturnType<typeof changing>, 'resolve'>, networks: Network[]): Outbound {
    const made = new Outbound({ ca: [identity.authority.cert], networks, resolve })
    opened.push(made)
    return made
  }

  test('is connected to where it led when that was judged', async () => {
    const names = changing(['127.0.0.1'], ['10.0.0.1'])
    const fetching = through(names, ['loopback'])
    expect(await refusal(fetching.fetch(`${server.url}/last`))).toBe('answered: last')
    expect(names.asked()).toBe(1)
    // The next connection is judged by itself.
    expect(await refusal(fetching.fetch(`${server.url}/last`))).toBe(
      'localhost leads to 10.0.0.1, which the option fetch-networks does not allow',
    )
    expect(names.asked()).toBe(2)
  })

  test.each([
    ['the first', ['127.0.0.1', '198.51.100.1']],
    ['the last', ['192.0.66.2', '127.0.0.1']],
    ['an IPv4-mapped one', ['192.0.66.2', '::ffff:127.0.0.1']],
    ['one of NAT64', ['64:ff9b::7f00:1']],
    ['one of 6to4', ['2002:7f00:1::']],
    ['an IPv4-compatible one', ['::127.0.0.1']],
  ])('is not connected to where one of its addresses is not allowed: %s', async (_which, addresses) => {
    const names = changing(addresses)
    expect(await refusal(through(names, ['public']).fetch(server.url))).toMatch(/does not allow$/)
    expect(names.asked()).toBe(1)
  })
})
