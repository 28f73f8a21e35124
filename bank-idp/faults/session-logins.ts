import { decodeJwt } from 'jose'
import { Latest } from '../latest.js'
import type { BankFacts, ResponseFacts, SeamResponse } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { type FaultRow, faultsOf } from './fault-table.js'
import { errorRedirect, isDirect, isSignedIn, redirectTarget, refusal } from './redirects.js'

const route = 'GET /auth'

/** Redirect URIs that got a code since the fault was switched on. */
const servedUris = () => new Latest<true>(10_000)

const addressOf = ({ origin, pathname }: URL) => `${origin}${pathname}`

function listen(response: SeamResponse, served: Latest<true>): SeamResponse {
  const target = redirectTarget(response)
  if (target?.searchParams.has('code')) served.set(addressOf(target), true)
  return response
}

/** Changes the request of a client that nobody has logged in at since the fault was switched on. */
function ofNewClient(change: (parameters: URLSearchParams) => void) {
  return {
    memory: servedUris,
    request: {
      [route](parameters: URLSearchParams, _bank: unknown, served: Latest<true>) {
        const uri = parameters.get('redirect_uri') ?? ''
        if (URL.canParse(uri) && !served.has(addressOf(new URL(uri)))) change(parameters)
      },
    },
    response: {
      [route]: (response: SeamResponse, _facts: unknown, served: Latest<true>) => listen(response, served),
    },
  }
}

/** An error that comes as another within a session, told by its code and by the parameters beside. */
interface Otherwise extends FaultRow {
  isMeant: (error: string, facts: ResponseFacts) => boolean
  to: string
}

const otherwise: readonly Otherwise[] = [
  {
    id: 'callback/declined-in-session-otherwise',
    requirement: 'AUTH-29',
    places: ['use=session-login'],
    title: 'Answers who is signed in, and declines to sign in again, with login_required',
    isMeant: (error, facts) => error === 'User declined the authentication' && isSignedIn(facts),
    to: 'login_required',
  },
  {
    id: 'callback/consent-declined-in-session-otherwise',
    requirement: 'AUTH-30',
    places: ['use=session-login'],
    title: 'Answers who is signed in, and declines consent, with consent_required',
    isMeant: (error, facts) => error === 'User declined consent' && isSignedIn(facts),
    to: 'consent_required',
  },
  {
    id: 'authorization/acr-out-of-reach-in-session-otherwise',
    requirement: 'AUTH-42',
    places: ['use=session-login'],
    title: 'Answers who is signed in, and cannot reach a higher level, with access_denied',
    isMeant: (error, facts) => error === 'User not eligible' && isDirect(facts),
    to: 'access_denied',
  },
  {
    id: 'authorization/registration-in-session-otherwise',
    requirement: 'AUTH-20',
    places: ['use=session-login'],
    title: 'Answers the parameter registration with invalid_request within a session',
    isMeant: (_error, facts) => facts.query.has('registration') && isSignedIn(facts),
    to: 'invalid_request',
  },
  {
    id: 'authorization/prompt-none-max-age-otherwise',
    requirement: 'AUTH-25',
    places: ['use=session-login parameter=max_age'],
    title: 'Answers prompt=none in a session older than max_age with interaction_required',
    isMeant: (_error, { query }) => query.get('prompt') === 'none' && query.has('max_age'),
    to: 'interaction_required',
  },
  {
    id: 'authorization/prompt-none-of-implicit-otherwise',
    requirement: 'AUTH-25',
    places: ['grant=implicit'],
    title: 'Answers prompt=none without a session in the implicit flow with interaction_required',
    isMeant: (_error, facts) =>
      facts.query.get('prompt') === 'none' && facts.query.get('response_type') === 'token' && !isSignedIn(facts),
    to: 'interaction_required',
  },
  {
    id: 'authorization/prompt-none-hint-otherwise',
    requirement: 'AUTH-25',
    places: ['use=first parameter=id_token_hint'],
    title: 'Answers prompt=none with an id_token_hint and no session with interaction_required',
    isMeant: (_error, facts) =>
      facts.query.get('prompt') === 'none' && facts.query.has('id_token_hint') && !isSignedIn(facts),
    to: 'interaction_required',
  },
  {
    id: 'authorization/prompt-none-level-otherwise',
    requirement: 'AUTH-25',
    places: ['use=first parameter=acr_values'],
    title: 'Answers prompt=none with acr_values and no session with interaction_required',
    isMeant: (_error, facts) =>
      facts.query.get('prompt') === 'none' && facts.query.has('acr_values') && !isSignedIn(facts),
    to: 'interaction_required',
  },
  ...['none', 'consent'].map((prompt) => ({
    id: `authorization/id-token-hint-of-another-${prompt}`,
    requirement: 'AUTH-28',
    places: [`member=${prompt} parameter=prompt`],
    title: `Answers the id_token_hint of another person beside prompt=${prompt} with access_denied`,
    isMeant: (_error: string, facts: ResponseFacts) =>
      facts.query.get('prompt') === prompt && facts.query.has('id_token_hint') && isSignedIn(facts),
    to: 'access_denied',
  })),
]

