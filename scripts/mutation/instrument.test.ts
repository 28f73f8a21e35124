import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { instrument } from './instrument.js'
import { type Mutant, sitesOf } from './mutants.js'
import { activate, takeHits } from './switchboard.js'

const first = 100

/** Loads a module with its mutants in it. */
async function load<Module>(code: string): Promise<{ module: Module; numberOf(operator: string, to: string): number }> {
  const sites = sitesOf(code, 'bank-idp/some.ts', () => ({ line: 1, text: '' }))
  const file = join(mkdtempSync(join(tmpdir(), 'mutation-')), 'some.mjs')
  const switchboard = fileURLToPath(new URL('./switchboard.ts', import.meta.url))
  writeFileSync(file, instrument(code, sites, switchboard, first))
  const mutants: Mutant[] = sites.flatMap((site) => site.mutants)
  return {
    module: (await import(file)) as Module,
    numberOf(operator, to) {
      const found = mutants.findIndex((one) => one.operator === operator && one.to === to)
      expect(found).toBeGreaterThanOrEqual(0)
      return first + found
    },
  }
}

afterEach(() => activate(-1))

test('one build is the right program, and with a mutant on the wrong one', async () => {
  const code = `
    export function accepted(claims, now) {
      const missing = ['exp', 'jti'].filter((name) => claims[name] === undefined);
      if (missing.length > 0) throw new TypeError(missing[0]);
      return claims.exp > now && claims.aud === 'bank';
    }`
  const { module, numberOf } = await load<{ accepted(claims: Record<string, unknown>, now: number): boolean }>(code)
  const right = { exp: 10, jti: 'a', aud: 'bank' }
  expect(module.accepted(right, 5)).toBe(true)
  expect(module.accepted({ ...right, aud: 'bank2' }, 5)).toBe(false)
  expect(() => module.accepted({ exp: 10 }, 5)).toThrow('jti')

  activate(numberOf('loose-equality', "$m.prefixed(claims.aud, 'bank')"))
  expect(module.accepted({ ...right, aud: 'bank2' }, 5)).toBe(true)
  activate(numberOf('comparison', 'claims.exp >= now'))
  expect(module.accepted({ ...right, exp: 5 }, 5)).toBe(true)
  activate(numberOf('condition', 'false'))
  expect(module.accepted({ ...right, jti: undefined }, 5)).toBe(true)
})

test('members, elements and statements are left out, the rest stays in its order', async () => {
  const code = `
    const more = { nonce: 'n' };
    export function token(sub, seen) {
      seen.push(sub);
      return { iss: 'bank', sub, ...more, aud: ['client', ...seen], iat() { return 7 } };
    }`
  const { module } = await load<{ token(sub: string, seen: string[]): Record<string, unknown> }>(code)
  const all = () => Object.keys(module.token('a', []))
  expect(all()).toEqual(['iss', 'sub', 'nonce', 'aud', 'iat'])
  takeHits()
  module.token('a', [])
  const shapes = [...takeHits()].map((mutant) => {
    activate(mutant)
    const seen: string[] = []
    const { aud, ...others } = module.token('a', seen)
    return JSON.stringify([Object.keys(others), aud ?? null, seen.length])
  })
  expect(shapes).toEqual(
    expect.arrayContaining([
      '[["sub","nonce","iat"],["client","a"],1]',
      '[["iss","sub","iat"],["client","a"],1]',
      '[["iss","sub","nonce","iat"],["client"],1]',
      '[["iss","sub","nonce","iat"],["a"],1]',
      '[["iss","sub","nonce","iat"],["client"],0]',
      '[["iss","sub","nonce","iat"],null,1]',
    ]),
  )
})

test('a change that makes no difference where it was passed is not told', async () => {
  const code = `export const right = (a, b) => a === b;
    export const longest = (a) => { if (a.length <= 300 && a !== '') return 'good'; return 'long' };`
  type Module = { right(a: string, b: string): boolean; longest(a: string): string }
  const { module, numberOf } = await load<Module>(code)
  const loose = numberOf('loose-equality', '$m.prefixed(a, b)')
  const bound = numberOf('comparison', 'a.length < 300')
  takeHits()
  module.right('code', 'token')
  module.longest('short')
  const before = takeHits()
  expect([before.has(loose), before.has(bound)]).toEqual([false, false])
  module.right('code', 'code token')
  module.longest('x'.repeat(300))
  const after = takeHits()
  expect([after.has(loose), after.has(bound)]).toEqual([true, true])
})

test('a place that was passed is told once, and one that was not is not', async () => {
  const { module, numberOf } = await load<{ pick(a: boolean): number }>('export const pick = (a) => a ? 10 : 20')
  takeHits()
  module.pick(true)
  const hits = takeHits()
  expect(hits.has(numberOf('constant', '11'))).toBe(true)
  expect(hits.has(numberOf('constant', '21'))).toBe(false)
  expect(takeHits().size).toBe(0)
})
