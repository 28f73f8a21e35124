import { Latest } from '../latest.js'
import { type Fault, fault } from './fault.js'

const route = 'POST /token'

/** Whether a redirect_uri is taken for that of the authorization request. */
type Comparison = (given: string | null, requested: string) => boolean

interface LenientComparison {
  slug: string
  place: string
  title: string
  isTaken: Comparison
}

const lenientComparisons: readonly LenientComparison[] = [
  {
    slug: 'missing',
    place: 'value=missing',
    title: 'Needs no redirect_uri where a code is redeemed',
    isTaken: (given) => given === null,
  },
  {
    slug: 'empty',
    place: 'value=empty',
    title: 'Takes an empty redirect_uri where a code is redeemed',
    isTaken: (given) => given === '',
  },
  {
    slug: 'begins',
    place: 'value=prefix',
    title: 'Takes the beginning of a redirect_uri where a code is redeemed',
    isTaken: (given, requested) => Boolean(given) && requested.startsWith(String(given)),
  },
  {
    slug: 'continues',
    place: 'value=superset',
    title: 'Takes a redirect_uri that goes on, where a code is redeemed',
    isTaken: (given, requested) => given?.startsWith(`${requested}/`) === true,
  },
  {
    slug: 'query-ignored',
    place: 'parameter=query',
    title: 'Does not look at the query of redirect_uri where a code is redeemed',
    isTaken: (given, requested) => given?.split('?')[0] === requested.split('?')[0],
  },
  {
    slug: 'fragment-ignored',
    place: 'parameter=fragment',
    title: 'Does not look at the fragment of redirect_uri where a code is redeemed',
    isTaken: (given, requested) => given?.split('#')[0] === requested,
  },
  {
    slug: 'slash-ignored',
    place: 'value=suffix',
    title: 'Takes a redirect_uri with a slash more at its end, where a code is redeemed',
    isTaken: (given, requested) => given === `${requested}/`,
  },
  {
    slug: 'case-ignored',
    place: 'value=upper-case',
    title: 'Takes a redirect_uri in another case where a code is redeemed',
    isTaken: (given, requested) => given?.toLowerCase() === requested.toLowerCase(),
  },
  {
    slug: 'decoded',
    place: 'value=encoded',
    title: 'Decodes redirect_uri before it compares it, where a code is redeemed',
    isTaken: (given, requested) => given !== null && decodeURIComponent(given) === requested,
  },
  {
    slug: 'normalized',
    place: 'value=equivalent',
    title: 'Compares redirect_uri as an address in place of a text, where a code is redeemed',
    isTaken: (given, requested) =>
      given !== null && URL.canParse(given) && new URL(given).href === new URL(requested).href,
  },
  {
    slug: 'host-ignored',
    place: 'value=wrong',
    title: 'Compares nothing but the path of redirect_uri where a code is redeemed',
    isTaken: (given, requested) =>
      given !== null && URL.canParse(given) && new URL(given).pathname === new URL(requested).pathname,
  },
  {
    slug: 'port-ignored',
    place: 'parameter=port',
    title: 'Does not look at the port of redirect_uri where a code is redeemed',
    isTaken: (given, requested) => given?.replace(/:\d+/, '') === requested.replace(/:\d+/, ''),
  },
  {
    slug: 'scheme-ignored',
    place: 'parameter=scheme',
    title: 'Takes a redirect_uri of http in place of https where a code is redeemed',
    isTaken: (given, requested) => given?.replace(/^http:/, 'https:') === requested,
  },
  {
    slug: 'path-ignored',
    place: 'value=second',
    title: 'Compares nothing but the host of redirect_uri where a code is redeemed',
    isTaken: (given, requested) =>
      given !== null && URL.canParse(given) && new URL(given).host === new URL(requested).host,
  },
]

