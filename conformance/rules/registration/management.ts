import { randomUUID } from 'node:crypto'
import { recordFields } from '../../bank/client-metadata.js'
import { dressNow } from '../../bank/dress.js'
import type { Replace } from '../../bank/operation.js'
import { type ManagementRequest, replacement } from '../../bank/registration-management.js'
import { inStep } from '../../bank/steps.js'
import { type Expect, format } from '../../harness/expect.js'
import { type Rule, rule } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { signAssertion } from '../../service/assertions.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { expectTokenRefused } from '../support/bearer-refusal.js'
import { expectInvalidClient } from '../support/client-refusals.js'
import { expectBeginning, expectNoBeginning, requestLogin } from '../support/login-requests.js'
import { putTrials } from '../support/record-trials.js'
import { comparable, wholeRecord } from '../support/records.js'
import { atMethods, managing } from '../support/registration-calls.js'
import { untilLaterMs } from '../support/until-later.js'

export const read = rule({
  id: 'registration/read',
  requirement: 'REG-10',
  places: [
    'use=second-client',
    'caller=other-client use=after-refusal',
    'member=client_id_issued_at',
    ...Object.keys(recordFields).map((field) => `member=${field}`),
    'member=client_id',
  ],
  title: 'GET with the registration access token returns the record of the client that it belongs to',
  needs: toRegister,
  waits: true,
  async check({ bank, service, expect, inVariation, reading, warn }) {
    const [plain, whole] = [await bank.client.fresh(), await bank.client.fresh(await wholeRecord(bank, service))]
    await service.wait(untilLaterMs)
    for (const [what, client] of Object.entries({ 'of a plain record': plain, 'of a whole record': whole })) {
      await inVariation(`GET ${what}`, async () => {
        const response = await bank.manage('GET', client)
        expect(response).toHaveStatus(200)
        expect(response).toHaveMediaType('application/json')
        const names = ['client_id', ...Object.keys(client.metadata)]
        const record = expect(response.json, 'the record', response).toHaveMembers(names)
        for (const name of names) {
          const known = [client.response.member(name), client.metadata[name]]
          expect(record[name], `${name} of the record`, response).toSatisfy(
            (value) => known.some((one) => comparable(name, one) === comparable(name, value)),
            `as registered, ${known.map(format).join(' or ')}`,
          )
        }
        // What the answer to GET carries beside the record is not shown; what it carries is as it was issued.
        for (const name of ['registration_client_uri', 'client_id_issued_at']) {
          if (record[name] !== undefined)
            expect<unknown>(record[name], name, response).toBe(client.response.member(name))
        }
        // A bank that issues another registration access token with an answer tells it there (RFC 7592 section 3).
        const issued = record.registration_access_token
        const token = typeof issued === 'string' ? issued : client.token
        const again = await bank.manage('GET', client, () => ({ token }))
        expect(again).toHaveStatus(200)
        expect(again.member('client_id'), 'client_id of the record read again', again).toBe(client.clientId)
      })
    }
    if (dressNow() === undefined)
      await inVariation('GET once its token came to the address of another client', async () => {
        const { token } = plain
        // That it is refused there is another rule's business (registration/access-token).
        for (const method of managing) await bank.manage(method, whole, () => ({ token }))
        const response = await bank.manage('GET', plain)
        // A bank may revoke what may be stolen: RFC 7592 section 2.1 has it so where there is no such client.
        if (response.status === 401)
          return warn('a registration access token that came to the address of another client is good no more')
        expect(response).toHaveStatus(200)
        expect(response.member('client_id'), 'client_id of the record', response).toBe(plain.clientId)
      })
    reading('AMB-31', 'rfc7592')
  },
})

