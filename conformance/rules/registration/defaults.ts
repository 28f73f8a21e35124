import { type Authorization, type LoginOptions, parameterOf } from '../../bank/authorization.js'
import type { Bank } from '../../bank/bank.js'
import type { Metadata } from '../../bank/client-metadata.js'
import { asOwn } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import type { Session, SessionRequest } from '../../bank/session.js'
import { inStep } from '../../bank/steps.js'
import type { Login } from '../../bank/token.js'
import { rule, type Tools } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { claimsFor, isSupported, withPlace } from '../request-object/by-reference.js'
import { implicitClient } from '../support/implicit-client.js'
import { answerTo } from '../support/refusals.js'

const needs = [...toRegister, ...toLogIn]

/** How old a session has to get before a default_max_age of one second is over, in milliseconds. */
const sessionAgeMs = 2_100

/** A client whose record names a default_max_age, and the age that its sessions are to be too old for. */
interface AgedClient {
  what: string
  clientMetadata: Metadata
  /** What is changed by PUT after the session's first login. */
  change?: Metadata
}

const aged: readonly AgedClient[] = [
  {
    what: 'a default_max_age of one second',
    clientMetadata: { client_name: 'Conformance default_max_age', default_max_age: 1, require_auth_time: false },
  },
  {
    what: 'a default_max_age of 0',
    clientMetadata: { client_name: 'Conformance no age', default_max_age: 0, require_auth_time: false },
  },
  {
    what: 'a default_max_age that a PUT changed to one second',
    clientMetadata: { client_name: 'Conformance changed age', default_max_age: 3600, require_auth_time: false },
    change: { default_max_age: 1 },
  },
]

const agelessSessions =
  'a session of two seconds has to sign in again for a max_age of an hour too: no age is too old for it'

/**
 * That a session need not sign in again for a max_age of an hour, which comes before its client's default_max_age. At a bank where it has to
 * at every client no age is too old, and nothing can be seen.
 */
async function expectNamedFirst(
  { bank, expect, skip, service }: Pick<Tools, 'bank' | 'expect' | 'skip' | 'service'>,
  session: Session,
  { callback: { pages, response } }: Authorization,
): Promise<void> {
  const signsIn = (shown: typeof pages) => bank.asSignIns(shown).includes('sign-in')
  if (!signsIn(pages)) return
  await service.wait(sessionAgeMs)
  const clientMetadata = { client_name: 'Conformance long default_max_age', default_max_age: 7200 }
  const elsewhere = await session.ask({ clientMetadata, parameters: { max_age: '3600' } })
  if (signsIn(elsewhere.callback.pages)) skip(agelessSessions)
  expect(
    bank.asSignIns(pages),
    'the pages shown for a max_age of an hour, beside a smaller default_max_age,',
    response,
  ).toSatisfy(
    (shown) => !shown.includes('sign-in'),
    'none to sign in at: the max_age that a request names comes before default_max_age',
  )
}

/** That a session which is older than its client's default_max_age has to sign in again. */
async function expectNewLogin(tools: Tools, { clientMetadata, change }: AgedClient): Promise<void> {
  const { bank, expect, service } = tools
  const registered = await answerTo(bank, clientMetadata)
  expect(registered.status, 'the status of the registration', registered).toBeAtMost(299)
  const session = bank.session({ clientMetadata })
  const before = await bank.idTokenClaims(await session.signIn({ parameters: { max_age: '3600' } }))
  await service.wait(sessionAgeMs)
  await expectNamedFirst(tools, session, await session.ask({ parameters: { max_age: '3600' } }))
  if (change) {
    const client = await asOwn(await bank.registration(clientMetadata))
    await bank.replaceRecord(client, replacement(client, change))
  }
  const unnamed = await session.ask({})
  const { pages, response } = unnamed.callback
  expect(bank.asSignIns(pages), 'the pages shown in a session older than default_max_age', response).toContain(
    'sign-in',
  )
  const login = await bank.token.fresh({ authorization: unnamed })
  const { auth_time } = await bank.idTokenClaims(login)
  expect(auth_time, 'auth_time of the id_token', login.response).toSatisfy(
    (time) => Number.isFinite(time) && !(Number(time) <= Number(before.auth_time)),
    `the time of the new login: a number above ${before.auth_time}, the time of the first`,
  )
}

export const maxAge = rule({
  id: 'registration/default-max-age',
  requirement: 'REG-19',
  places: ['value=right', 'value=lower-bound', 'use=after-put', 'parameter=max_age'],
  title:
    'default_max_age holds when the request names no max_age, and gives way to one: a new login, and auth_time in the id_token',
  needs: [...needs, 'page-detection'],
  waits: true,
  async check(tools) {
    for (const client of aged) await tools.inVariation(client.what, () => expectNewLogin(tools, client))
  },
})

