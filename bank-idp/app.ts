import express, { type Express, type RequestHandler } from 'express'
import { clientCertificate } from './client-certificate.js'
import type { BankContext } from './context.js'
import { authorization } from './endpoints/authorization.js'
import { authorize } from './endpoints/authorize.js'
import { device } from './endpoints/device.js'
import { discovery } from './endpoints/discovery.js'
import { documentPages } from './endpoints/documents.js'
import { endSession } from './endpoints/end-session.js'
import { headless } from './endpoints/headless.js'
import { healthcheck } from './endpoints/healthcheck.js'
import { interaction } from './endpoints/interaction/interaction.js'
import { keySet } from './endpoints/key-set.js'
import { landingPlace } from './endpoints/landing.js'
import { libraryPaths } from './endpoints/library-paths.js'
import { outageGate } from './endpoints/outage-gate.js'
import { profile } from './endpoints/profile.js'
import { register } from './endpoints/register.js'
import { revoke } from './endpoints/revoke.js'
import { ros } from './endpoints/ros.js'
import { pathSeam, responseSeam } from './endpoints/seams.js'
import { token } from './endpoints/token.js'
import { tokenInfo } from './endpoints/token-info.js'
import { userinfo } from './endpoints/userinfo.js'
import type { Gate } from './gate.js'
import { makeTrouble } from './make-trouble.js'
import { recordRequests } from './record-requests.js'
import { addressLimit, errorHandler, nosniff, nothingServed, ownHost, requestLog, traceId } from './requests.js'
import { exactRouter, inOrder, joined } from './router.js'
import { alone } from './shared.js'
import type { Secrets } from './store/secrets.js'

/** All paths of the bank, below the path of its address. @param gate that requests pass first, once they are seen */
export function makeApp(context: BankContext, secrets: Secrets, gate: Gate): Express {
  const routers = [
    ...[landingPlace(context), discovery(context), documentPages(context), keySet(context), healthcheck(context)],
    ...[register(context), authorization(context), interaction(context), userinfo(context), profile(context)],
    ...[ros(context), authorize(context), device(context, secrets.internal), token(context, secrets.internal)],
    ...[tokenInfo(context), revoke(context), endSession(context)],
  ]
  const paths = exactRouter().use(
    inOrder(pathSeam(context), responseSeam(context), outageGate(context)),
    joined(routers, libraryPaths(context)),
  )
  const front = context.config.headless ? [headless(context, paths)] : []
  // The one sees a request from its first byte on; the other has to know what there is to be wrong.
  const [record, trouble] = context.config.bench ? [[recordRequests(context)], [makeTrouble(context)]] : [[], []]
  // What another replica was told before a request holds for it.
  const learn: RequestHandler = (_req, _res, next) => void context.shared.fresh().then(() => next(), next)
  const fresh = context.shared === alone ? [] : [learn]
  return express()
    .disable('x-powered-by')
    .set('case sensitive routing', true)
    .set('strict routing', true)
    .set('query parser', 'simple')
    .set('etag', false)
    .use(
      inOrder(
        ...[...record, ...fresh, ...trouble, gate.middleware, nosniff, traceId],
        ...[requestLog(context), addressLimit(context), ownHost(context), clientCertificate(context)],
      ),
    )
    .use(new URL(context.config.issuer).pathname, ...front, paths)
    .use(nothingServed)
    .use(errorHandler(context)) as Express
}
