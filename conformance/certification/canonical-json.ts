/**
 * A JSON value in its canonical form (RFC 8785): members by the order of their UTF-16 code units, no white space, numbers and strings
 * as ECMAScript writes them. Members whose value is undefined are left out, as in JSON.stringify.
 * @throws Error for what JSON cannot hold: numbers that are not finite, halves of surrogate pairs
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${value} is not a JSON number`)
  if (typeof value === 'string') return canonicalText(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${canonicalText(name)}:${canonicalJson(member)}`).join(',')}}`
}

/** Half of a surrogate pair without the other. */
const loneSurrogate = /[\u{D800}-\u{DFFF}]/u

function canonicalText(text: string): string {
  if (loneSurrogate.test(text)) throw new Error(`${JSON.stringify(text)} contains half of a surrogate pair`)
  return JSON.stringify(text)
}