export const maxAgeBeside = rule({
  id: 'registration/default-max-age-variations',
  requirement: 'REG-19',
  places: [
    ...['prompt', 'id_token_hint', 'acr_values', 'ui_locales'].map((parameter) => `parameter=${parameter}`),
    'member=none parameter=prompt',
    'grant=implicit',
    'token=request-object',
  ],
  title: 'default_max_age leads to a new login whatever else is asked for, and in whichever flow',
  needs: [...needs, 'page-detection'],
  waits: true,
  async check(tools) {
    const { bank, expect, inVariation, service } = tools
    const record = { default_max_age: 1, require_auth_time: false }
    const { place, client, clientMetadata } = await withPlace(bank, 'age beside other things', { record })
    const session = bank.session({ clientMetadata })
    const hint = await bank.hint(await session.signIn({ parameters: { max_age: '3600' } }))
    const discovery = await bank.discovery()
    const [level] = discovery.declared('acr_values_supported') ?? []
    const ways: Record<string, SessionRequest> = {
      'prompt consent': { parameters: { prompt: 'consent' } },
      'the id_token of the session': { parameters: { id_token_hint: hint } },
      ui_locales: { parameters: { ui_locales: 'cs en' } },
      ...(level !== undefined && { acr_values: { parameters: { acr_values: level } } }),
      ...(discovery.declared('response_types_supported')?.includes('token') && {
        'response_type token': {
          clientMetadata: { ...implicitClient, ...record, client_name: 'Conformance age, implicit' },
          parameters: { response_type: 'token' },
        },
      }),
      ...(isSupported(discovery) && { request_uri: { parameters: { request_uri: place } } }),
    }
    bank.placeRequestObject(place, await bank.makeRequestObject(claimsFor(bank, client), { key: client.keys.signing }))
    await service.wait(sessionAgeMs)
    await expectNamedFirst(tools, session, await session.ask({ parameters: { max_age: '3600' } }))
    for (const [beside, asked] of Object.entries(ways)) {
      await inVariation(`default_max_age 1 beside ${beside}`, async () => {
        const { pages, response } = await session.look(asked, 'sign-in')
        expect(bank.asSignIns(pages), 'the pages shown in a session older than default_max_age', response).toContain(
          'sign-in',
        )
      })
    }
    await inVariation('default_max_age 1 beside prompt none', async () => {
      const asked = await session.ask({ parameters: { prompt: 'none' } })
      // A login is needed, and may not be asked for (OpenID Connect Core section 3.1.2.6).
      expect(parameterOf(asked, 'error'), 'error of the callback', asked.callback.response).toBe('login_required')
    })
  },
})

export const maxAgeOfAnother = rule({
  id: 'registration/default-max-age-second-client',
  requirement: 'REG-19',
  places: ['use=second-client'],
  title: 'default_max_age leads to a new login in a session that another client began',
  needs: [...needs, 'page-detection'],
  waits: true,
  async check({ bank, expect, service }) {
    const session = await bank.sessionToLookFrom()
    await service.wait(sessionAgeMs)
    const clientMetadata = { client_name: 'Conformance second client, age', default_max_age: 1 }
    const parameters = { prompt: 'consent', max_age: undefined }
    const { pages, response } = await session.look({ clientMetadata, parameters }, 'sign-in')
    expect(bank.asSignIns(pages), 'the pages shown in a session older than default_max_age', response).toContain(
      'sign-in',
    )
  },
})

/** Why default_acr_values of these levels cannot be registered; undefined where they can. */
async function undeclaredLevels(bank: Bank, ...levels: string[]): Promise<string | undefined> {
  const declared = (await bank.discovery()).declared('acr_values_supported')
  const missing = levels.find((level) => declared && !declared.includes(level))
  return missing && `the bank declares no ${missing}`
}

/** That the id_token of a login tells of loa3. */
async function expectLoa3({ bank, expect }: Tools, login: Login, how: string): Promise<void> {
  const { acr } = await bank.idTokenClaims(login)
  expect<unknown>(acr, `acr of the id_token of a login ${how}`, login.response).toBe('loa3')
}

/** That acr_values of loa3 reach it, whatever the record says. */
function expectLoa3Reached(tools: Tools): Promise<void> {
  return inStep('acrReached', async () => {
    const login = await tools.bank.token({ parameters: { acr_values: 'loa3' } })
    await expectLoa3(tools, login, 'for acr_values loa3')
  })
}

