import type { Request, Response, Router } from 'express'
import { arrivalOf } from '../arrivals.js'
import { deviceGrant, signingFlowAlgs } from '../capabilities.js'
import { type Check, runChecks } from '../checks.js'
import type { Client } from '../client.js'
import { nowSeconds } from '../clock.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { holdBack } from '../hold-back.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { Policy } from '../policy.js'
import {
  authenticateClient,
  formReader,
  forwardParameters,
  injectInternalCredentials,
  queryOf,
  single,
} from '../provider/client-authentication.js'
import { droppedScopes } from '../provider/effective-scopes.js'
import { endGrant } from '../provider/patches.js'
import { redeemedBy } from '../provider/redeemed.js'
import { exactRouter } from '../router.js'
import { holdKey, signingRequestOf } from '../signing/token-checks.js'
import { seamsAt } from '../steps.js'
import { isKeptId } from '../store/kept-ids.js'
import type { Throttles } from '../store/throttles.js'

interface TokenRequest {
  form: URLSearchParams
  client: Client
  policy: Pick<Policy, 'codeNotRegistered'>
  /** The code or refresh token that is presented; undefined when there is none. */
  source?: { clientId?: string; redirectUri?: string; grantId?: string; scope?: string; consumed?: unknown }
  /** Whether another request with the same refresh token overlaps with this one. */
  raced: boolean
  /** Ends all that the code or refresh token gave. */
  endGrant(): Promise<void>
  throttles: Throttles
}

/** The parameters that each grant needs. Specification: "Exposed by the bank" 7. */
const required: Record<string, readonly string[]> = {
  authorization_code: ['code', 'redirect_uri'],
  refresh_token: ['refresh_token'],
  [deviceGrant]: ['device_code'],
}

/** What the library reads of a form; it knows further parameters that this bank does not offer. */
const forwardedParameters = ['grant_type', ...Object.values(required).flat(), 'code_verifier', 'scope']

/** Seconds after its use for which a request with a refresh token may have been under way all the time. */
const longestRaceSeconds = 60

/** RFC 6749 sections 4.1.3, 5.2 and 6; what the code or token itself has to satisfy is asked by oidc-provider. */
const tokenChecks: readonly Check<TokenRequest>[] = [
  {
    id: 'token-request/grant-type',
    check({ form }) {
      const grant = single(form, 'grant_type')
      if (grant === undefined) throw new BankError('invalid_request', 'grant_type is missing')
      if (!Object.hasOwn(required, grant)) {
        throw new BankError('unsupported_grant_type', `grant_type ${grant} is not supported`)
      }
    },
  },
  {
    id: 'token-request/grant-registered',
    check({ form, client, policy }) {
      const grant = String(form.get('grant_type'))
      // AMB-53: where a code is served whatever the client registered, it is redeemed as well.
      if (grant === 'authorization_code' && policy.codeNotRegistered === 'served') return
      if (!client.record.grant_types.includes(grant)) {
        throw new BankError('unauthorized_client', `the client is not registered for grant ${grant}`)
      }
    },
  },
  {
    id: 'token-request/owner',
    check({ form, client, source }) {
      if (source && source.clientId !== client.clientId) {
        throw new BankError('invalid_grant', `${redeemedBy(form.get('grant_type'))} was issued to another client`)
      }
    },
  },
  {
    // RFC 9700 section 4.14.2: somebody else has the token as well. Of requests that race, one won, and what it was given lives.
    id: 'token-request/refresh-token-reused',
    async check({ form, source, raced, endGrant }) {
      if (form.get('grant_type') !== 'refresh_token' || !source?.consumed) return
      // Several that come together later on race with each other, and not with the one that won.
      if (!raced || nowSeconds() - Number(source.consumed) > longestRaceSeconds) await endGrant()
      throw new BankError('invalid_grant', `${redeemedBy('refresh_token')} was already used`)
    },
  },
  {
    // RFC 6749 section 4.1.2: whatever else the request says; of requests that race the loser is known at its end (provider/token-issue.ts).
    id: 'token-request/code-reused',
    async check({ form, source, endGrant }) {
      if (form.get('grant_type') !== 'authorization_code' || !source?.consumed) return
      await endGrant()
      throw new BankError('invalid_grant', `${redeemedBy('authorization_code')} was already used`)
    },
  },
  {
    id: 'token-request/parameters',
    check({ form }) {
      const missing = required[String(form.get('grant_type'))]?.find((name) => single(form, name) === undefined)
      if (missing) throw new BankError('invalid_request', `${missing} is missing`)
    },
  },
  {
    id: 'token-request/redirect-uri',
    check({ form, source }) {
      if (source?.redirectUri !== undefined && source.redirectUri !== form.get('redirect_uri')) {
        throw new BankError('invalid_grant', 'redirect_uri differs from the one of the authorization request')
      }
    },
  },
  {
    id: 'token-request/pace',
    async check({ form, source, throttles }) {
      if (form.get('grant_type') !== deviceGrant || !source) return
      if (await throttles.pollsTooSoon(String(form.get('device_code')))) {
        throw new BankError(
          'slow_down',
          'the client polls too often: wait 5 seconds longer between requests from now on',
        )
      }
    },
  },
]

