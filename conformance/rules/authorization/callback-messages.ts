import { type Authorization, type LoginOptions, parameterOf } from '../../bank/authorization.js'
import type { Bank } from '../../bank/bank.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import { type Need, toLogIn, toRegister } from '../../target/needs.js'
import { claimsFor, demandSupport, withPlace } from '../request-object/by-reference.js'
import { codeAndImplicitClient } from '../support/implicit-client.js'
import { declaresFrontChannel } from '../support/known-tokens.js'
import { expectErrorForm, isToldInFragment, longState, oddState, toldInFragment } from './redirected-error.js'

/** A way in which a person does not come to a code. */
interface Ending {
  slug: string
  needs: readonly Need[]
  login: LoginOptions
  /** Whether the person is signed in when this is asked. */
  inSession?: true
  /** Whether a request object asks, at a request_uri of a client of its own. */
  byReference?: true
}

/** One row of "Callback messages identical across banks". */
interface Row extends Ending {
  requirement: string
  places?: readonly string[]
  title: string
  code: string
  /** Undefined where no message is laid down. */
  message?: string
}

const declined: LoginOptions = { actions: { 'sign-in': 'decline' } }
/** At a client of its own, so that no other consent is in the way. */
const refused = (name: string): LoginOptions => ({
  clientMetadata: { client_name: `Conformance consent ${name}` },
  actions: { consent: 'refuse' },
})
const withoutSecondFactor: LoginOptions = {
  parameters: { acr_values: 'loa3' },
  actions: { 'second-factor': 'cancel' },
}
const withoutAccount: LoginOptions = { person: 'several-accounts', actions: { account: 'cancel' } }

const rows: readonly Row[] = [
  {
    slug: 'authentication-declined',
    requirement: 'AUTH-29',
    places: ['use=first'],
    title: 'A user who declines the authentication ends in access_denied with the message for it',
    needs: ['action:sign-in/decline'],
    login: declined,
    code: 'access_denied',
    message: 'User declined the authentication',
  },
  {
    slug: 'authentication-declined-in-session',
    requirement: 'AUTH-29',
    places: ['use=session-login', 'parameter=ui_locales'],
    title:
      'A user who is signed in, and declines to sign in again, ends in access_denied with the message for it, whatever the language',
    needs: ['action:sign-in/decline'],
    login: { ...declined, parameters: { prompt: 'login', ui_locales: 'cs' } },
    inSession: true,
    code: 'access_denied',
    message: 'User declined the authentication',
  },
  {
    slug: 'authentication-declined-by-reference',
    requirement: 'AUTH-29',
    places: ['token=request-object'],
    title:
      'A user who declines the authentication that a request object asks for ends in access_denied with the message',
    needs: [...toRegister, 'action:sign-in/decline'],
    login: declined,
    byReference: true,
    code: 'access_denied',
    message: 'User declined the authentication',
  },
  {
    slug: 'consent-declined-by-reference',
    requirement: 'AUTH-30',
    places: ['token=request-object'],
    title:
      'A user who declines consent to what a request object asks for ends in access_denied with the message for it',
    needs: [...toRegister, 'action:consent/refuse'],
    login: { actions: { consent: 'refuse' } },
    byReference: true,
    code: 'access_denied',
    message: 'User declined consent',
  },
  {
    slug: 'consent-declined',
    requirement: 'AUTH-30',
    places: ['use=first', 'use=second-person'],
    title: 'A user who declines consent ends in access_denied with the message for it',
    needs: ['action:consent/refuse'],
    login: refused('declined'),
    code: 'access_denied',
    message: 'User declined consent',
  },
  {
    slug: 'consent-declined-in-session',
    requirement: 'AUTH-30',
    places: ['use=session-login', 'parameter=ui_locales'],
    title:
      'A user who declines consent after an earlier one ends in access_denied with the message, whatever the language',
    needs: ['action:consent/refuse'],
    login: { ...refused('declined later'), parameters: { prompt: 'consent', ui_locales: 'cs' } },
    inSession: true,
    code: 'access_denied',
    message: 'User declined consent',
  },
  {
    slug: 'consent-declined-after-account',
    requirement: 'AUTH-30',
    // Only openid is asked for, by which all that is registered is meant.
    places: ['person=several-accounts', 'scope=openid'],
    title:
      'A user who chose one of several accounts, and declines consent, ends in access_denied with the message for it',
    needs: ['person:several-accounts', 'action:consent/refuse'],
    login: { ...refused('declined after an account'), person: 'several-accounts', scope: 'openid' },
    code: 'access_denied',
    message: 'User declined consent',
  },
  {
    slug: 'not-eligible',
    requirement: 'AUTH-31',
    title: 'A user who is not eligible ends in eid_doesnt_exist with the message for it',
    needs: ['person:not-eligible'],
    login: { person: 'not-eligible' },
    code: 'eid_doesnt_exist',
    message: 'User not eligible',
  },
  {
    slug: 'switched-off',
    requirement: 'AUTH-48',
    title: 'A user who is switched off ends in eid_doesnt_exist with the message for it',
    needs: ['person:switched-off'],
    login: { person: 'switched-off' },
    code: 'eid_doesnt_exist',
    message: 'User disabled authentication',
  },
  {
    slug: 'unfinished',
    requirement: 'AUTH-41',
    places: ['member=second-factor'],
    title: 'A user who leaves the authentication unfinished ends in access_denied',
    needs: ['action:second-factor/cancel'],
    login: withoutSecondFactor,
    code: 'access_denied',
  },
  {
    slug: 'account-not-chosen',
    requirement: 'AUTH-41',
    places: ['member=account'],
    title: 'A user with several accounts who leaves the choice of one ends in access_denied',
    needs: ['person:several-accounts', 'action:account/cancel'],
    login: withoutAccount,
    code: 'access_denied',
  },
]

