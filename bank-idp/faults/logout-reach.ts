import { LRUCache } from 'lru-cache'
import type { EventNotice, NestedJwt, SeamResponse } from '../seams.js'
import { toldBesides } from './event-notices.js'
import { type Fault, fault } from './fault.js'

const route = 'GET /session/end'

type Claims = NestedJwt['claims']

/** What a logout token says wrongly, by the place. */
const claims: readonly { slug: string; place: string; title: string; change: (claims: Claims) => Claims }[] = [
  {
    slug: 'iat-in-milliseconds',
    place: 'member=iat',
    title: 'Gives iat of the logout token in milliseconds',
    change: (token) => ({ ...token, iat: Number(token.iat) * 1000, exp: Number(token.exp) * 1000 }),
  },
  {
    slug: 'exp-before-iat',
    place: 'member=exp',
    title: 'Makes logout tokens that ended before they were made',
    change: (token) => ({ ...token, exp: Number(token.iat) - 1 }),
  },
  {
    slug: 'other-session',
    place: 'member=sid',
    title: 'Names another session in the logout token',
    change: (token) => ({ ...token, sid: `${token.sid}-1` }),
  },
]

/** Claims of the first logout token that are every later one's too. */
const ofFirst = [
  {
    slug: 'subject-of-first',
    member: 'sub',
    place: 'use=second-client member=sub',
    title: 'Names the person in each logout token by the sub of the client that was told first',
  },
  {
    slug: 'jti-of-first',
    member: 'jti',
    place: 'member=jti value=repeated',
    title: 'Gives each logout token the jti of the first',
  },
] as const

/** The addresses that clients registered to come back to, by client_id. */
type Returns = LRUCache<string, string[]>

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
const frames = [
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
    member: 'sid',
    title: 'Loads frontchannel_logout_uri with the sid of another session',
    change: (page: string) => page.replace(/(<iframe[^>]*[?;&]sid=)/g, '$11'),
  },
] as const

export const logoutReachFaults: readonly Fault[] = [
  ...claims.map(({ slug, place, title, change }) =>
    fault({
      id: `logout/${slug}`,
      breaks: ['LOGOUT-5'],
      places: [place],
      title,
      nestedJwt: { logout_token: (nestedJwt) => ({ ...nestedJwt, claims: change(nestedJwt.claims) }) },
    }),
  ),
  ...ofFirst.map(({ slug, member, place, title }) =>
    fault({
      id: `logout/${slug}`,
      breaks: ['LOGOUT-5'],
      places: [place],
      title,
      memory: () => ({ first: undefined as unknown }),
      nestedJwt: {
        logout_token: (nestedJwt, _bank, memory) => {
          memory.first ??= nestedJwt.claims[member]
          return { ...nestedJwt, claims: { ...nestedJwt.claims, [member]: memory.first } }
        },
      },
    }),
  ),
  fault({
    id: 'logout/audience-of-all',
    breaks: ['LOGOUT-5'],
    places: ['use=second-client member=aud'],
    title: 'Makes each logout token out to its client and to all that were told before',
    memory: () => new LRUCache<string, true>({ max: 1_000 }),
    nestedJwt: {
      logout_token: (nestedJwt, _bank, told) => {
        told.set(String(nestedJwt.claims.aud), true)
        return { ...nestedJwt, claims: { ...nestedJwt.claims, aud: [...told.keys()] } }
      },
    },
  }),
  ...toldBesides({ event: 'logout', member: 'backchannel_logout_uri', breaks: 'LOGOUT-1' }),
  fault({
    id: 'logout/one-of-each-address',
    breaks: ['LOGOUT-1'],
    places: ['use=second-client value=repeated'],
    title: 'Tells one client of those that have the same backchannel_logout_uri',
    notices: <Notice extends EventNotice>(planned: readonly Notice[]) =>
      planned.filter(
        ({ receiver, content }, index) =>
          content.kind !== 'logout' || planned.findIndex((one) => one.receiver === receiver) === index,
      ),
  }),
  fault({
    id: 'logout/other-field',
    breaks: ['LOGOUT-1'],
    places: ['parameter=logout_token'],
    title: 'Posts the logout token as the form field token',
    eventForm: (form) => (form.field === 'logout_token' ? { ...form, field: 'token' } : form),
  }),
  fault({
    id: 'logout/as-text',
    breaks: ['LOGOUT-1'],
    places: ['parameter=logout_token value=other-type'],
    title: 'Says of the form with the logout token that it is plain text',
    eventForm: (form) => (form.field === 'logout_token' ? { ...form, contentType: 'text/plain' } : form),
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
  fault({
    id: 'logout/never-confirmed',
    breaks: ['LOGOUT-4'],
    places: ['parameter=id_token_hint value=missing'],
    title: 'Asks whether to log out, and asks again after the yes',
    response: onPage((page) => page.replace(/(name="confirm" value=")[^"]*/, '$1again')),
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
  ...returns.map(({ value, title, leads }) =>
    fault({
      id: `logout/return-${value}`,
      breaks: ['LOGOUT-4'],
      places: [`parameter=post_logout_redirect_uri value=${value}`],
      title,
      memory: (): Returns => new LRUCache<string, string[]>({ max: 10_000 }),
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
  ...frames.map(({ member, title, change }) =>
    fault({
      id: `logout/front-channel-${member.replaceAll('_', '-')}`,
      breaks: ['LOGOUT-2'],
      places: [`member=${member}`],
      title: `${title}, in the page of a logout`,
      response: onPage(change),
    }),
  ),
]
