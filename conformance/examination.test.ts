import { type Examination, type ExaminationOptions, openExamination } from './examination.js'
import { examine } from './examine.js'
import { type RuleDefinition, rule } from './harness/rule.js'
import { RuleFailure, RunEnded } from './rule-failure.js'
import { rules } from './rules/index.js'
import { bankForTest } from './testing/banks.js'
import { rulesKept } from './testing/foreign-bank.js'
import { holds } from './testing/holds.js'
import { json } from './testing/https-server.js'

const made = (id: string, check: RuleDefinition['check'], more: Partial<RuleDefinition> = {}) =>
  rule({ id: `testing/${id}`, requirement: 'TOK-2', title: id, check, ...more })

const openForTest: Examination[] = []

afterEach(async () => {
  for (const run of openForTest.splice(0)) await run.close()
})

/** An examination of a small bank, which lets time pass. It is closed after the test, if it was not before. */
async function opened(options: ExaminationOptions, ...how: Parameters<typeof bankForTest>) {
  const { target, seen, clients } = await bankForTest(...how)
  const run = await openExamination({ ...target, slow: true }, options)
  openForTest.push(run)
  return { run, seen, clients }
}

/** What a promise is rejected with. */
async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}

const refusingTokens = () => ({ 'POST /token': () => json({ error: 'invalid_grant', error_description: 'no' }, 400) })

describe('an examination', () => {
  test('asks the bank as much when its rules are checked one after the other as when they are checked side by side', async () => {
    const { run, seen, clients } = await opened({ only: rulesKept })
    for (const planned of run.plan.rules) expect(await run.check(planned)).toMatchObject({ status: 'pass' })
    const results = await run.close()
    expect(results).toMatchObject({ partial: false, notRun: [], registrationsLeft: [] })
    expect(clients.size).toBe(0)

    const together = await bankForTest()
    const { counts } = await examine({ target: together.target, only: rulesKept })
    expect(results.counts).toEqual(counts)
    const asked = (requests: readonly string[]) => requests.map((one) => one.replace(/(?<=register\/).*/, 'ID')).sort()
    expect(asked(seen)).toEqual(asked(together.seen))
  })

  test('checks a rule once, however often it is asked for', async () => {
    let times = 0
    const counted = made('it', async () => {
      times += 1
    })
    const { run } = await opened({ rules: [counted] })
    const first = await run.check(counted)
    expect(await run.check(counted)).toBe(first)
    expect((await run.close()).results).toEqual([first])
    expect(times).toBe(1)
  })

  test('refuses a rule that its plan does not have', async () => {
    const { run } = await opened({ only: ['token/code-exchange'] })
    await expect(run.check({ id: 'health/record' })).rejects.toThrow(
      'the plan of this run does not have the rule health/record',
    )
    await run.close()
  })

  test('has rules that need time to pass at the end of its plan', async () => {
    const quick = async () => {}
    const { run } = await opened({ rules: [made('late', quick, { needs: ['clock'] }), made('early', quick)] })
    expect(run.plan.rules.map(({ id }) => id)).toEqual(['testing/early', 'testing/late'])
    await run.close()
  })

  test('asks the bank anew after time has passed, whatever it gave before', async () => {
    const late = made('late', async () => {}, { needs: ['clock'] })
    const { run, seen } = await opened({
      rules: [...rules.filter(({ id }) => rulesKept.includes(id)), late],
      only: ['token/code-exchange', 'userinfo/signed', 'testing/late'],
    })
    const exchanges = () => seen.filter((request) => request === 'POST /token').length
    await run.check({ id: 'token/code-exchange' })
    await run.check(late)
    // One in each dress.
    expect(exchanges()).toBe(4)
    // In each but the least.
    expect(await run.check({ id: 'userinfo/signed' })).toMatchObject({ status: 'pass' })
    expect(exchanges()).toBe(7)
    await run.close()
  })

  test('lets nothing else run while time passes, whenever it is asked for', async () => {
    const order: string[] = []
    const named = (name: string, more: Partial<RuleDefinition> = {}) =>
      made(
        name,
        async ({ bank }) => {
          order.push(`${name} begins`)
          await bank.get('/healthcheck')
          order.push(`${name} ends`)
        },
        more,
      )
    const [late, first, second] = [named('late', { needs: ['clock'] }), named('first'), named('second')]
    const { run } = await opened({ rules: [late, first, second] })
    const began = run.check(late)
    await new Promise(setImmediate)
    await Promise.all([began, run.check(first), run.check(second)])
    await run.close()
    expect(order.slice(0, 2)).toEqual(['late begins', 'late ends'])
  })
})

