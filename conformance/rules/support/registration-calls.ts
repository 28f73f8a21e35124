import type { Replace } from '../../bank/operation.js'
import type { RegistrationCall } from '../../bank/registration.js'
import { type Managing, replacement } from '../../bank/registration-management.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'

/** GET, PUT, DELETE /register/{client_id}; DELETE last, since a client that it took away shows nothing more. */
export const managing: readonly Managing[] = ['GET', 'PUT', 'DELETE']

/** All that is authenticated as a registration is. */
export const everyMethod: readonly ('POST' | Managing)[] = ['POST', ...managing]

/** Places, by method, with the other terms that they have: `method=PUT part=exp`. */
export function atMethods(methods: readonly string[], ...terms: readonly string[]): string[] {
  return methods.flatMap((method) => (terms.length > 0 ? terms : ['']).map((term) => `method=${method} ${term}`.trim()))
}

/** Changes of a good call, by what is wrong with it then. */
export type Flaws = Readonly<Record<string, Replace<RegistrationCall>>>

/**
 * Makes a call of each method with each flaw, after the good one was seen to be taken. That calls about a client were not refused because
 * it was gone is seen at the end: it can still be read.
 */
export async function tryFlaws(
  { bank, expect, inVariation }: Pick<Tools, 'bank' | 'expect' | 'inVariation'>,
  methods: readonly ('POST' | Managing)[],
  flaws: Flaws,
  judge: (call: () => Promise<HttpResponse>) => Promise<void>,
): Promise<void> {
  const managed = methods.filter((method) => method !== 'POST')
  if (methods.includes('POST')) {
    for (const [flaw, replace] of Object.entries(flaws))
      await inVariation(`POST ${flaw}`, () => judge(() => bank.registration.modified({}, replace)))
  }
  if (managed.length === 0) return
  const client = await bank.readableClient()
  if (managed.includes('PUT')) await bank.replaceRecord(client, replacement(client))
  for (const method of managed) {
    for (const [flaw, replace] of Object.entries(flaws))
      await inVariation(`${method} ${flaw}`, () => judge(() => bank.manage(method, client, replace)))
  }
  expect(await bank.manage('GET', client)).toHaveStatus(200)
}
