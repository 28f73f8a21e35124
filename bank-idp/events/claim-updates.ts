import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Claims, type Person, type Verification, withAge } from '../../fixtures/people.js'
import { claimsOfScope } from '../claims.js'
import { now, nowSeconds } from '../clock.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { withChanges } from '../next-logins.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import { receiverOf } from '../receivers.js'
import { runSteps, type Step } from '../steps.js'
import { noteChange } from '../store/changes.js'
import { type ClaimChanges, KnownPeople, type KnownPerson, savePeople } from '../store/known-people.js'
import type { ClaimUpdateContent, OutboxItem } from '../store/outbox.js'
import { personProblem } from '../tell-violation.js'

/** By registering it a client asks for notifications. Specification: "Events" 1. */
const notificationScope = 'notification.claims_updated'

/** What the bank knows of a person: claims, and how they were checked, by the names that affected_claims has for them. */
type Known = Claims & Partial<Verification>

/** Of verified_claims an event names these members ("Notification token and event"). */
const verificationMembers: readonly (keyof Verification)[] = ['trust_framework', 'time', 'verification_process']

type UpdateContext = Pick<
  BankContext,
  'people' | 'clients' | 'consents' | 'subjects' | 'outbox' | 'config' | 'policy' | 'seams' | 'shared'
>

/** What one client may be told of a change, while it is made ready. */
interface Update {
  item: OutboxItem & { content: ClaimUpdateContent }
  /** Whether the client asked for notifications. */
  optedIn: boolean
  /** What the person approved. */
  scopes: readonly string[]
  /** The person's sub at the client. */
  subject(): string
  /** What is going to be sent. */
  items: OutboxItem[]
}

/** How what has changed becomes what a client is told. Specification: "Events". */
const updateSteps: readonly Step<Update>[] = [
  {
    id: 'notification/opted-in',
    run({ item, optedIn }) {
      if (!optedIn) item.content.claims = []
    },
  },
  {
    id: 'notification/reach',
    run({ item, scopes }) {
      item.content.claims = within(item.content.claims, scopes)
    },
  },
  {
    id: 'notification/own-subject',
    run({ item, subject }) {
      item.content.sub = subject()
    },
  },
  {
    id: 'notification/told',
    run({ item, items }) {
      if (item.content.claims.length > 0) items.push(item)
    },
  },
]

/** Changes what the bank knows of people, and has clients told. */
export class ClaimUpdates {
  readonly #context: UpdateContext
  readonly #known: KnownPeople
  /** Changes come one after the other. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(context: UpdateContext, known: KnownPeople) {
    this.#context = context
    this.#known = known
  }

  /** Takes up the changes of earlier starts, and notices what has changed in the people's files since. */
  async begin(): Promise<void> {
    const { people, config } = this.#context
    // What nobody has changed is of no use in a store that ends with the process.
    const isForLater = config.data !== undefined || config.store !== undefined
    const kept = await this.#known.kept()
    const fresh: KnownPerson[] = []
    const items: OutboxItem[] = []
    for (const { id, claims, verified, reckonedFrom = null } of people.identities()) {
      const { verification } = verified
      const known = kept.get(id)
      if (known?.isAs(claims, verification)) continue
      const before = known?.read()
      const changes = before?.changes ?? {}
      const after = withChanges(claims, changes)
      people.know(id, after)
      if (before && isDeepStrictEqual([before.claims, before.verification], [after, verification])) continue
      if (!before && !isForLater) continue
      fresh.push({ personId: id, claims: after, verification, changes, reckonedFrom })
      if (!before) continue
      const earlier = { ...asReckonedToday(before, after, reckonedFrom), ...(before.verification ?? verification) }
      items.push(...(await this.#updates(id, earlier, { ...after, ...verification })))
    }
    if (fresh.length === 0) return
    await this.#context.outbox.with(async (db) => {
      // What another replica changed meanwhile stays as that one has it.
      const latest = await new KnownPeople(db).kept()
      const isLatest = ({ personId, changes }: KnownPerson) => {
        const theirs = latest.get(personId)
        return theirs ? isDeepStrictEqual(theirs.read().changes, changes) : Object.keys(changes).length === 0
      }
      const written = fresh.filter(isLatest)
      await savePeople(db, written)
      if (items.length === 0) return []
      const ids = new Set(written.map(({ personId }) => personId))
      return items.filter(({ personId }) => ids.has(personId))
    })
  }

  /**
   * Changes claims of a person.
   *
   * @param changes values by claim; null takes a claim away
   * @returns the person as they are now
   * @throws {BankError} not_found, or invalid_request naming the claim
   */
  change(login: string, changes: ClaimChanges): Promise<Person> {
    const change = this.#last.then(() => this.#change(login, changes))
    this.#last = change.catch(() => {})
    return change
  }

