import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { type RequestHandler, Router } from 'express'
import { loginPages } from '../../../bank-idp/target-file.js'
import { isUrl } from '../../../schemas/is-url.js'
import { type Answer, buffered, headerOf, setHeader } from './buffered.js'

/** How people get through the pages of {@link dialect}: the login name on one page, the password on the next, and links. */
export const dialectPages = {
  ...loginPages,
  'sign-in': {
    when: '#user',
    fill: { '#user': '{login}' },
    actions: { submit: 'input[alt="Přihlásit"]', decline: 'a#no' },
  },
  password: { when: 'input#pin', fill: { '#pin': '{password}' }, actions: { submit: '#go' } },
}

/** Members of JSON whose value is written with a fraction of nothing, which is the same number. */
const wholeNumbers = /"(expires_in|exp|iat|client_id_issued_at)":(\d+)/g

/** What may be told of where there is more about an error (RFC 6749 section 5.2). */
const errorUris = ['https://bank.example/help#1', '/help#1', null]

/**
 * JSON with what its grammar leaves free: escapes, spaces, the order and the further members of an object, and null for what is not there. A
 * logout names its session whether or not the client asked for that, so that nobody need keep the wish.
 */
function ownJson(answer: Answer, count: number): void {
  const {
    error,
    error_description,
    backchannel_logout_session_required: _,
    ...others
  } = JSON.parse(answer.body.toString())
  const reversed = Object.fromEntries(Object.entries(others).reverse())
  // Of a registration alone it may have any sign of ASCII (RFC 7591 section 3.2.2).
  const said = answer.req.originalUrl.startsWith('/register')
    ? `"Nelze" \\ ${error_description}`
    : `Nelze: ${error_description}`
  const refusal = { error, error_description: said, error_uri: errorUris[count % 3] }
  const bearer = others.token_type === 'Bearer' && { token_type: 'bearer' }
  const tokens = others.access_token && { refresh_token: null, id_token: null }
  const value = { answer: count, note: null, ...tokens, ...reversed, ...bearer, ...(error && refusal) }
  const text = JSON.stringify(value).replaceAll(wholeNumbers, '"$1" : $2.0')
  const escaped = text
    .replaceAll('/', '\\/')
    .replaceAll(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  answer.body = Buffer.from(`\r\n ${escaped}\n`)
  const isProblem = error && /^\/auth\b/.test(answer.req.originalUrl)
  const types = isProblem ? ['application/problem+json'] : ['application/json', 'Application/JSON;charset="utf-8"']
  setHeader(answer, 'content-type', types[count % types.length])
}

/** Keys of types and curves that few know, which others are to ignore (RFC 7517 section 5), with members of their own. */
const furtherKeys = [
  { kty: 'AKP', alg: 'ML-DSA-65', kid: 'later', use: 'sig', pub: 'AAAA' },
  { kty: 'EC', crv: 'BP-256', alg: 'ESB256', kid: 'brainpool', use: 'sig', key_ops: ['verify'], x: 'AQ', y: 'AQ' },
  { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', kid: 'kid 1/ž', use: 'sig', x: 'A'.repeat(43), iat: 1, revoked: null },
]

/** The bank's own keys behind others. */
function withFurtherKeys(answer: Answer): void {
  const { keys } = JSON.parse(answer.body.toString())
  answer.body = Buffer.from(JSON.stringify({ keys: [...furtherKeys, ...keys] }))
}

/** A challenge for bearer tokens in small letters, after one for another scheme, with its parameters the other way round (RFC 9110 11.6.1). */
function ownChallenge(answer: Answer): void {
  const challenge = headerOf(answer, 'www-authenticate')
  if (!challenge.startsWith('Bearer')) return
  const parameters = challenge.slice('Bearer'.length).trim().split(/, */).reverse().filter(Boolean)
  const own = [`bearer realm="bank, \\"retail\\""`, ...parameters].join(' ,\t')
  setHeader(answer, 'www-authenticate', `DPoP algs="ES256", ${own}`)
}

/** The first parameters last, behind some of the bank's own. */
function ownCallback(location: string): string {
  const { origin, pathname, searchParams, hash } = new URL(location)
  const parameters = [['session_state', 'a.b'], ...[...searchParams].reverse()]
  const query = parameters.map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`)
  // A fragment that carries nothing keeps browsers from carrying on another (RFC 9700 section 4.1.3).
  return `${origin}${pathname}?${query.join('&')}${hash || '#_'}`
}

/** Addresses of the bank's own pages, in each form that a Location may have; 303 in place of 302. */
function ownRedirect(answer: Answer, issuer: string, count: number): void {
  const location = headerOf(answer, 'location')
  const { href, host, pathname, search } = new URL(location, `${issuer}${answer.req.originalUrl}`)
  if (!href.startsWith(`${issuer}/`)) {
    if (isUrl(location) && search !== '') setHeader(answer, 'location', ownCallback(location))
    return
  }
  if (answer.status === 302) answer.status = 303
  const forms = [href, `${pathname}${search}`, `//${host}${pathname}${search}`, `${href}#top`]
  setHeader(answer, 'location', forms[count % forms.length])
}

const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY } }

