import { Readable } from 'node:stream'
import express, { type Request, type RequestHandler } from 'express'
import { runChecks } from '../checks.js'
import { BankError } from '../errors.js'
import { readingOf } from '../readings.js'
import type { Rooms } from '../rooms.js'
import type { Client } from '../store/clients.js'
import { internalSecret } from './adapter.js'
import { assertionChecks, assertionType, readAssertion } from './assertion.js'
import { capabilities } from './capabilities.js'

const checks = assertionChecks('client-assertion')

/** Failed client authentication: 400 by the endpoint's text, 401 by RFC 6749 (AMB-29). */
function refusal({ config }: Pick<Rooms, 'config'>, reason: string, cause?: unknown): BankError {
  return new BankError('invalid_client', reason, {
    status: readingOf(config.readings, 'AMB-29') === 2 ? 401 : 400,
    cause,
  })
}

function single(form: URLSearchParams, name: string): string | undefined {
  const values = form.getAll(name)
  if (values.length > 1) throw new BankError('invalid_request', `${name} is given more than once`)
  return values[0] || undefined
}

async function authenticate(rooms: Rooms, form: URLSearchParams, endpoint: string): Promise<Client> {
  const { config, clients, clientKeys, assertionIds, faults } = rooms
  const jwt = single(form, 'client_assertion')
  if (single(form, 'client_assertion_type') !== assertionType || !jwt) {
    throw refusal(rooms, `client_assertion with client_assertion_type ${assertionType} is required`)
  }
  const read = readAssertion(jwt, 'invalid_client', refusal(rooms, '').status)
  const clientId = single(form, 'client_id') ?? read.claims.sub
  const client = typeof clientId === 'string' ? await clients.find(clientId) : undefined
  if (!client) throw refusal(rooms, 'the client is unknown')
  const { record } = client
  const registeredAlg = record.token_endpoint_auth_signing_alg
  const assertion = {
    ...read,
    algorithms: typeof registeredAlg === 'string' ? [registeredAlg] : capabilities.assertionSigningAlgs,
    audience: [`${config.issuer}${endpoint}`, config.issuer],
    issuer: client.clientId,
    issuedBy: client.clientId,
    key: clientKeys.verifier(record.jwks_uri),
    ids: assertionIds,
    refuse: (reason: string, cause?: unknown) => refusal(rooms, reason, cause),
  }
  await runChecks(checks, assertion, faults, client.clientId)
  return client
}

/** Hands a body that was read here on to oidc-provider, which reads it from the request stream. */
function replaceBody(req: Request, form: URLSearchParams): void {
  const bytes = Buffer.from(form.toString())
  req.headers['content-length'] = String(bytes.length)
  delete req.headers.authorization
  Object.defineProperties(req, { readable: { value: true }, iterator: { value: () => Readable.from([bytes]) } })
}

/**
 * Authenticates the client of a form-encoded request by our own table of checks, then vouches for it towards oidc-provider.
 * Specification: "Authentication" 3, "Client assertion JWT claims".
 *
 * @param endpoint path of the endpoint, as in `aud`
 * @param key the secret behind {@link internalSecret}
 */
export function clientAuthentication(rooms: Rooms, endpoint: string, key: string): RequestHandler[] {
  return [
    express.text({ type: 'application/x-www-form-urlencoded', limit: '50kb' }),
    async (req, res, next) => {
      if (typeof req.body !== 'string') {
        throw new BankError('invalid_request', 'the body must be application/x-www-form-urlencoded')
      }
      const form = new URLSearchParams(req.body)
      const client = await authenticate(rooms, form, endpoint)
      res.locals.client = client.clientId
      form.delete('client_assertion')
      form.delete('client_assertion_type')
      form.set('client_id', client.clientId)
      form.set('client_secret', internalSecret(key, client.clientId))
      replaceBody(req, form)
      next()
    },
  ]
}
