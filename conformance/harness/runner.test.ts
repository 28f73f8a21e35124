import { BankFailure, StepFailure } from '../evidence/failure.js'
import { type ExamineOptions, examine } from '../examine.js'
import { bankForFile } from '../testing/banks.js'
import { holds } from '../testing/holds.js'
import { type RuleDefinition, rule } from './rule.js'

const bank = await bankForFile((own) => ({
  'GET /slow': () => 'hang',
  'GET /quick': () => own['GET /healthcheck']?.({} as never) ?? 'cut',
}))

type Check = RuleDefinition['check']

const made = (id: string, check: Check, more: Partial<RuleDefinition> = {}) =>
  rule({ id: `testing/${id}`, requirement: 'TOK-2', title: id, check, ...more })

const run = (rules: ReturnType<typeof made>[], options: Partial<ExamineOptions> = {}) =>
  examine({ target: bank.target, rules, ...options })

async function resultOf(check: Check, more: Partial<RuleDefinition> = {}, options: Partial<ExamineOptions> = {}) {
  const [result] = (await run([made('it', check, more)], options)).results
  return result
}

const broken: Check = async ({ expect: expectOf }) => {
  expectOf(1, 'one').toBe(2)
}

describe('a result', () => {
  test('is a pass when the check returns', async () => {
    expect(await resultOf(holds)).toEqual({
      rule: 'testing/it',
      requirement: 'TOK-2',
      level: 'MUST',
      title: 'it',
      status: 'pass',
      readings: [],
      notes: [],
      milliseconds: expect.any(Number),
      judged: 1,
      evidence: [expect.stringMatching(/^e\d+$/)],
    })
  })

  test('of a broken MUST is a fail', async () => {
    expect(await resultOf(broken)).toMatchObject({
      status: 'fail',
      reason: 'one should be 2, but is 1',
      finding: { expected: '2', actual: '1', where: 'one' },
    })
  })

  test('of a broken SHOULD is a warning', async () => {
    expect(await resultOf(broken, { requirement: 'TOK-15' })).toMatchObject({
      status: 'warn',
      finding: { actual: '1' },
    })
  })

  test('of a MAY is observed, whether it holds or not', async () => {
    expect(await resultOf(broken, { requirement: 'CONS-1' })).toMatchObject({
      status: 'observed',
      finding: { actual: '1' },
    })
    const result = await resultOf(holds, { requirement: 'CONS-1' })
    expect(result).toMatchObject({ status: 'observed' })
    expect(result).not.toHaveProperty('finding')
  })

  test('is blocked, naming the rule about the step, when a shared step failed', async () => {
    const stepFailed = async () => {
      throw new StepFailure('registration/create', new BankFailure({ sentence: 'refused' }))
    }
    expect(await resultOf(stepFailed)).toMatchObject({
      status: 'blocked',
      reason: 'refused',
      blockedBy: 'registration/create',
    })
    expect(await resultOf(stepFailed, { id: 'registration/create' })).toMatchObject({
      status: 'fail',
      reason: 'refused',
    })
  })

  test('is a skip with the reason when the rule says so', async () => {
    expect(await resultOf(async ({ skip }) => skip('not declared'))).toMatchObject({
      status: 'skip',
      reason: 'not declared',
    })
  })

  test('is a skip when the rule judged nothing of what it saw, or asked nothing', async () => {
    const looks: Check = async ({ bank: examined }) => void (await examined.healthResponse())
    expect(await resultOf(looks)).toMatchObject({
      status: 'skip',
      reason: 'the bank gave nothing that this rule could judge',
    })
    const asksNothing: Check = async ({ expect: expectOf }) => void expectOf(1, 'one').toBe(1)
    expect(await resultOf(asksNothing)).toMatchObject({ status: 'skip', reason: 'nothing was asked of the bank' })
  })

  test('is an error when the rule itself falls over, never the failure of the bank', async () => {
    const result = await resultOf(async () => {
      JSON.parse('{')
    })
    expect(result).toMatchObject({ status: 'error', reason: expect.stringContaining('SyntaxError') })
    expect(result).not.toHaveProperty('finding')
  })

  test('carries notes', async () => {
    const noting: Check = async (tools) => {
      await holds(tools)
      tools.note('seen')
    }
    expect(await resultOf(noting)).toMatchObject({ status: 'pass', notes: ['seen'] })
  })
})

