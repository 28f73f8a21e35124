/** What a sample of tokens lets be concluded: no more than that the random part could hold so many bits. */
export interface Sample {
  /** How many were looked at. */
  size: number
  duplicates: number
  /** Characters between what all have in common at their beginning and at their end, in the longest. */
  varying: number
  /** The most random bits that a token can hold: those of the part that varies, and those that chance may have made alike. */
  bits: number
}

/** Bits of one character by the alphabets that tokens are written in, the smallest first. */
const alphabets: readonly { pattern: RegExp; bits: number }[] = [
  { pattern: /^[0-9]*$/, bits: Math.log2(10) },
  { pattern: /^([0-9a-f]*|[0-9A-F]*)$/, bits: 4 },
  { pattern: /^([0-9a-z]*|[0-9A-Z]*)$/, bits: Math.log2(36) },
  { pattern: /^[\w+/=~.-]*$/, bits: 6 },
  { pattern: /^[\x21-\x7e]*$/, bits: Math.log2(94) },
]

function commonPrefix([first = '', ...others]: readonly string[]): number {
  let length = 0
  while (length < first.length && others.every((one) => one[length] === first[length])) length += 1
  return length
}

function reversed(text: string): string {
  return [...text].reverse().join('')
}

/** Random bits that may be alike by chance: once in 16 million samples. */
const chance = 24

/** The last character may hold as few as two bits: 128 of them in base64url are 21 characters and a third of one. */
const leastInLast = 2

/** Of the bits that so many tokens have in common at both ends, those that may be random all the same. */
function alikeByChance(tokens: number, common: number, perCharacter: number): number {
  const repetitions = tokens - 1
  const last = leastInLast * repetitions < chance ? perCharacter : 0
  return Math.min(common * perCharacter, last + chance / repetitions)
}

/** Looks at tokens side by side. Dots and padding are part of the form, and hold nothing. */
export function sampleOf(tokens: readonly string[]): Sample {
  const distinct = [...new Set(tokens)]
  const prefix = commonPrefix(distinct)
  const rests = distinct.map((token) => token.slice(prefix))
  const suffix = commonPrefix(rests.map(reversed))
  const parts = rests.map((rest) => rest.slice(0, rest.length - suffix).replace(/[.=]/g, ''))
  const varying = Math.max(0, ...parts.map(({ length }) => length))
  const perCharacter = alphabets.find(({ pattern }) => parts.every((part) => pattern.test(part)))?.bits ?? 8
  const bits = varying * perCharacter + alikeByChance(distinct.length, prefix + suffix, perCharacter)
  return { size: tokens.length, duplicates: tokens.length - distinct.length, varying, bits }
}

/** A token as somebody who finds it can read it: itself, and each of its parts out of base64url where that gives text. */
export function readings(token: string): string[] {
  const parts = [token, ...token.split(/[.~:]/)]
  const decoded = parts.map((part) => Buffer.from(part, 'base64url').toString('utf8'))
  return [token, ...decoded.filter((text) => !text.includes('\ufffd') && /^[\p{L}\p{N}\p{P}\p{S}\p{Z}]+$/u.test(text))]
}
