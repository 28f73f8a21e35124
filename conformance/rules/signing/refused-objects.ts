import type { Bank } from '../../bank/bank.js'
import type { RequestObjectOptions } from '../../bank/ros.js'
import type { Submission } from '../../bank/submission-outcome.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import { type Need, toSign } from '../../target/needs.js'
import { expectObjectRefused, isAuthorized } from './refusals.js'

export type Claims = Record<string, unknown>

/** The steps that take the place of good ones. */
export type Broken = (good: Submission, bank: Bank) => Partial<Submission> | Promise<Partial<Submission>>

/** What a request object is refused for. */
export interface Row {
  slug: string
  requirement: string
  places: readonly string[]
  title: string
  /** With redirect where a bank may take one, whose person is then sent to /authorize, wherever that ends. Default: to sign. */
  needs?: readonly Need[]
  /** What the good objects are like; each is broken in each way. Default: one of a text. */
  good?: readonly RequestObjectOptions[] | ((tools: Tools) => Promise<readonly RequestObjectOptions[]>)
  /** By what is wrong. */
  broken: Record<string, Broken>
  /** By what is of another type than it is to be: a bank that reads any JSON as what it stands for is warned. Of the first good one. */
  oddlyTyped?: Record<string, Broken>
  /** By what can be read as right too: a bank that takes it is warned. */
  readable?: Record<string, Broken>
  /** By what is wrong with a member in whose place /authorize tells the right thing: a bank that goes by that alone is warned. */
  passedOver?: Record<string, Broken>
  /** Ones at the edge of what is refused, which have to be taken. */
  accepted?: readonly RequestObjectOptions[]
  /** What else is to be seen once these are refused. */
  also?(tools: Tools): Promise<void>
}

export function without(members: Claims, ...names: string[]): Claims {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))
}

/** Other claims. */
export const claims =
  (change: (good: Claims) => Claims): Broken =>
  (good) => ({ claims: change(good.claims) })

/** Claims in place of the good ones. */
export const claim = (changes: Claims): Broken => claims((good) => ({ ...good, ...changes }))

/** One object of the structured scope otherwise. */
export function objectIn(name: string, change: (good: Claims) => Claims): Broken {
  return claims((good) => {
    const scope = good.structured_scope as Record<string, Claims>
    return { ...good, structured_scope: { ...scope, [name]: change(scope[name] ?? {}) } }
  })
}

/** Another envelope of documents in the structured scope. */
export const envelope = (change: (good: Claims) => Claims): Broken => objectIn('documentObjects', change)

/** As many documents in place of those of a good envelope. */
export const inEnvelope =
  (count: number): Broken =>
  async (good, bank) => {
    const changed = await bank.signing.requestObject.prepare({ kind: 'documents', count })
    const [mine, more] = [good.claims, changed.claims].map((one) => one.structured_scope as object)
    return { claims: { ...good.claims, structured_scope: { ...mine, ...more } } }
  }

/** Another redirect URI, in the claims and at /authorize. */
export const redirectTo =
  (change: (registered: string) => string | undefined): Broken =>
  (good) => {
    const redirect_uri = change(good.client.redirectUri)
    return {
      claims: without({ ...good.claims, redirect_uri }, ...(redirect_uri === undefined ? ['redirect_uri'] : [])),
      query: { redirect_uri },
    }
  }

/** Where nobody registered to be. */
export const elsewhere = 'https://evil.example/callback'

function nameOf({ kind, bearer }: RequestObjectOptions, how: string): string {
  return [kind, bearer && 'with an access token', how].filter(Boolean).join(': ')
}

/** A table as rules, one for each row. */
export function refusalRules(rows: readonly Row[]): readonly Rule[] {
  return rows.map(({ slug, requirement, places, title, needs = toSign, good = [{}], accepted = [], also, ...ways }) =>
    rule({
      id: `signing/${slug}`,
      requirement,
      places,
      title,
      needs,
      async check(tools) {
        const { bank, expect, inVariation, warn } = tools
        const { broken, readable = {}, oddlyTyped = {}, passedOver = {} } = ways
        if (accepted.length > 0) await bank.signing.requestObject.expectBaseline()
        for (const options of accepted) expect(await bank.signing.requestObject.try(options)).toHaveStatus(200, 201)
        const allGood = typeof good === 'function' ? await good(tools) : good
        for (const options of allGood) {
          for (const [how, change] of Object.entries(broken)) {
            await inVariation(nameOf(options, how), async () => {
              const outcome = await bank.signing.submission.modified(options, (one) => change(one, bank))
              expectObjectRefused(expect, outcome)
            })
          }
          for (const [how, change] of Object.entries(readable)) {
            const named = nameOf(options, how)
            await inVariation(named, async () => {
              const outcome = await bank.signing.submission.modified(options, (one) => change(one, bank))
              if (isAuthorized(outcome)) warn(`${named} is taken`)
              else expectObjectRefused(expect, outcome)
            })
          }
          for (const [how, change] of Object.entries(passedOver)) {
            const named = nameOf(options, how)
            await inVariation(named, async () => {
              const outcome = await bank.signing.submission.modified(options, (one) => change(one, bank))
              if (isAuthorized(outcome)) warn(`${named} is passed over: the bank goes by what /authorize is told`)
              else expectObjectRefused(expect, outcome)
            })
          }
        }
        for (const [how, change] of Object.entries(oddlyTyped)) {
          await inVariation(how, async () => {
            const outcome = await bank.signing.submission.modified(allGood[0] ?? {}, (one) => change(one, bank))
            if (isAuthorized(outcome)) warn(`a request object of ${how} is taken`)
            else expectObjectRefused(expect, outcome)
          })
        }
        await also?.(tools)
      },
    }),
  )
}
