import { randomUUID } from 'node:crypto'
import type { Metadata } from '../../bank/client-metadata.js'
import type { Client, OwnClient } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import { inStep } from '../../bank/steps.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { clientKeys, foreignSigner } from '../../service/client-keys.js'
import { toRegister } from '../../target/needs.js'
import { assertionAlgorithm, byPost, needMethod } from '../support/client-methods.js'
import { expectCode } from '../support/client-refusals.js'
import { otherTimes } from '../support/proof-replay.js'

/** A token that nobody has: to ask about it, or to take it back, troubles no person and uses nothing up. */
const token = 'a-token-of-nobody'

function ask({ bank }: Tools, client: Client, claims: Record<string, unknown> = {}) {
  return bank.introspection.try({ client, token }, () => ({ authentication: { claims } }))
}

/** How a client proves who it is where nothing comes of it, by the endpoint: it is believed, or it is told that it is not. */
const endpoints: Readonly<Record<string, (tools: Tools, client: Client) => Promise<HttpResponse>>> = {
  '/token-info': ask,
  '/revoke': ({ bank }, client) => bank.revocation.try({ client, token }),
  '/token': ({ bank }, client) => bank.exchangeCode(client, 'no-code'),
}

/** The places of a change that holds wherever the client proves who it is. */
const afterPut = ['token', 'token-info', 'revoke'].map((one) => `endpoint=${one} use=after-put`)

/** That the client is believed, which is for other rules to hold. */
async function demandBelieved(tools: Tools, client: Client, claims?: Record<string, unknown>): Promise<void> {
  await inStep('introspection', async () => tools.expect(await ask(tools, client, claims)).toHaveStatus(200))
}

/** A client of one's own that was seen to authenticate by private_key_jwt at /token-info; skips where the bank has no such. */
async function assertingClient(tools: Tools): Promise<OwnClient> {
  await needMethod(tools, 'private_key_jwt')
  const client = await tools.bank.readableClient()
  await demandBelieved(tools, client)
  return client
}

/** Changes a client's record by PUT: it is then believed as the new record has it, and no longer as it was. */
async function expectChanged(
  tools: Tools,
  client: OwnClient,
  changes: Metadata,
  change: (client: OwnClient) => Client | Promise<Client>,
): Promise<void> {
  const { bank, expect, inVariation, note } = tools
  // Of an algorithm that no change is about, so that it is nobody's.
  const stranger = await foreignSigner('ES384')
  const unproven = { ...client, keys: { ...client.keys, signing: stranger, ecSigning: stranger } }
  const metadata = replacement(client, changes)
  await bank.replaceRecord(client, metadata)
  const changed = await change({ ...client, metadata })
  for (const [at, prove] of Object.entries(endpoints)) {
    // Of two mistakes a bank names which it likes: one that looks for the code first says nothing of who sends it.
    if (at === '/token' && (await prove(tools, unproven)).member('error') === 'invalid_grant') {
      note('the bank judges the code before the client at /token')
      continue
    }
    await inVariation(`as the new record has it, at ${at}`, async () => {
      const answer = await prove(tools, changed)
      // What there is to say of the token and the code is other rules' to judge.
      if (answer.status < 300) return
      expect(answer).toHaveStatus(400)
      const error = expect(answer.member('error'), 'error of the refusal', answer)
      error.toDiffer('invalid_client', 'that of a client that is not believed')
    })
    await inVariation(`as the replaced record had it, at ${at}`, async () => {
      const refusal = await prove(tools, client)
      expect(refusal).toHaveStatus(400, 401)
      // What a refusal carries is not shown elsewhere than at /token (AMB-32); an error that it names has to be this one.
      if (at === '/token' || refusal.text !== '') expectCode(expect, refusal, 'invalid_client')
    })
  }
}

export const keys = rule({
  id: 'registration/change-of-keys',
  requirement: 'REG-18',
  places: afterPut,
  title: 'After a PUT of another jwks_uri its keys verify assertions, and those of the replaced one no longer',
  needs: toRegister,
  async check(tools) {
    const client = await assertingClient(tools)
    const { encryption } = await clientKeys()
    const own = await foreignSigner(assertionAlgorithm(client))
    const { url } = tools.bank.hostKeys([own.publicJwk, encryption.publicJwk])
    const keys = { ...client.keys, signing: own, ecSigning: own }
    await expectChanged(tools, client, { jwks_uri: url }, (one) => ({ ...one, keys }))
  },
})

