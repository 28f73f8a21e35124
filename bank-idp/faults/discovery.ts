import { body, byNameAlone, fault, omit, unauthorized } from './fault.js'

const route = 'GET /.well-known/openid-configuration'

/** Changes members of the document; undefined leaves one out. */
function declaring(change: (document: Record<string, unknown>, issuer: string) => Record<string, unknown>) {
  return { [route]: body((document, { issuer }) => ({ ...document, ...change(document, issuer) })) }
}

/** Leaves a value out of a list, though the bank takes it. */
function leavingOut(member: string, value: string) {
  return declaring((document) => ({
    [member]: (document[member] as string[]).filter((declared) => declared !== value),
  }))
}

export const discoveryFaults = [
  fault({
    id: 'discovery/needs-token',
    breaks: ['DISC-1'],
    places: ['use=first'],
    title: 'The discovery document needs a token',
    response: { [route]: unauthorized },
  }),
  fault({
    id: 'discovery/html',
    breaks: ['DISC-1'],
    places: ['use=first'],
    title: 'The discovery document is announced as text/html',
    response: {
      [route]: (response) => ({ ...response, headers: { ...response.headers, 'content-type': 'text/html' } }),
    },
  }),
  fault({
    id: 'discovery/in-list',
    breaks: ['DISC-1'],
    places: ['use=first'],
    title: 'The discovery document is in a list',
    response: { [route]: (response) => ({ ...response, body: [response.body] }) },
  }),
  fault({
    id: 'discovery/json-asked-for',
    breaks: ['DISC-1'],
    places: ['parameter=accept'],
    title: 'Serves the discovery document to who asks for JSON by its name, and answers others with 406',
    response: { [route]: byNameAlone },
  }),
  fault({
    id: 'discovery/one-address-for-two',
    breaks: ['DISC-12'],
    places: ['value=repeated'],
    title: 'Declares token_endpoint as device_authorization_endpoint too',
    collateral: { 'authorization/device-grant': 'it asks for codes there' },
    response: {
      [route]: body((document) => ({ ...document, device_authorization_endpoint: document.token_endpoint })),
    },
  }),
  fault({
    id: 'discovery/forwarded-host-believed',
    breaks: ['DISC-2'],
    places: ['value=wrong'],
    title: 'Makes its addresses of the host that a caller tells as a proxy would',
    response: {
      [route](response, { issuer, requestHeader }) {
        const told = requestHeader('x-forwarded-host')
        if (told === undefined) return response
        const text = JSON.stringify(response.body).replaceAll(new URL(issuer).host, told)
        return { ...response, body: JSON.parse(text) }
      },
    },
  }),
  fault({
    id: 'discovery/no-token-endpoint',
    breaks: ['DISC-1'],
    places: ['use=first'],
    title: 'The discovery document leaves out token_endpoint',
    collateral: { 'discovery/addresses': 'DISC-3 wants token_endpoint to be an address' },
    response: { [route]: body((document) => omit(document, 'token_endpoint')) },
  }),
  fault({
    id: 'discovery/issuer-with-slash',
    breaks: ['DISC-2'],
    places: ['value=superset'],
    title: 'Declares its issuer with a slash at the end, which its tokens do not have',
    response: declaring((_document, issuer) => ({ issuer: `${issuer}/` })),
  }),
  fault({
    id: 'discovery/other-issuer',
    breaks: ['DISC-2'],
    places: ['value=wrong'],
    title: 'Declares the address of another stage as its issuer',
    response: declaring(() => ({ issuer: 'https://idp.preprod.bank.example' })),
  }),
  fault({
    id: 'discovery/relative-address',
    breaks: ['DISC-3'],
    places: ['member=op_tos_uri'],
    title: 'Declares op_tos_uri without the host',
    response: declaring(() => ({ op_tos_uri: '/terms' })),
  }),
  fault({
    id: 'discovery/plain-http',
    breaks: ['DISC-3', 'GEN-2'],
    places: ['member=userinfo_endpoint', 'value=right'],
    title: 'Declares userinfo_endpoint with http',
    collateral: { 'general/paths': "another scheme is another address than the table's path has (GEN-7)" },
    response: declaring((_document, issuer) => ({
      userinfo_endpoint: `${issuer.replace('https:', 'http:')}/userinfo`,
    })),
  }),
  fault({
    id: 'discovery/booleans-as-text',
    breaks: ['DISC-4'],
    places: [
      'member=request_parameter_supported value=other-type',
      'member=claims_parameter_supported value=other-type',
      'member=request_uri_parameter_supported value=other-type',
      'member=require_request_uri_registration value=other-type',
    ],
    title: 'Declares the booleans as text',
    response: declaring((document) =>
      Object.fromEntries(
        Object.entries(document).flatMap(([member, value]) =>
          typeof value === 'boolean' ? [[member, String(value)]] : [],
        ),
      ),
    ),
  }),
  fault({
    id: 'discovery/request-parameter',
    breaks: ['DISC-4'],
    places: ['member=request_parameter_supported value=wrong'],
    title: 'Declares that it supports the parameter request',
    response: declaring(() => ({ request_parameter_supported: true })),
  }),
  fault({
    id: 'discovery/scope-left-out',
    breaks: ['DISC-5'],
    places: ['scope=profile.zoneinfo'],
    title: 'Leaves out a scope that it grants',
    response: leavingOut('scopes_supported', 'profile.zoneinfo'),
  }),
  fault({
    id: 'discovery/scopes-as-text',
    breaks: ['DISC-5'],
    places: ['value=other-type'],
    title: 'Declares scopes_supported as one text with spaces',
    response: declaring(({ scopes_supported }) => ({ scopes_supported: (scopes_supported as string[]).join(' ') })),
  }),
  fault({
    id: 'discovery/acr-numbers',
    breaks: ['DISC-6'],
    places: ['value=other-type'],
    title: 'Declares the levels of assurance as 2 and 3',
    collateral: {
      'authorization/acr-declared': 'a level that is declared is not reached (DISC-20)',
      'token/id-token-claims': 'the id_token names the levels as ever',
      'token/refreshed-id-token-claims': 'acr of the id_token is none of those declared',
      'token/signing-id-token-claims': 'acr of the id_token is none of those declared',
      'token/hybrid-id-token': 'acr of the id_token is none of those declared',
      'authorization/code': 'a login that asks for a level that is declared is refused',
      'authorization/max-age-variations': 'a level that is declared is refused',
      'authorization/prompt-login-variations': 'a level that is declared is refused',
      'authorization/prompt-none-signed-out': 'a level that is declared is refused',
      'registration/create': 'a record with the levels that are declared is refused',
      'registration/record-echoed-put': 'a record with the levels that are declared is refused',
    },
    response: declaring(() => ({ acr_values_supported: ['2', '3'] })),
  }),
  fault({
    id: 'discovery/response-mode-fragment',
    breaks: ['DISC-7'],
    places: ['member=response_modes_supported'],
    title: 'Declares response mode fragment alone',
    collateral: { 'authorization/declared-flows': 'a response mode that is declared does not work (DISC-19)' },
    response: declaring(() => ({ response_modes_supported: ['fragment'] })),
  }),
  fault({
    id: 'discovery/public-left-out',
    breaks: ['DISC-7'],
    places: ['member=subject_types_supported'],
    title: 'Leaves out subject type public, which it registers',
    collateral: { 'subjects/public': 'SUB-8 allows a bank without public subjects that refuses them (AMB-40)' },
    response: leavingOut('subject_types_supported', 'public'),
  }),
  fault({
    id: 'discovery/device-grant-unknown',
    breaks: ['DISC-19'],
    places: ['grant=device'],
    title: 'Declares the device authorization grant, and does not know it at token',
    request: {
      'POST /token': (form) => {
        if (form.get('grant_type')?.endsWith(':device_code')) form.set('grant_type', 'device_code')
      },
    },
  }),
  fault({
    id: 'discovery/endpoint-not-there',
    breaks: ['DISC-12'],
    places: ['member=device_authorization_endpoint'],
    title: 'Declares an address for device_authorization_endpoint at which nothing is',
    collateral: { 'authorization/device-grant': 'the grant that is declared begins at that address' },
    response: {
      [route]: body((document, { issuer }) => ({
        ...document,
        device_authorization_endpoint: `${issuer}/device/codes`,
      })),
    },
  }),
  fault({
    id: 'discovery/endpoint-of-another-kind',
    breaks: ['DISC-12'],
    places: ['member=op_tos_uri'],
    title: 'Declares an address as op_tos_uri that is not a page',
    response: { [route]: body((document, { issuer }) => ({ ...document, op_tos_uri: `${issuer}/register` })) },
  }),
  fault({
    id: 'discovery/client-secret-basic',
    breaks: ['DISC-8'],
    places: ['member=token_endpoint_auth_methods_supported'],
    title: 'Declares client_secret_basic alone',
    response: declaring(() => ({ token_endpoint_auth_methods_supported: ['client_secret_basic'] })),
  }),
  fault({
    id: 'discovery/assertion-algorithm-left-out',
    breaks: ['DISC-8'],
    places: ['member=token_endpoint_auth_signing_alg_values_supported'],
    title: 'Leaves out ES512 for client assertions, which it takes',
    response: leavingOut('token_endpoint_auth_signing_alg_values_supported', 'ES512'),
  }),
  fault({
    id: 'discovery/signing-algorithm-left-out',
    breaks: ['DISC-9'],
    places: ['member=userinfo'],
    title: 'Leaves out ES512 for userinfo, with which it signs when that is registered',
    response: leavingOut('userinfo_signing_alg_values_supported', 'ES512'),
  }),
  fault({
    id: 'discovery/encryption-left-out',
    breaks: ['DISC-10'],
    places: ['member=id_token'],
    title: 'Leaves out the encryption of the id_token, which it does when that is registered',
    response: {
      [route]: body((document) =>
        omit(document, 'id_token_encryption_alg_values_supported', 'id_token_encryption_enc_values_supported'),
      ),
    },
  }),
  fault({
    id: 'discovery/sub-left-out',
    breaks: ['DISC-11'],
    places: ['claim=sub'],
    title: 'Leaves sub out of claims_supported',
    collateral: { 'discovery/declared-scopes': 'userinfo has a claim then that claims_supported lacks' },
    response: leavingOut('claims_supported', 'sub'),
  }),
]
