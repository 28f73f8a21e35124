import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import { files } from '../../bank-idp/keys/data-directory.js'

/**
 * oidc-provider alone, in memory, with its own pages, over TLS with the certificate of a bank's data directory: what a bank is measured
 * beside. Takes the directory as its argument, and prints its address once it listens.
 */
const [data = ''] = process.argv.slice(2)
const read = (file: string) => readFileSync(join(data, file))
const { privateKey } = await generateKeyPair('PS512', { extractable: true })

const server = createServer({ cert: read(files.tls), key: read(files.tlsKey) })
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const issuer = `https://localhost:${(server.address() as AddressInfo).port}`
const provider = new Provider(issuer, {
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'PS512', use: 'sig', kid: 'signing' }] },
  cookies: { keys: ['a benchmark has no secrets'] },
  scopes: ['openid', 'offline_access', 'profile.name'],
  claims: { 'profile.name': ['given_name', 'family_name'] },
  features: { registration: { enabled: true } },
  routes: { authorization: '/auth', token: '/token', registration: '/register' },
  clientAuthMethods: ['private_key_jwt'],
  enabledJWA: { idTokenSigningAlgValues: ['PS512'], clientAuthSigningAlgValues: ['ES512'] },
  clientDefaults: { id_token_signed_response_alg: 'PS512', token_endpoint_auth_method: 'private_key_jwt' },
  responseTypes: ['code'],
  // The client is on this machine, where the library fetches nothing.
  fetch: (url, options) => fetch(url, { headers: options?.headers, signal: options?.signal }),
  pkce: { required: () => false },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, given_name: 'Jana', family_name: 'Nováková' }),
  }),
})
provider.proxy = true
server.on('request', provider.callback())
console.log(issuer)
