import type { JudgeAgain } from '../../conformance/examination.js'
import type { ExpectationReached } from '../../conformance/harness/expectations.js'
import type { KeptAnswer } from '../../conformance/harness/replay.js'
import { HttpResponse } from '../../conformance/http/http.js'
import { keyOf } from './expectations.js'
import { failedByWrongAnswers, type Search } from './sharpness.js'

const rule = 'introspection/live-token'

function kept(evidence: string, place: Partial<KeptAnswer['place']> = {}): KeptAnswer {
  const request = { method: 'POST', url: 'https://bank.example/token-info' }
  const response = new HttpResponse(request, 200, {}, '{"active":true,"exp":5}', evidence)
  return { place: { conversation: rule, before: 0, index: 0, ...place }, response }
}

function expectation(member: string, more: Partial<ExpectationReached> = {}): ExpectationReached {
  return { at: `rules/a.js:${member}`, matcher: 'toBe', where: `${member} of a token`, held: true, ...more }
}

/** A rule with one expectation of a member of one answer: it fails where `fails` says so, which is where the member is not as it was. */
async function tried(
  answers: readonly KeptAnswer[],
  member: string,
  more: Partial<ExpectationReached> = {},
  fails = (was: unknown, is: unknown): boolean => was !== is,
  search: Search = { tries: [] },
) {
  const one = expectation(member, more)
  const asked: { changed: string; anew: boolean; variation?: string }[] = []
  const again: JudgeAgain = {
    answers: new Map(answers.map((answer) => [answer.response.evidence, answer])),
    async judge(alter, { anew = false, variation } = {}) {
      const given = await Promise.all(
        answers.map(async (answer) => ({ right: answer.response, now: await alter(answer) })),
      )
      const changed = given.filter(({ right, now }) => right !== now)
      asked.push({
        changed: changed.map(({ right }) => right.evidence).join(),
        anew,
        ...(variation !== undefined && { variation }),
      })
      const wrong = changed.some(({ right, now }) => fails(right.member(member), now.member(member)))
      return [{ ...one, held: !wrong }]
    },
  }
  const { failed, tries } = await failedByWrongAnswers(rule, again, search)
  return { failed: failed.map(keyOf), tries, asked, key: keyOf(one) }
}

test('an expectation is tried first with what its words name wrong, in the answer that it judges', async () => {
  const { failed, asked, key } = await tried([kept('e1'), kept('e2', { index: 1 })], 'active', { evidence: 'e2' })
  expect(failed).toEqual([key])
  expect(asked).toEqual([
    { changed: '', anew: false },
    { changed: '', anew: true },
    { changed: 'e2', anew: false },
  ])
})

test('what rules have in common is judged anew where its answer is the wrong one', async () => {
  const { failed, asked, key } = await tried([kept('e1', { conversation: 'login' })], 'exp', { evidence: 'e1' })
  expect(failed).toEqual([key])
  expect(asked.at(-1)).toEqual({ changed: 'e1', anew: true })
})

test('of an expectation whose answer is not known any is tried of its variation, or of none', async () => {
  const answers = [
    kept('e1', { variation: 'b' }),
    kept('e2', { variation: 'a' }),
    kept('e3', { conversation: 'login' }),
  ]
  const { failed, asked, key } = await tried(answers, 'active', { variation: 'a' })
  expect(failed).toEqual([key])
  expect(new Set(asked.slice(3).map(({ changed }) => changed))).toEqual(new Set(['e2']))
})

test('what no wrong answer makes fail stays open once all were tried', async () => {
  const { failed, asked } = await tried([kept('e1')], 'scope', { evidence: 'e1' }, () => false)
  expect(failed).toEqual([])
  expect(asked.length).toBeGreaterThan(10)
})

test('of a variation that can be tried alone the others are left out', async () => {
  const { failed, asked, key } = await tried([kept('e1', { variation: 'a' })], 'exp', {
    evidence: 'e1',
    variation: 'a',
  })
  expect(failed).toEqual([key])
  expect(asked.slice(2).every(({ variation }) => variation === 'a')).toBe(true)
})

test('what another answer at the same address says is repeated', async () => {
  const other = kept('e2', { index: 1 })
  const { request, status, headers } = other.response
  const response = new HttpResponse(request, status, headers, '{"active":true,"exp":6}', 'e2')
  const { failed, asked, key } = await tried(
    [kept('e1', { variation: 'a' }), { ...other, response }],
    'exp',
    { evidence: 'e1', variation: 'a' },
    (_, is) => is === 6,
  )
  expect(failed).toEqual([key])
  expect(asked.at(-1)).toEqual({ changed: 'e1', anew: false, variation: 'a' })
})

test('what is known to make an expectation fail is tried first, and of the rest the first few', async () => {
  const fails = (_: unknown, is: unknown) => is === undefined
  const sought = await tried([kept('e1')], 'exp', { evidence: 'e1' }, fails)
  const { asked, tries } = await tried([kept('e1')], 'exp', { evidence: 'e1' }, fails, {
    tries: sought.tries,
    first: 1,
  })
  expect(sought.tries).toHaveLength(1)
  expect(tries).toEqual(sought.tries)
  expect(asked).toHaveLength(3)
})
