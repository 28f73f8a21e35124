import { randomUUID } from 'node:crypto'
import { Latest } from '../latest.js'
import type { EventNotice, SeamResponse } from '../seams.js'
import { oneOfEachAddress, publicNamedPairwise, queryDropped, toldBesides } from './event-notices.js'
import { formFaults } from './event-tokens.js'
import { type Fault, fault } from './fault.js'

/** Which clients are notified of what, and how it is delivered. */

type Event = Record<string, unknown>

/** Claims that differ in the scopes that reach them; updated_at changes with each other. */
const reached = ['email', 'nickname', 'addresses', 'updated_at']

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

/** Where clients are told: as they registered first, and as the fault keeps it after a PUT. */
class Addresses {
  readonly registered = new Latest<string>(10_000)
  readonly kept = new Latest<string>(10_000)
}

/** What clients drop by PUT, and are told all the same. */
const dropped: readonly {
  slug: string
  place: string
  title: string
  /** Where they are told, by the address in their record now and the one that was there first. */
  receiver: (now: unknown, first: string | undefined) => unknown
}[] = [
  {
    slug: 'dropped-scope-told',
    place: 'use=after-put',
    title: 'Tells clients that dropped the scope of notifications by PUT',
    receiver: (now) => now,
  },
  {
    slug: 'dropped-address-told',
    place: 'use=after-put member=notification_uri value=missing',
    title: 'Tells clients that dropped their notification_uri by PUT, where it was',
    receiver: (now, first) => (now === undefined ? first : undefined),
  },
]

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
  {
    slug: 'further-element',
    claim: 'nationalities',
    place: 'claim=nationalities',
    title: 'Does not tell of a further nationality',
  },
  {
    slug: 'truth',
    claim: 'email_verified',
    place: 'claim=email_verified',
    title: 'Does not tell that an e-mail address is no longer verified',
  },
  {
    slug: 'capitals',
    claim: 'family_name',
    place: 'claim=family_name value=upper-case',
    title: 'Does not tell that a family name is written in other letters',
  },
  {
    slug: 'birthdate',
    claim: 'birthdate',
    place: 'claim=birthdate',
    title: 'Does not tell that the birthdate has changed',
  },
  {
    slug: 'verified-phone',
    claim: 'phone_number_verified',
    place: 'claim=phone_number_verified',
    title: 'Does not tell that a telephone number is no longer verified',
  },
  {
    slug: 'reckoned',
    claim: 'age',
    place: 'claim=age',
    title: 'Does not tell that the age has changed with the birthdate',
  },
  {
    slug: 'majority',
    claim: 'majority',
    place: 'claim=majority',
    title: 'Does not tell that somebody is of age, or no longer, by another birthdate',
  },
] as const

/** What clients have in common that a notification tells of a person by one sub, whatever their sector. */
const oneSubject: Record<string, { title: string; shared: (notice: EventNotice) => string }> = {
  address: {
    title: 'Names the person by one sub towards all clients that have the same notification_uri',
    shared: ({ receiver }) => receiver,
  },
  event: {
    title: 'Tells the clients at one address of the same claims by one event, with the sub of the first of them',
    shared: ({ receiver, clientId, content }) =>
      content.kind === 'notification' ? JSON.stringify([receiver, content.claims]) : clientId,
  },
}

/** Notices that name further claims: those given for each. */
function withClaims<Notice extends EventNotice>(
  planned: readonly Notice[],
  further: (notice: Notice) => readonly string[],
): Notice[] {
  return planned.map((notice) => {
    const { content } = notice
    if (content.kind === 'logout') return notice
    return { ...notice, content: { ...content, claims: [...new Set([...content.claims, ...further(notice)])] } }
  })
}

const claimsOf = ({ content }: EventNotice): readonly string[] =>
  content.kind === 'notification' ? content.claims : []

