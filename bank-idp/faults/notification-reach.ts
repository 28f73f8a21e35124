import { LRUCache } from 'lru-cache'
import type { EventNotice, NestedJwt } from '../seams.js'
import { toldBesides } from './event-notices.js'
import { type Fault, fault, omit } from './fault.js'

type Event = Record<string, unknown>

/** What a notification token, or each of its events, says wrongly, by the place. */
const wrong: readonly {
  slug: string
  places: string[]
  title: string
  collateral?: Record<string, string>
  token?: (claims: Event) => Event
  event?: (event: Event) => Event
}[] = [
  {
    slug: 'old',
    places: ['member=iat'],
    title: 'Gives iat of the notification token a day too early',
    token: (claims) => ({ ...claims, iat: Number(claims.iat) - 86_400 }),
  },
  {
    slug: 'events-by-name',
    places: ['member=events'],
    title: 'Gives the events of the notification token as an object',
    token: (claims) => ({ ...claims, events: { ...(claims.events as Event[]) } }),
  },
  {
    slug: 'nobody',
    places: ['member=sub'],
    title: 'Does not say in an event whose claims have changed',
    collateral: { 'notifications/subject': 'who it is about is the sub' },
    event: (event) => omit(event, 'sub'),
  },
  {
    slug: 'clients-as-text',
    places: ['member=affected_client_ids'],
    title: 'Gives the clients of an event as text',
    event: (event) => ({ ...event, affected_client_ids: String(event.affected_client_ids) }),
  },
  {
    slug: 'claims-as-text',
    places: ['member=affected_claims'],
    title: 'Gives the claims of an event as text',
    collateral: {
      'notifications/sent': 'what a client is told of is among the claims',
      'notifications/allowed-claims': 'a text is none of the allowed values',
    },
    event: (event) => ({ ...event, affected_claims: String(event.affected_claims) }),
  },
]

function changed({ token = (claims) => claims, event }: (typeof wrong)[number], claims: NestedJwt['claims']): Event {
  const events = claims.events as Event[]
  return token({ ...claims, events: event ? events.map(event) : events })
}

/** Events without those claims; one without any is none. */
function without<Notice extends EventNotice>(
  planned: readonly Notice[],
  isLeftOut: (claim: string) => boolean,
): Notice[] {
  return planned.flatMap((notice) => {
    const { content } = notice
    if (content.kind === 'logout') return [notice]
    const claims = content.claims.filter((claim) => !isLeftOut(claim))
    return claims.length === 0 ? [] : [{ ...notice, content: { ...content, claims } }]
  })
}

/** Claims of which no client is told, by what becomes of them. */
const untold = [
  { slug: 'email', claim: 'email', place: 'claim=email', title: 'Does not tell that the e-mail address has changed' },
  {
    slug: 'nickname',
    claim: 'nickname',
    place: 'claim=nickname',
    title: 'Does not tell that the nickname has changed',
  },
  { slug: 'nested', claim: 'addresses', place: 'claim=addresses', title: 'Does not tell that an address has changed' },
  {
    slug: 'taken-away',
    claim: 'phone_number',
    place: 'claim=phone_number value=missing',
    title: 'Does not tell of the telephone number',
  },
  {
    slug: 'new',
    claim: 'middle_name',
    place: 'claim=middle_name value=unknown',
    title: 'Does not tell of the middle name',
  },
] as const

