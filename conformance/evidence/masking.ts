import { createHmac, randomBytes } from 'node:crypto'

/** Members of forms, queries and JSON bodies that are secrets, whoever sends them. */
const secretMembers = new Set([
  'access_token',
  'client_api_key',
  'client_assertion',
  'client_secret',
  'code_verifier',
  'device_code',
  'id_token',
  'id_token_hint',
  'logout_token',
  'notification_token',
  'password',
  'refresh_token',
  'registration_access_token',
  'token',
])

/** In JSON a `code` is an error's; in queries and forms it is the authorization code. */
const secretParameters = new Set([...secretMembers, 'code'])

const secretHeaders = new Set(['authorization', 'client_assertion', 'proxy-authorization'])

/**
 * A short one of letters alone is a word that anybody may write ("something went wrong"), also where it is a password of the target file:
 * it is masked where its name tells it, or where it is the whole of a value.
 */
const plainWord = /^\p{L}{1,15}$/u

/** A JWT, or the beginning of one that was cut: its header begins with {". */
const jwt = /\beyJ[\w-]{8,}(\.[\w-]*)*/g

/**
 * What can be a secret in running text. Shorter secrets, parts of secrets and short cookies are masked only where their name tells
 * them: they might be plain words.
 */
const candidate = /[\w~.+-]{8,}/g

/** A field of a form as multipart/form-data has it: what stands before its value, its name and its value. */
const part = /(name="([^"]*)"\r\n\r\n)(.*?)(?=\r\n--)/gs

export type Headers = Record<string, string | string[]>

/**
 * Takes secrets out of what is recorded. A secret becomes `name:‹hash›` under a key of this run, so that equal secrets look
 * equal within one report and nothing can be learned from it. Those that their name tells are masked when they are recorded, and
 * known from then on; wherever else they turn up, earlier or later, {@link late} masks them before anything is shown.
 */
export class Masking {
  private readonly key = randomBytes(32)
  /** By the whole secret. */
  private readonly masks = new Map<string, string>()
  /** By what is looked for in running text. */
  private readonly words = new Map<string, string>()

  /** Makes a secret known and gives its mask. */
  secret(name: string, value: string): string {
    if (value === '') return value
    const known = this.masks.get(value)
    if (known) return known
    const mask = `${name}:‹${this.hash(value)}›`
    this.masks.set(value, mask)
    for (const word of value.match(candidate) ?? []) {
      const telling = word === value && name !== 'cookie' ? 8 : 16
      if (word.length >= telling && !plainWord.test(word) && !this.words.has(word)) this.words.set(word, mask)
    }
    return mask
  }

  /** Masks the known secrets in running text. */
  text(text: string): string {
    return text.replace(candidate, (word) => {
      const mask = this.words.get(word)
      if (mask !== undefined || !word.endsWith('.')) return mask ?? word
      const bare = word.replace(/\.+$/, '')
      return `${this.words.get(bare) ?? bare}${word.slice(bare.length)}`
    })
  }

  /** Masks the known secrets in what is told of a result, and every JWT: cut to its beginning, or not known yet, it may be one. */
  prose(text: string): string {
    return this.text(text).replace(jwt, (found) => `jwt:‹${this.hash(found)}›`)
  }

  /** Masks the secrets known by now in every string of a value. */
  late<Value>(value: Value): Value
  late(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((element) => this.late(element))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, this.late(inner)]))
  }

  /** Masks a JSON value: string members that are secrets by their name, and those that are nothing but a known one. */
  json(value: unknown, name = ''): unknown {
    if (typeof value === 'string') {
      if (secretMembers.has(name)) return this.secret(name, value)
      return this.masks.get(value) ?? value
    }
    if (Array.isArray(value)) return value.map((element) => this.json(element, name))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, this.json(inner, member)]))
  }

  /** Masks a query, a fragment or a form body, written as name=value&… */
  parameters(text: string): string {
    return text
      .split('&')
      .map((pair) => {
        const equals = pair.indexOf('=')
        if (equals < 0) return pair
        const name = decoded(pair.slice(0, equals))
        const value = decoded(pair.slice(equals + 1))
        if (secretParameters.has(name)) return `${pair.slice(0, equals + 1)}${this.secret(name, value)}`
        const known = this.masks.get(value)
        return known ? `${pair.slice(0, equals + 1)}${known}` : pair
      })
      .join('&')
  }

  /** Masks the parts of a form (RFC 7578). */
  private parts(text: string): string {
    return text.replace(part, (whole, head: string, name: string, value: string) => {
      const mask = secretParameters.has(name) ? this.secret(name, value) : this.masks.get(value)
      return mask === undefined ? whole : `${head}${mask}`
    })
  }

  url(url: string): string {
    const [, address = '', query, fragment] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? []
    return [
      address,
      query && `?${this.parameters(query.slice(1))}`,
      fragment && `#${this.parameters(fragment.slice(1))}`,
    ].join('')
  }

  headers(headers: Headers): Headers {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map((one) => this.header(name, one)) : this.header(name, value),
      ]),
    )
  }

  /** Masks a body by what its content type says it is. */
  body(contentType: string, text: string): string {
    if (contentType.startsWith('application/x-www-form-urlencoded')) return this.parameters(text)
    if (contentType.startsWith('multipart/form-data')) return this.parts(text)
    try {
      return JSON.stringify(this.json(JSON.parse(text)))
    } catch {
      return text
    }
  }

  private hash(secret: string): string {
    return createHmac('sha256', this.key).update(secret).digest('hex').slice(0, 8)
  }

  private header(name: string, value: string): string {
    const lower = name.toLowerCase()
    if (lower === 'location' || lower === 'referer') return this.url(value)
    if (lower === 'cookie')
      return value
        .split('; ')
        .map((cookie) => this.cookie(cookie))
        .join('; ')
    if (lower === 'set-cookie') {
      const [cookie = '', ...attributes] = value.split(';')
      return [this.cookie(cookie), ...attributes].join(';')
    }
    if (!secretHeaders.has(lower)) return value
    // A scheme that nothing follows is no secret: it is a word of other answers too, such as token_type.
    const [, scheme = '', credentials = ''] = /^((?:Basic|Bearer)$|[\w-]+ +)?(.*)$/is.exec(value) ?? []
    return `${scheme}${this.secret(lower, credentials)}`
  }

  private cookie(cookie: string): string {
    const equals = cookie.indexOf('=')
    return `${cookie.slice(0, equals + 1)}${this.secret('cookie', cookie.slice(equals + 1))}`
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
