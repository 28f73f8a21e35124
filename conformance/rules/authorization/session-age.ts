import { sessionAgeMs } from '../../bank/aged-session.js'
import { parameterOf } from '../../bank/authorization.js'
import type { Bank } from '../../bank/bank.js'
import type { Metadata } from '../../bank/client-metadata.js'
import { dressNow } from '../../bank/dress.js'
import type { SessionRequest } from '../../bank/session.js'
import type { Login } from '../../bank/token.js'
import { rule, type Tools } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { claimsFor, demandSupport, toAskByReference, withPlace } from '../request-object/by-reference.js'
import { declaredLevels, levels } from '../support/acr-levels.js'
import { implicitClient } from '../support/implicit-client.js'
import { everybodyAnew } from '../support/kept-session.js'

/** A client at which the same scopes are always consented to: sessions with it tell by what else they differ. */
const clientMetadata = { client_name: 'Conformance sessions' }

/** A client of a rule's own, so that no other rule's consent is in its way. */
const own = (name: string) => ({ client_name: `Conformance ${name}` })

export const tooOld = rule({
  id: 'authorization/max-age',
  requirement: 'AUTH-34',
  places: ['value=above', 'value=below', 'value=lower-bound', 'value=upper-bound', 'use=session-login'],
  title:
    'A max_age shorter than the age of the session leads to a new login, whatever it served since, and a longer one does not',
  needs: [...toLogIn, 'page-detection'],
  waits: true,
  async check({ bank, expect, skip, service }) {
    const session = bank.session({ clientMetadata })
    await session.signIn()
    const young = await session.ask({ parameters: { max_age: '3600' } })
    if (bank.asSignIns(young.callback.pages).includes('sign-in') && (await bank.signsInAnew())) skip(everybodyAnew)
    expect(young.callback.pages, 'the pages shown in a young session', young.callback.response).toLack('sign-in')
    if (dressNow() === undefined) {
      // A bank may refuse so many seconds. With the time of the login they are more than 32 bits hold.
      const { callback } = await session.ask({ parameters: { max_age: '2000000000' } })
      expect(callback.pages, 'the pages shown for a max_age of 63 years', callback.response).toLack('sign-in')
    }
    await service.wait(sessionAgeMs)
    // It counts from the sign-in (OpenID Connect Core section 3.1.2.1): nobody authenticated for what the session serves meanwhile.
    await session.ask({ parameters: { max_age: '3600' } })
    const none = await session.look({ parameters: { max_age: '0' } }, 'sign-in')
    expect(bank.asSignIns(none.pages), 'the pages shown for a max_age of 0', none.response).toContain('sign-in')
    const old = await session.ask({ parameters: { max_age: '1' } })
    expect(bank.asSignIns(old.callback.pages), 'the pages shown in an old session', old.callback.response).toContain(
      'sign-in',
    )
  },
})

/** What rules about auth_time ask for: a client that does not ask for it by its record. */
const bare = { ...own('auth_time'), require_auth_time: false, default_max_age: undefined }

/** The same where a bank may want default_max_age in every record (AMB-58). */
async function bareAt(bank: Bank): Promise<Metadata> {
  const { response: registered } = await bank.registration(bare)
  return registered.status < 400 ? bare : { ...own('auth_time'), require_auth_time: false }
}

/** That the id_token of a login with a max_age carries the time of that login. */
async function expectAuthTime(tools: Tools, parameters: Readonly<Record<string, string>>): Promise<void> {
  const { bank } = tools
  await expectTimeOf(tools, await bank.token({ clientMetadata: await bareAt(bank), parameters }))
}

async function expectTimeOf({ bank, expect, service }: Tools, login: Login): Promise<void> {
  const { auth_time } = await bank.idTokenClaims(login)
  const now = service.clock()
  expect(auth_time, 'auth_time of the id_token', login.response).toSatisfy(
    (time) => Number.isFinite(time) && now - Number(time) > -60 && now - Number(time) <= 600,
    `the time of the login: a number from ${now - 600} to ${now + 59}`,
  )
}

