import type { AssertionChanges } from '../../bank/client-authentication.js'
import type { Metadata } from '../../bank/client-metadata.js'
import type { ClientRequest } from '../../bank/client-request.js'
import { inLeastDress } from '../../bank/dress.js'
import type { Replace } from '../../bank/operation.js'
import type { Client } from '../../bank/registration.js'
import { inStep } from '../../bank/steps.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { expectCode, expectInvalidClient } from './client-refusals.js'

/** Sends a request that the bank was seen to take of a client, with steps replaced. */
export type SendProof = (replace: Replace<ClientRequest>) => Promise<HttpResponse>

/** Where a client proves who it is ("Authentication" 3 and 4). */
export interface ProofEndpoint {
  at: '/token' | '/token with a refresh token' | '/token-info' | '/revoke'
  address(tools: Tools): Promise<string>
  /** A good request of the client that is registered with these changes. */
  open(tools: Tools, clientMetadata: Metadata): Promise<SendProof>
  /** That a client is not believed. */
  expectRefused(tools: Tools, refusal: HttpResponse): void
}

/** A token that no bank issued: who proves who they are are told so, and nothing is used up by it. */
const unknownToken = 'a-token-of-nobody'

/** At /token: invalid_client (AMB-29). */
const atToken = {
  address: async ({ bank }: Tools) => (await bank.discovery()).endpoint('token_endpoint'),
  expectRefused: ({ expect }: Tools, refusal: HttpResponse) => expectInvalidClient(expect, refusal),
}

/** What a refusal carries is not shown of /token-info and /revoke (AMB-32); an error that it names has to be this one. */
const elsewhere = {
  expectRefused({ expect }: Tools, refusal: HttpResponse) {
    expect(refusal).toHaveStatus(401, 400)
    if (refusal.text !== '') expectCode(expect, refusal, 'invalid_client')
  },
}

export const proofEndpoints: readonly ProofEndpoint[] = [
  { ...atToken, at: '/token', open: ({ bank }, clientMetadata) => bank.token.variations({ clientMetadata }) },
  {
    ...atToken,
    at: '/token with a refresh token',
    open: async ({ bank }, clientMetadata) =>
      bank.refresh.variations({ login: await bank.offlineToken.fresh({ clientMetadata }) }),
  },
  {
    ...elsewhere,
    at: '/token-info',
    address: async ({ bank }) => (await bank.discovery()).introspectionEndpoint(),
    async open({ bank, expect }, clientMetadata) {
      const about = { client: await bank.client(clientMetadata), token: unknownToken }
      await inStep('introspection', async () => expect(await bank.introspection.try(about)).toHaveStatus(200))
      return (replace) => bank.introspection.try(about, replace)
    },
  },
  {
    ...elsewhere,
    at: '/revoke',
    address: async ({ bank }) => (await bank.discovery()).revocationEndpoint(),
    async open({ bank }, clientMetadata) {
      const client = await bank.client(clientMetadata)
      const unknown = { client, token: unknownToken }
      const taken = (await bank.revocation.try(unknown)).status < 300
      if (!taken) await bank.revocation.expectBaseline()
      // A bank may answer an unknown token with an error (RFC 7009 has it otherwise): then a live one shows who is believed.
      const about = taken ? unknown : { client, token: (await bank.token.fresh({ clientMetadata })).accessToken }
      return (replace) => bank.revocation.try(about, replace)
    },
  },
]

/** What is asked of a rule about how clients prove who they are. */
export interface ProofOptions {
  /** Changes of the default record: another client. */
  clientMetadata?: Metadata
  /** When left out, all that the client can ask; of another client all but refreshes, which cost a login each. */
  at?: readonly ProofEndpoint['at'][]
}

/** Every endpoint, where refreshes are asked of another client too. */
export const atEveryEndpoint = proofEndpoints.map(({ at }) => at)

/** Whether the client can be given refresh tokens. */
export async function hasRefreshTokens({ bank }: Tools, clientMetadata?: Metadata): Promise<boolean> {
  const { metadata } = await bank.client(clientMetadata)
  return [metadata.grant_types].flat().includes('refresh_token') && /\boffline_access\b/.test(String(metadata.scope))
}

/** Does the same at each endpoint in turn. */
export async function atEach(
  tools: Tools,
  { clientMetadata, at }: ProofOptions,
  work: (endpoint: ProofEndpoint, send: SendProof, client: Client) => Promise<void>,
): Promise<void> {
  const client = await tools.bank.client(clientMetadata)
  const refreshes =
    (clientMetadata === undefined || at !== undefined) && (await hasRefreshTokens(tools, clientMetadata))
  // Where nothing is said, the least dress asks where no code is needed.
  const chosen = at ?? (inLeastDress() ? ['/token-info'] : undefined)
  for (const endpoint of proofEndpoints) {
    if (chosen && !chosen.includes(endpoint.at)) continue
    if (endpoint.at === '/token with a refresh token' && !refreshes) continue
    await work(endpoint, await endpoint.open(tools, clientMetadata ?? {}), client)
  }
}

/** What an assertion is good for: whose it is, and the address that it is sent to. */
export interface Asserted {
  client: Client
  endpoint: string
}

/** How a good assertion is changed, by what it is like then. */
export type Flaws = (asserted: Asserted) => Readonly<Record<string, AssertionChanges>>

/** Sends one assertion after the other to each endpoint, all of which are to be refused; gives the refusals. */
export async function refuseEach(tools: Tools, flaws: Flaws, options: ProofOptions = {}): Promise<HttpResponse[]> {
  const refusals: HttpResponse[] = []
  await atEach(tools, options, async ({ at, address, expectRefused }, send, client) => {
    for (const [name, authentication] of Object.entries(flaws({ client, endpoint: await address(tools) }))) {
      await tools.inVariation(`a client assertion ${name}, at ${at}`, async () => {
        const refusal = await send(() => ({ authentication }))
        expectRefused(tools, refusal)
        refusals.push(refusal)
      })
    }
  })
  return refusals
}

/** That the client of these changes is believed where it asks about tokens and takes them back. */
export async function expectBelieved(tools: Tools, clientMetadata: Metadata): Promise<void> {
  const { bank, expect, inVariation } = tools
  const unknown = { client: await bank.client(clientMetadata), token: unknownToken }
  for (const topic of ['introspection', 'revocation'] as const) {
    await inVariation(topic === 'introspection' ? 'at /token-info' : 'at /revoke', async () => {
      const answer = await bank[topic].try(unknown)
      // That an unknown token is an error is no matter of the client (INTR-2, REV-10).
      if (answer.status < 300) return
      expect(answer).toHaveStatus(400)
      const error = expect(answer.member('error'), 'error of the refusal', answer)
      error.toDiffer('invalid_client', 'that of a client that is not believed')
    })
  }
}

/** That a client is not believed that sends less than a proof: what is missing or unknown is an invalid request as well (RFC 6749 section 5.2). */
export function expectUnproven(tools: Tools, { expectRefused }: ProofEndpoint, refusal: HttpResponse): void {
  if (refusal.member('error') === 'invalid_request') tools.expect(refusal).toHaveStatus(400)
  else expectRefused(tools, refusal)
}
