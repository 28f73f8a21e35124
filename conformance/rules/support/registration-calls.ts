import type { Replace } from '../../bank/operation.js'
import type { Client } from '../../bank/registration.js'
import type { RegistrationCall } from '../../bank/registration-call.js'
import type { Managing } from '../../bank/registration-management.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { putTrials } from './record-trials.js'

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
 * it was gone, and had no effect all the same, is seen at the end: it can still be read, and its record is what it was.
 * @param flaws the same for all calls, or made for the client and the method that they are about; of POST for a client that is registered
 */
export async function tryFlaws(
  tools: Pick<Tools, 'bank' | 'expect' | 'inVariation'>,
  methods: readonly ('POST' | Managing)[],
  flaws: Flaws | ((client: Client, method: 'POST' | Managing) => Flaws),
  judge: (call: () => Promise<HttpResponse>) => Promise<void>,
): Promise<void> {
  const { bank, inVariation } = tools
  const flawsFor = (client: Client, method: 'POST' | Managing) =>
    Object.entries(typeof flaws === 'function' ? flaws(client, method) : flaws)
  const managed = methods.filter((method) => method !== 'POST')
  if (methods.includes('POST')) {
    for (const [flaw, replace] of flawsFor(await bank.client(), 'POST'))
      await inVariation(`POST ${flaw}`, () => judge(() => bank.registration.modified({}, replace)))
  }
  if (managed.length === 0) return
  const { client, put, expectKept } = await putTrials(tools)
  for (const method of managed) {
    const call = (replace: Replace<RegistrationCall>) =>
      method === 'PUT' ? put(replace) : bank.manage(method, client, replace)
    for (const [flaw, replace] of flawsFor(client, method))
      await inVariation(`${method} ${flaw}`, () => judge(() => call(replace)))
  }
  await expectKept()
}
