import { createHash } from 'node:crypto'
import { Latest } from '../latest.js'
import { type Deviation, type Fault, fault } from './fault.js'
import { refusal } from './redirects.js'

const route = 'GET /auth'

/** A challenge of method plain is kept as the S256 of it. */
const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

interface Challenges {
  /** By the code: what is kept of its challenge. */
  kept: Latest<string>
  /** What was asked for with plain, or without a method, by what it is kept as. */
  plain: Latest<{ challenge: string; method: string | undefined }>
  /** Codes that are given for a verifier of the fault's own. */
  given: Latest<true>
}

/** Whether a client assertion is an HMAC, by its header. */
function isBySecret(assertion: string | null): boolean {
  const [header = ''] = String(assertion).split('.')
  return Buffer.from(header, 'base64url').toString().includes('"HS')
}

/** What a bank takes for the verifier of a challenge that it is not. */
interface Unproven {
  slug: string
  requirement: string
  place: string
  title: string
  /** @param plain the challenge as it was sent, where its method is plain; undefined for S256 */
  takes: (verifier: string | undefined, plain: string | undefined, kept: string, form: URLSearchParams) => boolean
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
    slug: 's256-whatever-case',
    requirement: 'AUTH-36',
    place: 'value=upper-case',
    title: 'Compares the code_challenge of S256 without regard to case',
    takes: (verifier, plain, kept) =>
      plain === undefined && verifier !== undefined && s256(verifier).toLowerCase() === kept.toLowerCase(),
  },
  {
    slug: 's256-cut-short',
    requirement: 'AUTH-36',
    place: 'value=prefix',
    title: 'Compares the first forty characters of the code_challenge of S256',
    takes: (verifier, plain, kept) =>
      plain === undefined && verifier !== undefined && s256(verifier).startsWith(kept.slice(0, 40)),
  },
  {
    slug: 's256-not-of-secret-clients',
    requirement: 'AUTH-36',
    place: 'client-auth=client_secret_post',
    title: 'Does not ask a client that sends its client_secret for the code_verifier of a challenge of S256',
    takes: (_verifier, plain, _kept, form) => plain === undefined && form.has('client_secret'),
  },
  {
    slug: 's256-not-of-secret-jwt-clients',
    requirement: 'AUTH-36',
    place: 'client-auth=client_secret_jwt',
    title:
      'Does not ask a client whose assertions are made by its client_secret for the code_verifier of a challenge of S256',
    takes: (_verifier, plain, _kept, form) => plain === undefined && isBySecret(form.get('client_assertion')),
  },
  {
    slug: 'plain-by-suffix',
    requirement: 'AUTH-52',
    place: 'value=suffix',
    title: 'Takes a code_verifier with which a plain challenge ends',
    takes: (verifier, plain) => Boolean(verifier && plain?.endsWith(verifier)),
  },
  {
    slug: 'plain-whatever-case',
    requirement: 'AUTH-52',
    place: 'value=upper-case',
    title: 'Compares a plain challenge without regard to case',
    takes: (verifier, plain) => verifier !== undefined && verifier.toLowerCase() === plain?.toLowerCase(),
  },
  {
    slug: 'plain-as-s256',
    requirement: 'AUTH-52',
    place: 'member=code_challenge',
    title: 'Takes for the verifier of a plain challenge what it is the S256 of',
    takes: (verifier, plain) => verifier !== undefined && s256(verifier) === plain,
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
      if (!isMeant || !takes(verifier, known?.challenge, challenge, parameters)) return
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
      kept: new Latest(10_000),
      plain: new Latest(10_000),
      given: new Latest(10_000),
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

export const pkceFaults: readonly Fault[] = [
  ...unproven.map(unprovenFault),
  fault({
    id: 'pkce/s256-first-forgotten',
    breaks: ['AUTH-36'],
    places: ['use=first'],
    title: 'Forgets the code_challenge of S256 of the first request of a client',
    memory: () => new Latest<true>(10_000),
    request: {
      [route](parameters, _bank, known) {
        const client = parameters.get('client_id') ?? ''
        if (parameters.get('code_challenge_method') !== 'S256') return
        if (!known.has(client)) parameters.delete('code_challenge')
        known.set(client, true)
      },
    },
  }),
  ...(
    [
      ['unknown', 'unknown', 'Takes a code_challenge_method that it does not know for plain', () => 'plain'],
      [
        'in-small-letters',
        'lower-case',
        'Takes s256 for S256',
        (method: string) => (method === 's256' ? 'S256' : method),
      ],
      ['by-end', 'suffix', 'Takes what ends in S256 for it', (method: string) => method.replace(/^.+(?=S256$)/, '')],
    ] as const
  ).map(([slug, value, title, takenFor]) =>
    fault({
      id: `pkce/method-${slug}`,
      breaks: ['AUTH-36'],
      places: [`parameter=code_challenge_method value=${value}`],
      title,
      request: {
        [route](parameters) {
          const method = parameters.get('code_challenge_method')
          if (method !== null && !['plain', 'S256'].includes(method))
            parameters.set('code_challenge_method', takenFor(method))
        },
      },
    }),
  ),
  fault({
    id: 'pkce/long-challenge-cut-off',
    breaks: ['AUTH-52'],
    places: ['value=upper-bound'],
    title: 'Keeps a hundred characters of a plain challenge, and gives no token for the verifier of a longer one',
    request: {
      [route](parameters) {
        const challenge = parameters.get('code_challenge') ?? ''
        if (challenge.length > 100) parameters.set('code_challenge', challenge.slice(0, 100))
      },
    },
  }),
  fault({
    id: 'pkce/challenge-of-base64url-alone',
    breaks: ['AUTH-52'],
    places: ['parameter=code_challenge value=encoded'],
    title: 'Refuses a plain code_challenge with a character that base64url does not have',
    response: {
      [route]: (response, { query }) =>
        /[.~]/.test(query.get('code_challenge') ?? '') ? refusal(response, query, 'invalid_request') : response,
    },
  }),
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
]
