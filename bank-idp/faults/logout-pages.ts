import { Latest } from '../latest.js'
import type { SeamResponse } from '../seams.js'
import { type Fault, fault } from './fault.js'

/** What end_session_endpoint does in front of the person: its page, and where it leads. */

const route = 'GET /session/end'

/** The addresses that clients registered to come back to, by client_id. */
type Returns = Latest<string[]>

/** Addresses that are led to though they are not registered, by what they are of those that are. */
const returns: readonly { value: string; title: string; leads: (given: string, registered: string) => boolean }[] = [
  {
    value: 'unknown',
    title: 'Leads from a logout to whatever address it is given',
    leads: (given, registered) => URL.canParse(given) && new URL(given).host !== new URL(registered).host,
  },
  {
    value: 'prefix',
    title: 'Leads from a logout to the beginning of a registered address',
    leads: (given, registered) => registered.startsWith(given),
  },
  {
    value: 'superset',
    title: 'Leads from a logout to what begins as a registered address',
    leads: (given, registered) => given.startsWith(registered),
  },
]

/** For `response`: changes where the person is led after the yes that a logout asks for. */
function wayBack(change: (location: URL) => string | undefined) {
  const changed = (response: SeamResponse): SeamResponse => {
    const { location, ...headers } = response.headers
    if (typeof location !== 'string') return response
    const to = change(new URL(location))
    return to === undefined
      ? { status: 200, headers: { ...headers, 'content-type': 'text/html' }, body: '<h1>OK</h1>' }
      : { ...response, headers: { ...headers, location: to } }
  }
  return { [route]: changed, 'POST /session/end': changed }
}

/** For `response`: changes the page of a logout. */
function onPage(change: (page: string) => string) {
  const changed = (response: SeamResponse): SeamResponse =>
    typeof response.body === 'string' ? { ...response, body: change(response.body) } : response
  return { [route]: changed, 'POST /session/end': changed }
}

/** Frames that the page of a logout loads otherwise, by the member that is wrong. */
const frames: readonly { slug?: string; member: string; title: string; change: (page: string) => string }[] = [
  {
    slug: 'no-sid',
    member: 'sid',
    title: 'Loads frontchannel_logout_uri without sid',
    change: (page: string) => page.replace(/(<iframe[^>]*)[?;&]sid=[^&"]*/g, '$1'),
  },
  {
    member: 'frontchannel_logout_uri',
    title: 'Loads no frontchannel_logout_uri',
    change: (page: string) => page.replace(/<iframe[^>]*>(<\/iframe>)?/g, ''),
  },
  {
    member: 'iss',
    title: 'Loads frontchannel_logout_uri without iss',
    change: (page: string) => page.replace(/(<iframe[^>]*[?;&])iss=[^&"]*(&amp;)?/g, '$1'),
  },
  {
    member: 'query',
    title: 'Loads a frontchannel_logout_uri that has a query with a second one behind it',
    change: (page: string) => page.replace(/(<iframe[^>]*\?[^"?]*)&(?:amp;)?(iss=)/g, '$1?$2'),
  },
  {
    member: 'sid',
    title: 'Loads frontchannel_logout_uri with the sid of another session',
    change: (page: string) => page.replace(/(<iframe[^>]*[?;&]sid=)/g, '$11'),
  },
]

export const logoutPageFaults: readonly Fault[] = [
  fault({
    id: 'logout/never-confirmed',
    breaks: ['LOGOUT-4'],
    places: ['parameter=id_token_hint value=missing'],
    title: 'Asks whether to log out, and asks again after the yes',
    response: onPage((page) => page.replace(/(name="confirm" value=")[^"]*/, '$1again')),
  }),
  fault({
    id: 'logout/by-get-alone',
    breaks: ['LOGOUT-4'],
    places: ['method=POST'],
    title: 'Begins a logout by GET alone',
    response: {
      'POST /session/end': (response, { requestHeader }) =>
        requestHeader('cookie') === undefined ? { ...response, status: 405 } : response,
    },
  }),
  fault({
    id: 'logout/not-led-back',
    breaks: ['LOGOUT-4'],
    places: ['parameter=post_logout_redirect_uri value=right'],
    title: 'Leads nobody back from a logout',
    response: wayBack(() => undefined),
  }),
  fault({
    id: 'logout/other-state',
    breaks: ['LOGOUT-4'],
    places: ['parameter=state'],
    title: 'Leads back from a logout with the state in capitals',
    response: wayBack((location) => {
      const state = location.searchParams.get('state')
      if (state !== null) location.searchParams.set('state', state.toUpperCase())
      return location.href
    }),
  }),
  fault({
    id: 'logout/state-twice',
    breaks: ['LOGOUT-4'],
    places: ['parameter=state'],
    title: 'Leads back from a logout with the state twice',
    response: wayBack((location) => {
      const state = location.searchParams.get('state')
      if (state !== null) location.searchParams.append('state', state)
      return location.href
    }),
  }),
  ...returns.map(({ value, title, leads }) =>
    fault({
      id: `logout/return-${value}`,
      breaks: ['LOGOUT-4'],
      places: [`parameter=post_logout_redirect_uri value=${value}`],
      title,
      memory: (): Returns => new Latest<string[]>(10_000),
      response: {
        'POST /register': (response, _bank, known) => {
          const { client_id, post_logout_redirect_uris: uris } = (response.body ?? {}) as Record<string, unknown>
          if (Array.isArray(uris)) known.set(String(client_id), uris.map(String))
          return response
        },
        [route]: (response, { query }, known) => {
          const given = query.get('post_logout_redirect_uri')
          const registered = known.get(String(query.get('client_id'))) ?? []
          return given !== null && !registered.includes(given) && registered.some((uri) => leads(given, uri))
            ? { status: 303, headers: { location: given, 'cache-control': 'no-store' }, body: '' }
            : response
        },
      },
    }),
  ),
  ...frames.map(({ member, slug = member.replaceAll('_', '-'), title, change }) =>
    fault({
      id: `logout/front-channel-${slug}`,
      breaks: ['LOGOUT-2'],
      places: [`member=${member}`],
      title: `${title}, in the page of a logout`,
      response: onPage(change),
    }),
  ),
]