export const notificationReachFaults: readonly Fault[] = [
  fault({
    id: 'notification/nobody-told',
    breaks: ['EVT-1'],
    places: ['use=second-client'],
    title: 'Tells no client that a person has changed',
    without: ['notification/told'],
  }),
  fault({
    id: 'notification/lost',
    breaks: ['EVT-1'],
    places: ['use=second-call'],
    title: 'Sends a notification once, and no more when the receiver is not available (503)',
    without: ['notification/redelivery'],
  }),
  ...formFaults('notification', 'EVT-1'),
  ...untold.map(({ slug, claim, place, title }) =>
    fault({
      id: `notification/${slug}-untold`,
      breaks: ['EVT-1'],
      places: [place],
      title,
      notices: <Notice extends EventNotice>(planned: readonly Notice[]) => without(planned, (one) => one === claim),
    }),
  ),
  oneOfEachAddress({ event: 'notification', member: 'notification_uri', breaks: 'EVT-1' }),
  queryDropped({ event: 'notification', member: 'notification_uri', breaks: 'EVT-1' }),
  fault({
    id: 'notification/one-of-each-subject',
    breaks: ['EVT-1'],
    places: ['use=second-client member=sub value=repeated'],
    title: 'Tells one client of those that know the person by the same sub',
    notices: <Notice extends EventNotice>(planned: readonly Notice[]) =>
      planned.filter(
        ({ content }, index) =>
          content.kind !== 'notification' || planned.findIndex((one) => one.content.sub === content.sub) === index,
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
    memory: () => new Latest<true>(10_000),
    notices: <Notice extends EventNotice>(planned: readonly Notice[], _bank: unknown, told: Latest<true>) => {
      const before = planned.some(({ personId }) => told.has(personId))
      for (const { content, personId } of planned) if (content.kind === 'notification') told.set(personId, true)
      return before ? planned.filter(({ content }) => content.kind !== 'notification') : planned
    },
  }),
  fault({
    id: 'notification/one-person-of-each-client',
    breaks: ['EVT-1'],
    places: ['use=second-person'],
    title: 'Tells a client of the first person who changes, and of nobody else',
    /** Of whom each client was told first. */
    memory: () => new Latest<string>(10_000),
    notices: <Notice extends EventNotice>(planned: readonly Notice[], _bank: unknown, first: Latest<string>) =>
      planned.filter(({ content, clientId, personId }) => {
        if (content.kind !== 'notification') return true
        const known = first.get(clientId) ?? personId
        first.set(clientId, known)
        return known === personId
      }),
  }),
  fault({
    id: 'notification/subject-of-first-person',
    breaks: ['EVT-7'],
    places: ['use=second-person'],
    title: 'Names everybody towards a client by the sub of the first person of whom it was told',
    memory: () => new Latest<string>(10_000),
    notices: <Notice extends EventNotice>(planned: readonly Notice[], _bank: unknown, first: Latest<string>) =>
      planned.map((notice) => {
        const { content, clientId } = notice
        if (content.kind !== 'notification') return notice
        const sub = first.get(clientId) ?? content.sub
        first.set(clientId, sub)
        return { ...notice, content: { ...content, sub } }
      }),
  }),
  fault({
    id: 'notification/last-registered-named',
    breaks: ['EVT-3'],
    places: ['use=uninvolved member=affected_client_ids'],
    title: 'Names beside the clients of an event the one that registered last',
    memory: () => ({ last: '' }),
    response: {
      'POST /register': (response: SeamResponse, _bank: unknown, memory: { last: string }) => {
        if (response.status < 300) memory.last = String(Object(response.body).client_id)
        return response
      },
    },
    nestedJwt: {
      notification_token: ({ claims, ...planned }, _bank, { last }) => ({
        ...planned,
        claims: {
          ...claims,
          events: (claims.events as Event[]).map((event) => ({
            ...event,
            affected_client_ids: [...new Set([...(event.affected_client_ids as string[]), last])],
          })),
        },
      }),
    },
  }),
  fault({
    id: 'notification/not-opted-in',
    breaks: ['EVT-3'],
    places: ['scope=notification.claims_updated value=missing'],
    title: 'Tells clients of a changed person that did not ask for it',
    without: ['notification/opted-in'],
  }),
  ...toldBesides({ event: 'notification', member: 'notification_uri', breaks: 'EVT-3' }),
  fault({
    id: 'notification/without-address-told',
    breaks: ['EVT-3'],
    places: ['member=notification_uri value=missing'],
    title: 'Names clients without notification_uri in what it sends to another',
    /** The clients that asked for notifications and gave no address. */
    memory: () => new Latest<true>(10_000),
    response: {
      'POST /register': (response, _bank, asking) => {
        const { client_id, scope, notification_uri } = (response.body ?? {}) as Event
        const asks = String(scope).split(' ').includes('notification.claims_updated')
        if (asks && notification_uri === undefined) asking.set(String(client_id), true)
        return response
      },
    },
    notices: <Notice extends EventNotice>(planned: readonly Notice[], _bank: unknown, asking: Latest<true>) => {
      const [first] = planned.filter(({ content }) => content.kind === 'notification')
      return first ? [...planned, ...[...asking.keys()].map((clientId) => ({ ...first, clientId }))] : planned
    },
  }),
  ...dropped.map(({ slug, place, title, receiver }) =>
    fault({
      id: `notification/${slug}`,
      breaks: ['EVT-3'],
      places: [place],
      title,
      memory: () => new Addresses(),
      response: {
        'POST /register': (response: SeamResponse, _bank: unknown, { registered }: Addresses) => {
          const { client_id, notification_uri } = (response.body ?? {}) as Event
          if (typeof notification_uri === 'string') registered.set(String(client_id), notification_uri)
          return response
        },
        'PUT /register/{client_id}': (response: SeamResponse, _bank: unknown, { registered, kept }: Addresses) => {
          const { client_id, notification_uri } = (response.body ?? {}) as Event
          const told = receiver(notification_uri, registered.get(String(client_id)))
          if (typeof told === 'string') kept.set(String(client_id), told)
          return response
        },
      },
      notices: <Notice extends EventNotice>(planned: readonly Notice[], _bank: unknown, { kept }: Addresses) => {
        const [first] = planned.filter(({ content }) => content.kind === 'notification')
        if (!first) return planned
        const further = [...kept.entries()].filter(([clientId]) => !planned.some((one) => one.clientId === clientId))
        return [...planned, ...further.map(([clientId, receiver]) => ({ ...first, clientId, receiver }))]
      },
    }),
  ),
  fault({
    id: 'notification/one-subject',
    breaks: ['EVT-7'],
    places: ['use=first', 'use=second-client'],
    title: 'Names the person by one sub towards all clients, whatever their sector',
    without: ['notification/own-subject'],
  }),
  ...Object.entries(oneSubject).map(([each, { title, shared }]) =>
    fault({
      id: `notification/one-subject-for-each-${each}`,
      breaks: ['EVT-7'],
      places: ['use=second-client value=repeated'],
      title,
      notices: <Notice extends EventNotice>(planned: readonly Notice[]) =>
        planned.map((notice) => {
          const first = planned.find((one) => shared(one) === shared(notice)) ?? notice
          return { ...notice, content: { ...notice.content, sub: first.content.sub } }
        }),
    }),
  ),
  fault({
    id: 'notification/one-subject-where-public',
    breaks: ['EVT-7'],
    places: ['member=subject_type'],
    title: 'Names the person by the public sub towards all clients at an address, where one of them has that',
    notices: <Notice extends EventNotice>(planned: readonly Notice[]) =>
      planned.map((notice) => {
        const { personId: sub, receiver, content } = notice
        const isPublic = planned.some((one) => one.receiver === receiver && one.content.sub === sub)
        return content.kind === 'notification' && isPublic ? { ...notice, content: { ...content, sub } } : notice
      }),
  }),
  publicNamedPairwise('notification', 'EVT-7'),
  fault({
    id: 'notification/told-at-first-address',
    breaks: ['EVT-1'],
    places: ['use=after-put member=notification_uri'],
    title: 'Tells clients at the notification_uri that they registered first, whatever a PUT put in its place',
    memory: () => new Addresses(),
    response: {
      'POST /register': (response, _bank, { registered }) => {
        const { client_id, notification_uri } = (response.body ?? {}) as Event
        if (typeof notification_uri === 'string') registered.set(String(client_id), notification_uri)
        return response
      },
    },
    notices: <Notice extends EventNotice>(planned: readonly Notice[], _bank: unknown, { registered }: Addresses) =>
      planned.map((notice) =>
        notice.content.kind === 'notification'
          ? { ...notice, receiver: registered.get(notice.clientId) ?? notice.receiver }
          : notice,
      ),
  }),
  ...[
    {
      slug: 'told-at-former-address',
      places: ['use=second-call member=notification_uri'],
      title: 'Tells clients where it told them first, whatever notification_uri a PUT put in its place since',
      tells: (former: string, _now: string) => [former],
    },
    {
      slug: 'told-at-former-address-too',
      places: ['use=second-call member=notification_uri value=both'],
      title: 'Tells clients where it told them first too, once a PUT put another notification_uri in its place',
      tells: (former: string, now: string) => [now, former],
    },
  ].map(({ slug, tells, ...description }) =>
    fault({
      id: `notification/${slug}`,
      breaks: ['EVT-1'],
      ...description,
      /** Where each client was told first. */
      memory: () => new Latest<string>(10_000),
      notices: <Notice extends EventNotice>(planned: readonly Notice[], _bank: unknown, first: Latest<string>) =>
        planned.flatMap((notice) => {
          const { clientId, receiver, content } = notice
          if (content.kind !== 'notification') return [notice]
          const former = first.get(clientId) ?? receiver
          first.set(clientId, former)
          return former === receiver ? [notice] : tells(former, receiver).map((one) => ({ ...notice, receiver: one }))
        }),
    }),
  ),
  fault({
    id: 'notification/subject-of-sector-unknown',
    breaks: ['EVT-7'],
    places: ['member=sector_identifier_uri'],
    title: 'Names the person by a sub that clients with a sector_identifier_uri do not know',
    /** The clients that registered one. */
    memory: () => new Latest<true>(10_000),
    response: {
      'POST /register': (response, _bank, inSector) => {
        const { client_id, sector_identifier_uri } = (response.body ?? {}) as Event
        if (sector_identifier_uri !== undefined) inSector.set(String(client_id), true)
        return response
      },
    },
    notices: <Notice extends EventNotice>(planned: readonly Notice[], _bank: unknown, inSector: Latest<true>) =>
      planned.map((notice) => {
        const { content, clientId } = notice
        if (content.kind === 'logout' || !inSector.has(clientId)) return notice
        return { ...notice, content: { ...content, sub: randomUUID() } }
      }),
  }),
  fault({
    id: 'notification/refused-scope-reaches',
    breaks: ['EVT-8'],
    places: ['when=by-person value=subset'],
    title: 'Tells clients that asked for the birthdate of its change, whether the person approved that or not',
    /** The clients that asked. */
    memory: () => new Latest<true>(10_000),
    response: {
      'GET /auth': (response: SeamResponse, { query }: { query: URLSearchParams }, asking: Latest<true>) => {
        if (query.get('scope')?.split(' ').includes('profile.birthdate'))
          asking.set(String(query.get('client_id')), true)
        return response
      },
    },
    notices: <Notice extends EventNotice>(planned: readonly Notice[], _bank: unknown, asking: Latest<true>) => {
      const changed = planned.flatMap(claimsOf).filter((claim) => ['birthdate', 'age'].includes(claim))
      return withClaims(planned, ({ clientId }) => (asking.has(clientId) ? changed : []))
    },
  }),
  fault({
    id: 'notification/reach-of-sector',
    breaks: ['EVT-8'],
    places: ['member=affected_client_ids value=both'],
    title: 'Tells the clients that know a person by one sub of what was approved at any of them',
    notices: <Notice extends EventNotice>(planned: readonly Notice[]) =>
      withClaims(planned, ({ content: { sub } }) => planned.filter((one) => one.content.sub === sub).flatMap(claimsOf)),
  }),
  fault({
    id: 'notification/reach-of-first-person',
    breaks: ['EVT-8'],
    places: ['use=second-person'],
    title: 'Tells a client of whoever changes what it is told of the first person',
    /** Who that is for each client, and which claims those are. */
    memory: () => new Latest<{ personId: string; claims: readonly string[] }>(10_000),
    notices: <Notice extends EventNotice>(
      planned: readonly Notice[],
      _bank: unknown,
      first: Latest<{ personId: string; claims: readonly string[] }>,
    ) =>
      withClaims(planned, (notice) => {
        const { clientId, personId } = notice
        const known = first.get(clientId) ?? { personId, claims: claimsOf(notice) }
        first.set(clientId, known)
        return known.personId === personId ? [] : known.claims
      }),
  }),
  ...(
    [
      ['majority', 'age'],
      ['age', 'majority'],
    ] as const
  ).map(([claim, beside]) =>
    fault({
      id: `notification/${claim}-beside-${beside}`,
      breaks: ['EVT-8'],
      places: [`claim=${claim}`],
      title: `Tells whoever is told of ${beside} of ${claim} as well, where a birthdate changes both`,
      notices: <Notice extends EventNotice>(planned: readonly Notice[]) =>
        planned.some((one) => claimsOf(one).includes(claim))
          ? withClaims(planned, (one) => (claimsOf(one).includes(beside) ? [claim] : []))
          : planned,
    }),
  ),
  ...reached.map((claim) =>
    fault({
      id: `notification/${claim.replaceAll('_', '-')}-out-of-reach`,
      breaks: ['EVT-8'],
      places: [`claim=${claim}`],
      title: `Tells everybody that ${claim} has changed, whatever the person approved`,
      notices: <Notice extends EventNotice>(planned: readonly Notice[]) => {
        const changed =
          claim === 'updated_at' ||
          planned.some(({ content }) => content.kind === 'notification' && content.claims.includes(claim))
        if (!changed) return planned
        return planned.map((notice) => {
          const { content } = notice
          if (content.kind === 'logout') return notice
          return { ...notice, content: { ...content, claims: [...new Set([...content.claims, claim])] } }
        })
      },
    }),
  ),
  fault({
    id: 'notification/out-of-reach',
    breaks: ['EVT-8'],
    places: reached.map((claim) => `claim=${claim}`),
    title: 'Tells of all claims that have changed, whatever the person approved',
    without: ['notification/reach'],
  }),
]