describe('a reading', () => {
  test('is recorded, once, on the result and for the run', async () => {
    const readingsTaken = made('it', async ({ bank: examined, reading }) => {
      await examined.healthResponse()
      reading('AMB-17', 'present')
      reading('AMB-17', 'present')
    })
    const { results, readings } = await run([readingsTaken])
    const reading = { ambiguity: 'AMB-17', reading: 'present', text: 'scope always present', level: 'pass' }
    expect(results[0]).toMatchObject({ status: 'pass', readings: [reading] })
    expect(readings).toEqual([{ ...reading, rules: ['testing/it'] }])
  })

  test('of the level warn makes a passing rule warn', async () => {
    expect(await resultOf(async ({ reading }) => reading('AMB-17', 'absent'))).toMatchObject({
      status: 'warn',
      reason: 'AMB-17=absent: absent from a refresh response (warn)',
    })
  })

  test('of an ambiguity that does not bear on the requirement is an error', async () => {
    expect(await resultOf(async ({ reading }) => reading('AMB-15', 'ok'))).toMatchObject({
      status: 'error',
      reason: expect.stringContaining('AMB-15 does not bear on TOK-2'),
    })
  })

  test('that is not listed is an error', async () => {
    // @ts-expect-error It is a reading of another ambiguity: the compiler does not take it either.
    expect(await resultOf(async ({ reading }) => reading('AMB-17', 'created'))).toMatchObject({
      status: 'error',
      reason: expect.stringContaining("no reading 'created' of AMB-17"),
    })
  })

  test('that is named by a number is an error', async () => {
    // @ts-expect-error Readings have no numbers.
    expect(await resultOf(async ({ reading }) => reading('AMB-17', 2))).toMatchObject({
      status: 'error',
      reason: expect.stringContaining("no reading '2' of AMB-17"),
    })
  })
})

describe('a rule whose time is up', () => {
  test('fails when the bank owes it an answer', async () => {
    const waits: Check = async ({ bank: examined }) => {
      await examined.get('/slow')
    }
    expect(await resultOf(waits, {}, { boundSeconds: 0.1 })).toMatchObject({
      status: 'fail',
      timedOut: true,
      reason: `the bank did not answer GET ${bank.url}/slow in the rule's 0.1 s`,
    })
  })

  test('goes on while the bank answers what it asks', async () => {
    const asksMuch: Check = async ({ bank: examined, expect: judge }) => {
      for (let asked = 0; asked < 10; asked += 1) {
        await new Promise((resolve) => setTimeout(resolve, 60))
        judge(await examined.get('/quick')).toHaveStatus(200)
      }
    }
    expect(await resultOf(asksMuch, {}, { boundSeconds: 0.4 })).toMatchObject({ status: 'pass' })
  })

  test('is an error when the bank answered all that it had asked before', async () => {
    const asksOn: Check = async ({ bank: examined }) => {
      for (;;) await examined.get('/quick')
    }
    // Long enough for an answer to take a while on a machine that has other things to do.
    expect(await resultOf(asksOn, {}, { boundSeconds: 0.8 })).toMatchObject({
      status: 'error',
      timedOut: true,
      reason: 'the rule did not end within 8 s: it has more to ask than that',
    })
  })

  test('is an error when the bank owes it nothing', async () => {
    expect(await resultOf(() => new Promise(() => {}), {}, { boundSeconds: 0.1 })).toMatchObject({
      status: 'error',
      timedOut: true,
      reason: 'the rule did not end within 0.1 s',
    })
  })
})

