import { randomInt } from 'node:crypto'
import type { AssertionChanges } from '../../bank/client-authentication.js'
import type { Tools } from '../../harness/rule.js'
import { atEach, type ProofOptions } from './proof-endpoints.js'

/**
 * exp and iat are numbers, jti is a text that tells one assertion from another, and nobody takes a JWT before its nbf (RFC 7519 sections 4.1.4 to
 * 4.1.7). What the table says of their types is whoever makes the assertion to heed, and it has no nbf: a bank that takes others is warned.
 * @param now in Unix seconds
 */
export function oddTypes(now: number): Readonly<Record<string, Record<string, unknown>>> {
  return {
    'whose exp is a text': { exp: String(now + 300) },
    'with a number as jti': { jti: randomInt(2 ** 40) },
    'with an empty text as jti': { jti: '' },
    'whose iat is a text': { iat: String(now) },
    'before its nbf': { nbf: now + 3600, exp: now + 3900 },
  }
}

/** An extension that no bank knows, and what a JWS is whose header calls it critical. */
export const unknownExtension = {
  critical: 'conformance_unknown',
  what: 'whose header calls an extension critical that nobody knows',
}

/** Sends assertions of odd types, and one with a critical extension, to each endpoint. */
export async function warnOfOddTypes(tools: Tools, options: ProofOptions = {}): Promise<void> {
  const { critical, what: extended } = unknownExtension
  const types = Object.entries(oddTypes(tools.service.clock())).map(([what, claims]) => [what, { claims }] as const)
  const odd: (readonly [string, AssertionChanges])[] = [...types, [extended, { critical }]]
  await atEach(tools, options, async ({ at, expectRefused }, send) => {
    for (const [what, authentication] of odd) {
      await tools.inVariation(`a client assertion ${what}, at ${at}`, async () => {
        const answer = await send(() => ({ authentication }))
        // One that is taken uses the code up: the next one leads to what is wrong with the code.
        const taken = answer.status < 300 || answer.member('error') === 'invalid_grant'
        if (taken)
          tools.warn(
            `a client assertion ${what} is taken at ${at} (RFC 7519 section ${authentication.claims ? '4.1' : '7.2'})`,
          )
        else expectRefused(tools, answer)
      })
    }
  })
}