export const readAfterPut = rule({
  id: 'registration/read-after-put',
  requirement: 'REG-10',
  places: ['use=after-put', 'use=after-put member=client_id_issued_at'],
  title: 'GET after a PUT of a whole record returns that record, all of each list, and what was issued',
  needs: toRegister,
  waits: true,
  async check({ bank, service, expect }) {
    const { metadata, ...client } = await bank.readableClient()
    await service.wait(untilLaterMs)
    const record = replacement({ ...client, metadata: { ...metadata, ...(await wholeRecord(bank, service)) } })
    let answer: HttpResponse | undefined
    await inStep('registrationReplacement', async () => {
      answer = await bank.manage('PUT', { ...client, metadata }, () => ({ record }))
      expect(answer.status, 'the status of the PUT', answer).toBeAtMost(299)
    })
    const seen = await bank.manage('GET', { ...client, metadata })
    expect(seen).toHaveStatus(200)
    const read = expect(seen.json, 'the record', seen).toHaveMembers(Object.keys(record))
    for (const name of Object.keys(record)) {
      // A bank may replace a value (RFC 7591 section 3.2.1), which it then told in its answer.
      const known = [answer?.member(name), record[name]]
      expect(read[name], `${name} of the record`, seen).toSatisfy(
        (value) => known.some((one) => one !== undefined && comparable(name, one) === comparable(name, value)),
        `as the PUT gave it, ${format(record[name])}`,
      )
    }
    for (const name of ['registration_client_uri', 'client_id_issued_at']) {
      if (read[name] !== undefined) expect<unknown>(read[name], name, seen).toBe(client.response.member(name))
    }
  },
})

/** That POST /token does not know a client. */
function expectUnknown(expect: Expect, refusal: HttpResponse): void {
  expect(refusal).toHaveStatus(400, 401)
  expect(refusal.member('error'), 'error of POST /token for it', refusal).toBeOneOf([
    'invalid_client',
    'unauthorized_client',
    'not_found',
  ])
}

function isInvalidGrant(response: HttpResponse): boolean {
  return response.status === 400 && response.member('error') === 'invalid_grant'
}

export const deleted = rule({
  id: 'registration/delete',
  requirement: 'REG-12',
  places: ['endpoint=register', 'endpoint=auth', 'endpoint=token'],
  title: 'After DELETE the client is unknown to /auth, /token and /register',
  needs: toRegister,
  async check({ bank, expect, inVariation, note, reading }) {
    const client = await bank.readableClient()
    await inStep('authorization', async () => {
      expectBeginning(expect, await requestLogin(bank, client), 'a request of a registered client')
    })
    const response = await bank.manage('DELETE', client)
    expect(response).toHaveStatus(204, 200)
    reading('AMB-31', response.status === 204 ? 'rfc7592' : 'delete-ok')
    for (const method of managing) {
      await inVariation(`${method} after DELETE`, async () =>
        expect(await bank.manage(method, client)).toHaveStatus(400, 401, 403, 404),
      )
    }
    expectNoBeginning(expect, await requestLogin(bank, client), 'a request to /auth for it')
    const refusal = await bank.exchangeCode(client, 'no-code')
    const stranger = { ...client, clientId: randomUUID() }
    if (refusal.member('error') === 'invalid_grant' && isInvalidGrant(await bank.exchangeCode(stranger, 'no-code'))) {
      // It tells nobody more who shows no code of its own; no code of a client outlives it.
      note(
        'the bank looks for the code before it looks who shows it: what it makes of the client is seen at /token-info',
      )
      expectInvalidClient(expect, await bank.introspection.try({ client, token: 'no-token' }))
    } else expectUnknown(expect, refusal)
  },
})