describe('rules', () => {
  test('come out ordered by id, whatever the order they end in', async () => {
    const quick = async () => {}
    const calls: Check = async ({ bank: examined }) => {
      await examined.get('/quick')
    }
    const seen: string[] = []
    const { results } = await run([made('c', calls), made('a', calls), made('b', quick)], {
      onProgress: (result, done, total) => seen.push(`${result.rule} ${done}/${total}`),
    })
    expect(results.map((result) => result.rule)).toEqual(['testing/a', 'testing/b', 'testing/c'])
    expect(seen).toHaveLength(3)
    expect(seen[0]).toBe('testing/b 1/3')
    expect(seen[2]).toMatch(/ 3\/3$/)
  })

  test('run side by side, as many as the target allows', async () => {
    const track = tracker()
    const eight = Array.from({ length: 8 }, (_, i) => made(`r${i}`, track.check))
    await run(eight, { target: { ...bank.target, concurrency: 3 } })
    expect(track.most()).toBe(3)
  })

  test('that ask for the same lock run one after the other, the rest beside them', async () => {
    const locked = tracker()
    const free = tracker()
    await run([
      ...[1, 2, 3].map((i) => made(`locked${i}`, locked.check, { alone: ['session'] })),
      ...[1, 2, 3].map((i) => made(`free${i}`, free.check)),
    ])
    expect(locked.most()).toBe(1)
    expect(free.most()).toBe(3)
  })

  test('that wait begin first', async () => {
    const order: string[] = []
    const named = (name: string, more: Partial<RuleDefinition> = {}) =>
      made(name, async () => void order.push(name), more)
    await run([named('first'), named('waits', { waits: true })], { target: { ...bank.target, concurrency: 1 } })
    expect(order).toEqual(['waits', 'first'])
  })

  test('that wait take no place of others', async () => {
    let go = () => {}
    const others = new Promise<void>((resolve) => {
      go = resolve
    })
    const waits: Check = () => others
    const other: Check = async () => go()
    const waiting = ['one', 'two'].map((name) => made(name, waits, { waits: true }))
    const two = { target: { ...bank.target, concurrency: 2 } }
    expect((await run([...waiting, made('other', other)], two)).counts.error).toBe(0)
  })

  test('that judge what the others asked for come after them, and before those that need time to pass', async () => {
    const order: string[] = []
    const named = (name: string, more: Partial<RuleDefinition> = {}) =>
      made(name, async () => void order.push(name), more)
    const rules = [named('last', { last: true }), named('late', { needs: ['clock'] }), named('first'), named('second')]
    await run(rules, { target: { ...bank.target, concurrency: 1, slow: true } })
    expect(order).toEqual(['first', 'second', 'last', 'late'])
  })

  test('that need time to pass come last, when nothing else is under way', async () => {
    const order: string[] = []
    const early: Check = async ({ bank: examined }) => {
      await examined.get('/quick')
      order.push('early')
    }
    const late: Check = async () => {
      order.push('late')
    }
    const needs = { needs: ['clock'] } as const
    await run([made('a', late, needs), made('b', early), made('c', early), made('d', late, needs)], {
      target: { ...bank.target, slow: true },
    })
    expect(order).toEqual(['early', 'early', 'late', 'late'])
  })

  test('are not begun after the run is ended', async () => {
    const ending = new AbortController()
    const ends = made('a', async () => ending.abort())
    const { results, notRun, partial } = await run([ends, made('b', holds)], {
      target: { ...bank.target, concurrency: 1 },
      signal: ending.signal,
    })
    expect(results.map((result) => result.rule)).toEqual(['testing/a'])
    expect(notRun).toEqual(['testing/b'])
    expect(partial).toBe(true)
  })
})

/** A check that a few requests long counts how many of its kind run at once. */
function tracker() {
  let now = 0
  let most = 0
  const check: Check = async ({ bank: examined }) => {
    now += 1
    most = Math.max(most, now)
    for (let i = 0; i < 3; i += 1) await examined.get('/quick')
    now -= 1
  }
  return { check, most: () => most }
}
