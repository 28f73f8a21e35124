import type { Parameters } from '../../bank/authorization.js'
import { dressNow } from '../../bank/dress.js'
import type { SessionRequest } from '../../bank/session.js'
import { rule } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { claimsFor, demandSupport, toAskByReference, withPlace } from '../request-object/by-reference.js'
import { implicitClient } from '../support/implicit-client.js'

/** A client at which the same scopes are always consented to: sessions with it tell by what else they differ. */
const clientMetadata = { client_name: 'Conformance sessions' }

/** A client of a rule's own, so that no other rule's consent is in its way. */
const own = (name: string) => ({ client_name: `Conformance ${name}` })

export const loginAgain = rule({
  id: 'authorization/prompt-login',
  requirement: 'AUTH-35',
  places: ['use=session-login', 'use=second-call'],
  title: 'prompt=login leads to a new login within a session, each time',
  needs: [...toLogIn, 'page-detection'],
  async check({ bank, expect, inVariation }) {
    const session = bank.session({ clientMetadata: own('login again') })
    const before = await session.signIn()
    const asked = await session.ask({ parameters: { prompt: 'login' } })
    expect(bank.asSignIns(asked.callback.pages), 'the pages shown', asked.callback.response).toContain('sign-in')
    const { sub } = await bank.idTokenClaims(before)
    const after = await bank.token.fresh({ authorization: asked })
    const claims = await bank.idTokenClaims(after)
    expect(claims.sub, 'sub of the second login', after.response).toBe(sub)
    await inVariation('prompt login once more', async () => {
      const { pages, response } = await session.look({ parameters: { prompt: 'login' } }, 'sign-in')
      expect(bank.asSignIns(pages), 'the pages shown', response).toContain('sign-in')
    })
  },
})

export const loginBeside = rule({
  id: 'authorization/prompt-login-variations',
  requirement: 'AUTH-35',
  places: [
    ...['id_token_hint', 'max_age', 'acr_values'].map((parameter) => `parameter=${parameter}`),
    'member=loa3 parameter=acr_values',
    'value=reordered',
    'grant=implicit',
  ],
  title: 'prompt=login leads to a new login whatever else is asked for, and in whichever flow',
  needs: [...toLogIn, ...toRegister, 'page-detection'],
  async check({ bank, expect, inVariation }) {
    const session = bank.session({ clientMetadata })
    const hint = await bank.hint(await session.signIn())
    const discovery = await bank.discovery()
    const levels = discovery.declared('acr_values_supported') ?? []
    const ways: Record<string, SessionRequest> = {
      'beside the id_token of the session': { parameters: { id_token_hint: hint } },
      'beside a max_age that holds': { parameters: { max_age: '3600' } },
      ...Object.fromEntries(
        levels.map((level) => [`beside acr_values ${level}`, { parameters: { acr_values: level } }]),
      ),
      'after consent': { parameters: { prompt: 'consent login' } },
      ...(discovery.declared('response_types_supported')?.includes('token') && {
        'of response_type token': { clientMetadata: implicitClient, parameters: { response_type: 'token' } },
      }),
    }
    for (const [how, { parameters, ...asked }] of Object.entries(ways)) {
      await inVariation(`prompt login ${how}`, async () => {
        const { pages, response } = await session.look(
          { ...asked, parameters: { prompt: 'login', ...parameters } },
          'sign-in',
        )
        expect(bank.asSignIns(pages), 'the pages shown', response).toContain('sign-in')
      })
    }
  },
})

/** Parameters that change nothing of which pages are shown. */
const likeAnyOther = { display: 'page', ui_locales: 'cs en' }

