import { decodeJwt } from 'jose'
import { nowSeconds } from '../clock.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import { noteRequired, scopes } from './consent-decisions.js'
import { fault } from './fault.js'
import { withoutWord } from './leniency.js'
import { errorAs, isSignedIn, redirectTarget, refusal } from './redirects.js'

const route = 'GET /auth'

/** Mistakes about the pages that prompt and id_token_hint ask for, or forbid. */
export const promptFaults = [
  ...(
    [
      ['login', 'AUTH-35'],
      ['consent', 'AUTH-51'],
    ] as const
  ).map(([prompt, requirement]) =>
    fault({
      id: `authorization/prompt-${prompt}-inside-ignored`,
      breaks: [requirement],
      places: ['token=request-object'],
      title: `Ignores prompt=${prompt} where it stands in a request object`,
      judgedObject: ({ claims, ...object }) => ({
        ...object,
        claims: claims.prompt === prompt ? { ...claims, prompt: undefined } : claims,
      }),
    }),
  ),
  fault({
    id: 'authorization/prompt-none-shows-pages',
    breaks: ['AUTH-25', 'AUTH-26', 'AUTH-27', 'AUTH-47'],
    title: 'Ignores prompt=none: the pages are shown as without it',
    collateral: {
      'authorization/prompt-unsupported': 'with none forgotten, none beside login is login alone',
      'logout/session': 'LOGOUT-4 is about login_required after a logout',
    },
    request: { [route]: withoutWord('prompt', 'none') },
  }),
  fault({
    id: 'authorization/prompt-none-combined-in-session',
    breaks: ['AUTH-14'],
    places: ['use=session-login member=none'],
    title: 'Looks at the session alone where prompt names none beside another, and asks who has one to log in',
    response: {
      [route]: (response, facts) =>
        isSignedIn(facts) && /\bnone\b/.test(facts.query.get('prompt')?.replace(/^none$/, '') ?? '')
          ? errorAs({ code: 'invalid_request' }, { code: 'login_required' })(response)
          : response,
    },
  }),
  fault({
    id: 'authorization/prompt-none-always-refused',
    breaks: ['AUTH-39'],
    places: ['use=session-login'],
    title: 'Refuses prompt=none whatever the session: the code is never given without a page',
    response: {
      [route]: (response, { query }) =>
        query.get('prompt') === 'none' && redirectTarget(response)?.searchParams.has('code')
          ? refusal(response, query, 'interaction_required')
          : response,
    },
  }),
  fault({
    id: 'authorization/id-token-hint-of-sign-in-ignored',
    breaks: ['AUTH-28'],
    places: ['use=first member=consent parameter=prompt'],
    title: 'Gives a code to whoever signs in, whomever id_token_hint names',
    without: ['authorization/hint-after-sign-in'],
  }),
  fault({
    id: 'authorization/id-token-hint-kind-unchecked',
    breaks: ['AUTH-28'],
    places: ['part=typ'],
    title: 'Takes whatever JWT it signed for a client as id_token_hint',
    without: ['id-token-hint/kind'],
  }),
  fault({
    id: 'authorization/id-token-hint-ignored',
    breaks: ['AUTH-28'],
    places: ['member=none parameter=prompt', 'member=consent parameter=prompt'],
    title: 'Ignores id_token_hint',
    request: { [route]: (parameters) => parameters.delete('id_token_hint') },
  }),
  fault({
    id: 'authorization/expired-id-token-hint-ignored',
    breaks: ['AUTH-28'],
    places: ['part=exp'],
    title: 'Ignores an id_token_hint that has expired',
    request: {
      [route](parameters) {
        if (hasExpired(parameters.get('id_token_hint') ?? '')) parameters.delete('id_token_hint')
      },
    },
  }),
  fault({
    id: 'authorization/prompt-login-ignored',
    breaks: ['AUTH-35'],
    places: ['use=session-login'],
    title: 'Ignores prompt=login within a session',
    request: { [route]: withoutWord('prompt', 'login') },
    collateral: {
      'callback/authentication-declined-in-session': 'without a new login nobody can decline it',
      'authorization/auth-time-of-login': 'the second login that AUTH-50 is about does not take place',
      'authorization/prompt-unsupported': 'with login forgotten, none beside login is none alone',
    },
  }),
  fault({
    id: 'authorization/prompt-consent-ignored',
    breaks: ['AUTH-51'],
    places: ['use=session-login'],
    title: 'Ignores prompt=consent where consent was given',
    collateral: {
      'callback/consent-declined-in-session': 'without the page nobody can decline consent',
      'authorization/prompt-unsupported': 'with consent forgotten, none after it is none alone',
    },
    request: { [route]: withoutWord('prompt', 'consent') },
  }),
  fault({
    id: 'authorization/prompt-consent-for-required-ignored',
    breaks: ['AUTH-51'],
    places: ['scope=required'],
    title: 'Ignores prompt=consent where every scope that is asked for is required, and was approved',
    memory: scopes,
    response: { 'POST /register': noteRequired },
    request: {
      [route](parameters, facts, required) {
        const known = required.get(parameters.get('client_id') ?? '') ?? []
        const asked = parseSpaceDelimited(parameters.get('scope') ?? '')
        if (asked.every((scope) => known.includes(scope))) withoutWord('prompt', 'consent')(parameters, facts)
      },
    },
  }),
]

/** Whether a hint says that it has expired. */
function hasExpired(hint: string): boolean {
  try {
    return Number(decodeJwt(hint).exp) <= nowSeconds()
  } catch {
    return false
  }
}
