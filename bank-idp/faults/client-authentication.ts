import { randomBytes } from 'node:crypto'
import { fault } from './fault.js'

function spoilSecret(form: URLSearchParams): void {
  if (form.has('client_secret')) form.set('client_secret', 'another-secret')
}

function headerOf(form: URLSearchParams): string {
  return (form.get('client_assertion') ?? '').split('.')[0] ?? ''
}

function isSecretJwt(form: URLSearchParams): boolean {
  return Buffer.from(headerOf(form), 'base64url').toString().includes('"HS')
}

function spoilSecretJwt(form: URLSearchParams): void {
  if (isSecretJwt(form)) form.set('client_assertion', `${headerOf(form)}.e30.AAAA`)
}

export const clientAuthenticationFaults = [
  fault({
    id: 'client-authentication/secret-post-in-vain',
    breaks: ['REG-21'],
    places: ['endpoint=token'],
    title: 'Registers client_secret_post and refuses the secret',
    request: { 'POST /token': spoilSecret },
  }),
  fault({
    id: 'client-authentication/secret-jwt-in-vain',
    breaks: ['REG-35'],
    places: ['HS256', 'HS384', 'HS512'].map((alg) => `endpoint=token alg=${alg}`),
    title: 'Registers client_secret_jwt and refuses its assertions',
    request: { 'POST /token': spoilSecretJwt },
  }),
  ...(['token-info', 'revoke'] as const).flatMap((endpoint) => [
    fault({
      id: `client-authentication/secret-post-in-vain-at-${endpoint}`,
      breaks: ['REG-21', ...(endpoint === 'revoke' ? ['REV-5'] : ['INTR-4', 'DISC-15'])],
      places: [`endpoint=${endpoint}`, 'client-auth=client_secret_post'],
      title: `Registers client_secret_post and refuses the secret at /${endpoint}`,
      request: { [`POST /${endpoint}`]: spoilSecret },
    }),
    fault({
      id: `client-authentication/secret-jwt-in-vain-at-${endpoint}`,
      breaks: ['REG-35', ...(endpoint === 'revoke' ? ['REV-5'] : ['INTR-4', 'DISC-15'])],
      places: [`endpoint=${endpoint}`, 'client-auth=client_secret_jwt'],
      title: `Registers client_secret_jwt and refuses its assertions at /${endpoint}`,
      request: { [`POST /${endpoint}`]: spoilSecretJwt },
    }),
    fault({
      id: `client-authentication/secret-jwt-to-no-effect-at-${endpoint}`,
      breaks: [endpoint === 'revoke' ? 'REV-5' : 'INTR-4'],
      places: ['client-auth=client_secret_jwt'],
      title: `Believes assertions by client_secret at /${endpoint}, and then does nothing`,
      request: {
        [`POST /${endpoint}`](form: URLSearchParams) {
          if (isSecretJwt(form)) form.set('token', 'a-token-of-nobody')
        },
      },
    }),
  ]),
  fault({
    id: 'client-authentication/secret-short',
    breaks: ['REG-35'],
    places: ['endpoint=token alg=HS512'],
    title: 'Issues a client_secret of 43 characters, too short for HS384 and HS512',
    clients: { create: (record, { store }) => store.create(record, randomBytes(32).toString('base64url')) },
  }),
  fault({
    id: 'client-authentication/any-method',
    breaks: ['REG-37', 'SIGN-16'],
    places: [
      'client-auth=client_secret_post',
      'endpoint=token client-auth=client_secret_post',
      'endpoint=token client-auth=client_secret_jwt',
      'endpoint=token client-auth=private_key_jwt',
    ],
    title: 'Takes any authentication method from any client',
    without: ['client-authentication/method'],
  }),
  fault({
    id: 'client-authentication/any-algorithm',
    breaks: ['REG-24', 'DISC-13', 'TOK-16'],
    places: ['endpoint=token client-auth=private_key_jwt', 'endpoint=token alg=PS256'],
    title: 'Does not look at the registered algorithm of assertions',
    without: ['client-assertion/algorithm'],
  }),
  fault({
    id: 'client-authentication/keys-kept-for-long',
    breaks: ['REG-32'],
    places: ['endpoint=token', 'endpoint=token-info', 'endpoint=revoke'],
    title: 'Keeps the keys of jwks_uri and does not look for a key that it does not know',
    without: ['client-keys/search'],
  }),
  fault({
    id: 'registration/data-scopes-alone',
    breaks: ['REG-25', 'DISC-21'],
    places: ['scope=authorization', 'scope=notification.claims_updated', 'endpoint=register'],
    title: 'Drops the scopes authorization and notification.claims_updated of a registration',
    collateral: {
      'signing/request-object': 'POST /ros refuses a client without scope authorization',
    },
    clients: {
      create: (record, { store }) => {
        const dropped = ['authorization', 'notification.claims_updated']
        const scope = record.scope.split(' ').filter((one) => !dropped.includes(one))
        return store.create({ ...record, scope: scope.join(' ') })
      },
    },
  }),
]
