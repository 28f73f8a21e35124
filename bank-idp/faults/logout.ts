import { fault, omit, type Sealing } from './fault.js'
import { signedByStranger } from './strange-key.js'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

function claims(change: (claims: Sealing['claims']) => Record<string, unknown>) {
  return { logout_token: (sealing: Sealing): Sealing => ({ ...sealing, claims: change(sealing.claims) }) }
}

export const logoutFaults = [
  fault({
    id: 'logout/session-stays',
    breaks: ['LOGOUT-4'],
    title: 'Tells that the person is logged out, and keeps the login',
    without: ['logout/session'],
  }),
  fault({
    id: 'logout/tokens-stay',
    breaks: ['LOGOUT-3'],
    title: 'Leaves the tokens of a session alive when it is logged out of',
    without: ['logout/tokens'],
  }),
  fault({
    id: 'logout/others-not-told',
    breaks: ['LOGOUT-1'],
    title: 'Tells the application that asked for the logout, and none of the others',
    without: ['logout/others-told'],
  }),
  fault({
    id: 'logout/nobody-told',
    breaks: ['LOGOUT-1'],
    title: 'Tells no application of a logout',
    without: ['logout/told'],
  }),
  fault({
    id: 'logout/nonce',
    breaks: ['LOGOUT-5'],
    title: 'Puts a nonce into the logout token',
    sealing: claims((token) => ({ ...token, nonce: 'n-0S6_WzA2Mj' })),
  }),
  fault({
    id: 'logout/neither-sub-nor-sid',
    breaks: ['LOGOUT-5'],
    title: 'Says neither who nor which session in the logout token',
    sealing: claims((token) => omit(token, 'sub', 'sid')),
  }),
  fault({
    id: 'logout/other-event',
    breaks: ['LOGOUT-5'],
    title: 'Names the event of the logout token by another address',
    sealing: claims((token) => ({ ...token, events: { [logoutEvent.replace('http:', 'https:')]: {} } })),
  }),
  fault({
    id: 'logout/unsigned',
    breaks: ['LOGOUT-5'],
    title: 'Does not sign the logout token (alg none)',
    sealing: { logout_token: (sealing) => ({ ...sealing, signing: 'none' }) },
  }),
  fault({
    id: 'logout/unpublished-key',
    breaks: ['LOGOUT-5', 'JWKS-4'],
    title: 'Signs the logout token with a key that is not published, under the kid of one that is',
    sealing: { logout_token: signedByStranger },
  }),
  fault({
    id: 'logout/other-issuer',
    breaks: ['LOGOUT-5', 'DISC-14'],
    title: 'Names another issuer in the logout token',
    sealing: claims((token) => ({ ...token, iss: 'https://bank.example' })),
  }),
  fault({
    id: 'logout/other-audience',
    breaks: ['LOGOUT-5'],
    title: 'Makes the logout token out to its own address',
    sealing: claims((token) => ({ ...token, aud: token.iss })),
  }),
  fault({
    id: 'logout/no-jti',
    breaks: ['LOGOUT-5'],
    title: 'Gives the logout token no jti',
    sealing: claims((token) => omit(token, 'jti')),
  }),
  fault({
    id: 'logout/other-subject',
    breaks: ['LOGOUT-5'],
    title: 'Names the person in the logout token by a sub that the application does not know',
    sealing: claims((token) => ({ ...token, sub: `${token.sub}-1` })),
  }),
]
