import { now } from '../clock.js'
import { type Claims, ofFirstFaults, signatureFaults, type TokenRow, tokenFaults, typeFault } from './event-tokens.js'
import { type Fault, omit } from './fault.js'

/** What is wrong with the notification token. */

type Event = Record<string, unknown>

/** Changes each event of a token. */
const events =
  (change: (event: Event) => Event) =>
  (token: Claims): Claims => ({ ...token, events: (token.events as Event[]).map(change) })

/** Who hears nothing of an event that is not where it should be. */
const unheard = { 'notifications/sent': 'a client is told of an event that names it' }

const tokenRows: readonly TokenRow[] = [
  {
    slug: 'other-issuer',
    breaks: ['EVT-2', 'DISC-14'],
    places: ['member=iss', 'token=notification-token'],
    title: 'Names another issuer in the notification token',
    change: (token) => ({ ...token, iss: 'https://bank.example' }),
  },
  {
    slug: 'old',
    places: ['member=iat'],
    title: 'Gives iat of the notification token a day too early',
    change: (token) => ({ ...token, iat: Number(token.iat) - 86_400 }),
  },
  {
    slug: 'over',
    places: ['member=exp'],
    title: 'Makes notification tokens that ended a quarter of an hour before they were made',
    change: (token) => ({ ...token, exp: Number(token.iat) - 900 }),
  },
  {
    slug: 'later-valid',
    places: ['member=nbf'],
    title: 'Makes notification tokens that nobody may take for half an hour',
    change: (token) => ({ ...token, nbf: Number(token.iat) + 1800 }),
  },
  {
    slug: 'no-jti',
    places: ['member=jti'],
    title: 'Gives the notification token no jti',
    change: (token) => omit(token, 'jti'),
  },
  {
    slug: 'events-by-name',
    places: ['member=events'],
    title: 'Gives the events of the notification token as an object',
    change: (token) => ({ ...token, events: { ...(token.events as Event[]) } }),
  },
  {
    slug: 'events-elsewhere',
    places: ['member=events value=missing'],
    title: 'Gives the events of the notification token as event',
    collateral: unheard,
    change: ({ events, ...token }) => ({ ...token, event: events }),
  },
]

/** Claims of which a bank may have names of its own. */
const internal = [
  ...['title_prefix', 'title_suffix', 'idcards', 'maritalstatus', 'zoneinfo', 'locale', 'pep'],
  ...['given_name', 'preferred_username', 'birthplace', 'limited_legal_capacity'],
  ...['name', 'gender', 'paymentAccounts', 'primary_nationality'],
]

