import type { EventForm, EventNotice, NestedJwt } from '../seams.js'
import { type Deviation, type Fault, fault } from './fault.js'
import { rogueKey, signedByRogueKey } from './rogue-key.js'

/** What can be wrong with a logout token and with a notification token alike. */

export type EventKind = EventNotice['content']['kind']

export type Claims = NestedJwt['claims']

/** A mistake in the claims of such a token: a part of its fault. */
export interface TokenRow extends Pick<Fault, 'places' | 'title' | 'collateral'> {
  /** The id without the event. */
  slug: string
  /** Left out where it is what the others of its table break. */
  breaks?: readonly string[]
  change: (claims: Claims) => Record<string, unknown>
}

/** For `nestedJwt`: changes the tokens of an event. */
function tokens<Memory = unknown>(
  kind: EventKind,
  change: (nestedJwt: NestedJwt, bank: unknown, memory: Memory) => NestedJwt,
): NonNullable<Deviation<Memory>['nestedJwt']> {
  return { [`${kind}_token`]: change }
}

/** A fault for each mistake in the claims. @param breaks what they break that do not say it themselves */
export function tokenFaults(kind: EventKind, breaks: readonly string[], rows: readonly TokenRow[]): Fault[] {
  return rows.map(({ slug, change, ...description }) =>
    fault({
      breaks,
      ...description,
      id: `${kind}/${slug}`,
      nestedJwt: tokens(kind, (nestedJwt) => ({ ...nestedJwt, claims: change(nestedJwt.claims) })),
    }),
  )
}

/** A fault for each claim of the first token that is every later one's too. */
export function ofFirstFaults(
  kind: EventKind,
  breaks: readonly string[],
  rows: readonly (Omit<TokenRow, 'change'> & { member: string })[],
): Fault[] {
  return rows.map(({ slug, member, ...description }) =>
    fault({
      breaks,
      ...description,
      id: `${kind}/${slug}`,
      memory: () => ({ first: undefined as unknown }),
      nestedJwt: tokens(kind, (nestedJwt, _bank, memory: { first: unknown }) => {
        memory.first ??= nestedJwt.claims[member]
        return { ...nestedJwt, claims: { ...nestedJwt.claims, [member]: memory.first } }
      }),
    }),
  )
}

/** Faults by which the token is not signed, or by nobody's key. @param breaks the requirement that it is signed */
export function signatureFaults(kind: EventKind, breaks: string): Fault[] {
  return [
    fault({
      id: `${kind}/unsigned`,
      breaks: [breaks],
      places: ['part=alg'],
      title: `Does not sign the ${kind} token (alg none)`,
      nestedJwt: tokens(kind, (nestedJwt) => ({ ...nestedJwt, signing: 'none' })),
    }),
    fault({
      id: `${kind}/unpublished-key`,
      breaks: [breaks, 'JWKS-4'],
      places: ['part=signature', `token=${kind}-token`],
      title: `Signs the ${kind} token with a key that is not published, under the kid of one that is`,
      memory: rogueKey,
      nestedJwt: tokens(kind, signedByRogueKey),
    }),
  ]
}

/** A fault by which the header of the token says that it is another. */
export function typeFault(
  kind: EventKind,
  { slug, breaks, title, typ }: Pick<TokenRow, 'slug' | 'title'> & { breaks: string; typ: string },
): Fault {
  return fault({
    id: `${kind}/${slug}`,
    breaks: [breaks],
    places: ['part=typ'],
    title,
    nestedJwt: tokens(kind, (nestedJwt) => ({ ...nestedJwt, typ })),
  })
}

/** Faults in how the token is posted. @param breaks the requirement that it is posted as a form field */
export function formFaults(kind: EventKind, breaks: string): Fault[] {
  const field = `${kind}_token`
  const posted = (change: Partial<EventForm>) => (form: EventForm) =>
    form.field === field ? { ...form, ...change } : form
  return [
    fault({
      id: `${kind}/other-field`,
      breaks: [breaks],
      places: [`parameter=${field}`],
      title: `Posts the ${kind} token as the form field token`,
      eventForm: posted({ field: 'token' }),
    }),
    fault({
      id: `${kind}/as-text`,
      breaks: [breaks],
      places: [`parameter=${field} value=other-type`],
      title: `Says of the form with the ${kind} token that it is plain text`,
      eventForm: posted({ contentType: 'text/plain' }),
    }),
  ]
}
