import { devicePaths } from './device-grant.js'

/** What oidc-provider answers, by method and path below the bank's address. */
export const libraryRoutes: readonly string[] = [
  'GET /auth',
  'POST /auth',
  'GET /auth/:login',
  'POST /token',
  `POST ${devicePaths.authorization}`,
  `GET ${devicePaths.verification}`,
  `POST ${devicePaths.verification}`,
  `GET ${devicePaths.verification}/:login`,
]
