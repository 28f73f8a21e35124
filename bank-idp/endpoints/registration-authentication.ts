import type { Request, RequestHandler } from 'express'
import { capabilities } from '../capabilities.js'
import { type Check, runChecks } from '../checks.js'
import { certificateOf } from '../client-certificate.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { memoizedKey } from '../keys/verification.js'
import { assertionChecks, assertionType, readAssertion } from '../provider/assertion.js'
import { seamsAt } from '../steps.js'
import { bearerRefusal } from './access-token.js'
import { bearerToken } from './bearer-token.js'

/** The refusal of who calls: 401 with a Bearer challenge, as published for this endpoint. */
export function refusal(reason: string, cause?: unknown): BankError {
  return new BankError('invalid_token', reason, {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    cause,
  })
}

function header(req: Request, name: string): string | undefined {
  const value = req.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Proxies drop headers with an underscore, unless they are configured otherwise (docs/operating.md). */
function missing(name: string): BankError {
  return refusal(`the header ${name} is missing; a reverse proxy may drop it`)
}

/** What every call needs. Specification: "Exposed by the bank" 4 and 5, "Authentication" 2. */
const callerChecks: readonly Check<Request>[] = [
  {
    id: 'registration/certificate-present',
    check(req) {
      if (!certificateOf(req).presented) throw refusal('a client certificate that the bank trusts is required')
    },
  },
  {
    id: 'registration/certificate-trusted',
    check(req) {
      const { problem } = certificateOf(req)
      if (problem) throw refusal(`the bank does not trust the client certificate: ${problem}`)
    },
  },
  {
    id: 'registration/assertion-type',
    check(req) {
      const type = header(req, 'client_assertion_type')
      if (type === undefined) throw missing('client_assertion_type')
      if (type !== assertionType) throw refusal(`the header client_assertion_type must be ${assertionType}`)
    },
  },
  {
    id: 'registration/assertion-present',
    check(req) {
      if (!header(req, 'client_assertion')) throw missing('client_assertion')
    },
  },
]

const assertionTable = assertionChecks('registration-assertion')

/**
 * Mutual TLS and the RegistrationAuthJWT, signed by a key of the service. Specification: "Client assertion JWT claims"; other readings by
 * AMB-26 and AMB-68.
 */
export function authenticateService({
  config,
  policy,
  serviceKeys,
  assertionIds,
  seams,
}: Pick<BankContext, 'assertionIds' | 'config' | 'policy' | 'seams' | 'serviceKeys'>): RequestHandler {
  const endpoint = `${config.issuer}/register`
  const calledAddressToo = policy.registrationAudience === 'called-endpoint-too'
  return async (req, _res, next) => {
    const atMethod = seamsAt(seams, req.method)
    await runChecks(callerChecks, req, atMethod)
    const jwt = header(req, 'client_assertion')
    if (jwt) {
      const audience = calledAddressToo ? [endpoint, `${config.issuer}${req.path}`] : [endpoint]
      const assertion = {
        ...seams.judgedServiceAssertion(readAssertion(jwt, refusal), { method: req.method, audience }),
        algorithms: capabilities.assertionSigningAlgs,
        audience,
        issuedBy: 'service',
        key: memoizedKey(serviceKeys.verifier),
        ids: assertionIds,
        repeatable: policy.repeatedJti === 'accepted',
        refuse: refusal,
      }
      await runChecks(assertionTable, assertion, atMethod)
    }
    next()
  }
}

/**
 * The registration access token, which has to be that of the client addressed (RFC 7592 section 2). Refused as any Bearer token is
 * (AMB-32): where 403 is for one that is good for less, the token of another client is such a one. One that is used at the address of a
 * client that does not exist is revoked (published; RFC 7592 sections 2.1 to 2.3).
 */
export function authenticateRegisteredClient({
  clients,
  policy,
  seams,
}: Pick<BankContext, 'clients' | 'policy' | 'seams'>): RequestHandler {
  const flaws = {
    missing: 'missing',
    other: policy.credentialRefusal === 'forbidden' ? 'insufficient' : 'unknown',
  } as const
  const refuse = (flaw: keyof typeof flaws, reason: string) => bearerRefusal(policy, flaws[flaw], reason)
  return async (req, res, next) => {
    const clientId = String(req.params.clientId)
    res.locals.client = clientId
    const token = bearerToken(req)
    const isEmpty = /^Bearer *$/i.test(req.headers.authorization ?? '')
    if (token && !(await clients.find(clientId))) {
      await clients.revokeRegistrationToken(token)
      const reason = 'the client is not registered: the registration access token is revoked'
      throw bearerRefusal(policy, 'unknown', reason).refusedBy('registration/client-known')
    }
    const checks: Check<Request>[] = [
      {
        id: 'registration/access-token-present',
        check() {
          if (!token && !isEmpty) throw refuse('missing', 'the registration access token is required as Bearer token')
        },
      },
      {
        id: 'registration/access-token-filled',
        check() {
          if (isEmpty)
            throw refuse('missing', 'nothing stands behind Bearer, where the registration access token is required')
        },
      },
      {
        id: 'registration/access-token-own',
        async check() {
          if (token && !(await clients.authorizes(clientId, token))) {
            throw refuse('other', 'the registration access token does not belong to this client')
          }
        },
      },
    ]
    await runChecks(checks, req, seamsAt(seams, req.method), clientId)
    next()
  }
}
