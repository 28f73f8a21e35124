import type { Route } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { assertionIn } from './token-memory.js'

/** Where a bank asks the assertion alone who calls, whatever client_id says beside it. */
const rows: readonly { slug: string; route: Route; grant?: string; place: string; where: string }[] = [
  {
    slug: 'code',
    route: 'POST /token',
    grant: 'authorization_code',
    place: 'endpoint=token caller=other-client parameter=client_id',
    where: 'where a code is exchanged',
  },
  {
    slug: 'refresh',
    route: 'POST /token',
    grant: 'refresh_token',
    place: 'endpoint=token caller=other-client grant=refresh parameter=client_id',
    where: 'where a refresh token is exchanged',
  },
  {
    slug: 'token-info',
    route: 'POST /token-info',
    place: 'endpoint=token-info caller=other-client parameter=client_id',
    where: 'at /token-info',
  },
  {
    slug: 'revoke',
    route: 'POST /revoke',
    place: 'endpoint=revoke caller=other-client parameter=client_id',
    where: 'at /revoke',
  },
]

export const assertionBesideFaults: readonly Fault[] = rows.map(({ slug, route, grant, place, where }) =>
  fault({
    id: `client-authentication/other-client-id-${slug}`,
    breaks: ['TOK-14'],
    places: [place],
    title: `Does not look at client_id beside a client assertion ${where}`,
    request: {
      [route](form: URLSearchParams) {
        const sub = assertionIn(form)?.sub
        if (grant !== undefined && form.get('grant_type') !== grant) return
        if (sub !== undefined && form.has('client_id')) form.set('client_id', sub)
      },
    },
  }),
)
