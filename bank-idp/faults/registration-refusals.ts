import { decodeJwt } from 'jose'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import { type Deviation, type Fault, fault, unauthorized } from './fault.js'

type Members = Record<string, unknown>

/** What is refused, and done all the same. */
interface Row {
  slug: string
  breaks: string
  /** Of the title, after the method. */
  what: string
  methods: readonly ('PUT' | 'DELETE')[]
  /** The check that lets it through. */
  check?: string
  judgedRecord?: Deviation['judgedRecord']
  /** Whether it is what is to be refused. */
  flawed(facts: ResponseFacts, record: Members): boolean
  refusal: SeamResponse
}

function badRequest(error: string, error_description: string): SeamResponse {
  return { status: 400, headers: { 'content-type': 'application/json' }, body: { error, error_description } }
}

const invalidMetadata = badRequest('invalid_client_metadata', 'a value of the record is not taken')

/** A claim of RegistrationAuthJWT; undefined where there is no such JWT. */
function assertionClaim({ requestHeader }: ResponseFacts, name: string): unknown {
  try {
    return decodeJwt(requestHeader('client_assertion') ?? '')[name]
  } catch {
    return undefined
  }
}

/** Calls that are to be refused because of who makes them. */
const callers: readonly Omit<Row, 'methods' | 'refusal'>[] = [
  {
    slug: 'any-audience',
    breaks: 'REG-7',
    what: 'with another aud in RegistrationAuthJWT',
    check: 'registration-assertion/aud',
    flawed: (facts) => assertionClaim(facts, 'aud') !== `${facts.issuer}/register`,
  },
  {
    slug: 'any-assertion-type',
    breaks: 'REG-9',
    what: 'with another client_assertion_type',
    check: 'registration/assertion-type',
    flawed: ({ requestHeader }) => !requestHeader('client_assertion_type')?.endsWith(':jwt-bearer'),
  },
  {
    slug: 'without-token',
    breaks: 'REG-13',
    what: 'without a registration access token',
    check: 'registration/access-token-present',
    flawed: ({ requestHeader }) => requestHeader('authorization') === undefined,
  },
  {
    slug: 'without-assertion',
    breaks: 'REG-22',
    what: 'without client_assertion',
    check: 'registration/assertion-present',
    flawed: ({ requestHeader }) => requestHeader('client_assertion') === undefined,
  },
  {
    slug: 'expired-assertion',
    breaks: 'REG-28',
    what: 'with a RegistrationAuthJWT past its exp',
    check: 'registration-assertion/exp',
    flawed: (facts) => Number(assertionClaim(facts, 'exp')) * 1000 < Date.now(),
  },
]

/** Records that are to be refused because of what they hold. */
const records: readonly Omit<Row, 'methods'>[] = [
  {
    slug: 'http-redirect',
    breaks: 'REG-4',
    what: 'of a redirect URI that is not https',
    check: 'registration/redirect-uri-https',
    flawed: (_facts, { redirect_uris }) => !String([redirect_uris].flat()[0]).startsWith('https:'),
    refusal: badRequest('invalid_redirect_uri', 'a redirect URI is not https'),
  },
  {
    slug: 'subject-type',
    breaks: 'REG-15',
    what: 'of the undeclared subject_type Pairwise',
    judgedRecord: {
      subject_type: (value, { method }) => (method === 'PUT' && value === 'Pairwise' ? 'pairwise' : value),
    },
    flawed: (_facts, { subject_type }) => subject_type === 'Pairwise',
    refusal: invalidMetadata,
  },
  {
    slug: 'required-scope',
    breaks: 'REG-16',
    what: 'of a required_scope that is not in scope',
    check: 'registration/required-scope',
    flawed: (_facts, { scope, required_scope }) =>
      typeof required_scope === 'string' &&
      required_scope.split(' ').some((one) => !String(scope).split(' ').includes(one)),
    refusal: invalidMetadata,
  },
  {
    slug: 'name-of-any-type',
    breaks: 'REG-30',
    what: 'of a client_name that is no string',
    judgedRecord: {
      client_name: (value, { method }) => (method === 'PUT' && typeof value !== 'string' ? 'Client' : value),
    },
    flawed: (_facts, { client_name }) => typeof client_name !== 'string',
    refusal: invalidMetadata,
  },
]

function doneAllTheSame({ slug, breaks, what, methods, check, judgedRecord, flawed, refusal }: Row): Fault[] {
  return methods.map((method) =>
    fault({
      id: `registration/${method.toLowerCase()}-refused-and-done-${slug}`,
      breaks: [breaks],
      places: [`method=${method} use=after-refusal`],
      title: `Refuses a ${method} ${what}, and does it all the same`,
      ...(check && { without: [`${check} at ${method}`] }),
      ...(judgedRecord && { judgedRecord }),
      response: {
        [`${method} /register/{client_id}`]: (response: SeamResponse, facts: ResponseFacts) =>
          response.status < 300 && flawed(facts, Object(response.body)) ? refusal : response,
      },
    }),
  )
}

/** What POST refuses, with the client that it registered all the same. */
function clientOfRefusal(
  { slug, breaks, what, place }: { slug: string; breaks: string; what: string; place: string },
  taken: Deviation,
  flawed: (facts: ResponseFacts, record: Members) => boolean,
  status: number,
): Fault {
  return fault({
    id: `registration/refused-and-done-${slug}`,
    breaks: [breaks],
    places: [place],
    title: `Refuses a registration ${what}, and gives the client all the same`,
    ...taken,
    response: {
      'POST /register'(response, facts) {
        const record: Members = Object(response.body)
        if (response.status >= 300 || !flawed(facts, record)) return response
        return { ...response, status, body: { error: 'invalid_request', error_description: 'refused', ...record } }
      },
    },
  })
}

const clientsOfRefusals = [
  clientOfRefusal(
    { slug: 'without-assertion', breaks: 'REG-6', what: 'without client_assertion', place: 'use=after-refusal' },
    { without: ['registration/assertion-present at POST'] },
    ({ requestHeader }) => requestHeader('client_assertion') === undefined,
    401,
  ),
  clientOfRefusal(
    {
      slug: 'subject-type',
      breaks: 'REG-15',
      what: 'of the undeclared subject_type Pairwise',
      place: 'method=POST use=after-refusal',
    },
    {
      judgedRecord: {
        subject_type: (value, { method }) => (method === 'POST' && value === 'Pairwise' ? 'pairwise' : value),
      },
    },
    (_facts, { subject_type }) => subject_type === 'Pairwise',
    400,
  ),
  clientOfRefusal(
    {
      slug: 'name-of-any-type',
      breaks: 'REG-30',
      what: 'of a client_name that is no string',
      place: 'method=POST use=after-refusal',
    },
    {
      judgedRecord: {
        client_name: (value, { method }) => (method === 'POST' && typeof value !== 'string' ? 'Client' : value),
      },
    },
    (_facts, { client_name }) => typeof client_name !== 'string',
    400,
  ),
]

/** What is refused, and has its effect all the same. */
export const registrationRefusalFaults: readonly Fault[] = [
  ...callers.flatMap((row) => doneAllTheSame({ ...row, methods: ['PUT', 'DELETE'], refusal: unauthorized() })),
  ...records.flatMap((row) => doneAllTheSame({ ...row, methods: ['PUT'] })),
  ...clientsOfRefusals,
]
