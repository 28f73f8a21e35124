import type { Request, Router } from 'express'
import { type Check, runChecks } from '../checks.js'
import type { Client } from '../client.js'
import type { BankContext } from '../context.js'
import { BankError, errorTable } from '../errors.js'
import { attachInternalRequest } from '../provider/internal-request.js'
import { redirectInside } from '../provider/patches.js'
import { noteRefusal } from '../refusals.js'
import { exactRouter } from '../router.js'
import { lifetimeChecks } from '../signing/lifetime-checks.js'
import { acrValues } from '../signing/request-object-checks.js'
import { scopesOf } from '../signing/scopes.js'
import type { EndedRequest, SigningRequest } from '../signing-request.js'
import { signsDocuments } from '../structured-scope.js'
import { errorAddress } from './error-address.js'

/** What GET /authorize was asked. */
interface Call {
  parameters: URLSearchParams
  request?: SigningRequest
  /** Whom request_uri was made for, also one that has ended. */
  client?: Client
  /** Where the person comes back to: as the request object says, else as the query does. */
  redirectUri?: string
  /** Of the request object. */
  state?: string
}

function cameFrom({ clientId, claims: { redirect_uri, state } }: SigningRequest): EndedRequest {
  return { clientId, state, ...(redirect_uri !== undefined && { redirectUri: redirect_uri }) }
}

/** The checks of GET /authorize, in their order. Specification: "Signing / request-object flow" 2, "Errors". */
const authorizeChecks: readonly Check<Call>[] = [
  {
    id: 'authorize/repeated',
    // RFC 6749 section 3.1.
    check({ parameters }) {
      const repeated = ['request_uri', 'redirect_uri'].find((name) => parameters.getAll(name).length > 1)
      if (repeated) throw new BankError('invalid_request', `${repeated} is given more than once`)
    },
  },
  {
    id: 'authorize/request-uri',
    check({ parameters }) {
      if (!parameters.get('request_uri')) throw new BankError('invalid_request', 'request_uri is required')
    },
  },
  {
    id: 'authorize/request-known',
    check({ request, client }) {
      if (!client) throw new BankError('invalid_request_uri', 'request_uri is unknown')
      if (!request) throw new BankError('invalid_request_uri', 'request_uri has expired')
    },
  },
  {
    id: 'authorize/redirect-uri',
    check({ parameters, client, redirectUri }) {
      if (redirectUri === undefined) throw new BankError('invalid_request', 'redirect_uri is required')
      const named = parameters.get('redirect_uri') ?? redirectUri
      if (!client?.record.redirect_uris.includes(redirectUri) || named !== redirectUri) {
        throw new BankError(
          'invalid_request',
          'redirect_uri is not registered, or differs from the one of the request object',
        )
      }
    },
  },
]

/** GET /authorize: judged by our own table, then handed to oidc-provider as an authorization request that has a page more. */
export function authorize(
  context: Pick<BankContext, 'clients' | 'config' | 'policy' | 'seams' | 'signingRequests'>,
): Router {
  const { config, policy, clients, seams, signingRequests } = context

  async function read(req: Request): Promise<Call> {
    const parameters = new URLSearchParams(req.url.slice(req.path.length).replace(/^\?/, ''))
    seams.request('GET /authorize', parameters, { issuer: config.issuer })
    const requestUri = parameters.get('request_uri') ?? ''
    const prefix = `${config.issuer}/ros/`
    const id = requestUri.startsWith(prefix) ? requestUri.slice(prefix.length) : ''
    const request = await signingRequests.find(id)
    const { clientId, redirectUri, state } = (request ? cameFrom(request) : await signingRequests.ended(id)) ?? {}
    const client = clientId === undefined ? undefined : await clients.find(clientId)
    return {
      parameters,
      request,
      client,
      redirectUri: redirectUri ?? parameters.get('redirect_uri') ?? undefined,
      state,
    }
  }

  /** Where an error may be redirected to: an address that is known to be a client's. */
  async function errorRedirectUri({ parameters, client, redirectUri }: Call): Promise<string | undefined> {
    if (client) return client.record.redirect_uris.find((uri) => uri === redirectUri)
    const given = parameters.get('redirect_uri')
    const redirects = policy.missingRequestUri === 'redirect' && !parameters.get('request_uri')
    return redirects && given !== null && (await clients.anyRegistered(given)) ? given : undefined
  }

  /** What oidc-provider is asked. */
  function toProviderRequest({ claims, ...request }: SigningRequest, redirectUri: string): URLSearchParams {
    const hybrid = policy.hybridResponseMode === 'fragment'
    const levels = acrValues(claims, policy)
    // To sign a document nothing less will do, whatever else is asked for before it.
    const stepUp = signsDocuments(claims.structured_scope) && levels.includes('loa3')
    const locales = claims.ui_locales ?? (policy.uiLocalesName === 'both-spellings' ? claims.ui_locale : undefined)
    return new URLSearchParams({
      client_id: request.clientId,
      redirect_uri: redirectUri,
      response_type: hybrid ? claims.response_type : 'code',
      scope: scopesOf({ claims, ...request }, policy).join(' '),
      state: claims.state,
      nonce: claims.nonce,
      acr_values: stepUp ? 'loa3' : levels.join(' '),
      ...(locales && { ui_locales: locales }),
    })
  }

  return exactRouter().get('/authorize', async (req, res, next) => {
    const call = await read(req)
    res.locals.client = call.client?.clientId
    try {
      await runChecks(authorizeChecks, call, seams, call.client?.clientId)
      if (call.request) await runChecks(lifetimeChecks, call.request, seams, call.request.clientId)
    } catch (error) {
      if (!(error instanceof BankError) || !errorTable[error.code].redirect) throw error
      if (error.code === 'invalid_request_uri' && policy.endedRequestUri === 'page') {
        throw new BankError('request_uri_not_found', error.message, { cause: error })
      }
      const uri = await errorRedirectUri(call)
      if (uri === undefined) throw error
      noteRefusal(res, error)
      const { state } = call
      res.set('cache-control', 'no-store').redirect(302, errorAddress(uri, error, { issuer: config.issuer, state }))
      return
    }
    if (!call.request || call.redirectUri === undefined) {
      throw new BankError('invalid_request_uri', 'request_uri is unknown').refusedBy('authorize/request-known')
    }
    attachInternalRequest(req, { signingRequest: call.request.id })
    redirectInside(req, `/auth?${toProviderRequest(call.request, call.redirectUri)}`)
    next()
  })
}
