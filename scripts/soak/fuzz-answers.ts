import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'

/** What the service answers whoever fetches a document. */
export type Served = (res: ServerResponse) => void

const mebibyte = 1024 * 1024
const packed = gzipSync(Buffer.alloc(20 * mebibyte))
const large = 'x'.repeat(300 * 1024)

const types = fc.constantFrom(
  'application/json',
  'application/jwk-set+json',
  'application/jwt',
  'text/html; charset=utf-7',
  'application/json; charset=utf-16',
  '',
  'x',
)
const statuses = fc.constantFrom(
  200,
  200,
  200,
  200,
  200,
  200,
  200,
  201,
  204,
  206,
  301,
  304,
  400,
  401,
  404,
  500,
  503,
  599,
)
const caching = fc.constantFrom(
  '',
  'no-store',
  'max-age=1',
  'max-age=-1',
  'max-age=1e9',
  'max-age="9',
  'x'.repeat(5_000),
)

/** A document in an answer that goes with it more or less. */
const documents = (text: fc.Arbitrary<string>): fc.Arbitrary<Served> =>
  fc.tuple(text, statuses, types, caching).map(([body, status, type, cache]) => (res) => {
    const headers = { ...(type && { 'content-type': type }), ...(cache && { 'cache-control': cache }) }
    res.writeHead(status, headers).end(status === 204 || status === 304 ? undefined : body)
  })

/** Answers that are to harm who asks, whatever the document. */
const traps: Record<string, Served> = {
  'a redirect to itself': (res) => res.writeHead(302, { location: '' }).end(),
  'a redirect to http': (res) => res.writeHead(307, { location: 'http://localhost/' }).end(),
  'a redirect into the machine': (res) => res.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  'a redirect to a file': (res) => res.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  'a body that unpacks to 20 MiB': (res) =>
    res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed),
  'a coding that nobody knows': (res) => res.writeHead(200, { 'content-encoding': 'x, gzip, x' }).end('{}'),
  'a coding that is none': (res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end('{}'),
  'codings in each other': (res) =>
    res.writeHead(200, { 'content-encoding': Array(500).fill('gzip').join() }).end('{}'),
  'a body that is too large': (res) => res.writeHead(200, { 'content-type': 'application/json' }).end(`"${large}"`),
  'half a body': (res) => res.writeHead(200, { 'content-length': '100' }).write('{"a":', () => res.destroy()),
  'a header of 100 kB': (res) => res.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end('{}'),
  'no answer': (res) => res.destroy(),
  'what is no HTTP': (res) => res.socket?.end('hello\r\n\r\n'),
  'a status that there is not': (res) => res.socket?.end('HTTP/1.1 99 No\r\nContent-Length: 0\r\n\r\n'),
  'news before the answer': (res) => {
    for (let count = 0; count < 20; count += 1) res.writeProcessing()
    res.writeHead(200).end('{}')
  },
}

/** Those that take as long as the one who asks lets them. */
const slow: readonly Served[] = [
  () => {},
  (res) => {
    res.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => res.write(' '), 200)
    res.once('close', () => clearInterval(timer))
  },
  (res) => res.writeHead(200, { 'content-length': '100' }).flushHeaders(),
]

/** Answers with a document of a kind, most of them. */
export function answers(text: fc.Arbitrary<string>): fc.Arbitrary<Served> {
  return fc.oneof(
    { weight: 150, arbitrary: documents(text) },
    { weight: 50, arbitrary: fc.constantFrom(...Object.values(traps)) },
    { weight: 1, arbitrary: fc.constantFrom(...slow) },
  )
}