export const authTime = rule({
  id: 'authorization/max-age-auth-time',
  requirement: 'AUTH-50',
  places: ['use=first', 'value=long', 'member=loa3'],
  title: 'With max_age the id_token carries auth_time',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    await expectAuthTime(tools, { max_age: '600' })
    const declared = await declaredLevels(tools.bank)
    const highest = levels.findLast((level) => declared.includes(level))
    // Where the range ends is not shown: a bank may take a day at the most. A second factor may have a clock of its own.
    await tools.inVariation('a max_age of a day, at the highest level', () =>
      expectAuthTime(tools, { max_age: '86400', ...(highest !== undefined && { acr_values: highest }) }),
    )
  },
})

export const authTimeOfZero = rule({
  id: 'authorization/max-age-zero-auth-time',
  requirement: 'AUTH-50',
  places: ['value=lower-bound'],
  title: 'With a max_age of 0 the id_token carries auth_time',
  needs: [...toLogIn, ...toRegister, 'browsers'],
  check: (tools) => expectAuthTime(tools, { max_age: '0' }),
})

export const authTimeInside = rule({
  id: 'authorization/max-age-auth-time-in-request-object',
  requirement: 'AUTH-50',
  places: ['token=request-object'],
  title: 'With max_age in a request object the id_token carries auth_time',
  needs: [...toAskByReference, 'browsers'],
  async check(tools) {
    const { bank, skip } = tools
    demandSupport(await bank.discovery(), skip)
    const record = await bareAt(bank)
    const { place, client, clientMetadata } = await withPlace(bank, 'auth_time, max_age inside', { record })
    const claims = { ...claimsFor(bank, client), max_age: 600 }
    bank.placeRequestObject(place, await bank.makeRequestObject(claims, { key: client.keys.signing }))
    await expectTimeOf(tools, await bank.token({ clientMetadata, parameters: { request_uri: place } }))
  },
})

export const tooOldBeside = rule({
  id: 'authorization/max-age-variations',
  requirement: 'AUTH-34',
  places: [
    ...['prompt', 'id_token_hint', 'acr_values'].map((parameter) => `parameter=${parameter}`),
    'member=none parameter=prompt',
    'grant=implicit',
    'member=default_max_age',
  ],
  title:
    'A max_age shorter than the age of the session leads to a new login whatever else is asked for, and in whichever flow',
  needs: [...toLogIn, ...toRegister, 'page-detection'],
  waits: true,
  async check({ bank, expect, inVariation, service }) {
    const session = bank.session({ clientMetadata })
    const hint = await bank.hint(await session.signIn())
    const discovery = await bank.discovery()
    const [level] = discovery.declared('acr_values_supported') ?? []
    const ways: Record<string, SessionRequest> = {
      'prompt consent': { parameters: { prompt: 'consent' } },
      'the id_token of the session': { parameters: { id_token_hint: hint } },
      // What the request asks for comes first (OpenID Connect Dynamic Client Registration section 2).
      'a default_max_age of a day': { clientMetadata: { ...own('default_max_age of a day'), default_max_age: 86_400 } },
      ...(level !== undefined && { acr_values: { parameters: { acr_values: level } } }),
      ...(discovery.declared('response_types_supported')?.includes('token') && {
        'response_type token': { clientMetadata: implicitClient, parameters: { response_type: 'token' } },
      }),
    }
    await service.wait(sessionAgeMs)
    for (const [beside, { parameters, ...asked }] of Object.entries(ways)) {
      await inVariation(`max_age 1 beside ${beside}`, async () => {
        const { pages, response } = await session.look(
          { ...asked, parameters: { ...parameters, max_age: '1' } },
          'sign-in',
        )
        expect(bank.asSignIns(pages), 'the pages shown in an old session', response).toContain('sign-in')
      })
    }
    await inVariation('max_age 1 beside prompt none', async () => {
      const asked = await session.ask({ parameters: { prompt: 'none', max_age: '1' } })
      // Which error says so is AUTH-25's.
      expect(parameterOf(asked, 'code'), 'code of an old session', asked.callback.response).toBe(null)
    })
  },
})

