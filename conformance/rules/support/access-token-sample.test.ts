import { randomBytes } from 'node:crypto'
import { readings, sampleOf } from './access-token-sample.js'

const random = (bytes: number, encoding: BufferEncoding = 'base64url') =>
  Array.from({ length: 20 }, () => randomBytes(bytes).toString(encoding))

test.each([
  ['20 random bytes in base64url', random(20), 160, 170],
  ['32 random bytes in base64url', random(32), 250, 260],
  ['16 random bytes in hexadecimal', random(16, 'hex'), 120, 128],
  ['16 random bytes in base64url, between what all have in common', random(16).map((r) => `bank-${r}-v1`), 120, 132],
])('%s hold no more than they can', (_what, tokens, least, most) => {
  const { bits, duplicates } = sampleOf(tokens)
  expect(duplicates).toBe(0)
  expect(bits).toBeGreaterThanOrEqual(least)
  expect(bits).toBeLessThanOrEqual(most)
})

test('equal tokens are counted', () => {
  expect(sampleOf(['aaaaaaaa', 'bbbbbbbb', 'aaaaaaaa'])).toMatchObject({ size: 3, duplicates: 1 })
})

test('text in base64url is read, random bytes are not', () => {
  const telling = `${Buffer.from('{"login":"jana"}').toString('base64url')}.x7`
  expect(readings(telling)).toContain('{"login":"jana"}')
  const token = Buffer.from([0xff, 0xfe, 0x80, 0x81, 0x90]).toString('base64url')
  expect(readings(token)).toEqual([token])
})
