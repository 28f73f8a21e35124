import type { Deviation, Fault } from '../../bank-idp/faults/fault.js'
import type { NestedJwtKind } from '../../bank-idp/seams.js'

const registrationRoutes = [
  'POST /register',
  'GET /register/{client_id}',
  'PUT /register/{client_id}',
  'DELETE /register/{client_id}',
]

/** What a rule asks of the control door for a person to change. */
const changeOfPerson = 'POST control door /people/{login}'

/** Where clients authenticate. */
const routesOfClients = ['POST /token', 'POST /token-info', 'POST /revoke']

/** Where the named steps and checks of a table stand: by the table's name in their ids. */
const routesOfChecks: Record<string, string[]> = {
  registration: registrationRoutes,
  'registration-assertion': registrationRoutes,
  replacement: ['PUT /register/{client_id}'],
  'client-keys': [...routesOfClients, 'GET /userinfo', 'GET /profile'],
  'client-assertion': routesOfClients,
  'client-authentication': routesOfClients,
  'token-request': ['POST /token'],
  form: ['POST /token'],
  token: ['POST /token-info', 'POST /revoke'],
  'token-caller': ['POST /token-info', 'POST /revoke'],
  'ros-caller': ['POST /ros'],
  ros: ['POST /ros'],
  authorize: ['GET /authorize'],
  signer: ['GET /authorize'],
  'signing-token': ['POST /token'],
  'access-token': ['GET /userinfo', 'GET /profile', 'POST /ros'],
  authorization: ['GET /auth'],
  'request-object': ['GET /auth'],
  'id-token-hint': ['GET /auth', 'POST /ros', 'GET /session/end'],
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
  return fault.activate()((deviation) => routesOf(fault.id, deviation))
}

function routesOf(id: string, deviation: Deviation<never>): string[] {
  const {
    request,
    response,
    nestedJwt,
    paths,
    records,
    lifetimes,
    accessToken,
    clients,
    judgedRecord,
    keptRecord,
    answeredRecord,
    subject,
    without,
  } = deviation
  return [
    ...(deviation.tls ? [handshakes] : []),
    ...(deviation.requestObject ? ['POST /ros'] : []),
    ...(deviation.judgedObject ? ['GET /auth'] : []),
    ...(deviation.consented ? ['GET /auth'] : []),
    ...Object.keys(request ?? {}),
    ...Object.keys(response ?? {}),
    ...Object.keys(paths ?? {}).map((path) => `GET ${path}`),
    ...(Object.keys(nestedJwt ?? {}) as NestedJwtKind[]).map((kind) => routeOfNestedJwt[kind]),
    ...(records || lifetimes || accessToken ? routesOfTokens : []),
    ...(judgedRecord || keptRecord || answeredRecord ? registrationRoutes : []),
    ...(deviation.notices || deviation.eventForm ? ['GET /session/end', changeOfPerson] : []),
    ...(clients ? [...registrationRoutes, 'GET /auth', 'POST /token'] : []),
    ...(subject ? ['POST /token', 'GET /userinfo'] : []),
    ...(deviation.judgedAssertion ? routesOfClients : []),
    ...(deviation.judgedServiceAssertion ? registrationRoutes : []),
    ...(without ?? []).flatMap((step) => {
      const table = step.split('/')[0] ?? ''
      const routes = routesOfChecks[table]
      if (!routes) throw new Error(`${id}: scripts/proof/touches.ts does not say where ${step} stands`)
      return routes
    }),
  ]
}
