import { randomUUID } from 'node:crypto'
import { rule } from '../../harness/rule.js'
import { toSign } from '../../target/needs.js'
import { otherTimes } from '../support/proof-replay.js'

export const assertionReplay = rule({
  id: 'signing/assertion-replay',
  requirement: 'TOK-15',
  places: ['endpoint=token grant=signing'],
  title: 'A client assertion of the signing flow whose jti was seen before is refused',
  needs: toSign,
  async check({ bank, expect, reading, service }) {
    const exchange = await bank.signing.result.variations()
    const claims = { jti: randomUUID() }
    const assertWith = (times: Partial<ReturnType<typeof otherTimes>>) =>
      exchange(({ authentication }) => ({
        authentication: { ...Object(authentication), claims: { ...claims, ...times } },
      }))
    expect(await assertWith({})).toHaveStatus(200)
    const again = await assertWith(otherTimes(service.clock()))
    // Taken again, the assertion leads to what is wrong with a code that was used.
    if (again.member('error') === 'invalid_grant') return reading('AMB-68', 'accepted')
    expect(again).toHaveStatus(400, 401)
    expect(again.member('error'), 'error of the refusal', again).toBe('invalid_client')
    reading('AMB-68', 'refused')
  },
})