export const consentAgain = rule({
  id: 'authorization/prompt-consent',
  requirement: 'AUTH-51',
  places: [
    'use=session-login',
    ...['id_token_hint', 'max_age', 'acr_values'].map((parameter) => `parameter=${parameter}`),
    'scope=openid',
    'scope=required',
  ],
  title:
    'prompt=consent shows consent again, whatever stands beside it, for openid alone and where all is required too',
  needs: [...toLogIn, 'page-detection'],
  async check({ bank, expect, inVariation }) {
    const session = bank.session({ clientMetadata })
    const hint = await bank.hint(await session.signIn())
    const discovery = await bank.discovery()
    const [level] = discovery.declared('acr_values_supported') ?? []
    for (const [what, beside] of Object.entries<Parameters>({
      'the id_token of the session': { id_token_hint: hint },
      'a max_age that holds': { max_age: '3600' },
      ...(level !== undefined && { 'acr_values, display and ui_locales': { acr_values: level, ...likeAnyOther } }),
    })) {
      await inVariation(`prompt consent beside ${what}`, async () => {
        const { pages, response } = await session.look({ parameters: { prompt: 'consent', ...beside } }, 'consent')
        expect(pages, 'the pages shown', response).toContain('consent')
      })
    }
    await inVariation('prompt consent for openid alone', async () => {
      // It stands for every scope that the client registered (CONS-3): once all are consented to, nothing but the prompt asks.
      const scope = `openid ${(await bank.client()).dataScopes[0] ?? ''}`.trim()
      const clientMetadata = {
        ...own('prompt consent'),
        ...(discovery.declared('subject_types_supported')?.includes('public') && { subject_type: 'public' }),
        // And it registered nothing that it does not require, but in another dress.
        ...(dressNow() === undefined && { scope, required_scope: scope }),
      }
      const asked = { clientMetadata, scope: 'openid' }
      await session.ask(asked)
      const { pages, response } = await session.look({ ...asked, parameters: { prompt: 'consent' } }, 'consent')
      expect(pages, 'the pages shown', response).toContain('consent')
    })
    const { callback } = await session.ask({ parameters: { prompt: 'consent' } })
    expect(callback.pages, 'the pages shown', callback.response).toContain('consent')
  },
})

export const promptList = (['AUTH-35', 'AUTH-51'] as const).map((requirement) => {
  const [prompt, page] = requirement === 'AUTH-35' ? ['login', 'sign-in'] : ['consent', 'consent']
  return rule({
    id: `authorization/prompt-${prompt}-of-two`,
    requirement,
    places: ['value=both'],
    title: `prompt=${prompt} holds where prompt names login and consent`,
    needs: [...toLogIn, 'page-detection'],
    async check({ bank, expect }) {
      const session = bank.session({ clientMetadata })
      await session.signIn()
      const { callback } = await session.ask({ parameters: { prompt: 'login consent' } })
      expect(bank.asSignIns(callback.pages), 'the pages shown', callback.response).toContain(page)
    },
  })
})

export const promptInside = (['AUTH-35', 'AUTH-51'] as const).map((requirement) => {
  const [prompt, page] = requirement === 'AUTH-35' ? ['login', 'sign-in'] : ['consent', 'consent']
  return rule({
    id: `authorization/prompt-${prompt}-in-request-object`,
    requirement,
    places: ['token=request-object'],
    title: `prompt=${prompt} in a request object holds within a session`,
    needs: [...toAskByReference, 'page-detection'],
    async check({ bank, expect, skip }) {
      demandSupport(await bank.discovery(), skip)
      const { place, client, clientMetadata } = await withPlace(bank, `prompt ${prompt} inside`)
      const session = bank.session({ clientMetadata })
      await session.signIn()
      const claims = { ...claimsFor(bank, client), prompt }
      bank.placeRequestObject(place, await bank.makeRequestObject(claims, { key: client.keys.signing }))
      const { pages, response } = await session.look({ parameters: { request_uri: place } }, page)
      expect(bank.asSignIns(pages), 'the pages shown', response).toContain(page)
    },
  })
})

export const secondClient = rule({
  id: 'authorization/prompt-login-second-client',
  requirement: 'AUTH-35',
  places: ['use=second-client'],
  title: 'prompt=login of another client leads to a new login within a session',
  needs: [...toLogIn, ...toRegister, 'page-detection'],
  async check({ bank, expect }) {
    const session = await bank.sessionToLookFrom()
    const asked = { clientMetadata: own('second client, login'), parameters: { prompt: 'login' } }
    const { pages, response } = await session.look(asked, 'sign-in')
    expect(bank.asSignIns(pages), 'the pages shown', response).toContain('sign-in')
  },
})
