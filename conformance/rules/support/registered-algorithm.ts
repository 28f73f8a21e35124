import type { Client } from '../../bank/registration.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'

/**
 * That something was signed with the algorithm that the client registered. The record of a given client may name none, and which
 * algorithm holds then is not shown.
 * @param member of the record
 */
export function expectRegisteredAlgorithm(
  { expect, note }: Tools,
  alg: unknown,
  { metadata }: Client,
  { what, member, response }: { what: string; member: string; response: HttpResponse },
): void {
  if (metadata[member] === undefined) {
    expect(alg, `alg of ${what}`, response).toBeText()
    note(`${what} is signed with ${alg}; the record of the given client names no ${member}`)
  } else expect(alg, `alg of ${what}`, response).toBe(metadata[member])
}
