import express, { type Request, type Router } from 'express'
import { type Check, runChecks } from '../checks.js'
import type { Client } from '../client.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { lifetimesOf } from '../lifetimes.js'
import { inSigningFlow } from '../provider/id-token.js'
import { encryptionKeyOf } from '../provider/nested-jwt.js'
import type { LiveToken } from '../provider/tokens.js'
import { exactRouter } from '../router.js'
import type { OpenedRequest } from '../seams.js'
import { callerChecks } from '../signing/caller-checks.js'
import { certificateOf } from '../signing/certificate.js'
import { personOfHint } from '../signing/id-token-hint.js'
import { openRequestObject } from '../signing/request-object.js'
import { type Candidate, requestObjectChecks, violationsOf } from '../signing/request-object-checks.js'
import type { RequestClaims } from '../signing-request.js'
import { seamsAt } from '../steps.js'
import { bearerRefusal, requireAccessToken } from './access-token.js'

/** The text of a claim that has to be there before anything else can be judged. */
function text(claims: Record<string, unknown>, name: string): string {
  const value = claims[name]
  if (typeof value !== 'string') {
    throw new BankError('invalid_request_object', `${name} is missing`).refusedBy(`ros/${name}`)
  }
  return value
}

/** What an access token has to be good for. Specification: "Signing / request-object flow", access token with granted scope. */
const bearerChecks: readonly Check<{ bearer: LiveToken; client: Client; policy: BankContext['policy'] }>[] = [
  {
    id: 'ros/access-token',
    check({ bearer, client, policy }) {
      if (bearer.client.clientId === client.clientId) return
      throw bearerRefusal(policy, 'unknown', 'the access token does not belong to this client')
    },
  },
  {
    id: 'ros/bearer-scope',
    check({ bearer, policy }) {
      if (bearer.scopes.includes('authorization')) return
      throw bearerRefusal(policy, 'insufficient', 'the access token lacks the scope authorization')
    },
  },
]

/** Everything that the checks of a request object look at. */
async function candidateOf(
  context: Pick<
    BankContext,
    | 'assertionIds'
    | 'clientKeys'
    | 'clients'
    | 'config'
    | 'keys'
    | 'outbox'
    | 'people'
    | 'policy'
    | 'provider'
    | 'seams'
    | 'serviceKeys'
    | 'signingRequests'
    | 'subjects'
  >,
  req: Request,
): Promise<Candidate> {
  const { config, policy, keys, clients, clientKeys, serviceKeys, assertionIds, seams } = context
  const opened = await openRequestObject(String(req.body), keys)
  const request: OpenedRequest = { header: opened.header, claims: opened.claims, headers: req.headers }
  seams.requestObject(request)
  const client = await clients.find(text(opened.claims, 'client_id'))
  if (!client) throw new BankError('unauthorized_client', 'client_id is unknown').refusedBy('ros/client-known')
  const { id_token_hint } = opened.claims
  const hinted = typeof id_token_hint === 'string' ? await personOfHint(context, client, id_token_hint) : undefined
  const bearer = req.headers.authorization === undefined ? undefined : await requireAccessToken(context, req)
  if (bearer) await runChecks(bearerChecks, { bearer, client, policy }, seams, client.clientId)
  return {
    ...opened,
    ...(request.believed && { believed: true }),
    // Believed by the checks ros/form and those beside it, before any other check reads them.
    claims: opened.claims as Candidate['claims'],
    violations: violationsOf(opened.claims),
    client,
    signers: [
      ...(policy.requestObjectSigner === 'service' ? [] : [clientKeys.verifier(client.record.jwks_uri)]),
      ...(policy.requestObjectSigner === 'client' ? [] : [serviceKeys.verifier]),
    ],
    findEncryptionKey: () => encryptionKeyOf(context, 'id_token', inSigningFlow(client, policy)),
    ...(bearer && { bearer }),
    ...(hinted && { hinted }),
    audience: [config.issuer, `${config.issuer}/ros`],
    limits: config.limits,
    ids: assertionIds,
    policy,
  }
}

/**
 * POST /ros: takes a request object, signed by the client or the service and encrypted to the bank, over mutual TLS. Answers with the
 * request_uri under which GET /authorize knows it, and until when. Specification: "Signing / request-object flow" 1; shapes as published
 * (AMB-30).
 */
export function ros(
  context: Pick<
    BankContext,
    | 'assertionIds'
    | 'clientKeys'
    | 'clients'
    | 'config'
    | 'keys'
    | 'outbox'
    | 'people'
    | 'policy'
    | 'provider'
    | 'seams'
    | 'serviceKeys'
    | 'signingRequests'
    | 'subjects'
  >,
): Router {
  const { config, seams, signingRequests } = context
  return exactRouter().post(
    '/ros',
    express.text({ type: ['application/jwe', 'application/jwt', 'text/plain'], limit: '256kb' }),
    async (req, res) => {
      const certificate = certificateOf(req)
      const placed = req.headers.authorization === undefined ? seams : seamsAt(seams, 'bearer')
      await runChecks(callerChecks, certificate ? { certificate } : {}, placed)
      if (typeof req.body !== 'string') {
        throw new BankError(
          'invalid_request',
          'the body must be the request object, sent as application/jwe',
        ).refusedBy('ros/body')
      }
      const candidate = await candidateOf(context, req)
      const { client, bearer, hinted, jws } = candidate
      res.locals.client = client.clientId
      await runChecks(requestObjectChecks, candidate, placed, client.clientId)
      const claims: RequestClaims = candidate.claims
      const { id, expiresAt } = await signingRequests.add({
        clientId: client.clientId,
        claims,
        jws,
        ...(certificate && { certificate: certificate.thumbprint }),
        lifetime: claims.max_age + (bearer ? 0 : lifetimesOf(context, client.clientId).OutOfBand),
        ...(bearer && { personId: bearer.person.id }),
        ...(hinted && { hintedId: hinted.id }),
      })
      const request_uri = `${config.issuer}/ros/${id}`
      res.status(201).set('cache-control', 'no-store').json({ request_uri, exp: expiresAt })
    },
  )
}