/** The code or refresh token that a form presents. */
async function sourceOf(
  { provider }: Pick<BankContext, 'provider'>,
  form: URLSearchParams,
): Promise<TokenRequest['source']> {
  const { AuthorizationCode, DeviceCode, RefreshToken } = provider
  if (form.get('grant_type') === deviceGrant) {
    const deviceCode = String(form.get('device_code'))
    if (isKeptId(deviceCode)) {
      throw new BankError('invalid_grant', 'the device code is unknown').refusedBy('token-request/device-code-known')
    }
    return DeviceCode.find(deviceCode, { ignoreExpiration: true })
  }
  if (form.get('grant_type') === 'refresh_token') {
    return RefreshToken.find(String(form.get('refresh_token')), { ignoreExpiration: true })
  }
  return AuthorizationCode.find(String(form.get('code')), { ignoreExpiration: true })
}

/** Takes note of a request with a refresh token, and of its end. @param uses names the requests of one client with one token */
async function beginRefresh(
  { refreshRaces }: Pick<BankContext, 'refreshRaces'>,
  uses: string,
  req: Request,
  res: Response,
): Promise<void> {
  const note = await refreshRaces.begin(uses, arrivalOf(req))
  let noted: Promise<void> | undefined
  // One that is not known to have ended counts as over after a while.
  const ended = () => (noted ??= note().catch(() => {}))
  res.once('close', ended)
  if (refreshRaces.endBeforeAnswer) holdBack(res, (body) => void ended().then(() => res.end(body)))
}

/** The parameter that carries the refresh token is not shown, and a sample names it code (AMB-4). */
function nameRefreshToken(form: URLSearchParams, policy: Pick<Policy, 'refreshParameter'>): void {
  if (form.get('grant_type') !== 'refresh_token') return
  const code = form.get('code')
  if (policy.refreshParameter === 'code') form.delete('refresh_token')
  if (code && !form.has('refresh_token')) form.set('refresh_token', code)
}

/** Has a refresh ask for what is left of its scopes. @throws {BankError} invalid_scope when nothing is left */
function leaveOut(dropped: readonly string[], form: URLSearchParams, granted: string | undefined): void {
  if (dropped.length === 0) return
  const left = parseSpaceDelimited(form.get('scope') || granted).filter((scope) => !dropped.includes(scope))
  if (left.length === 0) {
    throw new BankError('invalid_scope', 'the client no longer registers any of these scopes').refusedBy(
      'token-request/scopes-registered',
    )
  }
  form.set('scope', left.join(' '))
}

/**
 * POST /token: our own client authentication and the checks of its parameters; oidc-provider, behind it, redeems the code or the token.
 *
 * @param key the secret by which the bank passes a client on to oidc-provider
 */
export function token(
  context: Pick<
    BankContext,
    | 'assertionIds'
    | 'clientKeys'
    | 'clients'
    | 'config'
    | 'policy'
    | 'provider'
    | 'refreshRaces'
    | 'seams'
    | 'signingRequests'
    | 'throttles'
  >,
  key: string,
): Router {
  const { seams, config, policy, provider, refreshRaces, throttles } = context
  return exactRouter().post('/token', formReader(seamsAt(seams, '/token')), async (req, res, next) => {
    const form = res.locals.form as URLSearchParams
    // RFC 6749 section 5.1; the library adds Cache-Control.
    res.set('pragma', 'no-cache')
    nameRefreshToken(form, policy)
    seams.request(
      'POST /token',
      form,
      { issuer: config.issuer, query: queryOf(req) },
      form.get('client_id') ?? undefined,
    )
    const refreshToken = form.get('refresh_token')
    const signing = await signingRequestOf(context, await sourceOf(context, form))
    const client = await authenticateClient(context, req, form, '/token', {
      ...(signing && { flowAlgs: signingFlowAlgs(policy) }),
    })
    res.locals.client = client.clientId
    if (signing) await holdKey(context, signing, client, req, String(form.get('grant_type')))
    // Whoever else has the token makes no race of a reuse, and nobody who does not prove to be the client.
    const uses = `${client.clientId} ${refreshToken}`
    if (refreshToken !== null) await beginRefresh(context, uses, req, res)
    const source = await sourceOf(context, form)
    const raced = await refreshRaces.has(uses)
    const end = () => endGrant(provider, String(source?.grantId))
    const request = { form, client, policy, source, raced, endGrant: end, throttles }
    await runChecks(tokenChecks, request, seams, client.clientId)
    if (form.get('grant_type') === 'refresh_token') {
      leaveOut(droppedScopes(client, source?.scope, signing, policy), form, source?.scope)
    }
    // Seen to be the caller's own, and sent to where it was asked for.
    if (source?.redirectUri !== undefined) form.set('redirect_uri', source.redirectUri)
    const forwarded = forwardParameters(form, forwardedParameters)
    injectInternalCredentials(req, forwarded, source?.clientId ?? client.clientId, key)
    next()
  })
}
