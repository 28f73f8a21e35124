import { examine } from '../examine.js'
import { HttpResponse } from '../http/http.js'
import { bankForTest } from '../testing/banks.js'
import { rulesKept } from '../testing/foreign-bank.js'
import type { ExpectationReached } from './expectations.js'

const words = ({ where, matcher, variation = '', held }: ExpectationReached) =>
  `${variation} ${where} ${matcher} ${held}`

test('every rule comes to the same expectations when it judges the same answers again, and the bank is asked for none', async () => {
  const { target, seen } = await bankForTest()
  const first = new Map<string, string[]>()
  const again = new Map<string, string[]>()
  const anew = new Map<string, string[]>()
  const { counts } = await examine({
    target,
    only: rulesKept,
    onExpectation: (rule, reached) => first.set(rule, [...(first.get(rule) ?? []), words(reached)]),
    async onChecked(rule, { judge }) {
      again.set(rule, (await judge(({ response }) => response)).map(words))
      anew.set(rule, (await judge(({ response }) => response, { anew: true })).map(words))
    },
  })
  expect(counts.pass).toBe(again.size)
  expect(Object.fromEntries(again)).toEqual(Object.fromEntries(first))
  expect(Object.fromEntries(anew)).toEqual(Object.fromEntries(first))
  const other = await bankForTest()
  await examine({ target: other.target, only: rulesKept })
  expect(seen).toHaveLength(other.seen.length)
})

test('a rule fails by an answer that is altered, also by one to what rules have in common', async () => {
  const { target } = await bankForTest()
  const failed: string[] = []
  await examine({
    target,
    only: ['discovery/document'],
    async onChecked(_, { judge }) {
      const reached = await judge(
        ({ response }) => {
          const { request, status, headers, evidence } = response
          return new HttpResponse(request, status, headers, JSON.stringify({ issuer: 4711 }), evidence)
        },
        { anew: true },
      )
      failed.push(...reached.filter(({ held }) => !held).map(words))
    },
  })
  expect(failed).toEqual([' issuer of the discovery document toBeText false'])
})
