import type { Metadata } from '../../bank/client-metadata.js'
import type { ClientRequest } from '../../bank/client-request.js'
import type { Client } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { declaresMethod } from './client-methods.js'
import { hasRefreshTokens } from './proof-endpoints.js'

/** Tokens that no bank issued: who proves who they are are told so, and nothing is used up by it. */
const unknownToken = 'a-token-of-nobody'

/** How many wrong proofs come before the right one, at each place: a bank that goes by their number is not to be told by the first alone. */
const wrongProofs = 3

/** What a request of a client carries in place of its proof. */
type Proof = Partial<Pick<ClientRequest, 'client' | 'authentication'>>

/** A proof by another secret than the client's. */
export function byOtherSecret(client: Client): Proof {
  return { client: { ...client, clientSecret: [...String(client.clientSecret)].reverse().join('') } }
}

type Askers = Readonly<Record<string, (proof?: Proof) => Promise<HttpResponse>>>

/** Asks in the name of a client about what it does not have, at each place where that costs no login. */
function askers({ bank }: Tools, client: Client, refreshes: boolean): Askers {
  return {
    ...(refreshes && {
      '/token': (proof = {}) => bank.refresh.try({ login: { client, refreshToken: unknownToken } }, () => proof),
    }),
    '/token-info': (proof = {}) => bank.introspection.try({ client, token: unknownToken }, () => proof),
  }
}

/** That a client which proves who it is at each of these places is believed there. */
async function expectBelievedAtEach({ expect, inVariation }: Tools, at: Askers, when: string): Promise<void> {
  const each = Object.entries(at).map(([endpoint, ask]) =>
    inVariation(`${when}, at ${endpoint}`, async () => {
      const answer = await ask()
      expect(answer.status, 'the status of a request with the right proof', answer).toSatisfy(
        (status) => status === 200 || status === 400,
        '200, or 400 for the token that nobody has',
      )
      expect(answer.member('error'), 'error of the answer', answer).toDiffer(
        'invalid_client',
        'that of a client that is not believed',
      )
    }),
  )
  await Promise.all(each)
}

/**
 * That a client which a PUT has authenticate by secret, where it did so by its key before, is believed with the secret that it is told with
 * that: one that had no use for a secret may have had none, or another.
 */
export async function expectBelievedBySecretOfPut(tools: Tools, clientMetadata: Metadata): Promise<void> {
  const { bank, note } = tools
  if (!(await declaresMethod(tools, 'private_key_jwt'))) return note('the bank does not declare private_key_jwt')
  const client = await bank.client.fresh({
    token_endpoint_auth_method: 'private_key_jwt',
    client_name: 'Conformance by its key before',
  })
  const record = replacement(client, clientMetadata)
  const answer = await bank.manage('PUT', client, () => ({ record }))
  // That a PUT is not taken is for the rules about it to say.
  if (answer.status >= 300) return
  // PUT may answer nothing (AMB-31); what is read later may be another one by then (RFC 7592 section 3).
  const told = answer.member('client_secret') ?? (await bank.manage('GET', client)).member('client_secret')
  if (typeof told !== 'string') return note('the bank shows the client no secret after the change')
  const changed = { ...client, metadata: record, clientSecret: told }
  const at = askers(tools, changed, await hasRefreshTokens(tools, clientMetadata))
  await expectBelievedAtEach(tools, at, 'with the secret that a PUT told')
}

/**
 * That a client which proves who it is is believed whatever happened before: once it was not believed, as anybody can bring about who knows
 * its client_id, and once a PUT replaced its record by the same.
 */
export async function expectStillBelieved(
  tools: Tools,
  clientMetadata: Metadata,
  wrong: (client: Client) => Proof,
): Promise<void> {
  const { bank } = tools
  const client = await bank.client.fresh({ ...clientMetadata, client_name: 'Conformance still itself' })
  const at = askers(tools, client, await hasRefreshTokens(tools, clientMetadata))
  const expectAtEach = (when: string) => expectBelievedAtEach(tools, at, when)
  for (const ask of Object.values(at)) for (let time = 0; time < wrongProofs; time += 1) await ask(wrong(client))
  await expectAtEach('after proofs that were wrong')
  const answer = await bank.manage('PUT', client, () => ({ record: replacement(client) }))
  // That a PUT is not taken is for the rules about it to say.
  if (answer.status >= 300) return
  await expectAtEach('after a PUT')
}
