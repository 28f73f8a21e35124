import { createPrivateKey, randomUUID } from 'node:crypto'
import { importJWK, type JWK, SignJWT } from 'jose'
import { capabilities } from '../../capabilities.js'
import { dataScopes } from '../../claims.js'
import { nowSeconds } from '../../clock.js'
import { BankError } from '../../errors.js'
import { ask } from '../../in-process.js'
import { makeCertificate } from '../../keys/certificates.js'
import { serviceHosts } from '../../keys/identity.js'
import { addressOfKeys } from '../../keys/told-keys.js'
import type { Policy } from '../../policy.js'
import { assertionType } from '../../provider/assertion.js'
import { makeClientKeys } from '../client-keys.js'
import type { Bench, Operation } from '../operation.js'
import type { MadeClient, NewClient } from '../operation-data.js'
import { successOf } from '../refusal.js'

const example: MadeClient = {
  client_id: '0b6c1d2e',
  client_secret: 'a-secret',
  redirect_uris: ['https://app.example/cb'],
  private_jwks: { keys: [{ kid: 'k1', use: 'sig', alg: 'PS512', kty: 'RSA', n: '...', e: 'AQAB', d: '...' }] },
  private_key_pem: '-----BEGIN PRIVATE KEY-----...',
  certificate: { cert: '-----BEGIN CERTIFICATE-----...', key: '-----BEGIN PRIVATE KEY-----...' },
  registration_access_token: 'a-token',
  registration_client_uri: 'https://localhost:8443/register/0b6c1d2e',
  record: { client_name: 'My client', scope: 'openid profile.name' },
}

const text = { type: 'string' }

/** What some readings ask of a record beyond the table's least (AMB-48, AMB-58). */
function requiredBy(policy: Policy, redirectUri: string): Record<string, unknown> {
  const page = new URL('/', redirectUri).href
  return {
    ...(policy.requiredRegistrationFields === 'as-published' && {
      request_uris: [],
      require_auth_time: false,
      default_max_age: 3600,
      tos_uri: page,
      logo_uri: page,
    }),
    ...(policy.userDataEncryption === 'registration-required' && {
      userinfo_encrypted_response_alg: 'RSA-OAEP-256',
      profile_encrypted_response_alg: 'RSA-OAEP-256',
    }),
  }
}

/** The service's RegistrationAuthJWT. @throws {BankError} when its keys are another's */
async function registrationAssertion({ context: { config, identity } }: Bench): Promise<string> {
  const key = identity.service.jwks.keys.find(({ alg }) => alg === 'PS512')
  if (!key || config.serviceKeys !== undefined) {
    throw new BankError(
      'invalid_request',
      'clients are registered by the service, whose keys the bank was told: it has to sign',
    )
  }
  const iat = nowSeconds()
  return new SignJWT({ aud: `${config.issuer}/register`, jti: randomUUID(), iat, exp: iat + 60 })
    .setProtectedHeader({ alg: 'PS512', ...(key.kid !== undefined && { kid: key.kid }) })
    .sign(await importJWK(key, 'PS512'))
}

const pem = (key: JWK) => createPrivateKey({ key, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }).toString()

export const registerClient: Operation<NewClient, MadeClient> = {
  id: 'registerClient',
  method: 'post',
  path: '/clients',
  summary: 'Makes keys, a certificate and a client, by the real registration; whatever is left out is filled in.',
  input: {
    required: ['redirect_uris'],
    properties: {
      redirect_uris: { type: 'array', minItems: 1, items: text },
      client_name: text,
      scope: { ...text, description: 'Space-delimited; default: all that there is.' },
      token_endpoint_auth_method: { enum: capabilities.tokenEndpointAuthMethods },
      jwks_uri: { ...text, description: "Where the client's own keys are published; default: keys are made." },
      record: { type: 'object', description: 'Further members of the registration record, as on the wire.' },
    },
  },
  output: {
    type: 'object',
    required: ['client_id', 'redirect_uris', 'certificate', 'registration_access_token', 'record'],
    properties: {
      client_id: text,
      client_secret: text,
      redirect_uris: { type: 'array', items: text },
      private_jwks: {
        type: 'object',
        required: ['keys'],
        properties: { keys: { type: 'array', items: { type: 'object' } } },
        description:
          'PS512 for assertions, RSA-OAEP-256 for what is encrypted to the client, ES256 for the signing flow.',
      },
      private_key_pem: { ...text, description: 'The key that signs its assertions (PS512), as PKCS #8 in PEM.' },
      certificate: {
        type: 'object',
        description: 'For mutual TLS, PEM.',
        required: ['cert', 'key'],
        properties: { cert: text, key: text },
      },
      registration_access_token: text,
      registration_client_uri: text,
      record: { type: 'object', description: 'The answer to the registration, as it is.' },
    },
  },
  example: { input: { redirect_uris: ['https://app.example/cb'], scope: 'openid profile.name' }, output: example },
  async run(bench, { record: further = {}, ...given }) {
    const { config, identity, policy } = bench.context
    const [first = ''] = given.redirect_uris
    const hasKeys = given.jwks_uri !== undefined || Reflect.has(further, 'jwks_uri')
    if (!hasKeys && !config.bench) {
      throw new BankError('invalid_request', 'this bank takes no keys that nobody serves: give jwks_uri')
    }
    const [keys, certificate, assertion] = await Promise.all([
      hasKeys ? undefined : makeClientKeys(),
      makeCertificate(identity.authority, { commonName: 'a client', hosts: serviceHosts, usages: ['client'] }),
      registrationAssertion(bench),
    ])
    const record = {
      client_name: 'A client',
      scope: ['openid', 'offline_access', ...dataScopes].join(' '),
      grant_types: ['authorization_code', 'refresh_token'],
      // Not every address has pages beside it: /register says what is wrong with it.
      ...(URL.canParse('/', first) && requiredBy(policy, first)),
      ...(keys && { jwks_uri: addressOfKeys(keys.keys) }),
      ...given,
      ...further,
    }
    const answer = await ask(bench, {
      method: 'POST',
      address: '/register',
      headers: {
        'content-type': 'application/json',
        client_assertion: assertion,
        client_assertion_type: assertionType,
      },
      body: JSON.stringify(record),
      certificate: identity.service.certificate.cert,
    })
    const registered = successOf(answer, 'POST /register') as Pick<MadeClient, 'client_id' | 'redirect_uris'> &
      Record<string, unknown>
    if (keys) bench.madeKeys.keep(registered.client_id, keys)
    const { client_id, client_secret, redirect_uris, registration_access_token, registration_client_uri } = registered
    const signing = keys?.keys.find(({ alg }) => alg === 'PS512')
    return {
      client_id,
      ...(client_secret !== undefined && { client_secret: String(client_secret) }),
      redirect_uris,
      ...(keys && { private_jwks: keys }),
      ...(signing && { private_key_pem: pem(signing) }),
      certificate,
      registration_access_token: String(registration_access_token),
      registration_client_uri: String(registration_client_uri),
      record: registered,
    }
  },
}