export const notificationReachFaults: readonly Fault[] = [
  ...wrong.map((one) =>
    fault({
      id: `notification/${one.slug}`,
      breaks: ['EVT-2'],
      places: one.places,
      title: one.title,
      ...(one.collateral && { collateral: one.collateral }),
      nestedJwt: {
        notification_token: (nestedJwt) => ({ ...nestedJwt, claims: changed(one, nestedJwt.claims) }),
      },
    }),
  ),
  fault({
    id: 'notification/jti-of-first',
    breaks: ['EVT-2'],
    places: ['member=jti value=repeated'],
    title: 'Gives each notification token the jti of the first',
    memory: () => ({ first: undefined as string | undefined }),
    nestedJwt: {
      notification_token: (nestedJwt, _bank, memory) => {
        memory.first ??= String(nestedJwt.claims.jti)
        return { ...nestedJwt, claims: { ...nestedJwt.claims, jti: memory.first } }
      },
    },
  }),
  fault({
    id: 'notification/other-field',
    breaks: ['EVT-1'],
    places: ['parameter=notification_token'],
    title: 'Posts the notification token as the form field token',
    eventForm: (form) => (form.field === 'notification_token' ? { ...form, field: 'token' } : form),
  }),
  fault({
    id: 'notification/as-text',
    breaks: ['EVT-1'],
    places: ['parameter=notification_token value=other-type'],
    title: 'Says of the form with the notification token that it is plain text',
    eventForm: (form) => (form.field === 'notification_token' ? { ...form, contentType: 'text/plain' } : form),
  }),
  ...untold.map(({ slug, claim, place, title }) =>
    fault({
      id: `notification/${slug}-untold`,
      breaks: ['EVT-1'],
      places: [place],
      title,
      notices: <Notice extends EventNotice>(planned: readonly Notice[]) => without(planned, (one) => one === claim),
    }),
  ),
  fault({
    id: 'notification/one-of-each-address',
    breaks: ['EVT-1'],
    places: ['use=second-client value=repeated'],
    title: 'Tells one client of those that have the same notification_uri',
    notices: <Notice extends EventNotice>(planned: readonly Notice[]) =>
      planned.filter(
        ({ receiver, content }, index) =>
          content.kind !== 'notification' || planned.findIndex((one) => one.receiver === receiver) === index,
      ),
  }),
  fault({
    id: 'notification/one-client-told',
    breaks: ['EVT-1'],
    places: ['use=second-client'],
    title: 'Tells one client of a changed person',
    notices: <Notice extends EventNotice>(planned: readonly Notice[]) =>
      planned.filter(({ content }, index) => content.kind !== 'notification' || index === 0),
  }),
  fault({
    id: 'notification/once-for-a-person',
    breaks: ['EVT-1'],
    places: ['use=second-call'],
    title: 'Tells of the first change of a person, and of none later',
    /** People whose change was told, with what of. */
    memory: () => new LRUCache<string, true>({ max: 10_000 }),
    notices: <Notice extends EventNotice>(planned: readonly Notice[], _bank: unknown, told: LRUCache<string, true>) => {
      const before = planned.some(({ personId }) => told.has(personId))
      for (const { content, personId } of planned) if (content.kind === 'notification') told.set(personId, true)
      return before ? planned.filter(({ content }) => content.kind !== 'notification') : planned
    },
  }),
  ...toldBesides({ event: 'notification', member: 'notification_uri', breaks: 'EVT-3' }),
  fault({
    id: 'notification/without-address-told',
    breaks: ['EVT-3'],
    places: ['member=notification_uri value=missing'],
    title: 'Names clients without notification_uri in what it sends to another',
    /** The clients that asked for notifications and gave no address. */
    memory: () => new LRUCache<string, true>({ max: 10_000 }),
    response: {
      'POST /register': (response, _bank, asking) => {
        const { client_id, scope, notification_uri } = (response.body ?? {}) as Event
        const asks = String(scope).split(' ').includes('notification.claims_updated')
        if (asks && notification_uri === undefined) asking.set(String(client_id), true)
        return response
      },
    },
    notices: <Notice extends EventNotice>(
      planned: readonly Notice[],
      _bank: unknown,
      asking: LRUCache<string, true>,
    ) => {
      const [first] = planned.filter(({ content }) => content.kind === 'notification')
      return first ? [...planned, ...[...asking.keys()].map((clientId) => ({ ...first, clientId }))] : planned
    },
  }),
  fault({
    id: 'notification/dropped-scope-told',
    breaks: ['EVT-3'],
    places: ['use=after-put'],
    title: 'Tells clients that dropped the scope of notifications by PUT',
    /** Where the clients are told that replaced their record. */
    memory: () => new LRUCache<string, string>({ max: 10_000 }),
    response: {
      'PUT /register/{client_id}': (response, _bank, replaced) => {
        const { client_id, notification_uri } = (response.body ?? {}) as Event
        if (typeof notification_uri === 'string') replaced.set(String(client_id), notification_uri)
        return response
      },
    },
    notices: <Notice extends EventNotice>(
      planned: readonly Notice[],
      _bank: unknown,
      replaced: LRUCache<string, string>,
    ) => {
      const [first] = planned.filter(({ content }) => content.kind === 'notification')
      if (!first) return planned
      const further = [...replaced.entries()].filter(([clientId]) => !planned.some((one) => one.clientId === clientId))
      return [...planned, ...further.map(([clientId, receiver]) => ({ ...first, clientId, receiver }))]
    },
  }),
  fault({
    id: 'notification/members-named',
    breaks: ['EVT-6'],
    places: ['claim=addresses'],
    title: 'Names the member of an address that has changed',
    nestedJwt: {
      notification_token: ({ claims, ...nestedJwt }) => ({
        ...nestedJwt,
        claims: {
          ...claims,
          events: (claims.events as Event[]).map((event) => ({
            ...event,
            affected_claims: (event.affected_claims as string[]).map((claim) =>
              claim === 'addresses' ? 'addresses.street' : claim,
            ),
          })),
        },
      }),
    },
  }),
  fault({
    id: 'notification/one-subject-for-each-address',
    breaks: ['EVT-7'],
    places: ['use=second-client value=repeated'],
    title: 'Names the person by one sub towards all clients that have the same notification_uri',
    notices: <Notice extends EventNotice>(planned: readonly Notice[]) =>
      planned.map((notice) => {
        const first = planned.find(({ receiver }) => receiver === notice.receiver) ?? notice
        return { ...notice, content: { ...notice.content, sub: first.content.sub } }
      }),
  }),
  ...['email', 'nickname', 'addresses'].map((claim) =>
    fault({
      id: `notification/${claim}-out-of-reach`,
      breaks: ['EVT-8'],
      places: [`claim=${claim}`],
      title: `Tells everybody that ${claim} has changed, whatever the person approved`,
      notices: <Notice extends EventNotice>(planned: readonly Notice[]) => {
        const changed = planned.some(({ content }) => content.kind === 'notification' && content.claims.includes(claim))
        if (!changed) return planned
        return planned.map((notice) => {
          const { content } = notice
          if (content.kind === 'logout') return notice
          return { ...notice, content: { ...content, claims: [...new Set([...content.claims, claim])] } }
        })
      },
    }),
  ),
]
