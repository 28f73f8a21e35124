import type { Metadata } from '../../bank/client-metadata.js'
import type { ClientRequest } from '../../bank/client-request.js'
import type { Client } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
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

/** Asks in the name of a client about what it does not have, at each place where that costs no login. */
function askers(
  { bank }: Tools,
  client: Client,
  refreshes: boolean,
): Record<string, (proof?: Proof) => Promise<HttpResponse>> {
  return {
    ...(refreshes && {
      '/token': (proof = {}) => bank.refresh.try({ login: { client, refreshToken: unknownToken } }, () => proof),
    }),
    '/token-info': (proof = {}) => bank.introspection.try({ client, token: unknownToken }, () => proof),
  }
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
  const { bank, expect, inVariation } = tools
  const client = await bank.client.fresh({ ...clientMetadata, client_name: 'Conformance still itself' })
  const at = askers(tools, client, await hasRefreshTokens(tools, clientMetadata))
  const expectBelieved = (when: string) =>
    Promise.all(
      Object.entries(at).map(([endpoint, ask]) =>
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
      ),
    )
  for (const ask of Object.values(at)) for (let time = 0; time < wrongProofs; time += 1) await ask(wrong(client))
  await expectBelieved('after proofs that were wrong')
  const answer = await bank.manage('PUT', client, () => ({ record: replacement(client) }))
  // That a PUT is not taken is for the rules about it to say.
  if (answer.status >= 300) return
  await expectBelieved('after a PUT')
}
