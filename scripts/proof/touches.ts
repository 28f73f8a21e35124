import type { Fault, NestedJwtKind } from '../../bank-idp/faults/fault.js'

const registrationRoutes = [
  'POST /register',
  'GET /register/{client_id}',
  'PUT /register/{client_id}',
  'DELETE /register/{client_id}',
]

/** What a rule asks of the control door for a person to change. */
const changeOfPerson = 'POST control door /people/{login}'

/** Where the named checks of a table stand: by the table's name in the ids of its checks. */
const routesOfChecks: Record<string, string[]> = {
  registration: registrationRoutes,
  'registration-assertion': registrationRoutes,
  'client-keys': ['POST /token', 'POST /token-info', 'POST /revoke'],
  'client-assertion': ['POST /token', 'POST /token-info', 'POST /revoke'],
  'client-authentication': ['POST /token', 'POST /token-info', 'POST /revoke'],
  'token-request': ['POST /token'],
  token: ['POST /token-info', 'POST /revoke'],
  'ros-caller': ['POST /ros'],
  ros: ['POST /ros'],
  authorize: ['GET /authorize'],
  signer: ['GET /authorize'],
  'signing-token': ['POST /token'],
  'access-token': ['GET /userinfo', 'GET /profile', 'POST /ros'],
  authorization: ['GET /auth'],
  'request-object': ['GET /auth'],
  logout: ['GET /session/end'],
  notification: [changeOfPerson],
}

/** Where each nested JWT is handed out. */
const routeOfNestedJwt: Record<NestedJwtKind, string> = {
  id_token: 'POST /token',
  userinfo: 'GET /userinfo',
  logout_token: 'GET /session/end',
  notification_token: changeOfPerson,
  profile: 'GET /profile',
}

/** What a rule asks for that tries TLS handshakes. */
export const handshakes = 'TLS handshake'

/** Where codes and tokens are issued and used. */
const routesOfTokens = ['POST /ros', 'POST /token', 'POST /token-info', 'POST /revoke', 'GET /userinfo', 'GET /profile']

/** The routes whose answers a fault changes, as METHOD /path: rules that never ask for them cannot notice it. */
export function touches(fault: Fault): string[] {
  return [
    ...(fault.tls ? [handshakes] : []),
    ...(fault.requestObject ? ['POST /ros'] : []),
    ...(fault.consented ? ['GET /auth'] : []),
    ...Object.keys(fault.request ?? {}),
    ...Object.keys(fault.response ?? {}),
    ...Object.keys(fault.paths ?? {}).map((path) => `GET ${path}`),
    ...(Object.keys(fault.nestedJwt ?? {}) as NestedJwtKind[]).map((kind) => routeOfNestedJwt[kind]),
    ...Object.keys(fault.request ?? {}),
    ...(fault.records || fault.lifetimes || fault.accessToken ? routesOfTokens : []),
    ...(fault.clients ? [...registrationRoutes, 'GET /auth', 'POST /token'] : []),
    ...(fault.subject ? ['POST /token', 'GET /userinfo'] : []),
    ...(fault.without ?? []).flatMap((check) => {
      const table = check.split('/')[0] ?? ''
      const routes = routesOfChecks[table]
      if (!routes) throw new Error(`${fault.id}: scripts/proof/touches.ts does not say where ${check} stands`)
      return routes
    }),
  ]
}
