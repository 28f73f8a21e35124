import type { Result, SigningOptions } from '../../bank/signing.js'
import { inStep } from '../../bank/steps.js'
import { payloadOf } from '../../bank/user-data.js'
import { rule, type Tools } from '../../harness/rule.js'
import { toRegister, toSign } from '../../target/needs.js'
import { everythingBorne, everythingHinted } from './everything-borne.js'
import { forReadableData } from './readable-data.js'
import { codeIn } from './refusals.js'

type Signed = Pick<Result, 'client' | 'response' | 'accessToken'>

/** Holds that a result names whom userinfo tells of, by the access token that came with it; gives that sub. */
async function expectSameAtUserinfo(tools: Tools, options: SigningOptions): Promise<unknown> {
  return expectNamedAtUserinfo(tools, await tools.bank.signing.result(options))
}

async function expectNamedAtUserinfo({ bank, expect }: Tools, signed: Signed): Promise<unknown> {
  const { claims } = await bank.signing.idToken(signed)
  const response = await bank.signing.userData('userinfo', signed)
  expect(response).toHaveStatus(200)
  const told = payloadOf((await bank.open('userinfo', response, signed.client)).content)
  expect(claims.sub, 'sub of the result', signed.response).toBeText()
  expect(claims.sub, 'sub of the result, as userinfo has it,', signed.response).toBe(String(told?.sub))
  return claims.sub
}

export const subject = rule({
  id: 'signing/subject',
  requirement: 'SIGN-35',
  places: [
    'member=signObject',
    'member=documentObject',
    'member=documentObjects',
    'member=text-and-documents',
    'endpoint=userinfo',
    'caller=bearer',
    'member=id_token_hint',
  ],
  title: 'The result names the subject who authorized, by the sub of a login at the same client',
  needs: toSign,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const login = await bank.signing.login()
    const own = await bank.idToken(login.response, login.client)
    const objects: SigningOptions[] = [
      { claims: await forReadableData(tools) },
      { kind: 'document' },
      { kind: 'documents', count: 10 },
      { kind: 'text and documents' },
      await everythingBorne(tools),
      await everythingHinted(tools),
    ]
    for (const options of objects) {
      const { kind = 'text', bearer, claims } = options
      const how = bearer ? ' with an access token' : claims?.id_token_hint ? ' with id_token_hint' : ''
      await inVariation(`${kind}${how}`, async () => {
        const sub = await expectSameAtUserinfo(tools, options)
        const { response } = await bank.signing.result(options)
        expect(sub, 'sub of the result', response).toBe(own.claims.sub)
      })
    }
  },
})

export const otherSubject = rule({
  id: 'signing/subject-of-another',
  requirement: 'SIGN-35',
  places: ['person=second'],
  title: 'The result that another user authorized names that one',
  needs: [...toSign, 'person:second'],
  async check(tools) {
    const { bank, expect } = tools
    const first = await bank.signing.result()
    const { claims } = await bank.signing.idToken(first)
    const options = { person: 'second', claims: await forReadableData(tools) }
    const second = await expectSameAtUserinfo(tools, options)
    const { response } = await bank.signing.result(options)
    expect(second, 'sub of the result', response).toDiffer(claims.sub, 'the sub of the first user')
  },
})

export const accountSubject = rule({
  id: 'signing/subject-of-account',
  requirement: 'SIGN-35',
  places: ['person=several-accounts'],
  title:
    'The result that who has several accounts authorized names the one whom userinfo and /token-info tell of by its access token',
  needs: [...toSign, 'person:several-accounts'],
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    const person = 'several-accounts'
    const object = await bank.signing.requestObject.fresh({ kind: 'text', claims: await forReadableData(tools) })
    const code = codeIn(await bank.signing.authorize(object, { person }))
    // Nobody says that this person may sign.
    if (code === null) return skip('who has several accounts authorizes nothing at this bank')
    const response = await bank.signing.exchangeCode(object, code)
    await inStep('signedExchange', async () => expect(response).toHaveStatus(200))
    const { client } = object.request
    const accessToken = String(response.member('access_token'))
    const sub = await expectNamedAtUserinfo(tools, { client, response, accessToken })
    await inVariation('introspection', async () => {
      const introspected = await bank.introspection.try({ client, token: accessToken })
      const told = introspected.member('sub')
      // What is missing altogether is INTR-1's.
      if (told !== undefined) expect<unknown>(told, 'sub in the introspection', introspected).toBe(sub)
    })
  },
})

export const publicSubject = rule({
  id: 'signing/subject-public',
  requirement: 'SIGN-35',
  places: ['member=subject_type'],
  title: 'The result at a client of public subjects names the subject by its public sub',
  needs: [...toSign, ...toRegister],
  async check(tools) {
    const { bank, expect, skip } = tools
    const subject_type = 'public'
    if (!(await bank.discovery()).declared('subject_types_supported')?.includes(subject_type))
      return skip('the bank does not declare subject_type public')
    const clientMetadata = await bank.signing.metadata({ subject_type })
    const login = await bank.token({ clientMetadata, scope: 'openid authorization', person: 'full' })
    const own = await bank.idTokenClaims(login)
    const options = { clientMetadata, claims: await forReadableData(tools) }
    const sub = await expectSameAtUserinfo(tools, options)
    const { response } = await bank.signing.result(options)
    expect(sub, 'sub of the result', response).toBe(own.sub)
  },
})
