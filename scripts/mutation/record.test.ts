import { appendFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Numbered } from './build.js'
import type { Mutant } from './mutants.js'
import { reachBy } from './reach.js'
import { equivalentsAmong, Record, type Result, readEquivalents } from './record.js'
import { roomOf } from './rooms.js'
import { confirmed } from './run.js'
import { sampleOf } from './sample.js'
import { reachTableOf, scoresOf, tableOf } from './score.js'
import { type Ruling, rulingOf, type Verdict } from './verdict.js'

function result(id: string, verdict: Verdict): Result {
  return { id, verdict, by: [], key: 'k', rules: 1, seconds: 1, date: '2026-11-22' }
}

function mutant(id: string, more: Partial<Mutant> = {}): Mutant {
  return {
    id,
    file: 'bank-idp/a.ts',
    line: 1,
    text: 'a === b',
    operator: 'comparison',
    from: 'a === b',
    to: 'a !== b',
    ...more,
  }
}

test('a record keeps the last result of each mutant, and forgives the line that an end cut off', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'mutation-')), 'deeper', 'results.jsonl')
  const record = new Record(file)
  expect(record.read().size).toBe(0)
  record.add(result('a', 'survived'))
  record.add(result('b', 'killed'))
  record.add(result('a', 'killed'))
  appendFileSync(file, '{"id":"c","verd')
  const found = new Record(file).read()
  expect([...found.values()].map(({ id, verdict }) => [id, verdict])).toEqual([
    ['a', 'killed'],
    ['b', 'killed'],
  ])
})

test('an equivalent is named by what does not move; what it leaves out may be anything', () => {
  const list = `
- { file: bank-idp/a.ts, text: a === b, operator: comparison, to: a !== b, reason: both are always the same }
- { file: bank-idp/b.ts, text: c, reason: only the log shows it }`
  const mutants = [mutant('1'), mutant('2', { to: 'true' }), mutant('3', { file: 'bank-idp/b.ts', text: 'c' })]
  expect([...equivalentsAmong(mutants, readEquivalents(list))]).toEqual([
    ['1', 'both are always the same'],
    ['3', 'only the log shows it'],
  ])
})

test('an equivalent that is about no mutant, or gives no reason, is an error', () => {
  const stale = [{ file: 'bank-idp/a.ts', text: 'gone', reason: 'it was' }]
  expect(() => equivalentsAmong([mutant('1')], stale)).toThrow('no mutant any more: bank-idp/a.ts · gone')
  const bare = readEquivalents('- { file: bank-idp/a.ts, text: a === b }')
  expect(() => equivalentsAmong([mutant('1')], bare)).toThrow('without a reason')
})

test('a sample is the same for its seed, another for another, and a larger one holds it', () => {
  const mutants = Array.from({ length: 100 }, (_, at) => mutant(String(at)))
  const ids = (count: number, seed: string) => sampleOf(mutants, count, seed).map(({ id }) => id)
  expect(ids(10, 'a')).toEqual(ids(10, 'a'))
  expect(ids(10, 'a')).not.toEqual(ids(10, 'b'))
  expect(ids(20, 'a').slice(0, 10)).toEqual(ids(10, 'a'))
})

test('a verdict: red kills, and what is only blocked, in an error or out of time does not', () => {
  const outcome = (status: 'pass' | 'fail' | 'blocked', more: { timedOut?: true } = {}) => ({
    rule: 'token/a',
    requirement: 'TOK-2',
    status,
    reason: 'because',
    ...more,
  })
  const right = { 'token/a': { status: 'pass' } } as const
  const verdictOf = (judged: Parameters<typeof rulingOf>[0]) => rulingOf(judged, right).verdict
  expect(verdictOf({ outcomes: [outcome('fail')] })).toBe('killed')
  expect(verdictOf({ outcomes: [outcome('fail')], blocked: 'then it hung' })).toBe('killed')
  expect(verdictOf({ outcomes: [outcome('fail', { timedOut: true })] })).toBe('blocked')
  expect(verdictOf({ outcomes: [outcome('blocked')] })).toBe('blocked')
  expect(verdictOf({ outcomes: [], blocked: 'no discovery' })).toBe('blocked')
  expect(verdictOf({ outcomes: [], crashed: 'no port' })).toBe('crashed')
  expect(verdictOf({ outcomes: [outcome('pass')] })).toBe('survived')
  expect(rulingOf({ outcomes: [outcome('fail')] }, { 'token/a': { status: 'fail' } }).verdict).toBe('survived')
})