export const tooOldForAnother = rule({
  id: 'authorization/max-age-second-client',
  requirement: 'AUTH-34',
  places: ['use=second-client'],
  title: 'A max_age shorter than the age of a session that another client began leads to a new login',
  needs: [...toLogIn, ...toRegister, 'page-detection'],
  waits: true,
  async check({ bank, expect, service }) {
    const session = await bank.sessionToLookFrom()
    await service.wait(sessionAgeMs)
    const asked = { clientMetadata: own('second client, max_age'), parameters: { prompt: 'consent', max_age: '1' } }
    const { pages, response } = await session.look(asked, 'sign-in')
    expect(bank.asSignIns(pages), 'the pages shown', response).toContain('sign-in')
  },
})

export const tooOldInside = rule({
  id: 'authorization/max-age-in-request-object',
  requirement: 'AUTH-34',
  places: ['token=request-object value=lower-bound'],
  title: 'A max_age of 0 in a request object, where it is a number, leads to a new login',
  needs: [...toAskByReference, 'page-detection'],
  waits: true,
  async check({ bank, expect, service, skip }) {
    demandSupport(await bank.discovery(), skip)
    const { place, client, clientMetadata } = await withPlace(bank, 'max_age inside')
    const session = bank.session({ clientMetadata })
    await session.signIn()
    // A login is called for where the age is greater than max_age (OpenID Connect Core section 3.1.2.1), and a bank may count whole seconds.
    await service.wait(sessionAgeMs)
    const claims = { ...claimsFor(bank, client), max_age: 0 }
    bank.placeRequestObject(place, await bank.makeRequestObject(claims, { key: client.keys.signing }))
    const { pages, response } = await session.look({ parameters: { request_uri: place } }, 'sign-in')
    expect(bank.asSignIns(pages), 'the pages shown', response).toContain('sign-in')
  },
})

export const silentlyTooOld = rule({
  id: 'authorization/prompt-none-max-age',
  requirement: 'AUTH-25',
  places: [
    ...['parameter=max_age', 'parameter=max_age value=lower-bound', 'parameter=id_token_hint'].map(
      (what) => `use=session-login ${what}`,
    ),
  ],
  title: 'prompt=none in a session older than max_age is 302 login_required, beside the id_token of the session too',
  needs: [...toLogIn, 'redirect'],
  waits: true,
  async check({ bank, expect, inVariation, service }) {
    const session = bank.session({ clientMetadata })
    const hint = await bank.hint(await session.signIn())
    await service.wait(sessionAgeMs)
    const ways = {
      'a max_age of 1': { max_age: '1' },
      'a max_age of 0': { max_age: '0' },
      'a max_age of 1 beside the id_token of the session': { max_age: '1', id_token_hint: hint },
    }
    for (const [how, parameters] of Object.entries(ways)) {
      await inVariation(how, async () => {
        const asked = await session.ask({ parameters: { prompt: 'none', ...parameters } })
        const { response } = asked.callback
        expect(response).toHaveStatus(302)
        expect(parameterOf(asked, 'error'), 'error of the callback', response).toBe('login_required')
      })
    }
  },
})

export const authTimeLater = rule({
  id: 'authorization/auth-time-of-login',
  requirement: 'AUTH-50',
  places: ['use=session-login', 'use=second-login'],
  title: 'auth_time is the time of the login: the same in its session, a later one after a new login',
  needs: [...toLogIn, 'page-detection'],
  waits: true,
  async check({ bank, expect, inVariation }) {
    const { session, signedIn, further: authorization } = await bank.agedSession()
    const parameters = { max_age: '600' }
    const { auth_time: first } = await bank.idTokenClaims(signedIn)
    await inVariation('a request in the session', async () => {
      // A bank may ask for a login each time: it is then the time of that one.
      if (bank.asSignIns(authorization.callback.pages).includes('sign-in')) return
      const login = await bank.token({ authorization })
      const { auth_time } = await bank.idTokenClaims(login)
      expect<unknown>(auth_time, 'auth_time of the id_token', login.response).toBe(first)
    })
    await inVariation('a new login', async () => {
      const asked = await session.ask({ parameters: { ...parameters, prompt: 'login' } })
      const login = await bank.token.fresh({ authorization: asked })
      const { auth_time } = await bank.idTokenClaims(login)
      expect(Number(auth_time), 'auth_time of the id_token', login.response).toBeAtLeast(Number(first) + 1, 's')
    })
  },
})
