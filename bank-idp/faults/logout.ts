import type { NestedJwt } from '../seams.js'
import { fault, omit } from './fault.js'
import { rogueKey, signedByRogueKey } from './rogue-key.js'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

function claims(change: (claims: NestedJwt['claims']) => Record<string, unknown>) {
  return { logout_token: (nestedJwt: NestedJwt): NestedJwt => ({ ...nestedJwt, claims: change(nestedJwt.claims) }) }
}

export const logoutFaults = [
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
  fault({
    id: 'logout/nonce',
    breaks: ['LOGOUT-5'],
    places: ['member=nonce'],
    title: 'Puts a nonce into the logout token',
    nestedJwt: claims((token) => ({ ...token, nonce: 'n-0S6_WzA2Mj' })),
  }),
  fault({
    id: 'logout/typed-as-access-token',
    breaks: ['LOGOUT-5'],
    places: ['part=typ'],
    title: 'Says in the header of the logout token that it is an access token (typ at+jwt)',
    nestedJwt: { logout_token: (nestedJwt) => ({ ...nestedJwt, typ: 'at+jwt' }) },
  }),
  fault({
    id: 'logout/neither-sub-nor-sid',
    breaks: ['LOGOUT-5'],
    places: ['member=sub', 'member=sid'],
    title: 'Says neither who nor which session in the logout token',
    nestedJwt: claims((token) => omit(token, 'sub', 'sid')),
  }),
  fault({
    id: 'logout/other-event',
    breaks: ['LOGOUT-5'],
    places: ['member=events'],
    title: 'Names the event of the logout token by another address',
    nestedJwt: claims((token) => ({ ...token, events: { [logoutEvent.replace('http:', 'https:')]: {} } })),
  }),
  fault({
    id: 'logout/unsigned',
    breaks: ['LOGOUT-5'],
    places: ['part=alg'],
    title: 'Does not sign the logout token (alg none)',
    nestedJwt: { logout_token: (nestedJwt) => ({ ...nestedJwt, signing: 'none' }) },
  }),
  fault({
    id: 'logout/unpublished-key',
    breaks: ['LOGOUT-5', 'JWKS-4'],
    places: ['part=signature', 'token=logout-token'],
    title: 'Signs the logout token with a key that is not published, under the kid of one that is',
    memory: rogueKey,
    nestedJwt: { logout_token: signedByRogueKey },
  }),
  fault({
    id: 'logout/other-issuer',
    breaks: ['LOGOUT-5', 'DISC-14'],
    places: ['member=iss', 'token=logout-token'],
    title: 'Names another issuer in the logout token',
    nestedJwt: claims((token) => ({ ...token, iss: 'https://bank.example' })),
  }),
  fault({
    id: 'logout/other-audience',
    breaks: ['LOGOUT-5'],
    places: ['member=aud'],
    title: 'Makes the logout token out to its own address',
    nestedJwt: claims((token) => ({ ...token, aud: token.iss })),
  }),
  fault({
    id: 'logout/no-jti',
    breaks: ['LOGOUT-5'],
    places: ['member=jti'],
    title: 'Gives the logout token no jti',
    nestedJwt: claims((token) => omit(token, 'jti')),
  }),
  fault({
    id: 'logout/other-subject',
    breaks: ['LOGOUT-5'],
    places: ['member=sub'],
    title: 'Names the person in the logout token by a sub that the client does not know',
    nestedJwt: claims((token) => ({ ...token, sub: `${token.sub}-1` })),
  }),
]
