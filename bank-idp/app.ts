import express, { type Express } from 'express'
import { authorization } from './endpoints/authorization.js'
import { authorize } from './endpoints/authorize.js'
import { clientCertificate } from './endpoints/client-certificate.js'
import { device } from './endpoints/device.js'
import { discovery } from './endpoints/discovery.js'
import { documentPages } from './endpoints/documents.js'
import { endSession } from './endpoints/end-session.js'
import { healthcheck } from './endpoints/healthcheck.js'
import { interaction } from './endpoints/interaction/interaction.js'
import { keySet } from './endpoints/key-set.js'
import { libraryPaths } from './endpoints/library-paths.js'
import { outageGate } from './endpoints/outage-gate.js'
import { profile } from './endpoints/profile.js'
import { register } from './endpoints/register.js'
import { errorHandler, ownHost, requestLog, traceId } from './endpoints/requests.js'
import { revoke } from './endpoints/revoke.js'
import { ros } from './endpoints/ros.js'
import { pathSeam, responseSeam } from './endpoints/seams.js'
import { token } from './endpoints/token.js'
import { tokenInfo } from './endpoints/token-info.js'
import { userinfo } from './endpoints/userinfo.js'
import type { Rooms } from './rooms.js'
import type { Secrets } from './store/secrets.js'

/** All paths of the bank, below the path of its address. */
export function makeApp(rooms: Rooms, secrets: Secrets): Express {
  const paths = express
    .Router()
    .use(pathSeam(rooms), responseSeam(rooms), outageGate(rooms))
    .use(discovery(rooms), documentPages(rooms), keySet(rooms), healthcheck(rooms))
    .use(register(rooms), authorization(rooms), interaction(rooms), userinfo(rooms), profile(rooms))
    .use(ros(rooms), authorize(rooms))
    .use(
      device(rooms, secrets.internal),
      token(rooms, secrets.internal),
      tokenInfo(rooms),
      revoke(rooms),
      endSession(rooms),
    )
    .use(libraryPaths(rooms))
  return express()
    .disable('x-powered-by')
    .set('query parser', 'simple')
    .set('etag', false)
    .use(traceId, requestLog(rooms), ownHost(rooms), clientCertificate(rooms))
    .use(new URL(rooms.config.issuer).pathname, paths)
    .use(errorHandler(rooms)) as Express
}
