import type { Rule } from '../../harness/rule.js'
import { levels } from '../support/acr-levels.js'
import { parseSpaceDelimited } from '../support/parse-space-delimited.js'
import { askedFor, eachIdToken, everything, throughout } from '../support/throughout.js'

/** Seconds by which the bank's clock may differ from ours. */
const clockSkewSeconds = 300

/** What holds of every login of a run, by what was asked for: in combinations too that no rule looks at by itself. */
export const seenLogins: readonly Rule[] = [
  throughout({
    id: 'authorization/auth-time-throughout',
    requirement: 'AUTH-50',
    places: [everything],
    title: 'Every id_token of the run that came of a max_age carries auth_time, a time before it was issued',
    check: ({ bank, expect }) =>
      eachIdToken({ bank }, (grant, { claims: { auth_time, iat } }) => {
        const maxAge = askedFor(grant, 'max_age')
        // One that is out of range gives no token where AUTH-16 holds.
        if (maxAge === undefined || !/^\d{1,6}$/.test(maxAge)) return
        expect(auth_time, `auth_time of the id_token of a login with max_age ${maxAge}`, grant.response).toSatisfy(
          (time) => Number.isFinite(time) && Number(time) > 0 && Number(time) <= Number(iat) + clockSkewSeconds,
          `a number of seconds, at most iat, which is ${iat}`,
        )
      }),
  }),
  throughout({
    id: 'authorization/acr-throughout',
    requirement: 'AUTH-33',
    places: [everything],
    title: 'acr of every id_token of the run is at least the lowest level that was asked for',
    check: ({ bank, expect }) =>
      eachIdToken({ bank }, (grant, { claims: { acr } }) => {
        const wanted = parseSpaceDelimited(askedFor(grant, 'acr_values') ?? '')
        const lowest = levels.find((level) => wanted.includes(level))
        // A list that names others beside them may be served at any level.
        if (lowest === undefined || wanted.some((level) => !levels.includes(level))) return
        expect<unknown>(
          acr,
          `acr of the id_token of a login with acr_values ${wanted.join(' ')}`,
          grant.response,
        ).toBeOneOf(levels.slice(levels.indexOf(lowest)))
      }),
  }),
]