export const replay = rule({
  id: 'registration/replay-after-change',
  requirement: 'TOK-15',
  places: ['endpoint=token-info use=after-put'],
  title: 'A client assertion whose jti was seen before a PUT is refused after it',
  needs: toRegister,
  async check(tools) {
    const { bank, expect, reading, service } = tools
    const client = await assertingClient(tools)
    const jti = randomUUID()
    await demandBelieved(tools, client, { jti })
    await bank.replaceRecord(client, replacement(client))
    await demandBelieved(tools, client)
    const second = await ask(tools, client, { jti, ...otherTimes(service.clock()) })
    if (second.status >= 300) expect(second).toHaveStatus(400, 401)
    reading('AMB-68', second.status < 300 ? 'accepted' : 'refused')
  },
})

export const algorithm = rule({
  id: 'registration/change-of-algorithm',
  requirement: 'REG-24',
  places: afterPut,
  title: 'After a PUT of another token_endpoint_auth_signing_alg it is enforced, and the replaced one refused',
  needs: toRegister,
  async check(tools) {
    const { bank, skip } = tools
    await needMethod(tools, 'private_key_jwt')
    const declared = (await bank.discovery()).declared('token_endpoint_auth_signing_alg_values_supported')
    if (declared && !['PS512', 'ES512'].every((alg) => declared.includes(alg)))
      return skip('the bank declares one of PS512 and ES512 alone')
    const client = await assertingClient(tools)
    const other = client.metadata.token_endpoint_auth_signing_alg === 'ES512' ? 'PS512' : 'ES512'
    await expectChanged(tools, client, { token_endpoint_auth_signing_alg: other }, (one) => one)
  },
})

/** Secrets that a PUT may try to give the client in place of the one that the bank issued. */
const chosen: Readonly<Record<string, unknown>> = {
  'a client_secret of its own choice':
    'a-secret-of-the-clients-own-choice-that-is-long-enough-for-hs512-and-yet-is-not-issued',
  'an empty client_secret': '',
}

export const secret = rule({
  id: 'registration/change-of-secret',
  requirement: 'CLIENT-1',
  places: ['endpoint=token-info use=after-put', 'endpoint=token-info use=after-put value=missing'],
  title: 'A PUT changes the client_secret to none that it names, and to none that the bank does not tell',
  needs: toRegister,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    await needMethod(tools, 'client_secret_post')
    const client = await bank.client.fresh(byPost)
    await inStep('introspection', async () => expect(await ask(tools, client)).toHaveStatus(200))
    for (const [what, clientSecret] of Object.entries(chosen)) {
      await inVariation(`a PUT with ${what}`, async () => {
        const record = replacement(client, { client_secret: clientSecret })
        // Refused as published; what the table does not have may be ignored as well.
        expect(await bank.manage('PUT', client, () => ({ record }))).toHaveStatus(400, 401, 403, 200, 204)
        expect(await ask(tools, { ...client, clientSecret: String(clientSecret) })).toHaveStatus(400, 401)
        // It may be issued anew with the change (RFC 7592 section 2.2).
        const issued = (await bank.manage('GET', client)).member('client_secret') ?? client.clientSecret
        expect(await ask(tools, { ...client, clientSecret: String(issued) })).toHaveStatus(200)
      })
    }
    await inVariation('a PUT that names none', async () => {
      const answer = await bank.manage('PUT', client, () => ({ record: replacement(client, {}) }))
      expect(answer).toHaveStatus(200, 204)
      let issued = answer.member('client_secret')
      if (issued !== undefined) expect(await ask(tools, { ...client, clientSecret: String(issued) })).toHaveStatus(200)
      // It may be issued anew with any answer (RFC 7592 section 3), so that each holds until the next.
      issued = (await bank.manage('GET', client)).member('client_secret') ?? issued ?? client.clientSecret
      expect(await ask(tools, { ...client, clientSecret: String(issued) })).toHaveStatus(200)
    })
  },
})

export const method = rule({
  id: 'registration/change-of-method',
  requirement: 'REG-37',
  places: afterPut,
  title: 'After a PUT of another token_endpoint_auth_method the client uses it, and is refused with the replaced one',
  needs: toRegister,
  async check(tools) {
    const { bank, skip } = tools
    await needMethod(tools, 'client_secret_post')
    const client = await assertingClient(tools)
    await expectChanged(tools, client, byPost, async (one) => {
      // It may be issued with the change (RFC 7592 section 2.2).
      const secret = (await bank.manage('GET', one)).member('client_secret') ?? one.clientSecret
      if (typeof secret === 'string') return { ...one, clientSecret: secret }
      return skip('the bank shows the client no secret after the change')
    })
  },
})
