import { randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { fault, omit, type Sealing } from './fault.js'
import { signedByStranger } from './strange-key.js'

type Event = Record<string, unknown>

function claims(change: (claims: JWTPayload) => Record<string, unknown>) {
  return { notification_token: (sealing: Sealing): Sealing => ({ ...sealing, claims: change(sealing.claims) }) }
}

function events(change: (event: Event) => Event) {
  return claims((token) => ({ ...token, events: (token.events as Event[]).map(change) }))
}

export const notificationFaults = [
  fault({
    id: 'notification/nobody-told',
    breaks: ['EVT-1'],
    title: 'Tells no application that a person has changed',
    without: ['notification/told'],
  }),
  fault({
    id: 'notification/without-offset',
    breaks: ['EVT-2'],
    title: 'Gives the time of an event without its offset',
    sealing: events((event) => ({
      ...event,
      original_event_at: String(event.original_event_at).replace(/[+-]\d\d:\d\d$/, ''),
    })),
  }),
  fault({
    id: 'notification/time-of-epoch',
    breaks: ['EVT-2'],
    title: 'Gives the time of an event in Unix seconds',
    sealing: events((event) => ({ ...event, original_event_at: Date.parse(String(event.original_event_at)) / 1000 })),
  }),
  fault({
    id: 'notification/other-type',
    breaks: ['EVT-2'],
    title: 'Calls the type of an event by another name',
    sealing: events((event) => ({ ...event, type: 'claims_changed' })),
  }),
  fault({
    id: 'notification/no-jti',
    breaks: ['EVT-2'],
    title: 'Gives the notification token no jti',
    sealing: claims((token) => omit(token, 'jti')),
  }),
  fault({
    id: 'notification/other-issuer',
    breaks: ['EVT-2', 'DISC-14'],
    title: 'Names another issuer in the notification token',
    sealing: claims((token) => ({ ...token, iss: 'https://bank.example' })),
  }),
  fault({
    id: 'notification/lost',
    breaks: ['EVT-1'],
    title: 'Sends a notification once, and no more when the receiver is not available (503)',
    without: ['notification/redelivery'],
  }),
  fault({
    id: 'notification/new-jti-each-time',
    breaks: ['EVT-1'],
    title: 'Gives a notification that is sent again another jti',
    sealing: claims((token) => ({ ...token, jti: randomUUID() })),
  }),
  fault({
    id: 'notification/not-opted-in',
    breaks: ['EVT-3'],
    title: 'Tells applications of a changed person that did not ask for it',
    without: ['notification/opted-in'],
  }),
  fault({
    id: 'notification/unsigned',
    breaks: ['EVT-5'],
    title: 'Does not sign the notification token (alg none)',
    sealing: { notification_token: (sealing) => ({ ...sealing, signing: 'none' }) },
  }),
  fault({
    id: 'notification/unpublished-key',
    breaks: ['EVT-5', 'JWKS-4'],
    title: 'Signs the notification token with a key that is not published, under the kid of one that is',
    sealing: { notification_token: signedByStranger },
  }),
  fault({
    id: 'notification/unknown-claim',
    breaks: ['EVT-6'],
    title: 'Names a claim by a name that is not among the allowed ones',
    sealing: events((event) => ({
      ...event,
      affected_claims: [...(event.affected_claims as string[]), 'email_address'],
    })),
  }),
  fault({
    id: 'notification/one-subject',
    breaks: ['EVT-7'],
    title: 'Names the person by one sub towards all applications, whatever their sector',
    without: ['notification/own-subject'],
  }),
  fault({
    id: 'notification/out-of-reach',
    breaks: ['EVT-8'],
    title: 'Tells of all claims that have changed, whatever the person approved',
    without: ['notification/reach'],
  }),
]
