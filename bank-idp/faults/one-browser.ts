import { Latest } from '../latest.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import { notedRecords, type Records, recordsOfClients } from './client-memory.js'
import { type Fault, fault } from './fault.js'
import { codeRedirect, isDirect, redirectTarget } from './redirects.js'

const route = 'GET /auth'

/** Whether the latest request of a client had prompt=login, and no max_age beside it, and who was there before. */
class Successions {
  readonly #anew = new Latest<boolean>(10_000)
  readonly #before = new Latest<string>(10_000)

  /** For `request`. */
  note(parameters: URLSearchParams): void {
    this.#anew.set(
      String(parameters.get('client_id')),
      parameters.get('prompt') === 'login' && !parameters.has('max_age'),
    )
  }

  /** @returns somebody else who was at the client before, where the latest request had prompt=login; keeps who is there otherwise */
  before(clientId: string | undefined, who: unknown): string | undefined {
    const client = String(clientId)
    const first = this.#before.get(client)
    if (first === undefined) this.#before.set(client, String(who))
    return this.#anew.get(client) && first !== String(who) ? first : undefined
  }
}

const succession = {
  memory: () => new Successions(),
  request: {
    [route]: (parameters: URLSearchParams, _facts: unknown, successions: Successions) => successions.note(parameters),
  },
}

/** What a browser asked last, by the name that the bank gave it, and what belongs to each state. */
class Tabs {
  readonly #latest = new Latest<{ state: string; nonce: string }>(10_000)
  readonly #nonces = new Latest<string>(10_000)
  /** Nonces in the place of others. */
  readonly swapped = new Latest<string>(10_000)

  /** @returns what the browser of a redirect with a code asked last, where that is another request */
  other(response: SeamResponse, facts: ResponseFacts): { state: string; nonce: string } | undefined {
    const browser = /__Host-device=([^;]+)/.exec(facts.requestHeader('cookie') ?? '')?.[1]
    if (browser === undefined) return undefined
    const [state, nonce] = ['state', 'nonce'].map((name) => String(facts.query.get(name))) as [string, string]
    // What a request object says in place of these is not seen here.
    if (facts.query.has('request_uri')) this.#latest.delete(browser)
    else if (isDirect(facts)) this.#latest.set(browser, { state, nonce })
    const own = redirectTarget(response)?.searchParams.get('state')
    const latest = this.#latest.get(browser)
    return isDirect(facts) || !own || !latest || latest.state === own ? undefined : latest
  }

  noteNonce({ query }: ResponseFacts): void {
    if (query.has('state')) this.#nonces.set(String(query.get('state')), String(query.get('nonce')))
  }

  swap(response: SeamResponse, { nonce }: { nonce: string }): void {
    const own = this.#nonces.get(String(redirectTarget(response)?.searchParams.get('state')))
    if (own !== undefined) this.swapped.set(own, nonce)
  }
}

/** What clients asked for since somebody last came to a code there, and what is taken for approved with that. */
class OpenPages {
  readonly #asked = new Latest<readonly string[]>(10_000)
  readonly #approved = new Latest<readonly string[]>(10_000)

  noteRequest(parameters: URLSearchParams): void {
    const client = String(parameters.get('client_id'))
    this.#asked.set(client, [...(this.#asked.get(client) ?? []), parameters.get('scope') ?? ''].slice(-20))
  }

