import type { Route, SeamResponse } from '../seams.js'
import { type Fault, fault, omit } from './fault.js'

const route = 'GET /auth'

/** What an error without a redirect lacks, by the route and the error. */
interface Bare {
  slug: string
  place: string
  route: Route
  lack: keyof typeof lacking
  collateral?: Fault['collateral']
  isMeant: (error: string, description: string) => boolean
}

const describedBy = (start: string) => (_error: string, description: string) => description.startsWith(start)
const coded = (code: string) => (error: string) => error === code

type Lacking = (response: SeamResponse, error: Record<string, unknown>) => SeamResponse

const lacking = {
  type: (response) => ({ ...response, headers: { ...response.headers, 'content-type': 'text/html; charset=utf-8' } }),
  description: (response, error) => ({ ...response, body: omit(error, 'error_description') }),
  text: (response, error) => ({ ...response, body: { ...error, error_description: [error.error_description] } }),
} as const satisfies Record<string, Lacking>

const bare: readonly Bare[] = [
  {
    slug: 'client-id',
    place: 'endpoint=auth error=client_id',
    route,
    lack: 'type',
    isMeant: describedBy('client_id is required'),
  },
  {
    slug: 'unauthorized-client',
    place: 'endpoint=auth error=unauthorized_client',
    route,
    lack: 'description',
    isMeant: coded('unauthorized_client'),
  },
  {
    slug: 'redirect-uri',
    place: 'endpoint=auth error=redirect_uri',
    route,
    lack: 'text',
    isMeant: describedBy('redirect_uri is required'),
  },
  {
    slug: 'unregistered-redirect-uri',
    place: 'endpoint=auth error=unregistered-redirect_uri',
    route,
    lack: 'type',
    isMeant: describedBy('redirect_uri is not registered'),
  },
  {
    slug: 'response-type',
    place: 'endpoint=auth error=response_type',
    route,
    lack: 'description',
    isMeant: describedBy('response_type is required'),
  },
  {
    slug: 'unsupported-response-type',
    place: 'endpoint=auth error=unsupported_response_type',
    route,
    lack: 'text',
    isMeant: coded('unsupported_response_type'),
  },
  {
    slug: 'repeated',
    place: 'endpoint=auth error=repeated',
    route,
    lack: 'type',
    isMeant: (_error, description) => description.endsWith('more than once'),
  },
  {
    slug: 'method',
    place: 'endpoint=auth error=method',
    route: 'PUT /auth',
    lack: 'type',
    isMeant: coded('invalid_request'),
  },
  ...['unsupported_grant_type', 'invalid_grant', 'invalid_client', 'invalid_request', 'unauthorized_client'].map(
    (error): Bare => ({
      slug: `token-${error.replaceAll('_', '-')}`,
      place: `endpoint=token error=${error}`,
      route: 'POST /token',
      ...(!['unsupported_grant_type', 'unauthorized_client'].includes(error) && {
        collateral: { 'token/refusal-form': 'TOK-17 asks the same of the errors of /token' },
      }),
      lack: 'type',
      isMeant: coded(error),
    }),
  ),
  ...['invalid_redirect_uri', 'invalid_client_metadata'].map(
    (error): Bare => ({
      slug: `register-${error.replaceAll('_', '-')}`,
      place: `endpoint=register error=${error}`,
      route: 'POST /register',
      lack: 'type',
      isMeant: coded(error),
    }),
  ),
  ...[
    { what: 'scope', isMeant: describedBy('scope: ') },
    { what: 'required_scope', isMeant: describedBy('required_scope: ') },
    { what: 'type', isMeant: (_error: string, description: string) => /must be a list/.test(description) },
    { what: 'body', isMeant: describedBy('the body ') },
  ].map(
    ({ what, isMeant }): Bare => ({
      slug: `register-${what.replace('_', '-')}`,
      place: `endpoint=register error=${what}`,
      route: 'POST /register',
      lack: 'type',
      isMeant,
    }),
  ),
  {
    slug: 'register-types',
    place: 'endpoint=register error=type value=both',
    route: 'POST /register',
    lack: 'text',
    isMeant: (_error, description) => ['client_name', 'contacts'].every((name) => description.includes(name)),
  },
]

export const directErrorFaults: readonly Fault[] = bare.map(({ slug, place, route: at, lack, isMeant, collateral }) =>
  fault({
    id: `errors/${slug}-bare`,
    breaks: ['GEN-3'],
    places: [place],
    title: `Does not give the error of ${place.replace(/endpoint=(\S+) error=(.+)/, '$2 at /$1')} the form of errors`,
    ...(collateral && { collateral }),
    response: {
      [at]: (response: SeamResponse) => {
        const { status, body } = response
        if (status < 400 || typeof body !== 'object' || body === null) return response
        const error: Record<string, unknown> = { ...body }
        return isMeant(String(error.error), String(error.error_description)) ? lacking[lack](response, error) : response
      },
    },
  }),
)
