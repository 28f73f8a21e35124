import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Deviation, type Fault, fault } from './fault.js'
import { redirect, refusal } from './redirects.js'

const route = 'GET /auth'

/** A challenge of method plain is kept as the S256 of it. */
const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

interface Challenges {
  /** By the code: what is kept of its challenge. */
  kept: LRUCache<string, string>
  /** What was asked for with plain, or without a method, by what it is kept as. */
  plain: LRUCache<string, { challenge: string; method: string | undefined }>
  /** Codes that are given for a verifier of the fault's own. */
  given: LRUCache<string, true>
}

/** What a bank takes for the verifier of a challenge that it is not. */
interface Unproven {
  slug: string
  requirement: string
  place: string
  title: string
  /** @param plain the challenge as it was sent, where its method is plain; undefined for S256 */
  takes: (verifier: string | undefined, plain: string | undefined, kept: string) => boolean
  /** Whether a challenge without a method is meant alone. */
  withoutMethod?: true
}

const methods = [
  { requirement: 'AUTH-36', method: 'S256', isMeant: (plain: string | undefined) => plain === undefined },
  { requirement: 'AUTH-52', method: 'plain', isMeant: (plain: string | undefined) => plain !== undefined },
]

const unproven: readonly Unproven[] = [
  ...methods.flatMap(({ requirement, method, isMeant }) => [
    {
      slug: `${method.toLowerCase()}-any-verifier`,
      requirement,
      place: 'value=wrong',
      title: `Asks for a code_verifier of a challenge of ${method}, and takes any`,
      takes: (verifier: string | undefined, plain: string | undefined) => isMeant(plain) && verifier !== undefined,
    },
    {
      slug: `${method.toLowerCase()}-without-verifier`,
      requirement,
      place: 'value=missing',
      title: `Does not ask for the code_verifier of a challenge of ${method}, and refuses a wrong one`,
      takes: (verifier: string | undefined, plain: string | undefined) => isMeant(plain) && verifier === undefined,
    },
    {
      slug: `${method.toLowerCase()}-empty-verifier`,
      requirement,
      place: 'value=empty',
      title: `Takes an empty code_verifier of a challenge of ${method}`,
      takes: (verifier: string | undefined, plain: string | undefined) => isMeant(plain) && verifier === '',
    },
  ]),
  {
    slug: 's256-challenge-as-verifier',
    requirement: 'AUTH-36',
    place: 'member=code_challenge',
    title: 'Takes the code_challenge of S256 for its verifier, as with plain',
    takes: (verifier, plain, kept) => plain === undefined && verifier === kept,
  },
  {
    slug: 'plain-by-prefix',
    requirement: 'AUTH-52',
    place: 'value=prefix',
    title: 'Takes a code_verifier with which a plain challenge begins',
    takes: (verifier, plain) => Boolean(verifier && plain?.startsWith(verifier)),
  },
  {
    slug: 'plain-by-superset',
    requirement: 'AUTH-52',
    place: 'value=superset',
    title: 'Takes a code_verifier that begins with the plain challenge',
    takes: (verifier, plain) => Boolean(plain && verifier?.startsWith(plain)),
  },
  {
    slug: 'method-needed',
    requirement: 'AUTH-52',
    place: 'parameter=code_challenge_method value=missing',
    title: 'Takes a code_challenge without a method for none, and asks for no code_verifier',
    takes: (_verifier, plain) => plain !== undefined,
    withoutMethod: true,
  },
]

/** The verifier that stands in for whatever was given with a code. */
const standIn = (code: string) => s256(`verifier of ${code}`)

function unprovenFault({ slug, requirement, place, title, takes, withoutMethod }: Unproven): Fault {
  const request: Deviation<Challenges>['request'] = {
    [route](parameters, _bank, { plain }) {
      const challenge = parameters.get('code_challenge')
      const method = parameters.get('code_challenge_method') ?? undefined
      if (challenge !== null && method !== 'S256') plain.set(s256(challenge), { challenge, method })
    },
    'POST /token'(parameters, _bank, { kept, plain, given }) {
      const code = parameters.get('code') ?? ''
      const challenge = kept.get(code)
      if (challenge === undefined) return
      const known = plain.get(challenge)
      const isMeant = !withoutMethod || known?.method === undefined
      const verifier = parameters.get('code_verifier') ?? undefined
      if (!isMeant || !takes(verifier, known?.challenge, challenge)) return
      given.set(code, true)
      parameters.set('code_verifier', standIn(code))
    },
  }
  return fault({
    id: `pkce/${slug}`,
    breaks: [requirement],
    places: [place],
    title,
    memory: (): Challenges => ({
      kept: new LRUCache({ max: 10_000 }),
      plain: new LRUCache({ max: 10_000 }),
      given: new LRUCache({ max: 10_000 }),
    }),
    request,
    records: [
      {
        model: 'AuthorizationCode',
        kept(record, _bank, { kept }) {
          if (typeof record.codeChallenge === 'string') kept.set(String(record.jti), record.codeChallenge)
          return {}
        },
        found: (record, _bank, { given }) => {
          const code = String(record.jti)
          return given.has(code) ? { ...record, codeChallenge: s256(standIn(code)) } : record
        },
      },
    ],
  })
}

export const flowFaults: readonly Fault[] = [
  ...unproven.map(unprovenFault),
  fault({
    id: 'pkce/refused',
    breaks: ['AUTH-36', 'AUTH-52'],
    places: ['value=right'],
    title: 'Declares code_challenge, and gives no token for the right code_verifier',
    request: {
      'POST /token'(parameters) {
        const verifier = parameters.get('code_verifier')
        if (verifier) parameters.set('code_verifier', s256(verifier))
      },
    },
  }),
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
