import { LRUCache } from 'lru-cache'
import { oneOfEachAddress, toldBesides } from './event-notices.js'
import { formFaults } from './event-tokens.js'
import { type Fault, fault } from './fault.js'

/** Which clients hear of a logout, how, and which tokens end with it. */
export const logoutReachFaults: readonly Fault[] = [
  fault({
    id: 'logout/others-not-told',
    breaks: ['LOGOUT-1'],
    places: ['use=second-client'],
    title: 'Tells the client that asked for the logout, and none of the others',
    without: ['logout/others-told'],
  }),
  fault({
    id: 'logout/nobody-told',
    breaks: ['LOGOUT-1'],
    places: ['use=first'],
    title: 'Tells no client of a logout',
    without: ['logout/told'],
  }),
  ...formFaults('logout', 'LOGOUT-1'),
  ...toldBesides({ event: 'logout', member: 'backchannel_logout_uri', breaks: 'LOGOUT-1' }),
  oneOfEachAddress({ event: 'logout', member: 'backchannel_logout_uri', breaks: 'LOGOUT-1' }),
  fault({
    id: 'logout/session-stays',
    breaks: ['LOGOUT-4'],
    places: ['parameter=id_token_hint'],
    title: 'Tells that the person is logged out, and keeps the login',
    without: ['logout/session'],
  }),
  fault({
    id: 'logout/tokens-stay',
    breaks: ['LOGOUT-3'],
    places: [
      'endpoint=token-info token=access-of-code',
      'endpoint=token-info token=access-of-refresh',
      'use=second-client',
    ],
    title: 'Leaves the tokens of a session alive when it is logged out of',
    without: ['logout/tokens'],
  }),
  fault({
    id: 'logout/other-browser-too',
    breaks: ['LOGOUT-3'],
    places: ['use=second-login'],
    title: 'Ends with a session every token of its clients',
    /** Tokens by client, and the clients of sessions that have ended. */
    memory: () => ({
      owners: new LRUCache<string, string>({ max: 10_000 }),
      ended: new LRUCache<string, true>({ max: 10_000 }),
    }),
    nestedJwt: {
      logout_token: (nestedJwt, { clientId }, { ended }) => {
        ended.set(String(clientId), true)
        return nestedJwt
      },
    },
    response: {
      'POST /token-info': (response, { form }, { ended }) =>
        ended.has(String(form.get('client_id'))) ? { ...response, body: { active: false } } : response,
    },
  }),
]