const eventRows: readonly TokenRow[] = [
  {
    slug: 'without-offset',
    places: ['member=original_event_at'],
    title: 'Gives the time of an event without its offset',
    change: events((event) => ({
      ...event,
      original_event_at: String(event.original_event_at).replace(/[+-]\d\d:\d\d$/, ''),
    })),
  },
  {
    slug: 'offset-of-elsewhere',
    places: ['member=original_event_at'],
    title: 'Gives the time of an event in UTC, and says that it is two hours ahead',
    change: events((event) => ({
      ...event,
      original_event_at: String(event.original_event_at).replace(/(Z|[+-]\d\d:\d\d)$/, '+02:00'),
    })),
  },
  {
    slug: 'time-of-epoch',
    places: ['member=original_event_at value=other-type', 'member=original_event_at value=other-unit'],
    title: 'Gives the time of an event in Unix seconds',
    change: events((event) => ({ ...event, original_event_at: Date.parse(String(event.original_event_at)) / 1000 })),
  },
  {
    slug: 'other-type',
    places: ['member=type'],
    title: 'Calls the type of an event by another name',
    change: events((event) => ({ ...event, type: 'claims_changed' })),
  },
  {
    slug: 'nobody',
    places: ['member=sub'],
    title: 'Does not say in an event whose claims have changed',
    collateral: { 'notifications/subject': 'who it is about is the sub' },
    change: events((event) => omit(event, 'sub')),
  },
  {
    slug: 'clients-as-text',
    places: ['member=affected_client_ids'],
    title: 'Gives the clients of an event as text',
    change: events((event) => ({ ...event, affected_client_ids: String(event.affected_client_ids) })),
  },
  {
    slug: 'clients-elsewhere',
    places: ['member=affected_client_ids value=missing'],
    title: 'Gives the clients of an event as affected_clients',
    collateral: unheard,
    change: events(({ affected_client_ids, ...event }) => ({ ...event, affected_clients: affected_client_ids })),
  },
  {
    slug: 'offset-without-colon',
    places: ['member=original_event_at'],
    title: 'Gives the time of an event without a colon in its offset',
    change: events((event) => ({
      ...event,
      original_event_at: String(event.original_event_at).replace(/:(\d\d)$/, '$1'),
    })),
  },
  {
    slug: 'time-of-delivery',
    places: ['use=second-call member=original_event_at'],
    title: 'Gives the time of the delivery for that of an event, so that another comes again',
    change: events((event) => ({
      ...event,
      original_event_at: new Date(now()).toISOString().replace('Z', '+00:00'),
    })),
  },
  {
    slug: 'claims-as-text',
    places: ['member=affected_claims'],
    title: 'Gives the claims of an event as text',
    collateral: {
      'notifications/sent': 'what a client is told of is among the claims',
      'notifications/allowed-claims': 'a text is none of the allowed values',
    },
    change: events((event) => ({ ...event, affected_claims: String(event.affected_claims) })),
  },
  {
    slug: 'only-claim-as-text',
    places: ['member=affected_claims value=lower-bound'],
    title: 'Gives the claims of an event as text where there is one alone',
    change: events((event) => {
      const [only, ...others] = event.affected_claims as string[]
      return others.length === 0 ? { ...event, affected_claims: only } : event
    }),
  },
  {
    slug: 'unknown-claim',
    breaks: ['EVT-6'],
    places: ['claim=email'],
    title: 'Names a claim by a name that is not among the allowed ones',
    change: events((event) => ({
      ...event,
      affected_claims: [...(event.affected_claims as string[]), 'email_address'],
    })),
  },
  {
    slug: 'verified-phone-otherwise',
    breaks: ['EVT-6'],
    places: ['claim=phone_number_verified'],
    title: 'Names phone_number_verified as verified_phone_number',
    collateral: { 'notifications/sent-of-second-person': 'who is to hear of such a claim hears of another' },
    change: events((event) => ({
      ...event,
      affected_claims: (event.affected_claims as string[]).map((claim) =>
        claim === 'phone_number_verified' ? 'verified_phone_number' : claim,
      ),
    })),
  },
  {
    slug: 'members-named',
    breaks: ['EVT-6'],
    places: ['claim=addresses'],
    title: 'Names the member of an address that has changed',
    change: events((event) => ({
      ...event,
      affected_claims: (event.affected_claims as string[]).map((claim) =>
        claim === 'addresses' ? 'addresses.street' : claim,
      ),
    })),
  },
  {
    slug: 'claims-otherwise',
    breaks: ['EVT-6'],
    places: internal.map((claim) => `claim=${claim}`),
    title: 'Names titles, cards, the given name, the birthplace, the language and the like as it does itself',
    collateral: { 'notifications/sent': 'who is to hear of such a claim hears of another' },
    change: events((event) => ({
      ...event,
      affected_claims: (event.affected_claims as string[]).map((claim) =>
        internal.includes(claim) ? `person_${claim}` : claim,
      ),
    })),
  },
]

export const notificationFaults: readonly Fault[] = [
  ...tokenFaults('notification', ['EVT-2'], [...tokenRows, ...eventRows]),
  ...ofFirstFaults(
    'notification',
    ['EVT-2'],
    [
      {
        slug: 'jti-of-first',
        member: 'jti',
        places: ['member=jti value=repeated'],
        title: 'Gives each notification token the jti of the first',
      },
    ],
  ),
  ...signatureFaults('notification', 'EVT-5'),
  typeFault('notification', {
    slug: 'typed-as-logout-token',
    breaks: 'EVT-2',
    title: 'Says in the header of the notification token that it is a logout token (typ logout+jwt)',
    typ: 'logout+jwt',
  }),
]
