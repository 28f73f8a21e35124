import type { JWK } from 'jose'
import type { SeamResponse } from '../seams.js'
import { body, type Fault, fault } from './fault.js'

/** Tokens of nobody, as an answer of /token gives them. */
function tokens(): SeamResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: {
      access_token: 'bm8gZ3JhbnQgaGFzIHRoaXMgdG9rZW4gb2Ygbm9ib2R5',
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid',
    },
  }
}

/** A curve of 224 bits (FIPS 186-4 appendix D): its base point as the key. */
const smallKey: JWK = {
  kty: 'EC',
  crv: 'P-224',
  kid: 'p-224',
  use: 'sig',
  alg: 'ES256',
  x: 'tw4MvWu0v38yE5C5SgPB01bCESI0MoDWEVwdIQ',
  y: 'vTdjiLX3I_tMIt_mzUN1oFoHR2RE1YGZhQB-NA',
}

/** What discovery declares, or does not, and how the bank does otherwise. */
export const discoveryRealityFaults: readonly Fault[] = [
  fault({
    id: 'discovery/query-as-fragment',
    breaks: ['DISC-19'],
    places: ['grant=code'],
    title: 'Declares response mode query, and does not know it when it is asked for',
    request: {
      'GET /auth'(parameters) {
        if (parameters.get('response_mode') === 'query') parameters.set('response_mode', 'fragment')
      },
    },
  }),
  fault({
    id: 'discovery/titles-beside-name-alone',
    breaks: ['DISC-21'],
    places: ['endpoint=auth'],
    title: 'Refuses a request for profile.titles without profile.name',
    collateral: {
      'consent/each-scope': 'no page comes of a request that is refused',
      'consent/one-after-the-other': 'no page comes of a request that is refused',
    },
    request: {
      'GET /auth'(parameters) {
        const scope = parameters.get('scope') ?? ''
        if (/\bprofile\.titles\b/.test(scope) && !/\bprofile\.name\b/.test(scope))
          parameters.set('scope', `${scope} profile.title`)
      },
    },
  }),
  fault({
    id: 'discovery/authorization-not-granted',
    breaks: ['DISC-21', 'REG-25'],
    places: ['endpoint=token', 'scope=authorization'],
    title: 'Registers the scope authorization, and leaves it out of the scopes that it grants',
    response: {
      'POST /token': body(({ scope, ...response }) => ({
        ...response,
        scope: String(scope).replace(/ ?\bauthorization\b/, ''),
      })),
    },
  }),
  fault({
    id: 'discovery/undeclared-claim',
    breaks: ['DISC-21'],
    places: ['endpoint=userinfo'],
    title: 'Gives at userinfo a claim that claims_supported does not have',
    nestedJwt: { userinfo: ({ claims, ...nestedJwt }) => ({ ...nestedJwt, claims: { ...claims, credit_score: 700 } }) },
  }),
  fault({
    id: 'discovery/basic-taken',
    breaks: ['DISC-22'],
    places: ['endpoint=token member=client_secret_basic'],
    title: 'Takes HTTP Basic at /token, which discovery does not declare',
    response: {
      'POST /token': (response, { requestHeader }) =>
        requestHeader('authorization')?.startsWith('Basic ') ? tokens() : response,
    },
  }),
  fault({
    id: 'discovery/password-grant-taken',
    breaks: ['DISC-23'],
    places: ['endpoint=token'],
    title: 'Takes the grant password, which discovery does not declare',
    response: {
      'POST /token': (response, { form }) => (form.get('grant_type') === 'password' ? tokens() : response),
    },
  }),
  fault({
    id: 'discovery/code-token-taken',
    breaks: ['DISC-23'],
    places: ['endpoint=auth'],
    title: 'Serves response_type code token, which discovery does not declare, as code',
    request: {
      'GET /auth'(parameters) {
        if (parameters.get('response_type') === 'code token') parameters.set('response_type', 'code')
      },
    },
  }),
  fault({
    id: 'jwks/small-curve',
    breaks: ['REG-27'],
    places: ['endpoint=jwks'],
    title: 'Publishes an EC key of 224 bits',
    response: { 'GET /.well-known/jwks.json': body(({ keys }) => ({ keys: [...(keys as JWK[]), smallKey] })) },
  }),
  fault({
    id: 'token/ps512-declared-in-vain',
    breaks: ['DISC-15', 'REG-36'],
    places: ['client-auth=private_key_jwt', 'endpoint=token alg=PS512'],
    title: 'Refuses PS512 in client assertions, though it is declared',
    judgedAssertion: (assertion) =>
      assertion.header.alg === 'PS512' ? { ...assertion, header: { ...assertion.header, alg: 'PS384' } } : assertion,
  }),
]
