import { randomBytes } from 'node:crypto'
import { beyondChance, expectTellsNothing } from './personal-data.js'

const random = randomBytes(32).toString('base64url')

/** Whether the check finds fault with a token. */
function tells(token: string): boolean {
  const leaked: unknown[] = []
  const expectOf = (found: unknown[]) => ({ toEqual: () => leaked.push(...found) })
  expectTellsNothing({ expect: expectOf } as never, token, ['jana@example.cz', 'jana'], undefined as never)
  return leaked.length > 0
}

test.each([
  ['as it is', `jana@example.cz.${random}`],
  ['in hexadecimal', `${random}${Buffer.from('jana@example.cz').toString('hex')}`],
  ['in base64url behind a prefix', `at_${Buffer.from('jana@example.cz').toString('base64url')}_${random}`],
  ['within a text in base64url', `${Buffer.from('{"m":"jana@example.cz"}').toString('base64url')}.${random}`],
  ['behind an octet', `x${Buffer.from('7jana@example.cz').toString('base64url')}`],
])('a word is found %s', (_how, token) => {
  expect(tells(token)).toBe(true)
})

test.each([
  ['random characters', random],
  // Four letters stand in random characters by chance.
  ['a short word among other letters', `${random}xjanax`],
  ['a short word among other letters, in base64url', Buffer.from(`${random}xjanax`).toString('base64url')],
])('%s tell nothing', (_what, token) => {
  expect(tells(token)).toBe(false)
})

test.each([
  ['as it is', `jana.${random}`],
  ['within a text in base64url', Buffer.from(`${random}:jana`).toString('base64url')],
])('a short word that stands apart is found %s', (_how, token) => {
  expect(tells(token)).toBe(true)
})

test('a short word counts where a second token of many holds it too, a long one at once', () => {
  const words = ['jana', 'petr', 'jana@example.cz']
  const tokens = [random, `jana.${random}`, `${random}-petr`, `jana-${random}`]
  expect(beyondChance(words, tokens)).toEqual(['jana', 'jana@example.cz'])
})
