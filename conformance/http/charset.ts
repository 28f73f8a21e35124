/** The part of a page in which it says how it is encoded (HTML, "prescan a byte stream to determine its encoding"). */
const prescannedCharacters = 1024

const utf8 = 'utf-8'

/** The name that the Encoding Standard has for an encoding, in small letters; undefined where it knows none by that label. */
export function knownCharset(label: string | undefined): string | undefined {
  return named(label)
}

/** The name of an encoding as the Encoding Standard writes it, of those that forms are written in: `UTF-8`, `windows-1250`, `ISO-8859-2`. */
export function encodingName(charset: string): string {
  if (charset.startsWith('utf-')) return 'UTF-8'
  return /^(iso|koi|ibm)/.test(charset) ? charset.toUpperCase() : charset
}

function named(label: string | undefined): string | undefined {
  if (!label) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

/**
 * How a page is encoded: as its content type says, else as it says itself near its beginning (HTML, "encoding sniffing algorithm").
 *
 * @param page its beginning at least, in any encoding that writes ASCII as ASCII
 * @returns a name of the Encoding Standard; utf-8 where nothing is said, or nothing that is known
 */
export function charsetOf(contentType: string, page: string): string {
  const start = page.slice(0, prescannedCharacters)
  const [, told] = /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType) ?? []
  const [, inMeta] = /<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s;"'/>]+)/i.exec(start) ?? []
  const [, inXml] = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)/i.exec(start) ?? []
  const told16 = (name: string | undefined) => (name?.startsWith('utf-16') ? utf8 : name)
  // A page that can say in ASCII that it is of UTF-16 is not.
  return named(told) ?? told16(named(inMeta) ?? named(inXml)) ?? utf8
}

/** The text of a page. */
export function pageText(bytes: Buffer, contentType: string): string {
  const marks: [number[], string][] = [
    [[0xef, 0xbb, 0xbf], utf8],
    [[0xfe, 0xff], 'utf-16be'],
    [[0xff, 0xfe], 'utf-16le'],
  ]
  const marked = marks.find(([mark]) => mark.every((byte, i) => bytes[i] === byte))?.[1]
  const charset = marked ?? charsetOf(contentType, bytes.toString('latin1', 0, prescannedCharacters))
  return new TextDecoder(charset).decode(bytes)
}

/** What of ASCII a form leaves as it is (URL Standard, "application/x-www-form-urlencoded percent-encode set"). */
const plain = /[A-Za-z0-9*\-._]/

/** The bytes of the characters beyond ASCII, by character, of an encoding of one byte each. */
function bytesBeyondAscii(charset: string): Map<string, number> {
  const decoder = new TextDecoder(charset)
  const bytes = Array.from({ length: 128 }, (_, i) => 128 + i)
  return new Map(bytes.map((byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
}

/** A text of a form in an encoding of one byte each; a character that the encoding lacks as a reference. */
export function formBytes(text: string, charset: string): Buffer {
  const beyond = bytesBeyondAscii(charset)
  const bytes = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0
    const known = code < 128 ? code : beyond.get(character)
    return known === undefined ? [...Buffer.from(`&#${code};`)] : [known]
  })
  return Buffer.from(bytes.flat())
}

/**
 * A form as a browser writes it from a page of that encoding (URL Standard, "application/x-www-form-urlencoded serializing"): UTF-8 for
 * pages of UTF-16; a character that the encoding lacks as a reference. Beyond UTF-8 it knows encodings of one byte for each character.
 */
export function formText(fields: URLSearchParams, charset: string): string {
  if (charset.startsWith('utf-')) return fields.toString()
  const written = (text: string) =>
    Array.from(formBytes(text, charset), (byte) => {
      const character = String.fromCharCode(byte)
      if (character === ' ') return '+'
      return plain.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    }).join('')
  return Array.from(fields, ([name, value]) => `${written(name)}=${written(value)}`).join('&')
}
