import { Latest } from '../latest.js'
import { fault } from './fault.js'
import { type FaultRow, faultsOf } from './fault-table.js'
import { errorAs, errorRedirect } from './redirects.js'

/** An error at the redirect URI that is told as another, or in other words. */
interface Otherwise extends FaultRow {
  from: { code: string; description?: string }
  to: { code?: string; description?: string }
}

const otherwise: readonly Otherwise[] = [
  {
    id: 'authorization/login-required-otherwise',
    requirement: 'AUTH-25',
    places: ['use=first'],
    title: 'Answers prompt=none without a session as interaction_required',
    collateral: {
      'request-object/parameters-inside': 'prompt none inside of a request object is answered so too',
      'logout/session': 'LOGOUT-4 is about login_required after a logout',
      'revocation/session-ended': 'REV-7 is about login_required after a revocation',
    },
    from: { code: 'login_required', description: 'End-User authentication is required' },
    to: { code: 'interaction_required' },
  },
  {
    id: 'authorization/consent-required-otherwise',
    requirement: 'AUTH-26',
    places: ['use=session-login'],
    title: 'Answers prompt=none without consent as access_denied',
    from: { code: 'consent_required' },
    to: { code: 'access_denied' },
  },
  {
    id: 'authorization/account-selection-otherwise',
    requirement: 'AUTH-27',
    places: ['use=session-login'],
    title: 'Answers prompt=none with several accounts as interaction_required',
    from: { code: 'account_selection_required' },
    to: { code: 'interaction_required' },
  },
  {
    id: 'authorization/interaction-required-otherwise',
    requirement: 'AUTH-47',
    title: 'Answers prompt=none, when a second factor is needed, as access_denied',
    from: { code: 'interaction_required' },
    to: { code: 'access_denied' },
  },
  {
    id: 'authorization/acr-lowered',
    requirement: 'AUTH-42',
    places: ['use=first'],
    title: 'Logs in who cannot reach the level asked for at a lower one',
    from: { code: 'eid_doesnt_exist', description: 'User not eligible' },
    to: { code: 'access_denied' },
    collateral: { 'callback/not-eligible': 'both end in eid_doesnt_exist with one message' },
  },
  {
    id: 'callback/declined-otherwise',
    requirement: 'AUTH-29',
    places: ['use=first'],
    title: 'Words the message for a declined authentication itself',
    from: { code: 'access_denied', description: 'User declined the authentication' },
    to: { description: 'The user has cancelled' },
  },
  {
    id: 'callback/consent-declined-otherwise',
    requirement: 'AUTH-30',
    places: ['use=first'],
    title: 'Answers declined consent as consent_required',
    from: { code: 'access_denied', description: 'User declined consent' },
    to: { code: 'consent_required' },
  },
  {
    id: 'callback/not-eligible-otherwise',
    requirement: 'AUTH-31',
    title: 'Words the message for a user who is not eligible itself',
    from: { code: 'eid_doesnt_exist', description: 'User not eligible' },
    to: { description: 'User is not eligible.' },
  },
  {
    id: 'callback/switched-off-otherwise',
    requirement: 'AUTH-48',
    title: 'Does not distinguish an end-user who is switched off from one who is not eligible',
    from: { code: 'eid_doesnt_exist', description: 'User disabled authentication' },
    to: { description: 'User not eligible' },
  },
  {
    id: 'callback/unfinished-otherwise',
    requirement: 'AUTH-41',
    places: ['member=second-factor'],
    title: 'Answers an unfinished authentication as login_required',
    from: { code: 'access_denied', description: 'User did not finish the authentication' },
    to: { code: 'login_required' },
  },
]

export const errorOtherwiseFaults = [
  fault({
    id: 'authorization/account-selection-beside-empty-hint-otherwise',
    breaks: ['AUTH-27'],
    places: ['parameter=id_token_hint value=empty'],
    title: 'Takes an empty id_token_hint for one of somebody else: it asks whom it knows to log in',
    response: {
      'GET /auth': (response, { query }) =>
        query.get('id_token_hint') === ''
          ? errorAs({ code: 'account_selection_required' }, { code: 'login_required' })(response)
          : response,
    },
  }),
  fault({
    id: 'callback/declined-by-reference-otherwise',
    breaks: ['AUTH-29', 'AUTH-30'],
    places: ['token=request-object'],
    title: 'Words the message for what a person declines itself where a request object asked',
    memory: () => new Latest<true>(10_000),
    request: {
      'GET /auth'(parameters, _bank, referenced) {
        if (parameters.has('request_uri')) referenced.set(parameters.get('state') ?? '', true)
      },
    },
    response: {
      'GET /auth': (response, _facts, referenced) =>
        errorRedirect(({ searchParams }, error) => {
          if (error === 'access_denied' && referenced.has(searchParams.get('state') ?? ''))
            searchParams.set('error_description', 'The request was declined')
        })(response),
    },
  }),
  ...faultsOf(otherwise, ({ from, to }) => ({ response: { 'GET /auth': errorAs(from, to) } })),
  fault({
    id: 'callback/declined-in-czech',
    breaks: ['AUTH-29', 'AUTH-30'],
    places: ['parameter=ui_locales'],
    title: 'Words the message for what a person declines in the language of the pages',
    memory: () => new Latest<true>(10_000),
    request: {
      'GET /auth'(parameters, _bank, czech) {
        if (parameters.get('ui_locales')?.startsWith('cs')) czech.set(parameters.get('state') ?? '', true)
      },
    },
    response: {
      'GET /auth': (response, _facts, czech) =>
        errorRedirect(({ searchParams }, error) => {
          if (error === 'access_denied' && czech.has(searchParams.get('state') ?? ''))
            searchParams.set('error_description', 'Uzivatel odmitl')
        })(response),
    },
  }),
]