test('a red rule is asked again, and the others without it if it takes that back', async () => {
  const by = (rule: string) => [{ rule, requirement: 'TOK-2', reason: 'because' }]
  const asked: string[] = []
  const answers: Ruling[] = [
    { verdict: 'killed', by: by('token/a') },
    { verdict: 'survived', by: [] },
    { verdict: 'killed', by: by('token/b') },
    { verdict: 'killed', by: by('token/b') },
  ]
  const ruling = await confirmed(['token/a', 'token/b'], async (rules) => {
    asked.push(rules.join())
    return answers.shift() ?? { verdict: 'survived', by: [] }
  })
  expect(ruling).toEqual({ verdict: 'killed', by: by('token/b') })
  expect(asked).toEqual(['token/a,token/b', 'token/a', 'token/b', 'token/b'])
})

test('rules that pass a place are asked, cheap ones first; all where the start of the bank passes it, those of its file first', () => {
  const rule = (id: string, milliseconds: number, hits: number[]) => ({
    rule: id,
    requirement: 'TOK-2',
    status: 'pass' as const,
    milliseconds,
    hits,
  })
  const mutants = ['keys', 'keys', 'store', 'keys', 'store'].map((name) => ({ file: `bank-idp/${name}.ts` }))
  const reach = reachBy({ start: [0, 1], rules: [rule('dear', 900, [1, 2, 3]), rule('cheap', 100, [1, 3])] }, mutants)
  expect(reach.rulesOf(1)).toEqual(['cheap', 'dear'])
  expect(reach.rulesOf(2)).toEqual(['dear'])
  expect(reach.rulesOf(3)).toEqual(['cheap', 'dear'])
  expect(reach.rulesOf(4)).toEqual([])
  const near = reachBy({ start: [4], rules: [rule('dear', 900, [2, 3]), rule('cheap', 100, [3, 4])] }, mutants)
  expect(near.rulesOf(4)).toEqual(['dear', 'cheap'])
  expect(reach.rightBank.cheap).toEqual({ status: 'pass' })
})

test('the score of a room counts what rules reach in a bank that runs, without the equivalent', () => {
  const verdicts: Verdict[] = ['killed', 'killed', 'killed', 'survived', 'survived', 'crashed', 'unreached']
  const mutants: Numbered[] = verdicts.map((_, number) => ({ ...mutant(String(number)), number, room: 'keys' }))
  const results = new Map(verdicts.map((verdict, at) => [String(at), result(String(at), verdict)]))
  const scores = scoresOf(mutants, results, new Map([['4', 'nothing reads it']]))
  expect(scores).toHaveLength(1)
  expect(scores[0]).toMatchObject({
    room: 'keys',
    caught: 0.75,
    ofAll: 0.6,
    counts: { killed: 3, survived: 1, equivalent: 1 },
  })
  expect(tableOf(scores)).toContain('| keys | 7 | 3 | 0 | 1 | 0 | 1 | 1 | 1 | 75 % | 60 % |')
})

test('how many mutants of a room make a difference under some rule is told', () => {
  const mutants: Numbered[] = ['a', 'b', 'c', 'd'].map((id, number) => ({ ...mutant(id), number, room: 'store' }))
  const table = reachTableOf(mutants, { rulesOf: (number) => (number === 2 ? [] : ['token/a']) })
  expect(table.split('\n').slice(2)).toEqual(['| store | 4 | 3 | 75 % |'])
})

test('a room is a folder of the bank; faults, commands and settings are in none', () => {
  expect(roomOf('bank-idp/endpoints/interaction/consent.ts')).toBe('endpoints')
  expect(roomOf('bank-idp/claims.ts')).toBe('ground')
  expect(roomOf('bank-idp/policy.ts')).toBeUndefined()
  expect(roomOf('bank-idp/faults/token.ts')).toBeUndefined()
  expect(roomOf('bank-idp/endpoints/seams.ts')).toBeUndefined()
  expect(roomOf('conformance/rules/index.ts')).toBeUndefined()
})