  async #change(login: string, changes: ClaimChanges): Promise<Person> {
    const { people, shared } = this.#context
    await shared.fresh()
    const person = people.named(login)
    const { reckonedFrom, ...filed } = person
    // It follows from the other changes.
    if ('updated_at' in changes) throw new BankError('invalid_request', 'updated_at is set by the bank at each change')
    if (isDeepStrictEqual(withChanges(person.claims, changes), withChanges(person.claims, {}))) return person
    for (;;) {
      const earlier = (await this.#known.find(person.id))?.changes ?? {}
      const all = { ...earlier, ...changes, updated_at: nowSeconds() }
      const claims = withChanges(person.claims, all)
      const problem = personProblem({ ...filed, claims, accounts: undefined })
      if (problem !== undefined) throw new BankError('invalid_request', problem)
      const items = await this.#updates(person.id, withChanges(person.claims, earlier), claims)
      const { verification } = person.verified
      const known = { personId: person.id, claims, verification, changes: all, reckonedFrom: reckonedFrom ?? null }
      if (!(await this.#keep(known, earlier, items))) continue
      people.know(person.id, claims)
      return { ...person, claims }
    }
  }

  /** @returns false, and keeps nothing, where another replica changed something of the person since it was known what was changed before */
  async #keep(known: KnownPerson, earlier: ClaimChanges, items: OutboxItem[]): Promise<boolean> {
    let isLatest = false
    await this.#context.outbox.with(async (db) => {
      const before = (await new KnownPeople(db).find(known.personId))?.changes ?? {}
      isLatest = isDeepStrictEqual(before, earlier)
      if (!isLatest) return []
      await savePeople(db, [known])
      await noteChange(db, 'claims', known.personId)
      return items
    })
    return isLatest
  }

  /** Who is to be told of what: exactly those that opted in, and of what their approved scopes reach (AMB-66). */
  async #updates(personId: string, before: Known, after: Known): Promise<OutboxItem[]> {
    const { consents, clients, subjects, config, policy, seams } = this.#context
    const names = changedNames(before, after)
    const change = randomUUID()
    const at = new Date(now()).toISOString().replace('Z', '+00:00')
    const items = (await consents.ofPerson(personId)).map(async ({ clientId, scopes }): Promise<OutboxItem[]> => {
      const client = await clients.find(clientId)
      const receiver = client && receiverOf({ config, policy }, 'notification', client)
      if (!client || receiver === undefined) return []
      const registered = parseSpaceDelimited(client.record.scope)
      const requested = policy.notificationOptIn === 'registered' ? registered : scopes
      const optedIn = registered.includes(notificationScope) && requested.includes(notificationScope)
      const content = { kind: 'notification' as const, change, at, sub: personId, claims: names }
      const update: Update = {
        item: { receiver, clientId, personId, content },
        optedIn,
        scopes,
        subject: () => subjects.of(client, personId),
        items: [],
      }
      await runSteps(updateSteps, update, seams, clientId)
      return update.items
    })
    return [...seams.notices((await Promise.all(items)).flat())]
  }
}

function within(names: readonly string[], scopes: readonly string[]): string[] {
  const claims = scopes.flatMap(claimsOfScope)
  const reach = new Set(claims.flatMap<string>((one) => (one === 'verified_claims' ? verificationMembers : [one])))
  return names.filter((name) => reach.has(name))
}

/**
 * What was known of a person, with the birthdate that the age in their file comes to today: by the same age as before, another day's
 * birthdate is no change of the person.
 */
function asReckonedToday(before: KnownPerson, after: Claims, reckonedFrom: KnownPerson['reckonedFrom']): Claims {
  const { birthdate, birthnumber } = after
  const { reckonedFrom: earlier = reckonedFrom } = before
  if (reckonedFrom === null || !isDeepStrictEqual(earlier, reckonedFrom)) return before.claims
  return withChanges(before.claims, { birthdate, birthnumber: birthnumber ?? null })
}

/** The claims whose values differ, with what follows from the birthdate. */
function changedNames(before: Known, after: Known): string[] {
  const moment = new Date(now())
  const [old, fresh]: Record<string, unknown>[] = [{ ...withAge(before, moment) }, { ...withAge(after, moment) }]
  const names = new Set([...Object.keys(old ?? {}), ...Object.keys(fresh ?? {})])
  return [...names].filter((name) => !isDeepStrictEqual(old?.[name], fresh?.[name])).sort()
}
