import type { ClientStore } from '../client.js'
import { Latest } from '../latest.js'
import type { EventNotice, SeamResponse } from '../seams.js'
import type { EventKind } from './event-tokens.js'
import { type Fault, fault } from './fault.js'

/** The address of each client that registered one, by client_id. */
class Addresses {
  readonly registered = new Latest<string>(10_000)
  readonly deleted = new Latest<true>(10_000)
}

/** Which clients are told of an event that is no business of theirs. */
const besides: readonly {
  slug: string
  place: string
  title: string
  tells: (clientId: string, addresses: Addresses) => boolean
}[] = [
  {
    slug: 'everybody-told',
    place: 'use=uninvolved',
    title: 'Tells every client that registered an address',
    tells: (clientId, { deleted }) => !deleted.has(clientId),
  },
  {
    slug: 'deleted-told',
    place: 'use=after-deletion',
    title: 'Tells clients that were deleted',
    tells: (clientId, { deleted }) => deleted.has(clientId),
  },
]

/** Notices to further clients: each says what the first says. */
function withFurther<Notice extends EventNotice>(
  planned: readonly Notice[],
  kind: EventKind,
  addresses: Addresses,
  tells: (clientId: string, addresses: Addresses) => boolean,
): readonly Notice[] {
  const [first] = planned.filter(({ content }) => content.kind === kind)
  if (!first) return planned
  const further = [...addresses.registered.entries()]
    .filter(([clientId]) => tells(clientId, addresses) && !planned.some((one) => one.clientId === clientId))
    .map(([clientId, receiver]) => ({ ...first, clientId, receiver }))
  return [...planned, ...further]
}

/** Of which event a fault is. */
interface Telling {
  event: EventKind
  /** Of the registration record: where clients are told of it. */
  member: string
  /** The requirement that a fault breaks. */
  breaks: string
}

/** The fault by which one client is told of those at one address. */
export function oneOfEachAddress({ event, member, breaks }: Telling): Fault {
  return fault({
    id: `${event}/one-of-each-address`,
    breaks: [breaks],
    places: ['use=second-client value=repeated'],
    title: `Tells one client of those that have the same ${member}`,
    notices: <Notice extends EventNotice>(planned: readonly Notice[]) =>
      planned.filter(
        ({ receiver, content }, index) =>
          content.kind !== event || planned.findIndex((one) => one.receiver === receiver) === index,
      ),
  })
}

/** The fault by which the query of the address is left out where one is told. */
export function queryDropped({ event, member, breaks }: Telling): Fault {
  return fault({
    id: `${event}/query-of-address-dropped`,
    breaks: [breaks],
    places: [`use=after-put member=${member} value=encoded`],
    title: `Sends what it tells to ${member} without the query of that address`,
    notices: <Notice extends EventNotice>(planned: readonly Notice[]) =>
      planned.map((notice) =>
        notice.content.kind === event ? { ...notice, receiver: notice.receiver.replace(/\?.*/, '') } : notice,
      ),
  })
}

/** The fault by which a client of public subjects is told of the person by the sub that they have in a sector. */
export function publicNamedPairwise(event: EventKind, breaks: string): Fault {
  return fault({
    id: `${event}/public-subject-pairwise`,
    breaks: [breaks],
    places: ['member=subject_type'],
    title: `Names the person of a ${event} towards a client of public subjects by a pairwise sub`,
    notices: <Notice extends EventNotice>(planned: readonly Notice[]) =>
      planned.map((notice) => {
        const { content, personId } = notice
        // A public sub is the name by which the bank itself knows the person.
        const other = planned.find((one) => one.personId === personId && one.content.sub !== personId)
        if (content.kind !== event || content.sub !== personId || !other) return notice
        return { ...notice, content: { ...content, sub: other.content.sub } }
      }),
  })
}

/** Faults by which clients are told that have nothing to do with an event. */
export function toldBesides({ event, member, breaks }: Telling): Fault[] {
  return besides.map(({ slug, place, title, tells }) =>
    fault({
      id: `${event}/${slug}`,
      breaks: [breaks],
      places: [place],
      title: `${title}, of each ${event}`,
      memory: () => new Addresses(),
      response: {
        'POST /register': (response: SeamResponse, _bank: unknown, { registered }: Addresses) => {
          const body = (response.body ?? {}) as Record<string, unknown>
          if (typeof body[member] === 'string') registered.set(String(body.client_id), String(body[member]))
          return response
        },
      },
      clients: {
        remove: (clientId: string, { store }: { store: ClientStore }, { deleted }: Addresses) => {
          deleted.set(clientId, true)
          return store.remove(clientId)
        },
      },
      notices: <Notice extends EventNotice>(planned: readonly Notice[], _bank: unknown, addresses: Addresses) =>
        withFurther(planned, event, addresses, tells),
    }),
  )
}