export const accessToken = rule({
  id: 'registration/access-token',
  requirement: 'REG-13',
  places: atMethods(
    managing,
    'caller=nobody',
    'caller=other-client',
    'value=wrong',
    'value=prefix',
    'value=superset',
    'value=upper-case',
    'value=unknown',
    'value=empty',
    'parameter=scheme',
    'parameter=scheme value=lower-case',
  ).concat('method=PUT member=client_id', 'method=PUT use=after-refusal', 'method=DELETE use=after-refusal'),
  title: "GET, PUT and DELETE without, or with another client's, registration access token are refused",
  needs: toRegister,
  async check(tools) {
    const { bank, expect, inVariation, warn } = tools
    const { client, put, expectKept } = await putTrials(tools)
    const other = await bank.readableClient()
    const inCapitals = client.token.toUpperCase()
    const bearing = (token: string | undefined) => () => ({ token })
    const headed = (authorization: string) => () => ({ authorization })
    const flaws: Readonly<Record<string, Replace<ManagementRequest>>> = {
      'without a token': bearing(undefined),
      'with Bearer and no token behind it': headed('Bearer'),
      "with another client's": bearing(other.token),
      'with one that was never issued': bearing(randomUUID()),
      'with the beginning of its own': bearing(client.token.slice(0, -1)),
      'with its own and more': bearing(`${client.token}0`),
      ...(inCapitals !== client.token && { 'with its own in capitals': bearing(inCapitals) }),
      ...(client.clientSecret !== undefined && { 'with its client_secret': bearing(client.clientSecret) }),
      'with a RegistrationAuthJWT in its place': async ({ claims, signer }) => ({
        token: await signAssertion({ ...claims, jti: randomUUID() }, signer),
      }),
      'with its own under another scheme': headed(`Basic ${client.token}`),
      'with its own without a scheme': headed(client.token),
      'with its own behind another word': headed(`Bearer x ${client.token}`),
    }
    for (const method of managing) {
      for (const [what, replace] of Object.entries(flaws)) {
        // 403 is taken without a token too, as the register of requirements has it.
        await inVariation(`${method} ${what}`, async () => {
          const refusal = await (method === 'PUT' ? put(replace) : bank.manage(method, client, replace))
          expectTokenRefused(tools, refusal, 'expired')
        })
      }
    }
    await inVariation("PUT with another client's, of a record that names that client", async () => {
      // Whoever goes by the record finds that the token belongs to its client; by the address it does not. 400 is for the client_id.
      const refusal = await put(({ record }) => ({
        token: other.token,
        record: { ...Object(record), client_id: other.clientId },
      }))
      expect(refusal).toHaveStatus(400, 401, 403)
    })
    await expectKept()
    await inVariation("PUT of a record that names another client's client_id", async () => {
      const record = { ...replacement(client, { client_name: 'Conformance of another' }), client_id: other.clientId }
      const before = (await bank.manage('GET', other)).member('client_name')
      await bank.manage('PUT', client, () => ({ record }))
      const seen = await bank.manage('GET', other)
      expect(seen.member('client_name'), 'client_name of the other client', seen).toBe(before)
    })
    for (const method of managing) {
      await inVariation(`${method} with its own under the scheme in lower case`, async () => {
        // The one that it was given last: a bank may issue another with each answer (RFC 7592 section 3).
        const { status } = await bank.manage(method, client, ({ token }) => ({ authorization: `bearer ${token}` }))
        if (status >= 300) warn(`${method} does not take the scheme in lower case (RFC 9110 section 11.1)`)
      })
    }
  },
})

export const unknownClient = rule({
  id: 'registration/unknown-client',
  requirement: 'REG-13',
  places: ['method=GET member=client_id'],
  title:
    'GET of a client whose client_id is almost that of a client is refused with the registration access token of the latter',
  needs: toRegister,
  async check({ bank, expect, inVariation }) {
    const near: Readonly<Record<string, (clientId: string) => string>> = {
      'whose client_id goes on': (clientId) => `${clientId}0`,
      'whose client_id is shorter': (clientId) => clientId.slice(0, -1),
    }
    for (const [what, like] of Object.entries(near)) {
      await inVariation(`GET of a client that there is not, ${what}`, async () => {
        // Each with a token of its own: a bank may revoke the one that it refuses here, which would be what the next fails by.
        const client = await bank.readableClient()
        expect(await bank.readUnknown(client, like(client.clientId))).toHaveStatus(400, 401, 403, 404)
      })
    }
  },
})

