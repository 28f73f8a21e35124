import { withPool } from './pools.js'
import type { Target } from './target.js'

const person = (login: string, pool?: string) => ({ login, password: '', kinds: ['full'], ...(pool && { pool }) })
const target: Target = {
  issuer: 'https://bank.example',
  people: [person('jana', 'a'), person('eva', 'b'), person('ota'), person('ida', 'b')],
  pages: new Map(),
  concurrency: 1,
  timeoutSeconds: 1,
}
const logins = (...how: Parameters<typeof withPool>) => withPool(...how).people.map(({ login }) => login)

describe('pools of people', () => {
  test('give a run people of its own, beside those of no pool', () => {
    expect(logins(target, {})).toEqual(['jana', 'eva', 'ota', 'ida'])
    expect(logins(target, { pool: 'b' })).toEqual(['eva', 'ota', 'ida'])
  })

  test('are taken in turn by the parts of a run', () => {
    const of = (part: number) => logins(target, { shard: { part } })
    expect([of(1), of(2), of(3)]).toEqual([
      ['jana', 'ota'],
      ['eva', 'ota', 'ida'],
      ['jana', 'ota'],
    ])
    expect(logins(target, { pool: 'a', shard: { part: 2 } })).toEqual(['jana', 'ota'])
    expect(logins({ ...target, people: [person('ota')] }, { shard: { part: 2 } })).toEqual(['ota'])
  })

  test('have to be known', () => {
    expect(() => withPool(target, { pool: 'c' })).toThrow(
      '--pool c: the target file has no person of that pool; there are a, b',
    )
    expect(() => withPool({ ...target, people: [] }, { pool: 'c' })).toThrow(
      '--pool c: the target file has no person of that pool; nobody has people[].pool',
    )
  })
})
