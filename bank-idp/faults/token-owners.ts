import { CallerMemory, endpoints, listening } from './caller-memory.js'
import { type Fault, fault } from './fault.js'

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
]