export const deletedTokens = rule({
  id: 'registration/delete-ends-tokens',
  requirement: 'REG-26',
  places: ['userinfo', 'profile'].flatMap((endpoint) =>
    ['access-of-code', 'access-of-refresh'].map((token) => `endpoint=${endpoint} token=${token}`),
  ),
  title: "After DELETE the client's access tokens are refused at /userinfo and /profile",
  needs: [...toRegister, ...toLogIn],
  async check({ bank, expect, inVariation, note }) {
    const { deletion, offline, withData } = await bank.departedClient()
    if (!offline) note('the bank declares no refresh tokens')
    expect(deletion).toHaveStatus(204, 200)
    const hasProfile = (await bank.discovery()).value('profile_endpoint') !== undefined
    for (const { what, endpoint, response } of withData.filter(
      ({ endpoint }) => hasProfile || endpoint !== 'profile',
    )) {
      await inVariation(`${endpoint} with the access token ${what}`, async () =>
        expect(response).toHaveStatus(400, 401, 403),
      )
    }
  },
})

export const deletedWithTokens = rule({
  id: 'registration/delete-with-tokens',
  requirement: 'REG-12',
  places: ['endpoint=token token=code', 'endpoint=token token=refresh', 'endpoint=auth use=session-login'],
  title: 'After DELETE of a client that holds tokens it is unknown to /auth, /token and /register as well',
  needs: [...toRegister, ...toLogIn],
  async check({ bank, expect, inVariation, note }) {
    const { client, deletion, redeemed, inSession } = await bank.departedClient()
    expect(deletion).toHaveStatus(204, 200)
    for (const [what, response] of redeemed) {
      await inVariation(`POST /token with ${what} from before`, async () => expectUnknown(expect, response))
    }
    for (const method of managing) {
      await inVariation(`${method} after DELETE`, async () =>
        expect(await bank.manage(method, client)).toHaveStatus(400, 401, 403, 404),
      )
    }
    expectNoBeginning(expect, await requestLogin(bank, client), 'a request to /auth for it')
    if (inSession) expectNoBeginning(expect, inSession, 'a request to /auth for it in the session of its last login')
    else note('how /auth answers in the session of its last login is not seen where a person logs in by hand')
  },
})

export const endUserToken = rule({
  id: 'registration/end-user-token',
  requirement: 'REG-13',
  places: atMethods(managing, 'token=access-of-code'),
  title: "GET, PUT and DELETE with an end-user's access token in place of the registration access token are refused",
  needs: [...toRegister, ...toLogIn],
  async check(tools) {
    const { byAccessToken } = await tools.bank.departedClient()
    for (const [method, refusal] of byAccessToken) {
      await tools.inVariation(`${method} with an access token of the client`, async () =>
        expectTokenRefused(tools, refusal, 'expired'),
      )
    }
  },
})

/** That a token of another client of its sector is active still, once a client was deleted. */
export const deletedBeside: readonly Rule[] = (
  [
    ['access token', 'TOK-4', 'use=after-deletion token=access-of-code'],
    ['refresh token', 'TOK-5', 'use=after-deletion'],
  ] as const
).map(([kind, requirement, place]) =>
  rule({
    id: `registration/delete-beside-${kind.replace(' ', '-')}`,
    requirement,
    places: [place],
    title: `The ${kind} of a client lives on when another of the same sector_identifier_uri is deleted`,
    needs: [...toRegister, ...toLogIn],
    async check({ bank, expect, skip }) {
      const { deletion, ofSibling } = await bank.departedClient()
      if (deletion.status >= 300) return skip('the client was not deleted (see REG-12)')
      const held = ofSibling.find(({ what }) => what === kind)
      if (!held) return skip(`a login at another client of the sector gave no ${kind}`)
      if (held.before.member('active') !== true) return skip('introspection calls no live token active (see INTR-1)')
      expect(held.after.member('active'), `active of the ${kind} of another client`, held.after).toBe(true)
    },
  }),
)
