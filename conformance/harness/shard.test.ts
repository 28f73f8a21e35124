import { openEdition } from '../../schemas/editions/index.js'
import { rules } from '../rules/index.js'
import type { Target } from '../target/target.js'
import { planOf } from './plan.js'
import { changesTheBank, rulesOfShard } from './shard.js'

const certificate = { cert: '', key: '' }
/** Has what most rules need. */
const target: Target = {
  issuer: 'https://bank.example',
  control: { url: 'https://localhost:9000', token: 'token' },
  keys: [],
  clientCertificate: certificate,
  server: { host: 'localhost', port: 0, url: 'https://localhost:{port}', certificate },
  people: [{ login: 'jana', password: 'secret', kinds: ['full'] }],
  pages: new Map([['sign-in', { when: 'form', fill: {}, actions: { submit: 'button' } }]]),
  concurrency: 1,
  timeoutSeconds: 1,
}
const partsOf = (of: number) =>
  Array.from({ length: of }, (_, i) => rulesOfShard(rules, { part: i + 1, of }, target).map(({ id }) => id))

describe('the parts of a run', () => {
  test.each([1, 2, 5, 16])('of %i have each rule once, and ask about equally much', (of) => {
    const parts = partsOf(of)
    const ids = (chosen: typeof rules) => chosen.map(({ id }) => id).sort()
    const last = ids(rules.filter((rule) => rule.last))
    expect(last.length).toBeGreaterThan(0)
    for (const part of parts) expect(part).toEqual(expect.arrayContaining(last))
    expect(parts.flatMap((part) => part.filter((id) => !last.includes(id))).sort()).toEqual(
      ids(rules.filter((rule) => !rule.last)),
    )
    const costs = parts.map(
      (ids) =>
        planOf(
          openEdition(),
          rules.filter(({ id }) => ids.includes(id)),
          target,
        ).cost.exchanges,
    )
    expect(Math.max(...costs) / Math.min(...costs)).toBeLessThan(1.2)
  })

  test('leave to the last one what the others would notice', () => {
    const [last, ...others] = partsOf(4).reverse()
    const changing = rules.filter(changesTheBank).map(({ id }) => id)
    expect(changing.length).toBeGreaterThan(0)
    expect(others.flat().filter((id) => changing.includes(id))).toEqual([])
    expect(changing.filter((id) => !last?.includes(id))).toEqual([])
  })
})