/** The same, asked for by a request object. */
async function referenced(bank: Bank, name: string, login: LoginOptions, state?: string): Promise<LoginOptions> {
  const { place, client, clientMetadata } = await withPlace(bank, name)
  const claims = { ...claimsFor(bank, client), ...(state !== undefined && { state }) }
  bank.placeRequestObject(place, await bank.makeRequestObject(claims, { key: client.keys.signing }))
  return { ...login, clientMetadata, parameters: { ...login.parameters, request_uri: place } }
}

/** Goes the person's way to its end. @param state in place of another: where a request object asks, its own, and not that of the query */
async function endingOf(
  { bank }: Pick<Tools, 'bank'>,
  { slug, login, inSession, byReference }: Ending,
  state?: string,
): Promise<Authorization> {
  const {
    person = bank.anybody(),
    clientMetadata,
    ...asked
  } = byReference ? await referenced(bank, slug, login, state) : login
  const inQuery = state !== undefined && !byReference ? { state } : {}
  const request = { ...asked, parameters: { ...asked.parameters, ...inQuery } }
  if (!inSession) return bank.authorization.try({ ...(clientMetadata && { clientMetadata }), ...request, person })
  const session = bank.session({ ...(clientMetadata && { clientMetadata }), person })
  await session.signIn()
  return session.ask(request)
}

/** The table as rules, one for each row. */
export const callbackMessages: readonly Rule[] = rows.map(({ slug, requirement, places, title, needs, ...ending }) =>
  rule({
    id: `callback/${slug}`,
    requirement,
    ...(places && { places }),
    title,
    needs: [...toLogIn, 'redirect', ...needs],
    async check({ bank, expect, skip }) {
      if (ending.byReference) demandSupport(await bank.discovery(), skip)
      const asked = await endingOf({ bank }, { slug, needs, ...ending })
      const { response, pages } = asked.callback
      const declines = ending.inSession && ending.login.actions?.['sign-in'] !== undefined
      const isElsewhere = !pages.includes('sign-in') && bank.asSignIns(pages).includes('sign-in')
      if (declines && isElsewhere && parameterOf(asked, 'code') !== null)
        return skip('the bank asks whom it knows to sign in on a page where nothing can be declined')
      const cancels = ending.login.actions?.['second-factor'] !== undefined && !pages.includes('second-factor')
      if (cancels && pages.includes('sign-in') && parameterOf(asked, 'code') !== null)
        return skip('the bank asks for the second factor with the sign-in, on no page of its own')
      expect(response).toHaveStatus(302)
      expect(parameterOf(asked, 'error'), 'error of the callback', response).toBe(ending.code)
      if (ending.message !== undefined) {
        const description = parameterOf(asked, 'error_description')
        expect(description, 'error_description of the callback', response).toBe(ending.message)
      }
    },
  }),
)

