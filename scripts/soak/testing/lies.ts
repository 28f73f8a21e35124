import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { html, json, redirect, type TestAnswer } from '../../../conformance/testing/https-server.js'

const mebibyte = 1024 * 1024

const encoded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A JWT that nobody signed, or a JWE that nobody encrypted. */
const jwt = (header: object, payload: unknown, parts = 3): TestAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/jwt' },
  body: [encoded(header), encoded(payload), ...Array(parts - 2).fill('AAAA')].join('.'),
})

const text = (body: string): TestAnswer => ({ status: 200, headers: { 'content-type': 'application/json' }, body })

/** Writes without an end, so much at a time. */
function endless(res: ServerResponse, bytes: number, everyMs: number): void {
  res.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => res.write(' '.repeat(bytes)), everyMs)
  res.once('close', () => clearInterval(timer))
}

const parts = (bytes: number, part: (i: number) => string) => {
  const found: string[] = []
  for (let length = 0, i = 0; length < bytes; i += 1) length += found[found.push(part(i)) - 1]?.length ?? 0
  return found.join('')
}

const keys = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    kty: 'EC',
    crv: 'P-256',
    kid: `k${i}`,
    x: 'A'.repeat(43),
    y: 'A'.repeat(43),
  }))

const packed = gzipSync(Buffer.alloc(100 * mebibyte))

const many = 'a'.repeat(400_000)

/** What would send a reader's patterns into each other. */
const longValues = {
  ...Object.fromEntries(
    ['iss', 'sub', 'scope', 'email', 'version', 'time', 'status'].map((name) => [name, `${many}!`]),
  ),
  jwks_uri: `https://${'a.'.repeat(100_000)}`,
  birthdate: '1'.repeat(100_000),
}

/** What a bank may answer to harm whoever asks. */
export const lies: Readonly<Record<string, () => TestAnswer>> = {
  'a body without an end': () => (res) => endless(res, 64 * 1024, 1),
  'a byte at a time': () => (res) => endless(res, 1, 100),
  'a head without a body': () => (res) => res.writeHead(200, { 'content-length': '100' }).flushHeaders(),
  'half a body, and a half-closed connection': () => (res) => {
    res.writeHead(200, { 'content-length': '100' }).write('{"a":', () => res.socket?.end())
  },
  'a body that unpacks to 100 MiB': () => (res) =>
    res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed),
  'redirects in circles': () => redirect('?again'),
  'a redirect that never reads the same': () => redirect(`/login?${Math.random()}`),
  'JSON of 400,000 levels': () => text(`${'['.repeat(400_000)}${']'.repeat(400_000)}`),
  'JSON of 100,000 objects in each other': () => text(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  'JSON with __proto__': () =>
    text('{"__proto__":{"polluted":true,"active":true},"constructor":{"prototype":{"polluted":true}}}'),
  'JSON of 150,000 members': () => text(`{${parts(mebibyte - 100, (i) => `"${i}":1,`)}"a":1}`),
  'values of 400,000 characters': () => json(longValues),
  'a header of 1 MiB': () => (res) => res.writeHead(200, { 'x-long': 'x'.repeat(mebibyte) }).end('{}'),
  '1,000 cookies': () => (res) =>
    res
      .writeHead(200, { 'set-cookie': Array.from({ length: 1000 }, (_, i) => `c${i}=1`), 'content-type': 'text/html' })
      .end(),
  'a status that there is not': () => (res) => {
    res.socket?.end('HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n')
  },
  'what is no HTTP': () => (res) => {
    res.socket?.end(`${'x'.repeat(100_000)}\r\n`)
  },
  'a key set of 7,000 keys': () => json({ keys: keys(7_000) }),
  'a JWT of 900 kB': () => jwt({ alg: 'PS512', kid: 'bank' }, { sub: 'x'.repeat(650_000) }),
  'a JWT whose payload nests deeply': () => jwt({ alg: 'PS512' }, `${'['.repeat(200_000)}${']'.repeat(200_000)}`),
  'a JWT whose header nests deeply': () => ({
    status: 200,
    headers: { 'content-type': 'application/jwt' },
    body: `${encoded(`{"alg":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)}.e30.AAAA`,
  }),
  'a JWE by a password of 10^9 rounds': () =>
    jwt({ alg: 'PBES2-HS512+A256KW', enc: 'A256GCM', p2c: 1e9, p2s: 'AAAAAAAAAAA' }, 'AAAA', 5),
  'a JWE that is to be unpacked': () => jwt({ alg: 'dir', enc: 'A256GCM', zip: 'DEF' }, '', 5),
  'a page of elements in each other': () => html('<div>'.repeat(200_000)),
  'a page that multiplies as it is parsed': () => html(parts(mebibyte / 2, (i) => `<p><b a=${i}>`)),
  'a tag of 100,000 attributes': () => html(`<a ${parts(mebibyte / 2, (i) => `a${i} `)}>`),
  'a page that goes on after many digits': () => html(`<meta http-equiv="refresh" content="${'1'.repeat(900_000)}">`),
  'a page of 20,000 forms': () => html('<form method="post"><input name="a"></form>'.repeat(20_000)),
}
