/**
 * The whole flow of a client, against a bank that runs on this machine: it registers, sends a person to log in, and reads the approved data.
 *
 *     npm start                                                  in one terminal
 *     node docs/first-login.js [data directory] [bank's address] in another; .data and https://localhost:8443 when left out
 *
 * It prints the address to open in a browser, waits until a person has logged in there, and prints the claims.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { createLocalJWKSet, exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose'
import { Agent, request } from 'undici'

const [, , data = '.data', bank = 'https://localhost:8443'] = process.argv
const print = (text) => process.stdout.write(`${text}\n`)

// What goes wrong is told in a sentence.
process.on('uncaughtException', ({ message }) => {
  process.stderr.write(`first-login: ${message}\n`)
  process.exit(1)
})

function file(name) {
  try {
    return readFileSync(join(data, name), 'utf8')
  } catch ({ code }) {
    const usage = 'node docs/first-login.js [data directory] [address]'
    throw new Error(
      `${join(data, name)} cannot be read (${code}): give the data directory of a bank that runs: ${usage}`,
    )
  }
}

// What the first start of the bank made for the service: a certificate for mutual TLS, and the keys by which it registers clients.
const certificate = { cert: file('service/certificate.pem'), key: file('service/certificate-key.pem') }
const [serviceKey] = JSON.parse(file('service/jwks.json')).keys
const dispatcher = new Agent({ connect: { ca: file('ca.pem'), ...certificate } })

async function send(path, options) {
  try {
    return await request(`${bank}${path}`, { dispatcher, ...options })
  } catch ({ code }) {
    throw new Error(`${bank}${path} does not answer (${code}): give the address of the bank as it prints it`)
  }
}

/** @throws Error with the bank's answer, unless that is a success */
async function ask(path, options = {}) {
  const { statusCode, body } = await send(path, options)
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text}`)
  return text
}

/** A JWT of a minute that proves to one endpoint who calls it. The bank takes each `jti` once. */
async function assertion(key, endpoint, claims = {}) {
  return new SignJWT({ ...claims, aud: `${bank}${endpoint}`, jti: randomUUID() })
    .setProtectedHeader({ alg: 'PS512', kid: key.kid })
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(await importJWK(key, 'PS512'))
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

// The client: it publishes its public key, and receives the browser that returns from the bank.
const pair = await generateKeyPair('PS512', { extractable: true })
const key = { ...(await exportJWK(pair.privateKey)), kid: 'client-1' }
const publicKey = { ...(await exportJWK(pair.publicKey)), kid: key.kid, alg: 'PS512', use: 'sig' }
const client = createServer(certificate, (req, res) => {
  const { pathname, searchParams } = new URL(req.url ?? '/', 'https://localhost')
  if (pathname === '/jwks.json') return res.end(JSON.stringify({ keys: [publicKey] }))
  res.end('You may close this window.')
  if (pathname === '/callback') client.emit('callback', searchParams)
}).listen(0, '127.0.0.1')
await once(client, 'listening')
const address = `https://localhost:${client.address().port}`

// 1. Register: mutual TLS, and the service's assertion in headers.
const registered = JSON.parse(
  await ask('/register', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      client_assertion: await assertion(serviceKey, '/register'),
      client_assertion_type: assertionType,
    },
    body: JSON.stringify({
      client_name: 'My first client',
      redirect_uris: [`${address}/callback`],
      jwks_uri: `${address}/jwks.json`,
      scope: 'openid profile.name profile.email',
    }),
  }),
)
const { client_id } = registered
print(`Registered as ${client_id}; client_secret and registration_access_token are also in the response.`)

// 2. Send a browser to the bank, and wait for it to return.
const [state, nonce] = [randomUUID(), randomUUID()]
const redirect_uri = `${address}/callback`
const asked = { client_id, redirect_uri, response_type: 'code', scope: registered.scope, state, nonce }
print(`Open ${bank}/auth?${new URLSearchParams(asked)}`)
const [callback] = await once(client, 'callback')
if (callback.get('state') !== state) throw new Error('the callback belongs to another login: state differs')
if (!callback.has('code')) throw new Error(`${callback.get('error')}: ${callback.get('error_description')}`)

// 3. Redeem the code: the client authenticates with its own assertion (private_key_jwt).
const tokens = JSON.parse(
  await ask('/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: callback.get('code'),
      redirect_uri,
      client_assertion: await assertion(key, '/token', { iss: client_id, sub: client_id }),
      client_assertion_type: assertionType,
    }).toString(),
  }),
)
const bankKeys = createLocalJWKSet(JSON.parse(await ask('/.well-known/jwks.json')))
const { payload } = await jwtVerify(tokens.id_token, bankKeys, { issuer: bank, audience: client_id })
if (payload.nonce !== nonce) throw new Error('the id_token belongs to another login: nonce differs')
print(`${payload.sub} has approved: ${tokens.scope}`)

// 4. Read what was approved: two JWTs, signed by the bank for this client.
for (const path of ['/userinfo', '/profile']) {
  const answer = await ask(path, { headers: { authorization: `Bearer ${tokens.access_token}` } })
  const { payload: claims } = await jwtVerify(answer, bankKeys, { issuer: bank, audience: client_id })
  print(`${path} ${JSON.stringify(claims, null, 2)}`)
}

client.close()
client.closeAllConnections()
await dispatcher.close()
