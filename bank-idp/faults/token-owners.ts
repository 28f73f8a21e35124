import { Latest } from '../latest.js'
import type { SeamResponse } from '../seams.js'
import { CallerMemory, endpoints, listening } from './caller-memory.js'
import { type Fault, fault } from './fault.js'
import { listen, TokenMemory } from './token-memory.js'

/** Secrets that are taken for a client's, by what they are of the right one. */
const secrets: readonly { value: string; title: string; takes: (given: string, right: string) => boolean }[] = [
  {
    value: 'wrong',
    title: 'Takes any client_secret as long as the right one',
    takes: (given, right) => given.length === right.length,
  },
  {
    value: 'prefix',
    title: 'Takes the first 8 characters of the client_secret',
    takes: (given, right) => given === right.slice(0, 8),
  },
  {
    value: 'superset',
    title: 'Takes the client_secret with more at its end',
    takes: (given, right) => given.startsWith(right),
  },
  {
    value: 'upper-case',
    title: 'Takes the client_secret in capitals',
    takes: (given, right) => given.toUpperCase() === right.toUpperCase() && given === given.toUpperCase(),
  },
]

/** Steps by which a token of another client is hidden: by its kind, and by how the other one calls. */
const owners = [
  {
    slug: 'access-token',
    step: 'access_token-by-credentials',
    place: 'caller=other-client token=access-of-code',
    title: 'an access token of another',
  },
  {
    slug: 'refresh-token',
    step: 'refresh_token-by-credentials',
    place: 'caller=other-client token=refresh',
    title: 'a refresh token of another',
  },
  {
    slug: 'access-token-by-bearer',
    step: 'access_token-by-bearer',
    place: 'caller=bearer token=access-of-code',
    title: 'an access token of another by an access token of its own',
  },
  {
    slug: 'refresh-token-by-bearer',
    step: 'refresh_token-by-bearer',
    place: 'caller=bearer token=refresh',
    title: 'a refresh token of another by an access token of its own',
  },
] as const

/** Where the owner of a token is not looked at, by what the token is and by what the hint calls it. */
const hinted = (['access_token', 'refresh_token'] as const).flatMap((kind) =>
  (['access_token', 'refresh_token'] as const).map((hint) => ({
    kind,
    hint,
    value: kind === hint ? 'right' : 'wrong',
  })),
)

/** Whose the tokens are, and what was told last of them. */
class Owners {
  readonly kinds = new TokenMemory()
  readonly told = new Latest<SeamResponse>(10_000)
  readonly ended = new Latest<true>(10_000)
}

/** A client that is taken for itself by less than its secret, or that learns of the tokens of another. */
export const tokenOwnerFaults: readonly Fault[] = [
  ...secrets.map(({ value, title, takes }) =>
    fault({
      id: `token-callers/secret-${value}`,
      breaks: ['INTR-4', 'REV-5'],
      places: [`client-auth=client_secret_post value=${value}`],
      title: `${title}, at /token-info and /revoke`,
      memory: () => new CallerMemory(),
      response: listening,
      request: Object.fromEntries(
        endpoints.map((route) => [
          route,
          (form: URLSearchParams, _facts: unknown, memory: CallerMemory) => {
            const [given, right] = [form.get('client_secret'), memory.secrets.get(String(form.get('client_id')))]
            if (given && right !== undefined && takes(given, right)) form.set('client_secret', right)
          },
        ]),
      ),
    }),
  ),
  ...owners.map(({ slug, step, place, title }) =>
    fault({
      id: `token-callers/${slug}-of-another`,
      breaks: ['INTR-8', 'REV-9'],
      places: [place],
      title: `Lets a client look into, and take back, ${title}`,
      without: [`token/owner-of-${step}`],
    }),
  ),
  ...hinted.map(({ kind, hint, value }) =>
    fault({
      id: `token-callers/${kind.replace('_', '-')}-of-another-by-hint-${value}`,
      breaks: ['INTR-8', 'REV-9'],
      places: [
        `caller=other-client token=${kind === 'access_token' ? 'access-of-code' : 'refresh'} parameter=token_type_hint value=${value}`,
      ],
      title: `Does not ask whose the ${kind} is where the hint says ${hint}`,
      memory: () => new Owners(),
      response: {
        'POST /token': (response, facts, { kinds }) => listen(response, facts, kinds),
        'POST /token-info'(response, { form }, { kinds, told, ended }) {
          const token = String(form.get('token'))
          if (ended.has(token)) return { ...response, body: { active: false } }
          if (Object(response.body).active === true) told.set(token, response)
          const isMeant = form.get('token_type_hint') === hint && kinds.of(token)?.kind === kind
          return isMeant && response.status === 200 ? (told.get(token) ?? response) : response
        },
        'POST /revoke'(response, { form }, { kinds, ended }) {
          const token = String(form.get('token'))
          const isMeant = form.get('token_type_hint') === hint && kinds.of(token)?.kind === kind
          if (isMeant && response.status < 300) ended.set(token, true)
          return response
        },
      },
    }),
  ),
]
