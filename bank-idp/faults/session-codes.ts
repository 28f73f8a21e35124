import { Latest } from '../latest.js'
import type { SeamResponse } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { isDirect, redirectTarget } from './redirects.js'

const route = 'GET /auth'

/** Which state comes back changed with a code, after a login or within its session. */
const states = (['first', 'session-login'] as const).flatMap((use) =>
  [
    { value: 'encoded', what: 'what is not ASCII of', change: (state: string) => state.replace(/[^ -~]/g, '?') },
    { value: 'long', what: 'all but 255 characters of', change: (state: string) => state.slice(0, 255) },
  ].map((one) => ({ use, ...one })),
)

const at = (response: SeamResponse, target: URL): SeamResponse => ({
  ...response,
  headers: { ...response.headers, location: target.href },
})

/** A code that comes otherwise within a session than after a login. */
const inSession = [
  {
    slug: 'code-in-session-otherwise',
    place: 'value=right',
    title: 'Redirects with 303 within a session',
    change: (response: SeamResponse) => ({ ...response, status: 303 }),
  },
  {
    slug: 'state-as-number',
    place: 'value=other-type',
    title: 'Takes a state of digits for a number, and nought for none, within a session',
    change: (response: SeamResponse, target: URL) => {
      const state = target.searchParams.get('state') ?? ''
      if (/^\d+$/.test(state)) target.searchParams.set('state', Number(state) === 0 ? '' : String(Number(state)))
      return at(response, target)
    },
  },
  {
    slug: 'state-as-json',
    place: 'value=other-type',
    title: 'Sends back an object as state within a session where that reads as JSON',
    change: (response: SeamResponse, target: URL) => {
      if (target.searchParams.get('state')?.startsWith('{')) target.searchParams.set('state', '[object Object]')
      return at(response, target)
    },
  },
  {
    slug: 'state-backslash-lost',
    place: 'value=encoded',
    title: 'Leaves backslashes out of state within a session',
    change: (response: SeamResponse, target: URL) => {
      target.searchParams.set('state', (target.searchParams.get('state') ?? '').replaceAll('\\', ''))
      return at(response, target)
    },
  },
  {
    slug: 'redirect-uri-query-lost-in-session',
    place: 'member=query parameter=redirect_uri',
    title: 'Leaves the query that a redirect URI was registered with out of the redirect within a session',
    change: (response: SeamResponse, target: URL) => {
      for (const name of [...target.searchParams.keys()])
        if (!['code', 'state', 'iss'].includes(name)) target.searchParams.delete(name)
      return at(response, target)
    },
  },
  {
    slug: 'second-redirect-uri-forgotten-in-session',
    place: 'parameter=redirect_uri value=second',
    title: 'Sends the code within a session to the address above the redirect URI of the request',
    change: (response: SeamResponse, target: URL) => {
      target.pathname = target.pathname.replace(/\/second$/, '')
      return at(response, target)
    },
  },
]

/** Which parameter, and which value of it, loses the state of a request that is answered with a code within a session. */
const losers: readonly { parameter: string; value: RegExp }[] = [
  { parameter: 'prompt', value: /^consent$/ },
  { parameter: 'max_age', value: /^\d{4}$/ },
  { parameter: 'acr_values', value: /^loa2$/ },
  { parameter: 'ui_locales', value: /^cs$/ },
  { parameter: 'id_token_hint', value: /./ },
]

export const sessionCodeFaults: readonly Fault[] = [
  fault({
    id: 'authorization/code-of-session-again',
    breaks: ['AUTH-1'],
    places: ['use=session-login parameter=max_age'],
    title: 'Gives the code of the login before once more where a request within a session has a max_age',
    memory: () => new Latest<string>(10_000),
    response: {
      [route](response, facts, codes) {
        const target = redirectTarget(response)
        const code = target?.searchParams.get('code')
        if (!target || !code) return response
        const address = `${target.origin}${target.pathname}`
        const before = codes.get(address)
        if (!isDirect(facts)) codes.set(address, code)
        if (before === undefined || facts.query.get('max_age') !== '3600') return response
        target.searchParams.set('code', before)
        return at(response, target)
      },
    },
  }),
  ...losers.map(({ parameter, value }) =>
    fault({
      id: `authorization/state-lost-beside-${parameter.replaceAll('_', '-')}`,
      breaks: ['AUTH-1'],
      places: [`use=session-login parameter=${parameter}`],
      title: `Leaves state out beside the code where ${parameter} was asked for`,
      memory: () => new Latest<true>(10_000),
      request: {
        [route](parameters, _bank, noted) {
          if (value.test(parameters.get(parameter) ?? '')) noted.set(parameters.get('state') ?? '', true)
        },
      },
      response: {
        [route](response, _facts, noted) {
          const target = redirectTarget(response)
          if (!target?.searchParams.has('code') || !noted.has(target.searchParams.get('state') ?? '')) return response
          target.searchParams.delete('state')
          return at(response, target)
        },
      },
    }),
  ),
  ...states.map(({ use, value, what, change }) =>
    fault({
      id: `authorization/state-${value}-lost-${use}`,
      breaks: ['AUTH-1'],
      places: [`use=${use} value=${value}`],
      title: `Loses ${what} the state ${use === 'first' ? 'after a login' : 'within a session'}`,
      response: {
        [route]: (response, facts) => {
          const target = redirectTarget(response)
          const state = target?.searchParams.get('state')
          if (!target?.searchParams.has('code') || !state || isDirect(facts) !== (use === 'session-login'))
            return response
          target.searchParams.set('state', change(state))
          return { ...response, headers: { ...response.headers, location: target.href } }
        },
      },
    }),
  ),
  ...inSession.map(({ slug, place, title, change }) =>
    fault({
      id: `authorization/${slug}`,
      breaks: ['AUTH-1'],
      places: [`use=session-login ${place}`],
      title,
      response: {
        [route]: (response, facts) => {
          const target = redirectTarget(response)
          if (!target?.searchParams.has('code') || !isDirect(facts)) return response
          return change(response, target)
        },
      },
    }),
  ),
]
