import { randomUUID } from 'node:crypto'
import { Latest } from '../latest.js'
import type { AssertionFacts, JudgedAssertion } from '../seams.js'
import { type Fault, fault } from './fault.js'

/** What a bank may forget of the client assertion of the signing flow, while it sees to it elsewhere. */
interface Row {
  part: 'iss' | 'sub' | 'aud' | 'exp' | 'jti' | 'replay' | 'signature'
  breaks: readonly string[]
  places: readonly string[]
  /** Of the title, after "takes a client assertion". */
  what: string
  seen(assertion: JudgedAssertion, facts: AssertionFacts): { claims?: Record<string, unknown>; believed?: true }
}

const place = (part: string) => [`endpoint=token grant=signing part=${part}`]

const rows: readonly Row[] = [
  ...(['iss', 'sub'] as const).map(
    (part): Row => ({
      part,
      breaks: ['TOK-14'],
      places: place(part),
      what: `whatever its ${part}`,
      seen: (_assertion, { clientId }) => ({ claims: { [part]: clientId } }),
    }),
  ),
  {
    part: 'aud',
    breaks: ['TOK-14'],
    places: place('aud'),
    what: 'whoever it is made out to',
    seen: (_assertion, { audience }) => ({ claims: { aud: audience[0] } }),
  },
  {
    part: 'exp',
    breaks: ['TOK-38'],
    places: place('exp'),
    what: 'that has expired, or never does',
    seen: () => ({ claims: { exp: Math.floor(Date.now() / 1000) + 60 } }),
  },
  {
    part: 'jti',
    breaks: ['TOK-38'],
    places: place('jti'),
    what: 'without jti',
    seen: ({ claims }) => ({ claims: { jti: claims.jti ?? randomUUID() } }),
  },
  {
    part: 'replay',
    breaks: ['TOK-15'],
    places: ['endpoint=token grant=signing'],
    what: 'as often as it comes',
    seen: ({ claims }) => ({ claims: { jti: claims.jti && randomUUID() } }),
  },
  {
    part: 'signature',
    breaks: ['TOK-39', 'SIGN-16'],
    places: [...place('signature'), 'value=wrong'],
    what: 'without a look at its signature',
    seen: () => ({ believed: true }),
  },
]

/** Whether it is an assertion of the signing flow, which has algorithms of its own (AMB-12). */
function ofTheFlow({ endpoint, algorithms }: AssertionFacts): boolean {
  return endpoint === '/token' && algorithms.includes('ES256')
}

export const signingAssertionFaults: readonly Fault[] = [
  ...rows.map(({ part, breaks, places, what, seen }) =>
    fault({
      id: `signing/assertion-${part}-unchecked`,
      breaks,
      places,
      title: `In the signing flow takes a client assertion ${what}`,
      judgedAssertion(assertion, facts) {
        if (!ofTheFlow(facts)) return assertion
        const { claims, believed } = seen(assertion, facts)
        return { ...assertion, claims: { ...assertion.claims, ...claims }, ...(believed && { believed }) }
      },
    }),
  ),
  fault({
    id: 'client-assertion/iss-of-any-client',
    breaks: ['TOK-14'],
    places: ['endpoint=token caller=other-client part=iss', 'endpoint=token-info caller=other-client part=iss'],
    title: 'Takes a client assertion with the iss of any client that is registered',
    /** The clients that registered since, by client_id. */
    memory: () => new Latest<true>(10_000),
    clients: {
      async create(record, { store }, known) {
        const client = await store.create(record)
        known.set(client.clientId, true)
        return client
      },
    },
    judgedAssertion(assertion, { clientId }, known) {
      return known.has(String(assertion.claims.iss))
        ? { ...assertion, claims: { ...assertion.claims, iss: clientId } }
        : assertion
    },
  }),
]