const signInForm = /<form id="sign-in"[^>]*>/

const windows1250 = new TextDecoder('windows-1250')
const byByte = Array.from({ length: 256 }, (_, byte) => windows1250.decode(Uint8Array.of(byte)))

/** Text in the encoding that pages of Czech banks had before UTF-8. */
function inWindows1250(text: string): Buffer {
  return Buffer.from(Array.from(text, (character) => byByte.indexOf(character)))
}

/**
 * The page that asks for a login name, with a form of something else before it, a base that leads elsewhere, an image to press, and a link
 * to decline.
 */
function namePage(path: string, issuer: string): string {
  return `<!doctype html><meta charset="windows-1250"><title>Přihlášení</title><base href="${issuer}/elsewhere/"><form action="/search"><input name="q"><button>Hledat</button></form>
<form action="..${path}"><textarea name="csrf" hidden>a\nb</textarea><input type="hidden" name="step" value="2"><input type="hidden" name="který" value="příští"><fieldset disabled><input name="robot" value="no"></fieldset>
<select name="realm"><optgroup label="1"><option>people</option></optgroup></select><input id="user" name="login_${Date.now()}"><input type="image" name="go" alt="Přihlásit"></form>
<a id="no" href="..${path}?step=no">Zrušit</a>`
}

/** The page that asks for a password, in a field outside of the form that it belongs to. */
function passwordPage(path: string, login: string): string {
  return `<form id="pins" method="post" action="${path}"><input type="hidden" name="login" value="${login}"></form>
<input form="pins" id="pin" type="password" name="password"><button form="pins" id="go" name="action" value="sign-in">OK</button>`
}

/** What the first form sends: a field in the encoding of its page, the option that is shown, and what the image adds; nothing that is disabled. */
const sent = ['kter%FD=p%F8%ED%9At%ED', 'realm=people', 'go.x=', 'go.y=']

/** What stands between the two pages, and after the link. */
const steps: RequestHandler = (req, res, next) => {
  const { step, ...query } = req.query as Record<string, string>
  const [login = ''] = Object.entries(query).flatMap(([name, value]) => (name.startsWith('login_') ? [value] : []))
  if (step === '2' && sent.every((one) => req.url.includes(one)) && !req.url.includes('robot='))
    res.type('html').send(passwordPage(req.baseUrl + req.path, login))
  else if (step === 'no')
    res
      .type('html')
      .send(
        `<form method="post" action="${req.baseUrl}${req.path}"><input type="hidden" name="action" value="decline"></form><script>document.forms[0].submit()</script>`,
      )
  else next()
}

/** Lets nobody through who does not say who they are, and what they take, as firewalls do. */
const firewall: RequestHandler = (req, res, next) => {
  if (['user-agent', 'accept'].every((name) => req.headers[name] !== undefined)) next()
  else res.status(403).type('html').send('<h1>403 Forbidden</h1>')
}

/**
 * A bank behind a firewall that uses what HTTP, HTML and JSON leave free: content codings, pieces, media types and challenges in other letters, further members,
 * parameters and cookies, numbers and addresses in other forms, keys of other types, and pages in other encodings and of several steps, with links and with controls outside of their form.
 */
export function dialect(issuer: string): Router {
  let count = 0
  const change = (answer: Answer) => {
    count += 1
    const type = headerOf(answer, 'content-type')
    if (answer.req.originalUrl === '/.well-known/jwks.json' && answer.status === 200) withFurtherKeys(answer)
    const page = answer.body.toString()
    if (type.includes('/json') && page.startsWith('{')) ownJson(answer, count)
    else if (type.includes('/jwt')) setHeader(answer, 'content-type', 'Application/JWT;charset=us-ascii')
    else if (signInForm.test(page)) {
      setHeader(answer, 'content-type', 'text/html')
      answer.body = inWindows1250(namePage(new URL(answer.req.originalUrl, issuer).pathname, issuer))
    }
    ownChallenge(answer)
    if (headerOf(answer, 'location') !== '') ownRedirect(answer, issuer, count)
    const kept = headerOf(answer, 'cache-control')
    if (kept !== '')
      setHeader(answer, 'cache-control', `max-age=0, ${kept.replace('no-store', 'No-Store')}, no-cache="set-cookie"`)
    answer.headers.push(['set-cookie', 'node=a=b; path=/; Secure; SameSite=None'], ['vary', '*'])
    const codings = String(answer.req.headers['accept-encoding'])
    if (answer.body.length > 0 && codings.includes(count % 2 ? 'br' : 'gzip')) {
      answer.body = count % 2 ? brotliCompressSync(answer.body, quickly) : gzipSync(answer.body)
      setHeader(answer, 'content-encoding', count % 2 ? 'br' : 'gzip')
    }
    // Connections and pieces cost the proof time: a few of each show as much as many.
    if (count % 19 === 0) setHeader(answer, 'connection', 'close')
    if (count % 7 === 0) answer.pieces = 1 + (count % 700)
    const spelled = (name: string) => (name === 'set-cookie' ? name : name.toUpperCase())
    answer.headers = answer.headers.map(([name, value]) => [spelled(name), value])
  }
  return Router().use(firewall).use(buffered(change)).use('/interaction', steps)
}