describe('a check', () => {
  test('resolves with what is no failure, by its status', async () => {
    const passes = made('passes', holds)
    const skips = made('skips', async ({ skip }) => skip('not declared'))
    const warns = made('warns', async ({ warn }) => warn('odd'))
    const waived = made('waived', async ({ expect: expectOf }) => {
      expectOf(1, 'one').toBe(2)
    })
    const waiver = { rule: waived.id, reason: 'known', owner: 'us', issue: 'one', expires: '2999-12-31' }
    const all = [passes, skips, warns, waived]
    const { run } = await opened({ rules: all, waivers: [waiver] })
    const results = await Promise.all(all.map((one) => run.check(one)))
    await run.close()
    expect(results.map(({ status, reason }) => [status, reason])).toEqual([
      ['pass', undefined],
      ['skip', 'not declared'],
      ['warn', 'odd'],
      ['waived', 'one should be 2, but is 1'],
    ])
  })

  test('tells a failure in a message that shows the requirement and the exchange, and no secret', async () => {
    const { run } = await opened({ only: ['token/code-exchange'] }, refusingTokens)
    const error = await rejectionOf(run.check({ id: 'token/code-exchange' }))
    await run.close()
    expect(error).toBeInstanceOf(RuleFailure)
    const { message, result } = error as RuleFailure
    expect(result).toMatchObject({ rule: 'token/code-exchange', status: 'fail', finding: expect.anything() })
    expect(message).toContain('fail     token/code-exchange\n  TOK-1 MUST, "Token response": ')
    expect(message).toContain(`\n  ${result.reason}\n`)
    expect(message).toMatch(/\n {2}expected: +\S.*\n {2}actual: +\S/)
    expect(message).toMatch(/\n {4}> POST https:\S+\/token\n/)
    expect(message).toContain('\n    < 400\n')
    expect(message).toMatch(/&client_assertion=client_assertion:‹[0-9a-f]{8}›/)
    expect(Object.keys(error as RuleFailure)).not.toContain('result')
  })

  test('that is blocked is a failure which names the rule about the step', async () => {
    const { run } = await opened({ only: ['token/scope-listed'] }, refusingTokens)
    const error = await rejectionOf(run.check({ id: 'token/scope-listed' }))
    await run.close()
    expect(error).toMatchObject({ result: { status: 'blocked', blockedBy: 'token/code-exchange' } })
    expect((error as RuleFailure).message).toContain(
      'token/code-exchange is the rule about that step. Look there first.',
    )
  })

  test('that the harness cannot make is a failure, and resultOf gives its result all the same', async () => {
    const fallsOver = made('falls-over', async () => {
      JSON.parse('{')
    })
    const { run } = await opened({ rules: [fallsOver] })
    expect(await rejectionOf(run.check(fallsOver))).toMatchObject({ result: { status: 'error' } })
    expect(await run.resultOf(fallsOver)).toMatchObject({ status: 'error' })
    await run.close()
  })
})

describe('closing', () => {
  test('ends what is under way and what waits, and takes away what was registered', async () => {
    const forever = (id: string) =>
      made(
        id,
        async ({ bank }) => {
          await bank.token()
          await new Promise(() => {})
        },
        { alone: ['session'] },
      )
    const both = [forever('runs'), forever('waits')]
    const { run, seen, clients } = await opened({ rules: [...both, made('unasked', async () => {})] })
    const errors = both.map((one) => rejectionOf(run.check(one)))
    while (!seen.includes('POST /token')) await new Promise((resolve) => setTimeout(resolve, 10))
    const results = await run.close()
    for (const error of errors) expect(await error).toBeInstanceOf(RunEnded)
    expect(results).toMatchObject({
      partial: true,
      notRun: ['testing/runs', 'testing/unasked', 'testing/waits'],
      results: [],
      registrationsLeft: [],
    })
    expect(clients.size).toBe(0)
  })

  test('gives the same when it is asked for again, and no rule is checked after it', async () => {
    const it = made('it', async () => {})
    const { run } = await opened({ rules: [it] })
    const results = await run.close()
    expect(await run.close()).toBe(results)
    await expect(run.check(it)).rejects.toThrow('the run was ended before testing/it had a result')
  })
})
