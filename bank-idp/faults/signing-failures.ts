import { Latest } from '../latest.js'
import type { OpenedRequest, SeamResponse } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { redirect } from './redirects.js'
import { hasBearer, kindOf } from './signing-leniency.js'

/** For `response`: a refusal with the status of a failure. */
const asFailure = (response: SeamResponse): SeamResponse =>
  response.status === 400 ? { ...response, status: 500 } : response

/** What is special about an object, by the place that it stands for. */
const kinds: readonly { slug: string; place: string; name: string; isMeant(request: OpenedRequest): boolean }[] = [
  ...[
    { slug: 'document', kind: 'documentObject', name: 'a document' },
    { slug: 'envelope', kind: 'documentObjects', name: 'documents in an envelope' },
    { slug: 'text-and-document', kind: 'text-and-document', name: 'a document beside a text' },
    { slug: 'text-and-documents', kind: 'text-and-documents', name: 'documents beside a text' },
  ].map(({ slug, kind, name }) => ({
    slug,
    place: `member=${kind}`,
    name,
    isMeant: (request: OpenedRequest) => kindOf(request.claims) === kind && !hasBearer(request),
  })),
  { slug: 'object-with-token', place: 'caller=bearer', name: 'an object with an access token', isMeant: hasBearer },
]

/** How a way back is wrong. */
const wrongWays: readonly {
  slug: string
  breaks: string
  title(name: string): string
  places: readonly string[]
  change(parameters: URLSearchParams): void
}[] = [
  {
    slug: 'refused-otherwise',
    breaks: 'SIGN-20',
    title: (name) => `Reports the refusal of ${name} as server_error`,
    places: ['member=documentObject', 'member=documentObjects', 'member=text-and-document', 'caller=bearer'],
    change: (parameters) => {
      if (parameters.has('error')) parameters.set('error', 'server_error')
    },
  },
  {
    slug: 'returned-without-state',
    breaks: 'SIGN-32',
    title: (name) => `Sends no state back with the code for ${name}`,
    places: ['member=documentObject', 'member=documentObjects', 'member=text-and-documents', 'caller=bearer'],
    change: (parameters) => {
      if (parameters.has('code')) parameters.delete('state')
    },
  },
]

/** What the bank answers where an object is not authorized, and on the way back of one kind of object. */
export const signingFailureFaults: readonly Fault[] = [
  fault({
    id: 'signing/refusals-as-failures',
    breaks: [3, 4, 5, 7, 11, 15, 17, 21, 22, 30, 38, 39, 40, 41, 42, 45].map((number) => `SIGN-${number}`),
    places: [
      'value=missing',
      'token=id-of-code part=signature',
      'member=document_hash value=missing',
      'token=request-object alg=PS384',
      'value=unknown',
      'member=id_token_hint',
      'endpoint=ros client-auth=client_secret_post',
      'value=above',
      'member=envelope_name value=missing',
      'value=wrong',
      'token=request-object alg=RS256',
      'part=signature value=wrong',
    ],
    title: 'Answers a request object that it refuses as if it had broken down',
    collateral: {
      'signing/unregistered-scope': 'its request object is refused so too',
      'signing/registered-algorithm': 'its request objects are refused so too',
    },
    response: { 'POST /ros': asFailure },
  }),
  fault({
    id: 'signing/unknown-request-uri-as-failure',
    breaks: ['SIGN-34', 'SIGN-33'],
    places: ['value=unknown', 'value=missing'],
    title: 'Answers /authorize with a request_uri that it does not know, or without one, as if it had broken down',
    response: { 'GET /authorize': asFailure },
  }),
  ...wrongWays.flatMap(({ slug, breaks, title, places, change }) =>
    kinds
      .filter(({ place }) => places.includes(place))
      .map((kind) =>
        fault({
          id: `signing/${kind.slug}-${slug}`,
          breaks: [breaks],
          places: [kind.place],
          title: title(kind.name),
          /** The states of such objects. */
          memory: () => new Latest<true>(10_000),
          requestObject(request, _bank, meant) {
            if (kind.isMeant(request)) meant.set(String(request.claims.state), true)
          },
          response: {
            'GET /auth': (response, _bank, meant) =>
              redirect(({ searchParams }) => {
                if (meant.has(searchParams.get('state') ?? '')) change(searchParams)
              })(response),
          },
        }),
      ),
  ),
]