/** A bank that keeps the redirect_uri of each client's latest request, and corrects the one that comes with the code. */
function redirectUriFault({ slug, place, title, isTaken }: LenientComparison): Fault {
  return fault({
    id: `token/redirect-uri-${slug}`,
    breaks: ['TOK-36'],
    places: [place],
    title,
    memory: () => new Latest<string>(10_000),
    request: {
      'GET /auth'(parameters, _bank, requested) {
        const redirectUri = parameters.get('redirect_uri')
        if (redirectUri !== null) requested.set(String(parameters.get('client_id')), redirectUri)
      },
      [route](form, _bank, requested) {
        const known = requested.get(String(form.get('client_id')))
        const exchanges = form.get('grant_type') === 'authorization_code' && form.has('code')
        if (exchanges && known !== undefined && isTaken(form.get('redirect_uri'), known))
          form.set('redirect_uri', known)
      },
    },
  })
}

/** What a bank makes of the scopes of a refresh that the refresh token may not have. */
interface LenientScopes {
  slug: string
  places: readonly string[]
  title: string
  /** @returns the scopes that are looked at. */
  kept(asked: readonly string[], held: readonly string[], declared: readonly string[]): readonly string[]
  collateral?: Record<string, string>
}

const refusedNoMore = { 'token/refresh-refusal-form': 'a refresh for a scope that nobody has is refused no more' }

const lenientScopes: readonly LenientScopes[] = [
  {
    slug: 'unknown-dropped',
    places: ['value=unknown', 'value=prefix', 'value=upper-case'],
    title: 'Drops from the scope of a refresh what no client could register',
    collateral: refusedNoMore,
    kept: (asked, _held, declared) => asked.filter((scope) => declared.includes(scope)),
  },
  {
    slug: 'case-ignored',
    places: ['value=upper-case'],
    title: 'Takes the scope of a refresh in whatever case',
    kept: (asked) => asked.map((scope) => (/[a-z]/.test(scope) ? scope : scope.toLowerCase())),
  },
  {
    slug: 'by-prefix',
    places: ['value=prefix'],
    title: 'Takes the beginning of a scope for the scope in a refresh',
    kept: (asked, held) => asked.map((scope) => held.find((one) => one.startsWith(scope)) ?? scope),
  },
  {
    slug: 'first-alone-looked-at',
    places: ['value=second', 'value=superset'],
    title: 'Looks at the first scope of a refresh alone, and gives of the others what the refresh token has',
    collateral: refusedNoMore,
    kept: ([first = '', ...others], held) => [first, ...others.filter((scope) => held.includes(scope))],
  },
  {
    slug: 'last-alone-looked-at',
    places: ['value=first'],
    title: 'Looks at the last scope of a refresh alone, and gives of the others what the refresh token has',
    kept: (asked, held) => [...asked.slice(0, -1).filter((scope) => held.includes(scope)), ...asked.slice(-1)],
  },
  {
    slug: 'one-alone-ignored',
    places: ['value=wrong'],
    title: 'Gives all scopes to a refresh whose one scope it does not have',
    kept: (asked, held) => (asked.length === 1 && !held.includes(asked[0] ?? '') ? held : asked),
  },
]

function refreshScopeFault({ slug, places, title, kept, collateral }: LenientScopes): Fault {
  return fault({
    id: `token/refresh-scope-${slug}`,
    breaks: ['TOK-20'],
    places,
    title,
    ...(collateral && { collateral }),
    // The scopes of each refresh token, which one that replaces it has as well.
    memory: () => new Latest<readonly string[]>(10_000),
    response: {
      [route](response, { form }, held) {
        const { refresh_token, scope } = (response.body ?? {}) as Record<string, unknown>
        const before = held.get(String(form.get('refresh_token')))
        if (typeof refresh_token === 'string') held.set(refresh_token, before ?? String(scope).split(' '))
        return response
      },
    },
    request: {
      [route](form, { scopes: declared }, known) {
        const held = known.get(String(form.get('refresh_token')))
        const asked = form.get('scope')
        if (held && asked) form.set('scope', kept(asked.split(' '), held, declared).join(' '))
      },
    },
  })
}

export const tokenComparisonFaults: readonly Fault[] = [
  ...lenientComparisons.map(redirectUriFault),
  ...lenientScopes.map(refreshScopeFault),
]
