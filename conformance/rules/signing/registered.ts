import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'

/** Longer than any request object lives, and less than milliseconds are more than seconds. */
const longestLifeSeconds = 10 * 365 * 86_400

/** SIGN-1: until when what was registered is good, in JSON. */
export function expectRegistered({ expect, service }: Pick<Tools, 'expect' | 'service'>, response: HttpResponse): void {
  expect(response).toHaveMediaType('application/json')
  expect(response.member('exp'), 'exp', response).toSatisfy(
    (exp) => Number.isFinite(exp) && Math.abs(Number(exp) - service.clock()) < longestLifeSeconds,
    'Unix seconds: a number within ten years of now',
  )
}
