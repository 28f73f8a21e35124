import { body, fault } from './fault.js'
import { redirect, refusal } from './redirects.js'

const route = 'GET /auth'

/** Mistakes about response_type token. */
export const flowFaults = [
  fault({
    id: 'authorization/token-in-query',
    breaks: ['AUTH-38'],
    places: ['member=access_token'],
    title: 'Gives the access token of response_type token in the query',
    response: {
      [route]: redirect((target) => {
        if (!target.hash.startsWith('#access_token=')) return
        target.search = target.hash.slice(1)
        target.hash = ''
      }),
    },
  }),
  fault({
    id: 'authorization/token-refused',
    breaks: ['AUTH-38', 'DISC-19'],
    places: ['grant=implicit'],
    title: 'Declares response_type token, and refuses it',
    collateral: {
      'authorization/id-token-hint-of-implicit': 'AUTH-28 names another error for response_type token',
      'authorization/prompt-none-signed-out-of-implicit': 'AUTH-25 names another error for response_type token',
    },
    response: {
      [route]: (response, { query }) =>
        query.get('response_type') === 'token' && response.status === 302
          ? refusal(response, query, 'unauthorized_client')
          : response,
    },
  }),
  fault({
    id: 'authorization/token-type-left-out',
    breaks: ['AUTH-38'],
    places: ['member=token_type'],
    title: 'Leaves token_type out of the answer to response_type token',
    response: { [route]: fragmentOfToken((fragment) => fragment.delete('token_type')) },
  }),
  fault({
    id: 'authorization/token-state-left-out',
    breaks: ['AUTH-38'],
    places: ['member=state'],
    title: 'Leaves state out of the answer to response_type token',
    response: { [route]: fragmentOfToken((fragment) => fragment.delete('state')) },
  }),
  fault({
    id: 'authorization/token-in-vain',
    breaks: ['AUTH-38'],
    places: ['endpoint=userinfo'],
    title: 'Gives an access token by response_type token that it does not know afterwards',
    response: {
      [route]: fragmentOfToken((fragment) =>
        fragment.set('access_token', [...(fragment.get('access_token') ?? '')].reverse().join('')),
      ),
    },
  }),
  fault({
    id: 'authorization/token-in-session-refused',
    breaks: ['AUTH-38'],
    places: ['use=session-login'],
    title: 'Gives an access token by response_type token after a sign-in alone, and not within a session',
    response: {
      [route]: (response, { query }) =>
        query.get('response_type') === 'token' && String(response.headers.location).includes('#access_token=')
          ? refusal(response, query, 'interaction_required')
          : response,
    },
  }),
  ...(['expires_in', 'interval'] as const).map((member) =>
    fault({
      id: `authorization/device-${member.replaceAll('_', '-')}-as-text`,
      breaks: ['DISC-19'],
      places: [`grant=device member=${member}`],
      title: `Gives ${member} of the device authorization grant as text`,
      response: { 'POST /device_authorization': body((codes) => ({ ...codes, [member]: String(codes[member] ?? 5) })) },
    }),
  ),
]

/** For `response`: changes the fragment in which an access token is given. */
function fragmentOfToken(change: (fragment: URLSearchParams) => void) {
  return redirect((target) => {
    const fragment = new URLSearchParams(target.hash.slice(1))
    if (!fragment.has('access_token')) return
    change(fragment)
    target.hash = fragment.toString()
  })
}