/** What an error carries that is told once a person has acted, by the place at which it arises. */
const carried: readonly (Ending & { places: readonly string[]; title: string })[] = [
  {
    slug: 'sign-in-declined',
    places: ['when=by-person error=sign-in', 'when=by-person value=encoded', 'when=by-person value=long'],
    title: 'The error by which a user declines the authentication carries error, error_description and the state',
    needs: ['action:sign-in/decline'],
    login: declined,
  },
  {
    slug: 'consent-declined-by-reference',
    places: ['when=by-person token=request-object parameter=state'],
    title: 'The error by which a user declines what a request object asks for carries the state of the object',
    needs: [...toRegister, 'action:consent/refuse'],
    login: { actions: { consent: 'refuse' } },
    byReference: true,
  },
  ...(
    [
      ['sign-in', declined, 'action:sign-in/decline'],
      ['consent', { actions: { consent: 'refuse' } }, 'action:consent/refuse'],
    ] as const satisfies readonly (readonly [string, LoginOptions, Need])[]
  ).map(([page, { actions }, need]) => ({
    slug: `${page}-declined-of-implicit`,
    places: [`grant=implicit when=by-person error=${page}`],
    title: `What a user declines at the page ${page} is told in the query where a token was asked for as well`,
    needs: [...toRegister, need],
    login: {
      clientMetadata: { ...codeAndImplicitClient, client_name: `Conformance implicit, declined at ${page}` },
      parameters: { response_type: 'token' },
      ...(actions && { actions }),
    },
  })),
  {
    slug: 'second-factor-cancelled',
    places: ['when=by-person error=second-factor'],
    title: 'The error by which a user leaves the second factor carries error, error_description and the state',
    needs: ['action:second-factor/cancel'],
    login: withoutSecondFactor,
  },
  {
    slug: 'account-not-chosen',
    places: ['when=by-person error=account'],
    title: 'The error by which a user leaves the choice of an account carries error, error_description and the state',
    needs: ['person:several-accounts', 'action:account/cancel'],
    login: withoutAccount,
  },
  {
    slug: 'consent-refused',
    places: ['when=by-person error=consent'],
    title: 'The error by which a user declines consent carries error, error_description and the state',
    needs: ['action:consent/refuse'],
    login: refused('refused'),
  },
  {
    slug: 'not-eligible',
    places: ['when=after-person error=not-eligible'],
    title: 'The error of a user who is not eligible carries error, error_description and the state',
    needs: ['person:not-eligible'],
    login: { person: 'not-eligible' },
  },
  {
    slug: 'switched-off',
    places: ['when=after-person error=switched-off'],
    title: 'The error of a user who is switched off carries error, error_description and the state',
    needs: ['person:switched-off'],
    login: { person: 'switched-off' },
  },
  {
    slug: 'out-of-reach',
    places: ['when=after-person error=out-of-reach'],
    title: 'The error of a user who cannot reach acr_values carries error, error_description and the state',
    needs: ['person:loa2-only'],
    login: { person: 'loa2-only', parameters: { acr_values: 'loa3' } },
  },
  {
    slug: 'consent-required',
    places: ['when=after-person error=consent_required'],
    title: 'The error of prompt=none without consent carries error, error_description and the state',
    needs: [],
    login: { clientMetadata: { client_name: 'Conformance consent required' }, parameters: { prompt: 'none' } },
    inSession: true,
  },
  {
    slug: 'login-required',
    places: ['when=after-person error=login_required'],
    title: 'The error of prompt=none with a session that is too old carries error, error_description and the state',
    needs: [],
    login: { parameters: { prompt: 'none', max_age: '0' } },
    inSession: true,
  },
  {
    slug: 'interaction-required',
    places: ['when=after-person error=interaction_required'],
    title: 'The error of prompt=none with a session below acr_values carries error, error_description and the state',
    needs: [],
    login: { parameters: { prompt: 'none', acr_values: 'loa3' } },
    inSession: true,
  },
  {
    slug: 'account-selection-required',
    places: ['when=after-person error=account_selection_required'],
    title: 'The error of prompt=none of a user with several accounts carries error, error_description and the state',
    needs: ['person:several-accounts'],
    login: { person: 'several-accounts', parameters: { prompt: 'none' } },
    inSession: true,
  },
]

/** What those errors carry as rules, one for each of them. */
export const carriedByErrors: readonly Rule[] = carried.map(({ places, title, needs, ...ending }) =>
  rule({
    id: `errors/${ending.slug}`,
    requirement: 'GEN-4',
    places,
    title,
    needs: [...toLogIn, 'redirect', ...needs],
    async check({ bank, expect, skip, warn }) {
      if (ending.byReference) demandSupport(await bank.discovery(), skip)
      const login = { ...ending.login }
      if (login.parameters?.response_type === 'token' && !(await declaresFrontChannel(bank)))
        return skip('the bank does not declare response type token and grant implicit')
      if (ending.slug === 'consent-required') {
        const [, further] = (await bank.client(login.clientMetadata)).dataScopes
        if (!further) return skip('the bank declares fewer than two data scopes')
        login.scope = `openid ${further}`
      }
      const state = `${oddState}${longState}`
      const asked = await endingOf({ bank }, { ...ending, needs, login }, state)
      // That the person does not get to a code is the business of the rule about it.
      if (parameterOf(asked, 'error') === null) return skip('the request ended without an error')
      const { response } = asked.callback
      if (login.parameters?.response_type !== 'token' || !isToldInFragment(response))
        return expectErrorForm(expect, response, state)
      expect(parameterOf(asked, 'state'), 'state of the callback', response).toBe(state)
      warn(toldInFragment)
    },
  }),
)