export const sessionLoginFaults: readonly Fault[] = [
  ...faultsOf(otherwise, ({ isMeant, to }) => ({
    response: {
      [route]: (response, facts) =>
        errorRedirect(({ searchParams }) => {
          if (isMeant(String(searchParams.get('error_description')), facts)) searchParams.set('error', to)
        })(response),
    },
  })),
  fault({
    id: 'authorization/consent-of-new-client-otherwise',
    breaks: ['AUTH-26'],
    places: ['use=second-client'],
    title: 'Answers prompt=none of a client that nobody has consented to yet with login_required',
    memory: servedUris,
    response: {
      [route]: (response, _facts, served) =>
        errorRedirect((target, error) => {
          if (error === 'consent_required' && !served.has(addressOf(target)))
            target.searchParams.set('error', 'login_required')
        })(listen(response, served)),
    },
  }),
  fault({
    id: 'authorization/prompt-login-of-new-client-ignored',
    breaks: ['AUTH-35'],
    places: ['use=second-client'],
    title: 'Takes a session for fresh at a client that nobody has logged in at yet, whatever its prompt=login says',
    ...ofNewClient((parameters) => {
      if (parameters.get('prompt') === 'login') parameters.delete('prompt')
    }),
  }),
  fault({
    id: 'authorization/max-age-of-new-client-ignored',
    breaks: ['AUTH-34'],
    places: ['use=second-client'],
    title: 'Does not look at the age of a session at a client that nobody has logged in at yet',
    ...ofNewClient((parameters) => {
      if (/^\d{1,9}$/.test(parameters.get('max_age') ?? '')) parameters.set('max_age', '999999999')
    }),
  }),
  ...(['AUTH-35', 'AUTH-51'] as const).map((requirement) => {
    const [kept, lost] = requirement === 'AUTH-35' ? ['consent', 'login'] : ['login', 'consent']
    return fault({
      id: `authorization/prompt-${lost}-lost-of-two`,
      breaks: [requirement],
      places: ['value=both'],
      title: `Takes prompt ${kept} alone of login and consent`,
      request: {
        [route](parameters) {
          if (parameters.get('prompt') === 'login consent') parameters.set('prompt', kept)
        },
      },
    })
  }),
  ...['max_age', 'id_token_hint'].map((parameter) =>
    fault({
      id: `authorization/prompt-none-refused-beside-${parameter.replaceAll('_', '-')}`,
      breaks: ['AUTH-39'],
      places: [`parameter=${parameter}`],
      title: `Refuses prompt=none beside ${parameter}, whatever the session`,
      ...(parameter === 'id_token_hint' && {
        collateral: { 'authorization/id-token-hint-of-earlier-login': 'AUTH-44 sends a hint with prompt=none' },
      }),
      response: {
        [route]: (response, { query }) =>
          query.get('prompt') === 'none' && query.has(parameter) && redirectTarget(response)?.searchParams.has('code')
            ? refusal(response, query, 'interaction_required')
            : response,
      },
    }),
  ),
  fault({
    id: 'authorization/hint-of-earlier-login-refused',
    breaks: ['AUTH-44'],
    places: ['use=second-login parameter=id_token_hint'],
    title: 'Answers prompt=none beside an id_token of the session that is not its latest with login_required',
    /** The jti of the latest id_token of a session at a client. */
    memory: () => new Latest<string>(10_000),
    nestedJwt: {
      id_token(nestedJwt, _bank, latest) {
        const { aud, sid, jti } = nestedJwt.claims
        latest.set(`${aud} ${sid}`, String(jti))
        return nestedJwt
      },
    },
    response: {
      [route](response, { query }, latest) {
        const hint = query.get('id_token_hint') ?? ''
        const isServed = query.get('prompt') === 'none' && redirectTarget(response)?.searchParams.has('code')
        if (!isServed || hint.split('.').length !== 3) return response
        const { aud, sid, jti } = decodeJwt(hint)
        const last = latest.get(`${aud} ${sid}`)
        return last === undefined || last === jti ? response : refusal(response, query, 'login_required')
      },
    },
  }),
  fault({
    id: 'authorization/max-age-zero-ignored',
    breaks: ['AUTH-34'],
    places: ['value=lower-bound'],
    title: 'Takes a max_age of 0 for none',
    request: {
      [route](parameters) {
        if (parameters.get('max_age') === '0') parameters.set('max_age', '999999999')
      },
    },
  }),
  fault({
    id: 'authorization/max-age-always-login',
    breaks: ['AUTH-34'],
    places: ['value=below'],
    title: 'Asks for a new login wherever a request names max_age, however young the session',
    request: {
      [route](parameters) {
        if (/^\d{1,9}$/.test(parameters.get('max_age') ?? '') && !parameters.has('prompt'))
          parameters.set('prompt', 'login')
      },
    },
  }),
  ...[
    {
      id: 'callback/openid-alone-declined-otherwise',
      requirement: 'AUTH-30',
      places: ['scope=openid'],
      title: 'Words the message for declined consent otherwise where only openid was asked for',
      isMeant: ({ query }: ResponseFacts) => query.get('scope') === 'openid',
      description: 'User declined consent',
      change: (told: URLSearchParams) => told.set('error_description', 'User declined the login'),
    },
    {
      id: 'authorization/acr-out-of-reach-in-request-object-otherwise',
      requirement: 'AUTH-42',
      places: ['token=request-object'],
      title: 'Answers access_denied where a level that is out of reach was asked for in a request object',
      isMeant: ({ query }: ResponseFacts) => query.has('request_uri'),
      description: 'User not eligible',
      change: (told: URLSearchParams) => told.set('error', 'access_denied'),
    },
  ].map(({ isMeant, description, change, id, requirement, places, title }) =>
    fault({
      id,
      breaks: [requirement],
      places,
      title,
      /** The states of such requests, by which their answers are known. */
      memory: () => new Latest<true>(10_000),
      response: {
        [route](response, facts, meant) {
          if (isDirect(facts) && isMeant(facts)) meant.set(facts.query.get('state') ?? '', true)
          return errorRedirect(({ searchParams }) => {
            const isOne = meant.has(searchParams.get('state') ?? '')
            if (isOne && searchParams.get('error_description') === description) change(searchParams)
          })(response)
        },
      },
    }),
  ),
  ...(
    [
      {
        slug: 'by-another',
        place: 'use=second-person',
        who: 'whoever is not the first person that it asked',
        isMeant: (person, first) => person !== first,
      },
      {
        slug: 'after-account',
        place: 'person=several-accounts',
        who: 'who chose one of several accounts',
        isMeant: (person, _first, { people }) => {
          const chosen = people.byId(person)?.login
          return [...people.identities()].filter(({ login }) => login === chosen).length > 1
        },
      },
    ] satisfies {
      slug: string
      place: string
      who: string
      isMeant: (person: string, first: string | undefined, bank: BankFacts) => boolean
    }[]
  ).map(({ slug, place, who, isMeant }) =>
    fault({
      id: `callback/consent-declined-${slug}-otherwise`,
      breaks: ['AUTH-30'],
      places: [place],
      title: `Words the message for declined consent otherwise for ${who}`,
      memory: () => ({ clients: new Latest<string>(10_000), people: new Latest<string>(10_000) }),
      request: {
        [route](parameters, _bank, { clients }) {
          clients.set(String(parameters.get('redirect_uri')), String(parameters.get('client_id')))
        },
      },
      consented(approved, { clientId, personId }, { people }) {
        if (!people.has('first')) people.set('first', personId)
        people.set(clientId, personId)
        return approved
      },
      response: {
        [route]: (response, bank, { clients, people }) =>
          errorRedirect((target) => {
            const person = people.get(clients.get(addressOf(target)) ?? '')
            const isDeclined = target.searchParams.get('error_description') === 'User declined consent'
            if (isDeclined && person !== undefined && isMeant(person, people.get('first'), bank))
              target.searchParams.set('error_description', 'User declined the authentication')
          })(response),
      },
    }),
  ),
]
