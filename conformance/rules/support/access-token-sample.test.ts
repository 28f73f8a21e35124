import { randomBytes } from 'node:crypto'
import { readings, sampleOf } from './access-token-sample.js'

const random = (bytes: number, encoding: BufferEncoding = 'base64url') =>
  Array.from({ length: 20 }, () => randomBytes(bytes).toString(encoding))

test.each([
  ['20 random bytes in base64url', random(20), 160, 170],
  ['32 random bytes in base64url', random(32), 250, 260],
  ['16 random bytes in hexadecimal', random(16, 'hex'), 120, 128],
  ['16 random bytes in base64url, between what all have in common', random(16).map((r) => `bank-${r}-v1`), 120, 134],
])('%s hold no more than they can', (_what, tokens, least, most) => {
  const { bits, duplicates } = sampleOf(tokens)
  expect(duplicates).toBe(0)
  expect(bits).toBeGreaterThanOrEqual(least)
  expect(bits).toBeLessThanOrEqual(most)
})

test('what two tokens have in common by chance is not held against them', () => {
  // 128 bits in base64url: the last character has four values, and each other one of 64.
  const tokens = ['x4qTzB0mJ7nVYc1kRfLw2A', 'x9HsPdGvE3aUoKt5WiNy8A']
  expect(sampleOf(tokens)).toMatchObject({ varying: 20, bits: 132 })
})

test('a longer sample that has much in common holds less', () => {
  const fixed = random(11).map((text) => `bank-access-token-${text}`)
  expect(sampleOf(fixed).bits).toBeLessThan(100)
})

test('a token that lost a leading zero is not the measure', () => {
  expect(sampleOf(['f'.repeat(32), '1'.repeat(31)]).bits).toBe(128)
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
