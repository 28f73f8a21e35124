import { type UserData, userDataEndpoints } from '../../bank/claims.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { readings } from './access-token-sample.js'

/** What a reply is about beyond the person. */
const aboutTheReply = ['sub', 'txn', 'iss', 'aud', 'exp', 'iat', 'jti', 'locale', 'zoneinfo', 'updated_at']

/** Characters that chance makes in none of a run's random tokens: four stand in one of them about once in a hundred runs. */
const telling = 6

/** The words of some length in a value, however deep. */
function wordsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsIn)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(wordsIn)
  return typeof value === 'string' && value.length >= telling ? [value] : []
}

/** What tells who the person of a plain login is: the name that they log in by, and the words in the claims that their data holds. */
export async function personalData({ bank }: Tools): Promise<string[]> {
  const { dataScopes } = await bank.client()
  const login = await bank.token({ scope: ['openid', ...dataScopes].join(' ') })
  const wordsAt = async (endpoint: UserData) => {
    const { claims } = await bank.userData[endpoint](login)
    const { verified_claims: _, ...ofThePerson } = claims
    return Object.entries(ofThePerson).flatMap(([name, value]) => (aboutTheReply.includes(name) ? [] : wordsIn(value)))
  }
  const claimed = await Promise.all(userDataEndpoints.map(wordsAt))
  return [...new Set([bank.person(bank.anybody()).login, ...claimed.flat()])]
}

/** What base64url makes of a word that stands behind so many octets, without the characters that those and what follows share in. */
function inBase64(word: string, octets: number): string {
  const encoded = Buffer.concat([Buffer.alloc(octets), Buffer.from(word)]).toString('base64url')
  const whole = Math.floor(((octets + Buffer.byteLength(word)) * 8) / 6)
  return encoded.slice(Math.ceil((octets * 8) / 6), whole)
}

/** A word as a token may hold it, in lower case: as it is, in hexadecimal, and within a longer text in base64url. */
function spellings(word: string): string[] {
  const encoded = [0, 1, 2].map((octets) => inBase64(word, octets))
  return [word, Buffer.from(word).toString('hex'), ...encoded].map((one) => one.toLowerCase())
}

/** Whether a text holds a word; one so short that chance could make it has to stand between what is no letter and no digit. */
function holds(text: string, word: string): boolean {
  if (word.length >= telling) return spellings(word).some((spelled) => text.includes(spelled))
  return word !== '' && text.split(/[^\p{L}\p{N}]+/u).includes(word.toLowerCase())
}

function wordsRead(token: string, words: readonly string[]): string[] {
  const texts = readings(token).map((text) => text.toLowerCase())
  return words.filter((word) => texts.some((text) => holds(text, word)))
}

/** The words without those that are so short that chance may have made them in the one of many tokens that holds them. */
export function beyondChance(words: readonly string[], tokens: readonly string[]): string[] {
  const isInTwo = (word: string) => tokens.filter((token) => wordsRead(token, [word]).length > 0).length > 1
  return words.filter((word) => word.length >= telling || isInTwo(word))
}

/** TOK-9: that no word of these can be read out of an access token. */
export function expectTellsNothing(
  { expect }: Pick<Tools, 'expect'>,
  token: string,
  personal: readonly string[],
  seenIn: HttpResponse,
): void {
  expect(wordsRead(token, personal), 'the personal data in an access token', seenIn).toEqual([])
}
