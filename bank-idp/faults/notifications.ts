import { randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import type { NestedJwt } from '../seams.js'
import { fault, omit } from './fault.js'
import { rogueKey, signedByRogueKey } from './rogue-key.js'

type Event = Record<string, unknown>

function claims(change: (claims: JWTPayload) => Record<string, unknown>) {
  return {
    notification_token: (nestedJwt: NestedJwt): NestedJwt => ({ ...nestedJwt, claims: change(nestedJwt.claims) }),
  }
}

function events(change: (event: Event) => Event) {
  return claims((token) => ({ ...token, events: (token.events as Event[]).map(change) }))
}

export const notificationFaults = [
  fault({
    id: 'notification/nobody-told',
    breaks: ['EVT-1'],
    places: ['use=second-client'],
    title: 'Tells no client that a person has changed',
    without: ['notification/told'],
  }),
  fault({
    id: 'notification/without-offset',
    breaks: ['EVT-2'],
    places: ['member=original_event_at'],
    title: 'Gives the time of an event without its offset',
    nestedJwt: events((event) => ({
      ...event,
      original_event_at: String(event.original_event_at).replace(/[+-]\d\d:\d\d$/, ''),
    })),
  }),
  fault({
    id: 'notification/time-of-epoch',
    breaks: ['EVT-2'],
    places: ['member=original_event_at value=other-type', 'member=original_event_at value=other-unit'],
    title: 'Gives the time of an event in Unix seconds',
    nestedJwt: events((event) => ({ ...event, original_event_at: Date.parse(String(event.original_event_at)) / 1000 })),
  }),
  fault({
    id: 'notification/other-type',
    breaks: ['EVT-2'],
    places: ['member=type'],
    title: 'Calls the type of an event by another name',
    nestedJwt: events((event) => ({ ...event, type: 'claims_changed' })),
  }),
  fault({
    id: 'notification/no-jti',
    breaks: ['EVT-2'],
    places: ['member=jti'],
    title: 'Gives the notification token no jti',
    nestedJwt: claims((token) => omit(token, 'jti')),
  }),
  fault({
    id: 'notification/typed-as-logout-token',
    breaks: ['EVT-2'],
    places: ['part=typ'],
    title: 'Says in the header of the notification token that it is a logout token (typ logout+jwt)',
    nestedJwt: { notification_token: (nestedJwt) => ({ ...nestedJwt, typ: 'logout+jwt' }) },
  }),
  fault({
    id: 'notification/other-issuer',
    breaks: ['EVT-2', 'DISC-14'],
    places: ['member=iss', 'token=notification-token'],
    title: 'Names another issuer in the notification token',
    nestedJwt: claims((token) => ({ ...token, iss: 'https://bank.example' })),
  }),
  fault({
    id: 'notification/lost',
    breaks: ['EVT-1'],
    places: ['use=second-call'],
    title: 'Sends a notification once, and no more when the receiver is not available (503)',
    without: ['notification/redelivery'],
  }),
  fault({
    id: 'notification/new-jti-each-time',
    breaks: ['EVT-1'],
    places: ['use=second-call'],
    title: 'Gives a notification that is sent again another jti',
    nestedJwt: claims((token) => ({ ...token, jti: randomUUID() })),
  }),
  fault({
    id: 'notification/not-opted-in',
    breaks: ['EVT-3'],
    places: ['scope=notification.claims_updated value=missing'],
    title: 'Tells clients of a changed person that did not ask for it',
    without: ['notification/opted-in'],
  }),
  fault({
    id: 'notification/unsigned',
    breaks: ['EVT-5'],
    places: ['part=alg'],
    title: 'Does not sign the notification token (alg none)',
    nestedJwt: { notification_token: (nestedJwt) => ({ ...nestedJwt, signing: 'none' }) },
  }),
  fault({
    id: 'notification/unpublished-key',
    breaks: ['EVT-5', 'JWKS-4'],
    places: ['part=signature', 'token=notification-token'],
    title: 'Signs the notification token with a key that is not published, under the kid of one that is',
    memory: rogueKey,
    nestedJwt: { notification_token: signedByRogueKey },
  }),
  fault({
    id: 'notification/unknown-claim',
    breaks: ['EVT-6'],
    places: ['claim=email'],
    title: 'Names a claim by a name that is not among the allowed ones',
    nestedJwt: events((event) => ({
      ...event,
      affected_claims: [...(event.affected_claims as string[]), 'email_address'],
    })),
  }),
  fault({
    id: 'notification/one-subject',
    breaks: ['EVT-7'],
    places: ['use=first', 'use=second-client'],
    title: 'Names the person by one sub towards all clients, whatever their sector',
    without: ['notification/own-subject'],
  }),
  fault({
    id: 'notification/out-of-reach',
    breaks: ['EVT-8'],
    places: ['email', 'nickname', 'addresses'].map((claim) => `claim=${claim}`),
    title: 'Tells of all claims that have changed, whatever the person approved',
    without: ['notification/reach'],
  }),
]