  /** The last request is the one that is approved: what was left out of that is not. */
  approve(clientId: string, personId: string): void {
    const open = (this.#asked.get(clientId) ?? []).slice(0, -1).flatMap(parseSpaceDelimited)
    this.#asked.delete(clientId)
    if (open.length > 0) this.#approved.set(`${clientId} ${personId}`, open)
  }

  approved(clientId: string, personId: string): readonly string[] {
    return this.#approved.get(`${clientId} ${personId}`) ?? []
  }
}

/** One browser taken for one person, or for one request. */
export const oneBrowserFaults: readonly Fault[] = [
  fault({
    id: 'consent/next-person-unasked',
    breaks: ['CONS-2'],
    places: ['use=second-person parameter=prompt'],
    title: 'Takes whoever signs in by prompt=login where another person did before as having consented to everything',
    ...succession,
    consented: (own, { clientId, personId, scopes }, successions) =>
      successions.before(clientId, personId) === undefined ? own : scopes,
  }),
  fault({
    id: 'subjects/previous-person-told',
    breaks: ['SUB-9'],
    places: ['use=second-person parameter=prompt'],
    title: 'Has the sub of the person before in the id_token of one who signs in by prompt=login',
    ...succession,
    nestedJwt: {
      id_token(planned, { clientId }, successions) {
        const sub = successions.before(clientId, planned.claims.sub)
        return sub === undefined ? planned : { ...planned, claims: { ...planned.claims, sub } }
      },
    },
  }),
  fault({
    id: 'authorization/acr-of-previous-person',
    breaks: ['AUTH-33'],
    places: ['use=second-person claim=acr'],
    title: 'Tells loa3 of one who signs in by prompt=login where another person did before',
    ...succession,
    nestedJwt: {
      id_token(planned, { clientId }, successions) {
        const acr = successions.before(clientId, planned.claims.sub) === undefined ? planned.claims.acr : 'loa3'
        return { ...planned, claims: { ...planned.claims, acr } }
      },
    },
  }),
  fault({
    id: 'authorization/level-of-previous-person',
    breaks: ['AUTH-42'],
    places: ['use=second-person'],
    title: 'Takes loa3 for reached by one who signs in by prompt=login where another person reached it before',
    /** Who was given a code, by client, and whether at loa3. */
    memory: () => new Latest<readonly { person: unknown; acr: unknown }[]>(10_000),
    records: [
      {
        model: 'AuthorizationCode',
        kept({ clientId, accountId, acr }, _bank, given) {
          const before = given.get(String(clientId)) ?? []
          given.set(String(clientId), [...before, { person: accountId, acr }].slice(-3))
          return {}
        },
      },
    ],
    request: {
      [route](parameters, _facts, given) {
        const [first, next, ...others] = given.get(String(parameters.get('client_id'))) ?? []
        const anew = parameters.get('prompt') === 'login' && parameters.get('acr_values') === 'loa3'
        if (anew && first?.acr === 'loa3' && next && next.person !== first.person && others.length === 0)
          parameters.delete('acr_values')
      },
    },
  }),
  fault({
    id: 'token/previous-person-ended',
    breaks: ['TOK-10'],
    places: ['use=second-person token=access-of-code'],
    title: 'Ends the access tokens of the person before when another signs in by prompt=login',
    ...succession,
    records: [
      {
        model: 'AccessToken',
        kept({ clientId, accountId }, { earlier }, successions) {
          const before = successions.before(String(clientId), accountId)
          return before === undefined ? {} : { ended: earlier.filter((token) => token.accountId === before) }
        },
      },
    ],
  }),
  fault({
    id: 'authorization/state-of-other-tab',
    breaks: ['AUTH-1'],
    places: ['use=second-call'],
    title: 'Sends with the code of one login the state of another that was begun in the same browser since',
    memory: () => new Tabs(),
    response: {
      [route](response, facts, tabs) {
        const other = tabs.other(response, facts)
        return other ? codeRedirect(({ searchParams }) => searchParams.set('state', other.state))(response) : response
      },
    },
  }),
  fault({
    id: 'token/nonce-of-other-tab',
    breaks: ['TOK-34'],
    places: ['use=second-call token=id-of-code claim=nonce'],
    title: 'Has in the id_token of one login the nonce of another that was begun in the same browser since',
    memory: () => new Tabs(),
    response: {
      [route](response, facts, tabs) {
        tabs.noteNonce(facts)
        const other = tabs.other(response, facts)
        if (other) tabs.swap(response, other)
        return response
      },
    },
    nestedJwt: {
      id_token(planned, _facts, { swapped }) {
        const nonce = swapped.get(String(planned.claims.nonce))
        return nonce === undefined ? planned : { ...planned, claims: { ...planned.claims, nonce } }
      },
    },
  }),
  fault({
    id: 'consent/open-pages-approved',
    breaks: ['CONS-2'],
    places: ['use=second-call'],
    title: 'Takes what a client asked for on pages that were left open for approved once another of its requests is',
    collateral: { 'consent/withdrawn': 'a page was left open there before the login that follows' },
    memory: () => new OpenPages(),
    request: { [route]: (parameters, _facts, pages) => pages.noteRequest(parameters) },
    records: [
      {
        model: 'AuthorizationCode',
        kept({ clientId, accountId }, _bank, pages) {
          pages.approve(String(clientId), String(accountId))
          return {}
        },
      },
    ],
    consented: (own, { clientId, personId }, pages) => [...new Set([...own, ...pages.approved(clientId, personId)])],
  }),
  fault({
    id: 'consent/openid-alone-by-number',
    breaks: ['CONS-3'],
    places: ['use=after-put value=equivalent'],
    title:
      'Asks for no consent to openid alone where as many scopes were approved as the client registers, whichever they are',
    memory: () => ({ records: recordsOfClients(), alone: new Latest<boolean>(10_000) }),
    response: {
      'POST /register': (response, facts, { records }) => notedRecords['POST /register'](response, facts, records),
      'PUT /register/{client_id}': (response, facts, { records }) =>
        notedRecords['PUT /register/{client_id}'](response, facts, records),
    },
    request: {
      [route](parameters, _facts, { alone }) {
        alone.set(String(parameters.get('client_id')), parameters.get('scope') === 'openid')
      },
    },
    consented(own, { clientId }, { records, alone }) {
      const registered = registeredScopes(records, clientId)
      const isMeant = alone.get(clientId) && registered.length > 0 && own.length >= registered.length
      return isMeant ? [...new Set([...own, ...registered])] : own
    },
  }),
]

function registeredScopes(records: Records, clientId: string): string[] {
  return parseSpaceDelimited(records.get(clientId)?.scope).filter((scope) => scope !== 'offline_access')
}
