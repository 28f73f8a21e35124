import type { Request, Response, Router } from 'express'
import { runChecks } from '../checks.js'
import type { Client, RegistrationRecord } from '../client.js'
import type { BankContext } from '../context.js'
import { exactRouter } from '../router.js'
import type { RecordFacts } from '../seams.js'
import { seamsAt } from '../steps.js'
import { sameSubjects } from '../subjects.js'
import { bearerToken } from './bearer-token.js'
import { authenticateRegisteredClient, authenticateService, refusal } from './registration-authentication.js'
import { candidate, registrationChecks } from './registration-checks.js'
import { accepted, readRecord, replacementChecks } from './registration-record.js'

/** POST /register and GET, PUT, DELETE /register/{client_id}. Specification: "Exposed by the bank" 4 and 5; other readings by AMB-31 and AMB-78. */
export function register(
  context: Pick<BankContext, 'assertionIds' | 'clients' | 'config' | 'outbound' | 'policy' | 'seams' | 'serviceKeys'>,
): Router {
  const { config, policy, clients, seams, outbound } = context
  const service = authenticateService(context)
  const registeredClient = authenticateRegisteredClient(context)

  async function takeRecord(req: Request, replaced?: Client): Promise<RegistrationRecord> {
    const record = req.body as Record<string, unknown>
    const judged = candidate(seams.judgedRecord(record, methodOf(req), replaced?.record), policy, outbound)
    await runChecks(registrationChecks, judged, seamsAt(seams, req.method), replaced?.clientId)
    return seams.keptRecord(accepted(record, policy), methodOf(req), replaced?.record)
  }

  function answer(req: Request, res: Response, client: Client, registrationAccessToken: string | undefined): void {
    const { record, clientId, clientSecret, issuedAt } = client
    const withoutSecret =
      policy.clientSecretIssued === 'unless-private-key-jwt' && record.token_endpoint_auth_method === 'private_key_jwt'
    const answered = {
      ...record,
      client_id: clientId,
      // A secret comes with when it expires (RFC 7591 section 3.2.1), which is never: libraries of clients refuse one without.
      ...(withoutSecret ? {} : { client_secret: clientSecret, client_secret_expires_at: 0 }),
      registration_access_token: registrationAccessToken,
      registration_client_uri: `${config.issuer}/register/${clientId}`,
      client_id_issued_at: issuedAt,
    }
    res.set('cache-control', 'no-store').json(seams.answeredRecord(answered, methodOf(req)))
  }

  return exactRouter()
    .post('/register', service, readRecord, async (req: Request, res: Response) => {
      const client = await clients.create(await takeRecord(req))
      res.locals.client = client.clientId
      res.status(policy.registrationStatus === 'created' ? 201 : 200)
      answer(req, res, client, client.registrationAccessToken)
    })
    .get('/register/:clientId', service, registeredClient, async (req, res) => {
      answer(req, res, await existing(context, req), bearerToken(req))
    })
    .put('/register/:clientId', service, registeredClient, readRecord, async (req: Request, res: Response) => {
      const client = await existing(context, req)
      await runChecks(replacementChecks, { record: req.body, client, policy }, seams, client.clientId)
      const record = await takeRecord(req, client)
      await clients.replace(client.clientId, record, !sameSubjects(client.record, record))
      if (policy.registrationManagement === 'put-no-content') res.status(204).end()
      else answer(req, res, { ...client, record }, bearerToken(req))
    })
    .delete('/register/:clientId', service, registeredClient, async (req, res) => {
      await clients.remove(String(req.params.clientId))
      res.status(policy.registrationManagement === 'delete-ok' ? 200 : 204).end()
    })
}

function methodOf({ method }: Request): RecordFacts['method'] {
  return method === 'PUT' || method === 'GET' ? method : 'POST'
}

/** The client addressed; its registration access token was seen to be good, so it can only have gone meanwhile. */
async function existing({ clients }: Pick<BankContext, 'clients'>, req: Request): Promise<Client> {
  const client = await clients.find(String(req.params.clientId))
  if (!client) throw refusal('the client is not registered')
  return client
}