export const acrValues = rule({
  id: 'registration/default-acr-values',
  requirement: 'REG-34',
  places: ['value=right', 'scope=openid'],
  title: 'default_acr_values hold when the request names no acr_values',
  needs,
  async check(tools) {
    const { bank, note, skip } = tools
    const undeclared = await undeclaredLevels(bank, 'loa3')
    if (undeclared) return skip(undeclared)
    const plain = await bank.idTokenClaims(await bank.token())
    if (plain.acr === 'loa3') note('a login reaches loa3 without default_acr_values too')
    await expectLoa3Reached(tools)
    // Of few scopes: how much a client may ask for has nothing to do with how people sign in.
    const clientMetadata = {
      client_name: 'Conformance default_acr_values',
      default_acr_values: ['loa3'],
      scope: 'openid',
      grant_types: ['authorization_code'],
    }
    const login = await bank.token.fresh({ authorization: await bank.authorization.try({ clientMetadata }) })
    await expectLoa3(tools, login, 'without acr_values, where default_acr_values is loa3')
  },
})

export const acrValuesInSession = rule({
  id: 'registration/default-acr-values-in-session',
  requirement: 'REG-34',
  places: ['use=session-login'],
  title: 'default_acr_values hold for a person who signed in at a lower level at another client',
  needs: [...needs, 'browsers'],
  async check(tools) {
    const { bank, skip } = tools
    const undeclared = await undeclaredLevels(bank, 'loa2', 'loa3')
    if (undeclared) return skip(undeclared)
    await expectLoa3Reached(tools)
    const session = bank.session({ clientMetadata: { client_name: 'Conformance lower level' } })
    const { acr } = await bank.idTokenClaims(await session.signIn({ parameters: { acr_values: 'loa2' } }))
    if (acr !== 'loa2') return skip(`a login for loa2 reaches ${acr}: there is nothing to step up to`)
    const clientMetadata = { client_name: 'Conformance default_acr_values, signed in', default_acr_values: ['loa3'] }
    const login = await bank.token.fresh({ authorization: await session.ask({ clientMetadata }) })
    await expectLoa3(tools, login, 'by a session of loa2, where default_acr_values is loa3')
  },
})

export const acrValuesNamed = rule({
  id: 'registration/default-acr-values-named',
  requirement: 'REG-34',
  places: ['parameter=acr_values'],
  title: 'default_acr_values give way to the acr_values that the request names',
  needs,
  async check(tools) {
    const undeclared = await undeclaredLevels(tools.bank, 'loa2', 'loa3')
    if (undeclared) return tools.skip(undeclared)
    await expectLoa3Reached(tools)
    const clientMetadata = { client_name: 'Conformance lower default_acr_values', default_acr_values: ['loa2'] }
    const asked = { clientMetadata, parameters: { acr_values: 'loa3' } }
    const login = await tools.bank.token.fresh({ authorization: await tools.bank.authorization.try(asked) })
    await expectLoa3(tools, login, 'for acr_values loa3, where default_acr_values is loa2')
  },
})

export const acrValuesElsewhere = rule({
  id: 'registration/default-acr-values-variations',
  requirement: 'REG-34',
  places: ['use=after-put', 'token=request-object', 'parameter=max_age', 'parameter=prompt', 'parameter=ui_locales'],
  title: 'default_acr_values hold as a PUT changed them, beside other parameters, and for a request by request_uri',
  needs,
  async check(tools) {
    const { bank, inVariation, note } = tools
    const undeclared = await undeclaredLevels(bank, 'loa2', 'loa3')
    if (undeclared) return tools.skip(undeclared)
    await expectLoa3Reached(tools)
    const default_acr_values = ['loa3']
    const loginBy = async (asked: LoginOptions) =>
      bank.token.fresh({ authorization: await bank.authorization.try(asked) })
    await inVariation('a PUT that changes them', async () => {
      const clientMetadata = { client_name: 'Conformance changed levels', default_acr_values: ['loa2'] }
      const client = await asOwn(await bank.registration(clientMetadata))
      // By which levels the bank authorized for the client first.
      await loginBy({ clientMetadata })
      await bank.replaceRecord(client, replacement(client, { default_acr_values }))
      await expectLoa3(tools, await loginBy({ clientMetadata }), 'after a PUT of default_acr_values loa3')
    })
    const { place, client, clientMetadata } = await withPlace(bank, 'levels inside', { record: { default_acr_values } })
    await inVariation('a request with max_age, prompt, display and ui_locales', async () => {
      const parameters = { max_age: '600', prompt: 'login', display: 'page', ui_locales: 'cs en' }
      const login = await loginBy({ clientMetadata, parameters })
      await expectLoa3(tools, login, 'with max_age, prompt and more, where default_acr_values is loa3')
    })
    if (!isSupported(await bank.discovery())) return note('the bank declares that it does not support request_uri')
    await inVariation('a request by request_uri', async () => {
      const claims = claimsFor(bank, client)
      bank.placeRequestObject(place, await bank.makeRequestObject(claims, { key: client.keys.signing }))
      const login = await loginBy({ clientMetadata, parameters: { request_uri: place } })
      await expectLoa3(tools, login, 'by request_uri, where default_acr_values is loa3')
    })
  },
})
