import type { TLSSocket } from 'node:tls'
import express, { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express'
import { createLocalJWKSet } from 'jose'
import { schema } from '../../schemas/index.js'
import { type Check, runChecks } from '../checks.js'
import { BankError } from '../errors.js'
import { publicJwk } from '../keys/jwk.js'
import { assertionChecks, assertionType, readAssertion } from '../provider/assertion.js'
import { capabilities } from '../provider/capabilities.js'
import { readingOf } from '../readings.js'
import type { Rooms } from '../rooms.js'
import type { Client, RegistrationRecord } from '../store/clients.js'
import { registrationChecks, userDataEncryption } from './registration-checks.js'

/** 401 with a Bearer challenge, as published for this endpoint (AMB-32). */
function refusal(reason: string, cause?: unknown): BankError {
  return new BankError('invalid_token', reason, {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    cause,
  })
}

function header(req: Request, name: string): string | undefined {
  const value = req.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** What every call needs. Specification: "Exposed by the bank" 4 and 5, "Authentication" 2. */
const callerChecks: readonly Check<Request>[] = [
  {
    id: 'registration/mutual-tls',
    check(req) {
      if (!(req.socket as TLSSocket).authorized) throw refusal('a client certificate that the bank trusts is required')
    },
  },
  {
    id: 'registration/assertion-type',
    check(req) {
      if (header(req, 'client_assertion_type') !== assertionType) {
        throw refusal(`the header client_assertion_type must be ${assertionType}`)
      }
    },
  },
  {
    id: 'registration/assertion-present',
    check(req) {
      if (!header(req, 'client_assertion')) throw refusal('the header client_assertion is required')
    },
  },
]

const assertionTable = assertionChecks('registration-assertion')

/** Mutual TLS and the RegistrationAuthJWT, signed by a key of the service. Specification: "Client assertion JWT claims". */
function authenticateService({ config, identity, assertionIds, faults }: Rooms): RequestHandler {
  const audience = [`${config.issuer}/register`]
  const key = createLocalJWKSet({ keys: identity.service.jwks.keys.map(publicJwk) })
  return async (req, _res, next) => {
    await runChecks(callerChecks, req, faults)
    const jwt = header(req, 'client_assertion')
    if (jwt) {
      const assertion = {
        ...readAssertion(jwt, 'invalid_token', 401),
        algorithms: capabilities.assertionSigningAlgs,
        audience,
        issuedBy: 'service',
        key,
        ids: assertionIds,
        refuse: refusal,
      }
      await runChecks(assertionTable, assertion, faults)
    }
    next()
  }
}

/** The registration access token, which has to be that of the application addressed (RFC 7592 section 2). */
function authenticateApplication({ clients, faults }: Rooms): RequestHandler {
  return async (req, res, next) => {
    const clientId = String(req.params.clientId)
    res.locals.client = clientId
    const token = /^Bearer (\S+)$/i.exec(header(req, 'authorization') ?? '')?.[1]
    const check = {
      id: 'registration/access-token',
      check: async () => {
        if (!token || !(await clients.authorizes(clientId, token))) {
          throw refusal('the registration access token of this application is required as Bearer token')
        }
      },
    }
    await runChecks([check], req, faults, clientId)
    next()
  }
}

/** Defaults where the record names none. OpenID Connect Dynamic Client Registration section 2; pairwise by AMB-40. */
const defaults = {
  response_types: ['code'],
  grant_types: ['authorization_code'],
  application_type: 'web',
  subject_type: 'pairwise',
  token_endpoint_auth_method: 'private_key_jwt',
  id_token_signed_response_alg: 'PS512',
  userinfo_signed_response_alg: 'PS512',
  profile_signed_response_alg: 'PS512',
}

const fields = Object.keys(schema('registration-record').properties as object)

/** The record as it is kept: known members alone, defaults filled in, an encryption alg completed by its enc. */
function accepted(given: Record<string, unknown>, alwaysEncrypt: boolean): RegistrationRecord {
  const known = Object.fromEntries(Object.entries(given).filter(([name]) => fields.includes(name)))
  const record: Record<string, unknown> = { ...defaults, ...known }
  if (alwaysEncrypt) for (const field of userDataEncryption) record[field] ??= 'RSA-OAEP-256'
  for (const kind of ['id_token', 'userinfo', 'profile']) {
    if (record[`${kind}_encrypted_response_alg`]) record[`${kind}_encrypted_response_enc`] ??= 'A256GCM'
  }
  return record as RegistrationRecord
}

/** A JSON object as the body, or a refusal that says what came instead. */
const readRecord: RequestHandler[] = [
  express.json({ limit: '100kb', strict: false }) as RequestHandler,
  (req: Request, _res: Response, next: NextFunction) => {
    if (typeof req.body !== 'object' || req.body === null || Array.isArray(req.body)) {
      throw new BankError('invalid_client_metadata', 'the body must be a JSON object, sent as application/json')
    }
    next()
  },
]

/** POST /register and GET, PUT, DELETE /register/{client_id}. Specification: "Exposed by the bank" 4 and 5. */
export function register(rooms: Rooms): Router {
  const { config, clients, faults } = rooms
  const service = authenticateService(rooms)
  const application = authenticateApplication(rooms)

  async function takeRecord(req: Request, clientId?: string): Promise<RegistrationRecord> {
    const record = req.body as Record<string, unknown>
    await runChecks(registrationChecks, { record, readings: config.readings }, faults, clientId)
    return accepted(record, readingOf(config.readings, 'AMB-48') === 2)
  }

  function answer(res: Response, client: Client, registrationAccessToken: string): void {
    const { record, clientId, clientSecret, issuedAt } = client
    const withoutSecret =
      readingOf(config.readings, 'AMB-21') === 2 && record.token_endpoint_auth_method === 'private_key_jwt'
    res.set('cache-control', 'no-store').json({
      ...record,
      client_id: clientId,
      ...(withoutSecret ? {} : { client_secret: clientSecret }),
      registration_access_token: registrationAccessToken,
      registration_client_uri: `${config.issuer}/register/${clientId}`,
      client_id_issued_at: issuedAt,
    })
  }

  const bearer = (req: Request) => String(header(req, 'authorization')).slice('Bearer '.length)

  return Router()
    .post('/register', service, ...readRecord, async (req: Request, res: Response) => {
      const client = await clients.create(await takeRecord(req))
      res.locals.client = client.clientId
      res.status(readingOf(config.readings, 'AMB-15') === 2 ? 201 : 200)
      answer(res, client, client.registrationAccessToken)
    })
    .get('/register/:clientId', service, application, async (req, res) => {
      answer(res, await existing(rooms, req), bearer(req))
    })
    .put('/register/:clientId', service, application, ...readRecord, async (req: Request, res: Response) => {
      const client = await existing(rooms, req)
      checkReplacement(req.body as Record<string, unknown>, client)
      const record = await takeRecord(req, client.clientId)
      await clients.replace(client.clientId, record)
      answer(res, { ...client, record }, bearer(req))
    })
    .delete('/register/:clientId', service, application, async (req, res) => {
      await clients.remove(String(req.params.clientId))
      res.status(204).end()
    })
}

/** The application addressed; its registration access token was seen to be good, so it can only have gone meanwhile. */
async function existing({ clients }: Rooms, req: Request): Promise<Client> {
  const client = await clients.find(String(req.params.clientId))
  if (!client) throw refusal('the application is not registered')
  return client
}

/** Published: a PUT carries the client_id, a client_secret in it matches, and what the bank issues is not sent. RFC 7592 section 2.2. */
function checkReplacement(record: Record<string, unknown>, client: Client): void {
  const refuse = (reason: string) => new BankError('invalid_client_metadata', reason)
  if (record.client_id !== client.clientId) throw refuse('client_id: must be that of the address')
  if (record.client_secret !== undefined && record.client_secret !== client.clientSecret) {
    throw refuse('client_secret: does not match')
  }
  const issued = ['registration_access_token', 'registration_client_uri', 'client_id_issued_at']
  const sent = issued.find((name) => record[name] !== undefined)
  if (sent) throw refuse(`${sent}: is issued by the bank, leave it out`)
}
